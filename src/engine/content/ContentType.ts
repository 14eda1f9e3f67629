/** Detects the type of a document by its content, which takes precedence over its name. */
import { mimeTypes, type Extension } from "../../internal/base/fileType.ts"
import * as CompoundFile from "./CompoundFile.ts"
import * as Signatures from "./Signatures.ts"
import * as TextContent from "./TextContent.ts"
import * as ZipPackage from "./ZipPackage.ts"

/** A type that is parsed, or a noun with its article for one that is not. */
export type ContentType =
  | { readonly _tag: "Supported"; readonly extension: Extension }
  | { readonly _tag: "Unsupported"; readonly what: string }

/**
 * The bytes of a document, of which as few are read as its type needs: some kilobytes, or all of a zip archive or a compound file, whose
 * directory can be anywhere.
 */
export interface Document {
  readonly length: number
  /** The first bytes, fewer when the document is shorter. */
  readonly read: (length: number) => Uint8Array
}

/** A document in memory. */
export const inMemory = (bytes: Uint8Array): Document => ({
  length: bytes.length,
  read: (length) => bytes.subarray(0, length)
})

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const supported = (extension: Extension): ContentType => ({ _tag: "Supported", extension })

const unsupported = (what: string): ContentType => ({ _tag: "Unsupported", what })

/** Container format of a type. Formats with the same container can be told apart only by a closer look. */
type Container = "page" | "pdf" | "zip" | "compound" | "rtf" | "table"

const containers = {
  html: "page",
  htm: "page",
  xhtml: "page",
  pdf: "pdf",
  docx: "zip",
  docm: "zip",
  odt: "zip",
  ods: "zip",
  odp: "zip",
  xlsx: "zip",
  xlsm: "zip",
  xlsb: "zip",
  pptx: "zip",
  pptm: "zip",
  epub: "zip",
  doc: "compound",
  xls: "compound",
  ppt: "compound",
  rtf: "rtf",
  csv: "table"
} as const satisfies Record<Extension, Container>

/** Types whose documents may be rows of text with separators: spreadsheet programs write those under these names. */
const sheets: ReadonlySet<Extension> = new Set(["csv", "xls", "xlsx", "xlsm", "xlsb", "ods"])

/** Number of bytes at the start that are examined. */
const headBytes = 4096

const ofZip = (bytes: Uint8Array, named: Extension): ContentType => {
  const found = ZipPackage.find(bytes)
  if (found?._tag === "Document") {
    return supported(found.extension)
  }
  if (found?._tag === "Other") {
    return unsupported(found.what)
  }
  // A damaged document: its parser reports what is missing.
  return containers[named] === "zip" ? supported(named) : unsupported("a zip archive")
}

const streams: ReadonlyArray<readonly [string, Extension]> = [
  ["WordDocument", "doc"],
  ["Workbook", "xls"],
  ["Book", "xls"],
  ["PowerPoint Document", "ppt"]
]

const packaged: ReadonlySet<Extension> = new Set(["docx", "docm", "xlsx", "xlsm", "xlsb", "pptx", "pptm"])

const ofCompoundFile = (bytes: Uint8Array, named: Extension): ContentType => {
  const names = new Set(CompoundFile.open(bytes)?.entries.map(({ name }) => name))
  const found = streams.find(([name]) => names.has(name))?.[1]
  if (found !== undefined) {
    return supported(found)
  }
  if (names.has("EncryptedPackage")) {
    // The content is known only after decryption; this is a workbook that opens without a password.
    return supported(packaged.has(named) ? named : "xlsx")
  }
  if (names.has("__properties_version1.0")) {
    return unsupported("an Outlook message")
  }
  return containers[named] === "compound" || packaged.has(named)
    ? supported(named)
    : unsupported("an OLE compound file")
}

const ofText = (document: Document, head: Buffer, named: Extension): ContentType => {
  const kind = TextContent.find(head, document.length <= head.length)
  const family = containers[named]
  const isText = family === "page" || family === "table"
  if (family === "pdf" && asBuffer(document.read(document.length)).includes("%PDF-", 0, "latin1")) {
    return supported("pdf")
  }
  if (kind === undefined) {
    // Documents without a signature, such as workbooks before 1993, are recognized by their parsers only.
    return isText ? unsupported("binary data") : supported(named)
  }
  if (kind._tag === "Rtf") {
    return supported("rtf")
  }
  if (family === "page") {
    return supported(named)
  }
  if (kind._tag === "Page") {
    return supported("html")
  }
  if (family === "rtf" && head.includes("{\\rtf", 0, "latin1")) {
    return supported("rtf")
  }
  if (named === "csv" || (kind._tag === "Table" && sheets.has(named))) {
    return supported("csv")
  }
  return unsupported(kind._tag === "Other" ? kind.what : "plain text")
}

/**
 * Type of the document under that name. The name decides when the content is inconclusive: text for a page or a table, bytes without a
 * signature for any other type. The bytes that were read are not kept.
 */
export const detect = (document: Document, named: Extension): ContentType => {
  const head = asBuffer(document.read(headBytes))
  if (head.toString("latin1", 0, 5) === "%PDF-") {
    return supported("pdf")
  }
  if (ZipPackage.isZip(head)) {
    return ofZip(document.read(document.length), named)
  }
  if (CompoundFile.isCompoundFile(head)) {
    return ofCompoundFile(document.read(document.length), named)
  }
  const what = Signatures.find(head)
  return what === undefined ? ofText(document, head, named) : unsupported(what)
}

/** Nouns of the types for messages. */
const nouns: Readonly<Record<Extension, string>> = {
  html: "a web page",
  htm: "a web page",
  xhtml: "a web page",
  pdf: "a PDF",
  docx: "a Word document (.docx)",
  docm: "a Word document with macros (.docm)",
  doc: "a Word 97 document (.doc)",
  odt: "an OpenDocument text (.odt)",
  ods: "an OpenDocument spreadsheet (.ods)",
  odp: "an OpenDocument presentation (.odp)",
  rtf: "a Rich Text document (.rtf)",
  xlsx: "an Excel workbook (.xlsx)",
  xlsm: "an Excel workbook with macros (.xlsm)",
  xlsb: "a binary Excel workbook (.xlsb)",
  xls: "an Excel 97 workbook (.xls)",
  pptx: "a PowerPoint presentation (.pptx)",
  pptm: "a PowerPoint presentation with macros (.pptm)",
  ppt: "a PowerPoint 97 presentation (.ppt)",
  epub: "an EPUB book",
  csv: "a table of text"
}

/** Warning that a document was parsed as another type than its name says; undefined when the name is right. */
export const warning = (named: Extension, found: Extension): string | undefined =>
  mimeTypes[named] === mimeTypes[found]
    ? undefined
    : `The name ends in .${named}, but the content is ${nouns[found]}: it was parsed as ${mimeTypes[found]}.`

/** Message for a document of an unsupported type. */
export const refusal = (named: Extension, what: string): string =>
  `The name ends in .${named}, but the content is ${what}, which is not supported.`
