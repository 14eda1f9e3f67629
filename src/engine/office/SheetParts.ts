/** Parts of the sheets of an Office Open XML workbook, binary or not. Source: ECMA-376 part 1, 18.2.19 and 18.2.20. */
import * as Relationships from "./markup/Relationships.ts"
import * as Tags from "./markup/Tags.ts"
import * as BinarySheet from "./sparse/BinarySheet.ts"

export interface SheetPart {
  /** Name of the sheet. */
  readonly name: string
  /** Name of its part in the package, such as `xl/worksheets/sheet1.xml`. */
  readonly part: string
}

const utf8 = (bytes: Uint8Array | undefined): string => (bytes === undefined ? "" : Buffer.from(bytes).toString("utf8"))

const listed = (workbook: string): ReadonlyArray<{ readonly id: string; readonly name: string }> =>
  Array.from(Tags.named(workbook, ["sheet"])).flatMap((tag) => {
    if (tag.kind === "close") return []
    const sheet = Tags.attributes(workbook, tag)
    return [{ id: sheet.get("id") ?? "", name: sheet.get("name") ?? "" }]
  })

/** The sheets in their order, those of charts too; none when the package is no workbook. */
export const of = (read: (part: string) => Uint8Array | undefined): ReadonlyArray<SheetPart> => {
  const workbook = read("xl/workbook.xml")
  const binary = workbook === undefined ? read("xl/workbook.bin") : undefined
  const relations = utf8(read(`xl/_rels/workbook.${binary === undefined ? "xml" : "bin"}.rels`))
  const parts = Relationships.targets(relations, "xl")
  return (binary === undefined ? listed(utf8(workbook)) : BinarySheet.bundled(binary)).flatMap(({ id, name }) => {
    const part = parts.get(id)
    return part === undefined ? [] : [{ name, part }]
  })
}
