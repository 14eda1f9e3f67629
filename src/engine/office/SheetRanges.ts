/** Used range of every sheet of a workbook, so that a row of a table in the Markdown can be cited by its cells. */
import { format } from "../../internal/base/cellRange.ts"
import * as CompoundFile from "../content/CompoundFile.ts"
import * as ZipPackage from "../content/ZipPackage.ts"
import * as Relationships from "./markup/Relationships.ts"
import * as Tags from "./markup/Tags.ts"
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

const utf8 = (bytes: Uint8Array | undefined): string => (bytes === undefined ? "" : Buffer.from(bytes).toString("utf8"))

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

/** ECMA-376 part 1, 18.2.19 and 18.2.20. */
const ofXml = (members: Members): ReadonlyArray<Sheet> => {
  const parts = Relationships.targets(utf8(members["xl/_rels/workbook.xml.rels"]), "xl")
  const workbook = utf8(members["xl/workbook.xml"])
  return Array.from(Tags.named(workbook, ["sheet"])).flatMap((tag) => {
    if (tag.kind === "close") return []
    const sheet = Tags.attributes(workbook, tag)
    const part = members[parts.get(sheet.get("id") ?? "") ?? ""]
    const name = sheet.get("name") ?? ""
    return part === undefined ? [] : [{ name, cells: XmlSheet.cells(latin1(part)) }]
  })
}

const ofBinary = (members: Members): ReadonlyArray<Sheet> => {
  const parts = Relationships.targets(utf8(members["xl/_rels/workbook.bin.rels"]), "xl")
  const workbook = members["xl/workbook.bin"]
  return workbook === undefined
    ? []
    : BinarySheet.bundled(workbook).flatMap(({ id, name }) => {
        const part = members[parts.get(id) ?? ""]
        return part === undefined ? [] : [{ name, cells: BinarySheet.cells(part) }]
      })
}

const wanted =
  /^(?:xl\/(?:worksheets\/[^/]+\.(?:xml|bin)|workbook\.(?:xml|bin)|_rels\/workbook\.(?:xml|bin)\.rels)|content\.xml)$/i

const ofArchive = (bytes: Uint8Array): ReadonlyArray<Sheet> => {
  const members = SparseSheets.members(bytes, (name) => wanted.test(name)) ?? {}
  const content = members["content.xml"]
  if (content !== undefined)
    return OpenSheet.sheets(utf8(content)).map(({ cells, name }): Sheet => ({ cells, name, whole: true }))
  return "xl/workbook.xml" in members ? ofXml(members) : ofBinary(members)
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
