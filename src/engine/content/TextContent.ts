/** Recognizes the kind of a text file: a web page, RTF, rows of a table, or a format that no parser here reads. */
import * as ByteOrderMark from "../../internal/base/byteOrderMark.ts"

/** Decodes the first bytes by their byte order mark; without one as Latin-1, which suffices for finding signatures. */
const decode = (head: Buffer): string => {
  const encoding = ByteOrderMark.find(head)?.[0]
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    return new TextDecoder(encoding).decode(head.subarray(0, head.length & ~1))
  }
  const [first, second, third, fourth] = head
  if (first === 0x3c && second === 0 && third !== 0 && fourth === 0) {
    return head.toString("utf16le")
  }
  return head.toString("latin1", encoding === undefined ? 0 : 3)
}

/** Largest share of control characters in a text. */
const mostControls = 0.1

/** True for a control character that texts do not contain; tab, line feeds and escape are part of texts. */
const isControl = (code: number): boolean => code < 9 || (code > 13 && code < 32 && code !== 27)

const controlsIn = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    count += isControl(text.charCodeAt(at)) ? 1 : 0
  }
  return count
}

/** White space, comments and XML declarations, which are independent of the type. */
const prologue = /^(?:\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)+/

/** Tags that begin a page only; others may begin a cell of a table. */
const pageStart = /^<(?:!doctype\s+html|html|head|body|table|title|meta|style|script)(?=[\s>/])/i

const doctypeOther = /^(?:<!doctype[^>[]*>\s*)/i

const otherXml: ReadonlyArray<readonly [RegExp, string]> = [
  [/^<svg[\s>]/i, "an SVG image"],
  [/^<(?:\w+:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/, "an XML spreadsheet of Excel 2003"],
  [/^<(?:\w+:)?wordDocument\s/, "an XML document of Word 2003"],
  [/^<pkg:package\s/, "a flat Office Open XML document"],
  [/^<office:document\s/, "a flat OpenDocument file"]
]

const mimeHeader = /^(?:from:[^\n]*\n(?:[\w-]+:[^\n]*\n|[ \t][^\n]*\n)*)?mime-version:\s*1\.0/i

const separators = [",", ";", "\t", "|"] as const

/** Number of lines that are searched for a separator. */
const sampleLines = 10

/** True for rows of a table: every line of the sample has the same separator. */
const isTable = (text: string, whole: boolean): boolean => {
  if (/^sep=[,;\t|]\r?\n/i.test(text)) {
    return true
  }
  const lines = text.split(/\r\n|\r|\n/)
  // The last line of a truncated sample is incomplete.
  const rows = (whole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "").slice(0, sampleLines)
  return rows.length > 0 && separators.some((separator) => rows.every((line) => line.includes(separator)))
}

/** Kind of a text: `page`, `rtf`, `table`, `plain`, another format as a noun with its article, or undefined when the bytes are not text. */
export type TextKind =
  | { readonly _tag: "Page" | "Rtf" | "Table" | "Plain" }
  | { readonly _tag: "Other"; readonly what: string }

/** Kind of the text that starts with these bytes; `whole`: they are all of it. Undefined when it is not text. */
export const find = (head: Buffer, whole: boolean): TextKind | undefined => {
  const text = decode(head)
  if (controlsIn(text) > text.length * mostControls) {
    return undefined
  }
  const start = text.replace(prologue, "")
  if (start.startsWith("{\\rtf")) {
    return { _tag: "Rtf" }
  }
  if (pageStart.test(start)) {
    return { _tag: "Page" }
  }
  const root = start.replace(doctypeOther, "").replace(prologue, "")
  const other = otherXml.find(([pattern]) => pattern.test(root))?.[1]
  if (other !== undefined) {
    return { _tag: "Other", what: other }
  }
  if (mimeHeader.test(start)) {
    return { _tag: "Other", what: "a web page archive (MHTML)" }
  }
  return { _tag: isTable(text, whole) ? "Table" : "Plain" }
}
