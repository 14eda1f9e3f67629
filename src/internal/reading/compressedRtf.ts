/**
 * Bodies of messages as compressed RTF, and the text or the page in it.
 *
 * Source: [MS-OXRTFCP], [MS-OXRTFEX].
 */
import type { TextDecoder } from "node:util"
import { decoderOf } from "../base/windowsValues.ts"

/** Text that stands in the dictionary before the first byte. */
const beginning =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"

const kinds = { compressed: 0x75465a4c, plain: 0x414c454d } as const

const headerBytes = 16
const dictionaryBytes = 4096

/** A byte as it is, or a reference of two bytes to a place in the dictionary with the length of what stands there. */
const unpacked = (packed: Buffer): Buffer => {
  const dictionary = Buffer.alloc(dictionaryBytes)
  let place = dictionary.write(beginning, "latin1")
  const found: Array<number> = []
  const put = (byte: number): void => {
    found.push(byte)
    dictionary[place] = byte
    place = (place + 1) % dictionaryBytes
  }
  let at = 0
  while (at < packed.length) {
    const marks = packed.readUInt8(at++)
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if (((marks >> bit) & 1) === 0) {
        put(packed.readUInt8(at++))
        continue
      }
      if (at + 2 > packed.length) return Buffer.from(found)
      const reference = packed.readUInt16BE(at)
      at += 2
      const from = reference >> 4
      if (from === place) return Buffer.from(found)
      for (let count = 0; count < (reference & 15) + 2; count++) put(dictionary[(from + count) % dictionaryBytes] ?? 0)
    }
  }
  return Buffer.from(found)
}

/** RTF as one byte a character; empty for what is not compressed RTF. */
const rtfOf = (bytes: Buffer): string => {
  if (bytes.length < headerBytes) return ""
  const kind = bytes.readUInt32LE(8)
  const content = bytes.subarray(headerBytes, Math.min(bytes.length, bytes.readUInt32LE(0) + 4))
  if (kind === kinds.plain) return content.toString("latin1")
  return kind === kinds.compressed ? unpacked(content).toString("latin1") : ""
}

/** A control word with its number, bytes of characters, a control symbol, a brace, text. */
const token = /\\([a-z]+)(-?\d{1,9})? ?|((?:\\'[0-9a-f]{2})+)|\\([^a-z])|([{}])|([^\\{}\r\n]+)/giu

/** Groups that are no text. */
const destinations: ReadonlySet<string> = new Set(
  "fonttbl colortbl stylesheet info pict object header footer listtable listoverridetable generator xmlnstbl themedata".split(
    " "
  )
)

const characters: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  tab: "\t",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emdash: "—",
  endash: "–",
  bullet: "•"
}

interface State {
  readonly silent: boolean
  /** RTF that stands for HTML which a tag group holds. */
  readonly replaced: boolean
  /** Characters that follow one by its number, for programs that do not know that. */
  readonly substitutes: number
}

/** Text of RTF; of RTF that was made of a page, that page. */
class RtfText {
  readonly isPage: boolean
  text = ""
  private readonly decoder: TextDecoder
  private readonly outer: Array<State> = []
  private state: State = { silent: false, replaced: false, substitutes: 1 }
  private starred = false
  private owed = 0

  constructor(rtf: string) {
    this.isPage = /\\fromhtml1?(?![0-9a-z])/u.test(rtf)
    this.decoder = decoderOf(Number(/\\ansicpg(\d{1,5})/u.exec(rtf)?.[1] ?? 1252))
    for (const [, word, parameter, codes, symbol, brace, plain] of rtf.matchAll(token)) {
      if (word !== undefined) this.word(word.toLowerCase(), parameter === undefined ? undefined : Number(parameter))
      else if (codes !== undefined) this.codes(codes)
      else if (symbol !== undefined) this.symbol(symbol)
      else if (brace !== undefined) this.brace(brace)
      else if (plain !== undefined) this.put(plain.slice(this.paid(plain.length)))
    }
  }

  private put(text: string): void {
    if (!this.state.silent && !this.state.replaced) this.text += text
  }

  /** Of that many characters, those that are substitutes of the one before. */
  private paid(count: number): number {
    const paid = Math.min(this.owed, count)
    this.owed -= paid
    return paid
  }

  private brace(brace: string): void {
    this.owed = 0
    if (brace === "{") this.outer.push(this.state)
    else this.state = this.outer.pop() ?? this.state
  }

  private codes(codes: string): void {
    const bytes = Buffer.from(codes.replaceAll("\\'", ""), "hex")
    this.put(this.decoder.decode(bytes.subarray(this.paid(bytes.length))))
  }

  private symbol(symbol: string): void {
    if (symbol === "*") this.starred = true
    else if (symbol === "~") this.put("\u00a0")
    else if (symbol === "_") this.put("-")
    else if ("\\{}".includes(symbol)) this.put(symbol)
    else if (symbol === "\n" || symbol === "\r") this.put("\n")
  }

  private word(word: string, parameter: number | undefined): void {
    const { starred } = this
    this.starred = false
    if (word === "htmltag" && this.isPage) this.state = { ...this.state, silent: false, replaced: false }
    else if (starred || destinations.has(word)) this.state = { ...this.state, silent: true }
    else if (word === "htmlrtf" && this.isPage) this.state = { ...this.state, replaced: parameter !== 0 }
    else if (word === "uc") this.state = { ...this.state, substitutes: parameter ?? 1 }
    else if (word === "u" && parameter !== undefined) {
      this.put(String.fromCharCode((parameter + 65_536) % 65_536))
      this.owed = this.state.substitutes
    } else this.put(characters[word] ?? "")
  }
}

/** The body in compressed RTF: its text, or its page. */
export const bodyOf = (bytes: Buffer): { readonly text: string; readonly html: string } => {
  const { isPage, text } = new RtfText(rtfOf(bytes))
  return isPage ? { text: "", html: text } : { text, html: "" }
}
