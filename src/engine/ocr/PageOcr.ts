/**
 * Recognises the text of pages in their pictures, and lays it on the page as items, as the text layer of another page would be.
 *
 * @since 0.1.0
 */
import * as Box from "../pdf/Box.ts"
import type { PageItems, Word } from "../pdf/PageItem.ts"
import * as PageTurn from "../pdf/PageTurn.ts"
import * as PdfReader from "../pdf/PdfReader.ts"
import * as DrawnRules from "./DrawnRules.ts"
import type { OcrPackages } from "./OcrPackages.ts"
import * as Picture from "./Picture.ts"
import * as RecognisedPage from "./RecognisedPage.ts"
import * as Recognition from "./Recognition.ts"
import * as Sheet from "./Sheet.ts"
import * as TesseractThread from "./TesseractThread.ts"

/**
 * The packages, and the languages to choose from: codes, or several joined by `+` for text in all of them. Survives `postMessage`.
 *
 * @since 0.1.0
 * @category models
 */
export interface OcrSettings {
  readonly packages: OcrPackages
  readonly languages: ReadonlyArray<string>
}

/**
 * The recogniser of one document at a time. Keeps its thread between documents.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageOcr {
  /** Begins a document. */
  readonly document: (bytes: Uint8Array) => DocumentOcr
}

/**
 * @since 0.1.0
 * @category models
 */
export interface DocumentOcr {
  /**
   * The page with recognised text in place of its own. Rejects with {@link TesseractThread.Late} at `deadline`, in milliseconds since the
   * epoch, and with other errors when the page cannot be drawn or the recogniser fails; both leave other pages as they are.
   */
  readonly read: (page: PageItems, deadline: number) => Promise<PageItems>
}

/** Long side of a page's picture, in pixels. */
const longSide = 2000

/** Sizes of the long side, in points, between which a page is laid out as it is; others are laid out as {@link usualSide}. */
const sides = { least: 560, most: 1250 }

const usualSide = 792

/** Confidence below which a page may be turned or in another language. */
const doubtful = 0.6

/** Height of the part of a page by which its language is found, as a share. */
const sampleShare = 0.25

const turns: ReadonlyArray<PageTurn.Turn> = [90, 180, 270]

/** Size of the page's frame for layout. */
const frameOf = ({ height, width }: PageTurn.Size): PageTurn.Size => {
  const long = Math.max(width, height)
  const scale = long >= sides.least && long <= sides.most ? 1 : usualSide / long
  return { width: width * scale, height: height * scale }
}

class Recogniser {
  private thread: TesseractThread.TesseractThread | undefined
  private loaded = new Set<string>()
  private current = ""
  private readonly settings: OcrSettings

  constructor(settings: OcrSettings) {
    this.settings = settings
  }

  private async use(language: string, deadline: number): Promise<TesseractThread.TesseractThread> {
    const { folder, languages } = this.settings.packages
    if (this.thread?.alive() === true && this.current === language) return this.thread
    if (this.thread?.alive() !== true) {
      this.thread = TesseractThread.start(folder)
      this.loaded = new Set()
      this.current = ""
      await this.thread.request("load", { options: { lstmOnly: true, corePath: undefined, logging: false } }, deadline)
    }
    const { thread } = this
    for (const each of language.split("+")) {
      if (this.loaded.has(each)) continue
      const options = { langPath: languages[each], cacheMethod: "none", gzip: true, lstmOnly: true }
      // oxlint-disable-next-line no-await-in-loop -- the thread answers one request after another
      await thread.request("loadLanguage", { langs: each, options }, deadline)
      this.loaded.add(each)
    }
    await thread.request("initialize", { langs: language, oem: 1, config: {} }, deadline)
    this.current = language
    return thread
  }

  async lines(picture: Picture.Picture, language: string, deadline: number) {
    const thread = await this.use(language, deadline)
    const answer = await thread.request(
      "recognize",
      { image: Picture.toGreyMap(picture), options: {}, output: { text: false, blocks: true } },
      deadline
    )
    return Recognition.fromAnswer(answer)
  }
}

interface Read {
  readonly lines: ReadonlyArray<Recognition.RecognisedLine>
  readonly picture: Picture.Picture
  readonly turn: PageTurn.Turn
}

const sureness = (lines: ReadonlyArray<Recognition.RecognisedLine>): number =>
  Recognition.confidence(lines.flatMap(({ words }) => words))

/** The band of the picture with most ink, in which a language is found. */
const sample = (picture: Picture.Picture): Picture.Picture => {
  const height = Math.round(picture.height * sampleShare)
  const steps = 8
  let best = 0
  let most = -1
  const inks = Array.from({ length: picture.height }, (_, y) => {
    let ink = 0
    for (let at = y * picture.width; at < (y + 1) * picture.width; at += 3) if ((picture.pixels[at] ?? 255) < 128) ink++
    return ink
  })
  for (let step = 0; step < steps; step++) {
    const top = Math.floor(((picture.height - height) * step) / (steps - 1))
    const ink = inks.slice(top, top + height).reduce((sum, each) => sum + each, 0)
    if (ink > most) {
      most = ink
      best = top
    }
  }
  return Picture.band(picture, best, height)
}

