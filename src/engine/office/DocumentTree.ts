/** An office document's structure as a tree of HTML: headings, lists, tables with their spans, links, images, notes. */
import { Buffer } from "node:buffer"
import type {
  Asset,
  Block,
  BlockKind,
  Document,
  Inline,
  InlineKind,
  LinkTargetKind,
  List,
  ListItem,
  MarkerKind,
  Note,
  Table,
  TableKind
} from "@firecrawl/anydoc"
import type { Element, ElementContent, Root } from "hast"
import * as Tree from "../html/Tree.ts"
import type { Piece } from "./mend/Inserted.ts"

type Children = Array<ElementContent>

type Pieces = (text: string) => ReadonlyArray<Piece>

const text = (value: string): ElementContent => ({ type: "text", value })

/** Elements with a line each. */
const lines = (elements: ReadonlyArray<ElementContent>): Children => [
  text("\n"),
  ...elements.flatMap((element) => [element, text("\n")])
]

const listTypes: Readonly<Record<string, string>> = {
  lowerAlpha: "a",
  upperAlpha: "A",
  lowerRoman: "i",
  upperRoman: "I"
}

/** Styles from the innermost element to the outermost. */
const styleNames = [
  ["code", "code"],
  ["strike", "del"],
  ["italic", "em"],
  ["bold", "strong"]
] as const

class Writer {
  private readonly assets: ReadonlyMap<number, Asset>
  private readonly withData: boolean

  private readonly pieces: Pieces

  constructor(assets: ReadonlyArray<Asset>, withData: boolean, pieces: Pieces) {
    this.pieces = pieces
    this.assets = new Map(assets.map((asset) => [asset.id, asset]))
    this.withData = withData
  }

  /** The anchors of a paragraph that holds nothing else stand without it, as places that links lead to. */
  blocks(blocks: ReadonlyArray<Block>): Children {
    return blocks.flatMap((block) => (isPlace(block) ? this.inlines(block.content) : [this.block(block)]))
  }

  private block(block: Block): Element {
    const kind: `${BlockKind}` = block.kind
    switch (kind) {
      case "heading":
        return Tree.element(`h${block.level ?? 1}`, identified(block.anchor), this.inlines(block.content))
      case "list":
        return block.list === undefined ? Tree.element("ul", {}, []) : this.list(block.list)
      case "table":
        return block.table === undefined ? Tree.element("table", {}, []) : this.table(block.table)
      case "blockQuote":
        return Tree.element("blockquote", {}, lines(this.blocks(block.blocks ?? [])))
      case "codeBlock":
        return Tree.element("pre", {}, [Tree.element("code", language(block.lang), [text(block.text ?? "")])])
      case "rule":
        return Tree.element("hr", {}, [])
      default:
        return Tree.element("p", {}, this.inlines(block.content))
    }
  }

  private list({ items, marker, start }: List): Element {
    const kind: `${MarkerKind}` = marker
    if (kind === "bullet") return Tree.element("ul", {}, lines(this.items(items)))
    const type = listTypes[kind]
    const properties = { ...(start !== 1 && { start }), ...(type !== undefined && { type }) }
    return Tree.element("ol", properties, lines(this.items(items)))
  }

  private items(items: ReadonlyArray<ListItem>): Children {
    return items.map(({ blocks, checked, markerLabel }) => {
      const [first, ...more] = this.blocks(blocks)
      const lead: Children = [
        ...(checked === undefined ? [] : [Tree.element("input", { type: "checkbox", checked, disabled: true }, [])]),
        ...(markerLabel === undefined ? [] : [text(`${markerLabel} `)])
      ]
      // A list item of one paragraph is written without it.
      const content =
        first !== undefined && Tree.isElement(first) && first.tagName === "p" ? first.children : first && [first]
      return Tree.element("li", {}, [...lead, ...(content ?? []), ...more])
    })
  }

