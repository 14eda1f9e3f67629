/**
 * Compacts workbooks whose cells lie far apart: empty rows and columns are left out where a table would otherwise be many times as large
 * as its cells.
 */
import { zipSync } from "fflate"
import * as CompoundFile from "../../content/CompoundFile.ts"
import * as ZipPackage from "../../content/ZipPackage.ts"
import * as Archive from "../mend/Archive.ts"
import * as ZipArchive from "../ZipArchive.ts"
import * as BinarySheet from "./BinarySheet.ts"
import * as OpenSheet from "./OpenSheet.ts"
import * as RecordSheet from "./RecordSheet.ts"
import * as UsedCells from "./UsedCells.ts"
import * as XmlSheet from "./XmlSheet.ts"

/** Total size of all sheets, in bytes, above which the parser refuses the archive anyway. */
const mostBytes = 256 * 1024 * 1024

/** A workbook as the parser reads it. */
export interface Closed {
  readonly bytes: Uint8Array
  /** The cells of its XML sheets as they are in the file, by part. */
  readonly extents: ReadonlyMap<string, UsedCells.Extent>
}

interface Sheet {
  /** Undefined for one that is as it should be. */
  readonly content: Uint8Array | undefined
  readonly extent?: UsedCells.Extent
}

type Closer = (content: Uint8Array) => Sheet

/** Markup is ASCII in every encoding but UTF-16, in which no position is found and nothing is changed. */
const latin1 = (content: Uint8Array): string =>
  Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1")

const ofText = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text, "latin1")

const closers: ReadonlyArray<readonly [RegExp, Closer]> = [
  [
    /^xl\/worksheets\/[^/]+\.xml$/i,
    (content) => {
      const xml = latin1(content)
      const extent = UsedCells.extentOf(XmlSheet.cells(xml))
      return { extent, content: ofText(XmlSheet.closer(xml, extent)) }
    }
  ],
  [/^xl\/worksheets\/[^/]+\.bin$/i, (content) => ({ content: BinarySheet.closer(content) })],
  [/^content\.xml$/, (content) => ({ content: ofText(OpenSheet.closer(latin1(content))) })]
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

const closerArchive = (archive: Uint8Array): Closed => {
  const changed: Record<string, Uint8Array> = {}
  const extents = new Map<string, UsedCells.Extent>()
  const sheets = members(archive, (name) => closerOf(name) !== undefined) ?? {}
  for (const [name, own] of Object.entries(sheets)) {
    const { content, extent } = closerOf(name)?.(own) ?? { content: undefined }
    if (extent !== undefined) extents.set(name, extent)
    if (content !== undefined) changed[name] = content
  }
  if (Object.keys(changed).length === 0)
    return { bytes: Archive.inflated(archive, new Map(Object.entries(sheets))), extents }
  const all = members(archive, () => true)
  return { bytes: all === undefined ? archive : zipSync({ ...all, ...changed }, { level: 0 }), extents }
}

const closerWorkbook = (bytes: Uint8Array): Uint8Array => {
  const workbook = CompoundFile.streamOf(CompoundFile.open(bytes), "Workbook", "Book")
  const changed = workbook && RecordSheet.closer(workbook.content)
  return changed === undefined ? bytes : (workbook?.replaced(changed) ?? bytes)
}

/**
 * The same document with its sheets bounded by their cells; the same bytes when they already are, or cannot be read, and are not large.
 * Throws a `Refusal` when a sheet is too large even without its empty rows and columns.
 */
export const closer = (bytes: Uint8Array): Closed =>
  ZipPackage.isZip(bytes)
    ? closerArchive(bytes)
    : { bytes: CompoundFile.isCompoundFile(bytes) ? closerWorkbook(bytes) : bytes, extents: new Map() }
