/**
 * Parts of a Word 97 document that the parser leaves out, after the paragraphs that they belong to: text boxes and comments; and
 * text that it does not know to be deleted.
 */
import * as CompoundFile from "../../content/CompoundFile.ts"
import * as WordFile from "../wordfile/WordFile.ts"
import * as Mended from "./Mended.ts"
import * as Unread from "./Unread.ts"

/** Optional hyphen, which the parser leaves out. */
const nothing = 0x1f

/** Ends of paragraphs and cells, and marks of fields, stay where they are. */
const kept = new Set([0x07, 0x0c, 0x0d, 0x13, 0x14, 0x15])

const blank = (stream: Buffer, { deleted }: WordFile.WordFile): boolean => {
  for (const { end, start, width } of deleted)
    for (let at = start; at + width <= end; at += width) {
      const high = width === 2 ? (stream[at + 1] ?? 0) : 0
      if (high === 0 && kept.has(stream[at] ?? 0)) continue
      stream[at] = nothing
      if (width === 2) stream[at + 1] = 0
    }
  return deleted.length > 0
}

const ends = /[\r\cG\f]/u

/** Fields without their codes, and text without control characters. */
const plain = (text: string): string =>
  text
    .replaceAll(/\cS[^\cS-\cU]*\cT?/gu, "")
    .replaceAll(/[\v\t]/gu, " ")
    .replaceAll(/\p{Cc}/gu, "")

const keyOf = (text: string): string =>
  text.replaceAll(/\]\([^()\s]*\)|\[\^\w+\]|<br>|<a id="[^"]*"><\/a>/gu, "").replaceAll(/[^\p{L}\p{N}]/gu, "")

const delicate = /[\\`*_[\]<>]|^(?=[#+>-])|(?<=^\d+)(?=[.)]\s)/gu

const paragraphs = (text: string): ReadonlyArray<string> =>
  text
    .split(ends)
    .map((line) =>
      plain(line)
        .trim()
        .replaceAll(delicate, String.raw`\$&`)
    )
    .filter((line) => line !== "")

/** Characters on both sides of a place in which its paragraph is looked for. */
const window = 4096

/** Key of the paragraph at an offset; of the one before where it is empty. */
const paragraphAt = (main: string, place: number): string => {
  const before = main.slice(Math.max(0, place - window), place).split(ends)
  const own = (before.pop() ?? "") + (main.slice(place, place + window).split(ends, 1)[0] ?? "")
  return [...before, own].map((text) => keyOf(plain(text))).findLast((key) => key !== "") ?? ""
}

/** Most text boxes and comments that are placed. */
const most = 1000

interface Extra {
  readonly place: number
  readonly text: string
  readonly note: boolean
}

/** Letters from which on a line may have others before the paragraph: the number of a list item or a heading. */
const long = 8

const isLineOf = (line: string, key: string): boolean => line === key || (key.length >= long && line.endsWith(key))

const completed = (markdown: string, { boxes, comments, main }: WordFile.WordFile): string => {
  const extras = [
    ...boxes.map(({ place, text }): Extra => ({ place, text: paragraphs(text).join("\n\n"), note: false })),
    ...comments.map(({ place, text }): Extra => ({ place, text: paragraphs(text).join(" "), note: true }))
  ]
    .filter(({ text }) => text !== "")
    .toSorted((one, other) => one.place - other.place)
    .slice(0, most)
  if (extras.length === 0) return markdown
  const lines = markdown.split("\n")
  const keys = lines.map(keyOf)
  const after = new Map<number, Array<string>>()
  const notes: Array<string> = []
  let from = 0
  for (const { note, place, text } of extras) {
    const key = paragraphAt(main, place)
    const found = key === "" ? from : keys.findIndex((own, at) => at >= from && isLineOf(own, key))
    const line = found < 0 ? lines.length - 1 : found
    if (found >= 0) from = found
    if (note) {
      const label = `comment${notes.length + 1}`
      notes.push(`[^${label}]: ${text}`)
      if (found >= 0 && !(lines[line] ?? "").startsWith("|")) lines[line] = `${lines[line]}[^${label}]`
    } else after.set(line, [...(after.get(line) ?? []), text])
  }
  const whole = lines.flatMap((line, at) =>
    after.has(at) ? [line, "", (after.get(at) ?? []).join("\n\n"), ""] : [line]
  )
  return `${[whole.join("\n").trimEnd(), ...notes]
    .join("\n\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trimStart()}\n`
}

const equationFields = /EMBED (?:Equation|MathType)/gu

/** The document as the parser is to read it. Never fails. */
export const mended = (bytes: Uint8Array): Mended.Mended => {
  const same = Mended.nothing(bytes)
  const file = CompoundFile.open(bytes)
  const document = CompoundFile.streamOf(file, "WordDocument")
  if (file === undefined || document === undefined) return same
  const stream = Buffer.from(document.content)
  const found = WordFile.read(file, stream)
  const changed = found !== undefined && blank(stream, found)
  const word = changed ? WordFile.read(file, stream) : found
  if (word === undefined) return same
  return {
    ...same,
    bytes: changed ? document.replaced(stream) : bytes,
    completed: (markdown) => completed(markdown, word),
    spans: true,
    warnings: Unread.equations(Array.from(word.main.matchAll(equationFields)).length)
  }
}
