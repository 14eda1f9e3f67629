/** Recognises the text of pages in their pictures, and lays it on the page as items, as the text layer of another page would be. */
import * as Box from "../pdf/Box.ts"
import type { Item, PageItems, Word } from "../pdf/PageItem.ts"
import * as PageTurn from "../pdf/PageTurn.ts"
import * as WasmModule from "../pdf/WasmModule.ts"
import * as DrawnRules from "./DrawnRules.ts"
import type { OcrPackages } from "./OcrPackages.ts"
import * as PageDrawing from "./PageDrawing.ts"
import * as Picture from "./Picture.ts"
import * as RecognisedPage from "./RecognisedPage.ts"
import * as Recognition from "./Recognition.ts"
import * as Sheet from "./Sheet.ts"
import * as Skew from "./Skew.ts"
import * as TesseractThread from "./TesseractThread.ts"
import * as WordInk from "./WordInk.ts"

/** The packages, and the languages to choose from: codes, or several joined by `+` for text in all of them. Survives `postMessage`. */
export interface OcrSettings {
  readonly packages: OcrPackages
  readonly languages: ReadonlyArray<string>
  /** Most pages that are recognised side by side, each in a thread of its own; default 1. */
  readonly threads?: number | undefined
}

/** The recogniser of one document at a time. Its threads end when they are not used. */
export interface PageOcr {
  /** Number of pages that may be read at the same time. */
  readonly threads: number
  /** The same recogniser, with as many threads as it has, for a document that may use that many. */
  readonly withThreads: (threads: number) => PageOcr
  /** Begins a document, of which that many pages will be read. */
  readonly document: (bytes: Uint8Array, pages: number) => DocumentOcr
}

export interface DocumentOcr {
  /**
   * The page with recognised text instead of its text layer. Rejects with {@link TesseractThread.Late} at `deadline`, in milliseconds since the
   * epoch, with {@link Illegible}, and with other errors when the page cannot be drawn or the recogniser fails; other pages are not
   * affected.
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

/** Confidence of a sample, and number of its sound letters, that leave no doubt of its turn. */
const certain = { confidence: 0.8, letters: 60 }

/** Size of the page's frame for layout. */
const frameOf = ({ height, width }: PageTurn.Size): PageTurn.Size => {
  const long = Math.max(width, height)
  const scale = long >= sides.least && long <= sides.most ? 1 : usualSide / long
  return { width: width * scale, height: height * scale }
}

/** The page shows no printed text, such as handwriting. */
export class Illegible extends Error {
  override readonly name = "Illegible"
}

/** Milliseconds after which a thread without a page ends. */
const rest = 2000

/** Lines of a picture in a language. */
type Lines = (picture: Picture.Picture, language: string) => Promise<ReadonlyArray<Recognition.RecognisedLine>>

class Recogniser {
  private thread: TesseractThread.TesseractThread | undefined
  private loaded = new Set<string>()
  private current = ""
  private resting: NodeJS.Timeout | undefined
  private readonly packages: OcrPackages

  constructor(packages: OcrPackages) {
    this.packages = packages
  }

