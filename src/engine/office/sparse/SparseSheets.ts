/**
 * Compacts workbooks whose cells lie far apart: empty rows and columns are left out where a table would otherwise be many times as large
 * as its cells.
 */
import { zipSync } from "fflate"
import * as CompoundFile from "../../content/CompoundFile.ts"
import * as ZipPackage from "../../content/ZipPackage.ts"
import * as ZipArchive from "../ZipArchive.ts"
import * as BinarySheet from "./BinarySheet.ts"
import * as OpenSheet from "./OpenSheet.ts"
import * as RecordSheet from "./RecordSheet.ts"
import * as XmlSheet from "./XmlSheet.ts"

/** Total size of all sheets, in bytes, above which the parser refuses the archive anyway. */
const mostBytes = 256 * 1024 * 1024

type Closer = (content: Uint8Array) => Uint8Array | undefined

/** Adapts a function on text. Markup is ASCII in every encoding but UTF-16, in which no position is found and nothing is changed. */
const ofText =
  (closer: (text: string) => string | undefined): Closer =>
  (content) => {
    const text = closer(Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1"))
    return text === undefined ? undefined : Buffer.from(text, "latin1")
  }

const closers: ReadonlyArray<readonly [RegExp, Closer]> = [
  [/^xl\/worksheets\/[^/]+\.xml$/i, ofText(XmlSheet.closer)],
  [/^xl\/worksheets\/[^/]+\.bin$/i, BinarySheet.closer],
  [/^content\.xml$/, ofText(OpenSheet.closer)]
]

const closerOf = (name: string): Closer | undefined => closers.find(([pattern]) => pattern.test(name))?.[1]

/** The requested members of an archive; undefined when they are damaged or too large. */
export const members = (
  archive: Uint8Array,
  wanted: (name: string) => boolean
): Readonly<Record<string, Uint8Array>> | undefined => {
  let left = mostBytes
  try {
    const found = ZipArchive.read(archive, ({ name, originalSize }) => {
      left -= wanted(name) ? originalSize : 0
      return left >= 0 && wanted(name)
    })
    return left < 0 ? undefined : found
  } catch {
    return undefined
  }
}

const closerArchive = (archive: Uint8Array): Uint8Array => {
  const changed: Record<string, Uint8Array> = {}
  for (const [name, content] of Object.entries(members(archive, (name) => closerOf(name) !== undefined) ?? {})) {
    const own = closerOf(name)?.(content)
    if (own !== undefined) {
      changed[name] = own
    }
  }
  const all = Object.keys(changed).length === 0 ? undefined : members(archive, () => true)
  return all === undefined ? archive : zipSync({ ...all, ...changed }, { level: 0 })
}

const closerWorkbook = (bytes: Uint8Array): Uint8Array => {
  const workbook = CompoundFile.streamOf(CompoundFile.open(bytes), "Workbook", "Book")
  const changed = workbook && RecordSheet.closer(workbook.content)
  return changed === undefined ? bytes : (workbook?.replaced(changed) ?? bytes)
}

/**
 * The same document with its sheets bounded by their cells; the same bytes when they already are, or cannot be read. Throws a `Refusal`
 * when a sheet is too large even without its empty rows and columns.
 */
export const closer = (bytes: Uint8Array): Uint8Array =>
  ZipPackage.isZip(bytes) ? closerArchive(bytes) : CompoundFile.isCompoundFile(bytes) ? closerWorkbook(bytes) : bytes