  private table({ grid, headerRows, kind }: Table): Element {
    const rows = grid.map((slots, at) =>
      Tree.element(
        "tr",
        {},
        slots.flatMap(({ cell }) => {
          if (cell === undefined) return []
          const spans = {
            ...(cell.colSpan > 1 && { colSpan: cell.colSpan }),
            ...(cell.rowSpan > 1 && { rowSpan: cell.rowSpan })
          }
          return [Tree.element(at < headerRows ? "th" : "td", spans, this.cell(cell.blocks))]
        })
      )
    )
    const parts = [
      ...(headerRows > 0 ? [Tree.element("thead", {}, lines(rows.slice(0, headerRows)))] : []),
      Tree.element("tbody", {}, lines(rows.slice(headerRows)))
    ]
    const purpose: `${TableKind}` = kind
    return Tree.element("table", purpose === "layout" ? { role: "presentation" } : {}, lines(parts))
  }

  /** A cell of one paragraph is written without it. */
  private cell(blocks: ReadonlyArray<Block>): Children {
    const [only, ...more] = blocks
    const kind: `${BlockKind}` | undefined = only?.kind
    return only !== undefined && kind === "paragraph" && more.length === 0
      ? this.inlines(only.content)
      : this.blocks(blocks)
  }

  private inlines(inlines: ReadonlyArray<Inline> = []): Children {
    return inlines.flatMap((inline) => this.inline(inline))
  }

  private inline(inline: Inline): Children | ElementContent {
    const kind: `${InlineKind}` = inline.kind
    switch (kind) {
      case "link":
        return Tree.element("a", { href: addressOf(inline) }, this.inlines(inline.content))
      case "image":
        return this.image(inline)
      case "anchor":
        return Tree.element("a", identified(inline.anchor), [])
      case "noteRef":
        return Tree.element("sup", {}, [
          Tree.element("a", { href: `#${noteAnchor(inline.noteId ?? "")}` }, [text(inline.noteId ?? "")])
        ])
      case "lineBreak":
        return Tree.element("br", {}, [])
      default:
        return styled(inline, this.pieces)
    }
  }

  /** An embedded image has a data address if that is wanted, and the name of its part otherwise. */
  private image({ alt = "", source }: Inline): Element {
    const asset = source?.assetId === undefined ? undefined : this.assets.get(source.assetId)
    if (asset === undefined)
      return Tree.element("img", { ...(source?.url !== undefined && { src: source.url }), alt }, [])
    const src = `data:${asset.mediaType};base64,${this.withData ? Buffer.from(asset.data).toString("base64") : ""}`
    return Tree.element("img", { ...(this.withData && { src }), alt, dataPart: asset.originPart }, [])
  }

  notes(notes: ReadonlyArray<Note>): Children {
    if (notes.length === 0) return []
    const items = notes.map(({ blocks, id }) => Tree.element("li", { id: noteAnchor(id) }, this.blocks(blocks)))
    return [Tree.element("section", { role: "doc-endnotes" }, [Tree.element("ol", {}, lines(items))])]
  }
}

const isPlace = ({ content = [], kind }: Block): boolean => {
  const own: `${BlockKind}` = kind
  return own === "paragraph" && content.every((inline) => inlineKind(inline) === "anchor")
}

const inlineKind = ({ kind }: Inline): `${InlineKind}` => kind

const addressOf = ({ target }: Inline): string => {
  const kind: `${LinkTargetKind}` | undefined = target?.kind
  return kind === "anchor" ? `#${target?.value}` : (target?.value ?? "")
}

const identified = (anchor: string | undefined): Element["properties"] => (anchor === undefined ? {} : { id: anchor })

const language = (name: string | undefined): Element["properties"] =>
  name === undefined || name === "" ? {} : { className: [`language-${name}`] }

const noteAnchor = (id: string): string => `note-${id}`

const styled = ({ style, text: value = "" }: Inline, pieces: Pieces): Children =>
  styleNames.reduce<Children>(
    (inner, [name, tagName]) => (style?.[name] === true ? [Tree.element(tagName, {}, inner)] : inner),
    pieces(value).map(({ script, text: own }) =>
      script === undefined ? text(own) : Tree.element(script, {}, [text(own)])
    )
  )

/**
 * The tree of a document. Images that are part of the document have their bytes as addresses only if `withData` is true. `pieces`
 * gives each text as it is to stand in the tree.
 */
export const make = (document: Document, withData: boolean, pieces: Pieces): Root => {
  const writer = new Writer(document.assets, withData, pieces)
  const body = Tree.element("body", {}, lines([...writer.blocks(document.blocks), ...writer.notes(document.notes)]))
  return { type: "root", children: [Tree.element("html", {}, [body])] }
}