  private async use(language: string, deadline: number): Promise<TesseractThread.TesseractThread> {
    const { folder, languages } = this.packages
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

  /** The thread ends when it has nothing to do for `rest` milliseconds. */
  async lines(picture: Picture.Picture, language: string, deadline: number) {
    clearTimeout(this.resting)
    try {
      const thread = await this.use(language, deadline)
      const answer = await thread.request(
        "recognize",
        { image: Picture.toGreyMap(picture), options: {}, output: { text: false, blocks: true } },
        deadline
      )
      return Recognition.fromAnswer(answer)
    } finally {
      this.resting = setTimeout(() => this.thread?.end(), rest).unref()
    }
  }
}

interface Read {
  readonly lines: ReadonlyArray<Recognition.RecognisedLine>
  /** The picture in which the lines are, upright and level. */
  readonly picture: Picture.Picture
  readonly rules: ReadonlyArray<DrawnRules.DrawnRule>
  readonly turn: PageTurn.Turn
  readonly language: string
}

const sureness = (lines: ReadonlyArray<Recognition.RecognisedLine>): number =>
  Recognition.confidence(lines.flatMap(({ words }) => words))

/** The part of the picture with most ink, half as wide and half as high, by which turn and language are found. */
const sample = (picture: Picture.Picture): Picture.Picture => {
  const ink = Picture.inkLevel(picture)
  const width = picture.width >> 1
  const height = picture.height >> 1
  let best = { left: 0, top: 0 }
  let most = -1
  for (let step = 0; step < places * places; step++) {
    const left = Math.round(((step % places) * width) / (places - 1))
    const top = Math.round((Math.floor(step / places) * height) / (places - 1))
    const own = Picture.darkness(picture, { left, top, width, height }, ink)
    if (own > most) {
      most = own
      best = { left, top }
    }
  }
  return Picture.part(picture, { ...best, width, height })
}

/** Number of places across and down that are tried for a sample. */
const places = 4

class Document implements DocumentOcr {
  private readonly engine: Engine
  private readonly languages: ReadonlyArray<string>
  private readonly bytes: Uint8Array
  /** The language of the last page. */
  private language: string | undefined
  /** True if there are two threads for each page. */
  private readonly halves: boolean

  constructor(engine: Engine, languages: ReadonlyArray<string>, bytes: Uint8Array, halves: boolean) {
    this.engine = engine
    this.languages = languages
    this.bytes = bytes
    this.halves = halves
  }

  /** The language in which a part of the picture is recognised best. */
  private async languageOf(picture: Picture.Picture, linesOf: Lines): Promise<string> {
    const [first = "eng"] = this.languages
    if (this.languages.length < 2) return first
    const part = sample(picture)
    let best = first
    let most = -1
    for (const language of this.languages) {
      // oxlint-disable-next-line no-await-in-loop -- one recogniser
      const sure = sureness(await linesOf(part, language))
      if (sure > most) {
        most = sure
        best = language
      }
    }
    return best
  }

  private async readAt(shown: Picture.Picture, turn: PageTurn.Turn, linesOf: Lines, known?: string): Promise<Read> {
    const picture = levelled(Picture.upright(shown, turn))
    const rules = DrawnRules.find(picture)
    const clean = DrawnRules.erased(picture, rules)
    const language = known ?? (await this.languageOf(clean, linesOf))
    const ink = Picture.inkLevel(clean)
    // A page with drawn lines is not cut: it may be a form, whose parts are recognised better together.
    const parts = Picture.cut(clean, this.halves && rules.length === 0 ? Picture.emptyRow(clean, ink) : 0)
    const found = await Promise.all(parts.map((part) => linesOf(part, language)))
    const lines = found.flatMap((own, at) => (at === 0 ? own : Recognition.lowered(own, parts[0]?.height ?? 0)))
    const tight = lines.map(({ height, words }) => ({
      height,
      words: words.map(({ box, confidence, text }) => ({ text, confidence, box: WordInk.tight(clean, box, ink) }))
    }))
    return { lines: tight, picture, rules, turn, language }
  }

  private async recognised(shown: Picture.Picture, linesOf: Lines): Promise<Read> {
    const turns = Skew.likelyTurns(shown)
    const [likely = 0] = turns
    const first = await this.readAt(shown, likely, linesOf, this.language)
    if (sureness(first.lines) >= doubtful) {
      this.language = first.language
      return first
    }
    const turn = await turnOf(shown, turns, (picture) => linesOf(picture, first.language))
    if (turn === likely && (this.languages.length < 2 || this.language === undefined)) return first
    const again = await this.readAt(shown, turn, linesOf)
    if (Recognition.soundLetters(again.lines) <= Recognition.soundLetters(first.lines)) return first
    this.language = again.language
    return again
  }