class Document implements DocumentOcr {
  private readonly recogniser: Recogniser
  private readonly languages: ReadonlyArray<string>
  private readonly bytes: Uint8Array
  /** The language of the last page. */
  private language: string | undefined
  /** The turn of the last page, which the next one is likely to have. */
  private turn: PageTurn.Turn = 0

  constructor(recogniser: Recogniser, languages: ReadonlyArray<string>, bytes: Uint8Array) {
    this.recogniser = recogniser
    this.languages = languages
    this.bytes = bytes
  }

  /** The language in which a part of the picture is recognised best. */
  private async languageOf(picture: Picture.Picture, deadline: number): Promise<string> {
    const [first = "eng"] = this.languages
    if (this.languages.length < 2) return first
    const part = sample(picture)
    let best = first
    let most = -1
    for (const language of this.languages) {
      // oxlint-disable-next-line no-await-in-loop -- one recogniser
      const sure = sureness(await this.recogniser.lines(part, language, deadline))
      if (sure > most) {
        most = sure
        best = language
      }
    }
    return best
  }

  private async turnOf(picture: Picture.Picture, language: string, deadline: number): Promise<PageTurn.Turn> {
    const small = Picture.halved(picture)
    let best: PageTurn.Turn = 0
    let most = Recognition.soundLetters(await this.recogniser.lines(small, language, deadline))
    for (const turn of turns) {
      // oxlint-disable-next-line no-await-in-loop -- one recogniser
      const lines = await this.recogniser.lines(Picture.upright(small, turn), language, deadline)
      const sound = Recognition.soundLetters(lines)
      if (sound > most) {
        most = sound
        best = turn
      }
    }
    return best
  }

  private async recognised(shown: Picture.Picture, deadline: number): Promise<Read> {
    const known = this.language
    const language = known ?? (await this.languageOf(Picture.upright(shown, this.turn), deadline))
    const picture = Picture.upright(shown, this.turn)
    const lines = await this.recogniser.lines(picture, language, deadline)
    const sure = sureness(lines)
    if (sure >= doubtful) {
      this.language = language
      return { lines, picture, turn: this.turn }
    }
    const turn = await this.turnOf(shown, language, deadline)
    const upright = Picture.upright(shown, turn)
    const other = turn === this.turn && this.languages.length < 2 ? language : await this.languageOf(upright, deadline)
    if (turn === this.turn && other === language) return { lines, picture, turn }
    const again = await this.recogniser.lines(upright, other, deadline)
    if (Recognition.soundLetters(again) <= Recognition.soundLetters(lines)) return { lines, picture, turn: this.turn }
    this.turn = turn
    this.language = other
    return { lines: again, picture: upright, turn }
  }

  async read(page: PageItems, deadline: number): Promise<PageItems> {
    const shown = PageTurn.uprightSize(page, page.turn)
    const drawn = await PdfReader.draw(
      this.bytes,
      page.pageNumber,
      (longSide * 72) / Math.max(shown.width, shown.height)
    )
    const { lines, picture, turn } = await this.recognised(Picture.fromPng(drawn), deadline)
    const frame = frameOf(PageTurn.uprightSize(shown, turn))
    const scale = frame.width / picture.width
    const slope = RecognisedPage.slopeOf(lines)
    const words = RecognisedPage.place(lines, slope, picture, scale)
    const rules = DrawnRules.find(picture, slope).map(({ at, from, horizontal, to }) => ({
      horizontal,
      at: at * scale,
      from: from * scale,
      to: to * scale
    }))
    const sheet = await PdfReader.readSheet(Sheet.write(frame, rules), words)
    return {
      ...sheet,
      pageNumber: page.pageNumber,
      width: frame.width,
      height: frame.height,
      turn,
      items: sheet.items.map((item) => ({ ...item, words: wordsOf(item.box, words) })),
      figures: [],
      recognised: words.map(({ box, confidence, text }) => ({ box, confidence, text })),
      unreadable: false
    }
  }
}

const wordsOf = (box: Box.Box, words: ReadonlyArray<RecognisedPage.PlacedWord>): ReadonlyArray<Word> =>
  words.flatMap((word) =>
    Box.centerWithin(word.box, box, 0.5) ? [{ text: word.text, box: word.box, link: undefined }] : []
  )

/**
 * Makes a recogniser. Its thread starts with the first page.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (settings: OcrSettings): PageOcr => {
  const recogniser = new Recogniser(settings)
  return { document: (bytes) => new Document(recogniser, settings.languages, bytes) }
}
