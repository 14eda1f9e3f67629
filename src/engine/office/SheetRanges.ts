/** Used range of every sheet of a workbook, so that a row of a table in the Markdown can be cited by its cells. */
import { format } from "../../internal/base/cellRange.ts"
import * as CompoundFile from "../content/CompoundFile.ts"
import * as ZipPackage from "../content/ZipPackage.ts"
import * as SheetParts from "./SheetParts.ts"
import * as BinarySheet from "./sparse/BinarySheet.ts"
import * as OpenSheet from "./sparse/OpenSheet.ts"
import * as RecordSheet from "./sparse/RecordSheet.ts"
import * as SparseSheets from "./sparse/SparseSheets.ts"
import * as UsedCells from "./sparse/UsedCells.ts"
import * as XmlSheet from "./sparse/XmlSheet.ts"

interface Sheet {
  readonly name: string
  /** True where the parser writes the empty rows and columns before the cells as well. */
  readonly whole?: true
  readonly extent: UsedCells.Extent
}

type Members = Readonly<Record<string, Uint8Array>>

/** Extents of sheets by part, as far as they are known. */
type Extents = ReadonlyMap<string, UsedCells.Extent>

const cellsOf = (part: string, sheet: Uint8Array): Iterable<UsedCells.Cell> =>
  /\.bin$/iu.test(part) ? BinarySheet.cells(sheet) : XmlSheet.cells(Buffer.from(sheet).toString("latin1"))

const ofPackage = (members: Members, known: Extents): ReadonlyArray<Sheet> =>
  SheetParts.of((part) => members[part]).flatMap(({ name, part }) => {
    const sheet = members[part]
    const extent = known.get(part) ?? (sheet && UsedCells.extentOf(cellsOf(part, sheet)))
    return extent === undefined ? [] : [{ name, extent }]
  })

const wanted =
  /^(?:xl\/(?:worksheets\/[^/]+\.(?:xml|bin)|workbook\.(?:xml|bin)|_rels\/workbook\.(?:xml|bin)\.rels)|content\.xml)$/i

const ofArchive = (bytes: Uint8Array, known: Extents): ReadonlyArray<Sheet> => {
  const members = SparseSheets.members(bytes, (name) => wanted.test(name) && !known.has(name)) ?? {}
  const content = members["content.xml"]
  return content === undefined
    ? ofPackage(members, known)
    : OpenSheet.sheets(Buffer.from(content).toString("utf8")).map(({ cells, name }): Sheet => ({
        extent: UsedCells.extentOf(cells),
        name,
        whole: true
      }))
}

const ofCompoundFile = (bytes: Uint8Array): ReadonlyArray<Sheet> => {
  const stream = CompoundFile.streamOf(CompoundFile.open(bytes), "Workbook")
  const sheets = stream === undefined ? [] : RecordSheet.sheets(Buffer.from(stream.content))
  return sheets.map(({ cells, name }): Sheet => ({ extent: UsedCells.extentOf(cells), name }))
}

/**
 * The range around the used cells of each sheet in A1 notation, such as `'Costs 2024'!B2:F41`, in the order of the sheets; in an
 * OpenDocument spreadsheet it begins with A1. Sheets
 * without cells are left out, and so is every sheet of a file whose structure is not the usual one. `known` are those that
 * {@link SparseSheets} has found.
 */
export const of = (bytes: Uint8Array, known: Extents): ReadonlyArray<string> => {
  const sheets = ZipPackage.isZip(bytes)
    ? ofArchive(bytes, known)
    : CompoundFile.isCompoundFile(bytes)
      ? ofCompoundFile(bytes)
      : []
  return sheets.flatMap(({ extent, name, whole = false }) => {
    const { bottom, cells: count, left, right, top } = extent
    const range = {
      sheet: name,
      left: whole ? 1 : left + 1,
      top: whole ? 1 : top + 1,
      right: right + 1,
      bottom: bottom + 1
    }
    return count === 0 || name === "" ? [] : [format(range)]
  })
}
