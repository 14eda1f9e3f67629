/** What a document says, block by block in reading order: written next to each PDF as JSON. */
import { Match, Schema } from "effect"
import { nameOf } from "./languages/language.ts"
import { type Block, type Document, gridOf, type List } from "./model.ts"

export const BlockType = Schema.Literal(
  "title",
  "section_header",
  "text",
  "table",
  "formula",
  "figure",
  "caption",
  "footnote"
)

/** A block of the document. A list has one for each item, a table of contents one for each entry. */
export const TruthBlock = Schema.Struct({
  type: BlockType,
  /** Level of a heading; 1 for the title. */
  level: Schema.optional(Schema.Int),
  /** As shown, without the marker of a list item; cells are separated by spaces. */
  text: Schema.String,
  /** Complete grid of a table: a spanning cell's text stands at its first place. */
  rows: Schema.optional(Schema.Array(Schema.Array(Schema.String))),
  /** Marker of a list item or footnote. */
  marker: Schema.optional(Schema.String),
  /** Depth of a list item, from 0; in a table of contents that of the entry. */
  depth: Schema.optional(Schema.Int),
  /** Finer than the type: `list_item`, `clause` (an item with a marker that Markdown lacks), `code`, `contents`, `field`, `run_in`, `author`, … */
  role: Schema.optional(Schema.String)
})
export type TruthBlock = typeof TruthBlock.Type

export const FurnitureType = Schema.Literal("page_header", "page_footer", "page_number")

export const Truth = Schema.Struct({
  producer: Schema.String,
  template: Schema.String,
  seed: Schema.Int,
  /** True if the PDF has a structure tree. */
  tagged: Schema.Boolean,
  script: Schema.String,
  /** Code, with `-vertical` after it where lines are vertical. */
  language: Schema.String,
  split: Schema.Literal("learn", "judge"),
  pages: Schema.Int,
  blocks: Schema.Array(TruthBlock),
  /** Lines at the edges of the pages, with 1-based physical pages. */
  furniture: Schema.Array(Schema.Struct({ page: Schema.Int, type: FurnitureType, text: Schema.String }))
})
export type Truth = typeof Truth.Type

export const decode = Schema.decodeUnknownSync(Schema.parseJson(Truth))

/** Markers that Markdown has too; items with another one, as `(1)` or `[1]`, are texts that begin with it. */
const markdownMarker = /^(?:[^\p{L}\p{N}]|\d+[.)])$/u

const listBlocks = ({ items }: List, depth: number): ReadonlyArray<TruthBlock> =>
  items.flatMap(({ list, marker, text }) => [
    { type: "text" as const, text, marker, depth, role: markdownMarker.test(marker) ? "list_item" : "clause" },
    ...(list === undefined ? [] : listBlocks(list, depth + 1))
  ])

const textOfTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows
    .flat()
    .filter((cell) => cell !== "")
    .join(" ")

/** With a title, the highest heading has level 2. */
const blocksOf = (titled: boolean): ((block: Block) => ReadonlyArray<TruthBlock>) =>
  Match.type<Block>().pipe(
    Match.withReturnType<ReadonlyArray<TruthBlock>>(),
    Match.discriminatorsExhaustive("type")({
      title: ({ text }) => [{ type: "title", level: 1, text }],
      heading: ({ level, text }) => [{ type: "section_header", level: level + (titled ? 1 : 0), text }],
      paragraph: (block) => {
        const role = block.lead === undefined ? block.role : "run_in"
        const mark = block.note === undefined ? "" : block.note.mark
        return [{ type: "text", text: paragraphText(block) + mark, ...(role === undefined ? {} : { role }) }]
      },
      list: (list) => listBlocks(list, 0),
      table: (table) => {
        const rows = gridOf(table)
        return [{ type: "table", text: textOfTable(rows), rows }]
      },
      caption: ({ text }) => [{ type: "caption", text }],
      figure: () => [{ type: "figure", text: "" }],
      formula: ({ tag, text }) => [{ type: "formula", text: tag === undefined ? text : `${text} ${tag}` }],
      code: ({ lines }) => [{ type: "text", text: lines.join("\n"), role: "code" }],
      fields: ({ pairs }) =>
        pairs.map(([label, value]) => ({ type: "text", text: `${label} ${value}`, role: "field" })),
      contents: ({ entries }) =>
        entries.map(({ level, page, text }) => ({
          type: "text",
          text: `${text} ${page}`,
          depth: level - 1,
          role: "contents"
        })),
      break: () => []
    })
  )

export const paragraphText = ({ lead, text }: { readonly lead?: string; readonly text: string }): string =>
  lead === undefined ? text : `${lead} ${text}`

/** Footnotes in the order of their marks. */
const notesOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<TruthBlock> =>
  blocks.flatMap((block) =>
    block.type === "paragraph" && block.note !== undefined
      ? [{ type: "footnote" as const, text: block.note.text, marker: block.note.mark }]
      : []
  )

const filled = (pattern: string, page: number, pages: number): string =>
  pattern.replaceAll("{n}", String(page)).replaceAll("{N}", String(pages))

const furnitureOf = ({ running }: Document, pages: number): Truth["furniture"] => {
  const lines: ReadonlyArray<readonly [typeof FurnitureType.Type, string | undefined]> = [
    ["page_header", running.header],
    ["page_footer", running.footer],
    ["page_number", running.number?.pattern]
  ]
  const furniture: Array<Truth["furniture"][number]> = []
  for (let page = running.first ? 1 : 2; page <= pages; page++) {
    for (const [type, pattern] of lines) {
      if (pattern !== undefined) furniture.push({ page, type, text: filled(pattern, page, pages) })
    }
  }
  return furniture
}

/** The truth of a document once its number of pages is known. */
export const make = (
  document: Document,
  about: { readonly producer: string; readonly tagged: boolean; readonly split: Truth["split"]; readonly pages: number }
): Truth => ({
  ...about,
  template: document.template,
  seed: document.seed,
  script: document.language.script,
  language: nameOf(document.language),
  blocks: [
    ...document.blocks.flatMap(blocksOf(document.blocks.some(({ type }) => type === "title"))),
    ...notesOf(document.blocks)
  ],
  furniture: furnitureOf(document, about.pages)
})