  async read(page: PageItems, deadline: number): Promise<PageItems> {
    const shown = PageTurn.uprightSize(page, page.turn)
    const dpi = (longSide * 72) / Math.max(shown.width, shown.height)
    const drawn = Picture.fromPng(await this.engine.call(() => PageDrawing.draw(this.bytes, page.pageNumber, dpi)))
    const { lines, picture, rules, turn } = await this.recognised(drawn, (part, language) =>
      this.engine.lines(part, language, deadline)
    )
    if (Recognition.isIllegible(lines)) throw new Illegible("no printed text was recognised")
    const frame = frameOf(PageTurn.uprightSize(shown, turn))
    const scale = frame.width / picture.width
    const words = RecognisedPage.place(lines, scale)
    const scaled = rules.map(({ at, from, horizontal, to }) => ({
      horizontal,
      at: at * scale,
      from: from * scale,
      to: to * scale
    }))
    const isBold = WordInk.boldness(picture, words, scale)
    const sheet = await this.engine.call(() => PageDrawing.readSheet(Sheet.write(frame, scaled), words))
    return {
      ...sheet,
      pageNumber: page.pageNumber,
      width: frame.width,
      height: frame.height,
      turn,
      items: sheet.items.map((item): Item => {
        const own = wordsOf(item.box, words)
        return Object.assign({}, item, { words: own, bold: isBold(own) })
      }),
      figures: [],
      recognised: words,
      unreadable: false
    }
  }
}

/** The turn in which a part of the picture is recognised best; the first that leaves no doubt is taken. */
const turnOf = async (
  shown: Picture.Picture,
  turns: ReadonlyArray<PageTurn.Turn>,
  linesOf: (picture: Picture.Picture) => ReturnType<Lines>
): Promise<PageTurn.Turn> => {
  const part = sample(shown)
  let best: PageTurn.Turn = 0
  let most = -1
  for (const turn of turns) {
    // oxlint-disable-next-line no-await-in-loop -- one recogniser
    const lines = await linesOf(levelled(Picture.upright(part, turn)))
    const sound = Recognition.soundLetters(lines)
    if (sound >= certain.letters && sureness(lines) >= certain.confidence) return turn
    if (sound > most) {
      most = sound
      best = turn
    }
  }
  return best
}

const levelled = (picture: Picture.Picture): Picture.Picture => Skew.levelled(picture, Skew.slopeOf(picture))

const wordsOf = (box: Box.Box, words: ReadonlyArray<RecognisedPage.PlacedWord>): ReadonlyArray<Word> =>
  words.flatMap((word) =>
    Box.centerWithin(word.box, box, 0.5) ? [{ text: word.text, box: word.box, link: undefined }] : []
  )

/** Recognisers, and the PDF engine: what the pages of a document share. */
interface Engine {
  /** Lines of a picture, by a recogniser that is not used. */
  readonly lines: Recogniser["lines"]
  /** Calls the PDF engine, which takes one call at a time, and none after it broke. */
  readonly call: <A>(call: () => Promise<A>) => Promise<A>
}

const engine = (packages: OcrPackages): Engine => {
  const idle: Array<Recogniser> = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    lines: async (picture, language, deadline) => {
      const recogniser = idle.pop() ?? new Recogniser(packages)
      try {
        return await recogniser.lines(picture, language, deadline)
      } finally {
        idle.push(recogniser)
      }
    },
    call: (call) => {
      const own = last.then(call)
      last = own.catch((cause: unknown) => {
        if (WasmModule.isTrap(cause)) throw cause
      })
      // Without a call after it, a trap would be unhandled.
      last.catch(() => undefined)
      return own
    }
  }
}

/** Makes a recogniser. A thread starts with the first page, others with pages or halves of a page that are read next to it. */
export const make = ({ languages, packages, threads = 1 }: OcrSettings): PageOcr => {
  const shared = engine(packages)
  const withThreads = (most: number): PageOcr => ({
    threads: most,
    withThreads,
    document: (bytes, pages) => new Document(shared, languages, bytes, pages * 2 <= most)
  })
  return withThreads(threads)
}
