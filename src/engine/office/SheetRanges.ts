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
  readonly cells: Iterable<UsedCells.Cell>
}

type Members = Readonly<Record<string, Uint8Array>>

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

const ofPackage = (members: Members): ReadonlyArray<Sheet> =>
  SheetParts.of((part) => members[part]).flatMap(({ name, part }) => {
    const sheet = members[part]
    if (sheet === undefined) return []
    return [{ name, cells: /\.bin$/iu.test(part) ? BinarySheet.cells(sheet) : XmlSheet.cells(latin1(sheet)) }]
  })

const wanted =
  /^(?:xl\/(?:worksheets\/[^/]+\.(?:xml|bin)|workbook\.(?:xml|bin)|_rels\/workbook\.(?:xml|bin)\.rels)|content\.xml)$/i

const ofArchive = (bytes: Uint8Array): ReadonlyArray<Sheet> => {
  const members = SparseSheets.members(bytes, (name) => wanted.test(name)) ?? {}
  const content = members["content.xml"]
  return content === undefined
    ? ofPackage(members)
    : OpenSheet.sheets(Buffer.from(content).toString("utf8")).map(({ cells, name }): Sheet => ({
        cells,
        name,
        whole: true
      }))
}

const ofCompoundFile = (bytes: Uint8Array): ReadonlyArray<Sheet> => {
  const stream = CompoundFile.streamOf(CompoundFile.open(bytes), "Workbook")
  return stream === undefined ? [] : RecordSheet.sheets(Buffer.from(stream.content))
}

/**
 * The range around the used cells of each sheet in A1 notation, such as `'Costs 2024'!B2:F41`, in the order of the sheets; in an
 * OpenDocument spreadsheet it begins with A1. Sheets
 * without cells are left out, and so is every sheet of a file whose structure is not the usual one.
 */
export const of = (bytes: Uint8Array): ReadonlyArray<string> => {
  const sheets = ZipPackage.isZip(bytes)
    ? ofArchive(bytes)
    : CompoundFile.isCompoundFile(bytes)
      ? ofCompoundFile(bytes)
      : []
  return sheets.flatMap(({ cells, name, whole = false }) => {
    const { bottom, cells: count, left, right, top } = UsedCells.extentOf(cells)
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
