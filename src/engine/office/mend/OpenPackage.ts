/**
 * Parts of an OpenDocument file that the parser leaves out or runs together: formulas, text boxes and comments.
 *
 * Source: OpenDocument 1.3 part 3, 10.4 (frames), 14.1 (annotations).
 */
import * as Edits from "../../Edits.ts"
import * as Formula from "../equation/Formula.ts"
import * as Element from "../markup/Element.ts"
import * as Tags from "../markup/Tags.ts"
import * as XmlText from "../XmlText.ts"
import type { Inserted } from "./Inserted.ts"
import * as LayoutTables from "./LayoutTables.ts"
import type { Mender } from "./Package.ts"
import * as RaisedRuns from "./RaisedRuns.ts"

const content = "content.xml"

const wanted = /^(?:(?:content|styles)\.xml|[^/]+\/content\.xml)$/u

const space = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'

/** End of the element whose start tag the iterator gave last; undefined when it has none. */
const closing = (tags: Iterator<Tags.Tag>, open: Tags.Tag): Tags.Tag | undefined => {
  if (open.kind === "empty") return open
  let depth = 1
  for (let next = tags.next(); next.done !== true; next = tags.next()) {
    const tag = next.value
    if (tag.name !== open.name || tag.kind === "empty") continue
    depth += tag.kind === "open" ? 1 : -1
    if (depth === 0) return tag
  }
  return undefined
}

/** Shapes whose text stands directly in them. */
const shapes = new Set(["custom-shape", "rect", "ellipse", "polygon", "path", "caption"])

const paragraphs = new Set(["p", "h"])

/** Content of a frame: blocks after the paragraph that holds it, or text in its place. */
interface Shown {
  readonly blocks: string
  readonly inline: string
}

const bodyOf = (xml: string, frame: string): string | undefined => {
  for (const tag of Tags.of(xml)) {
    if (tag.name !== "text-box" || tag.kind !== "open") continue
    const end = xml.lastIndexOf(`</${frame}text-box`)
    return end < 0 ? undefined : xml.slice(tag.end, end)
  }
  return undefined
}

/** Text of a shape: everything from its first paragraph to its last. */
const shapeText = (xml: string): string => {
  const start = xml.search(/<text:(?:p|h|list)[\s>]/u)
  const end = Math.max(...["</text:p>", "</text:h>", "</text:list>"].map((tag) => xml.lastIndexOf(tag) + tag.length))
  return start < 0 || end <= start ? "" : xml.slice(start, end)
}

class Writer {
  private readonly parts: ReadonlyMap<string, string>
  private readonly inserted: Inserted

  constructor(parts: ReadonlyMap<string, string>, inserted: Inserted) {
    this.parts = parts
    this.inserted = inserted
  }

  /** The formula of a frame; undefined where it holds something else. */
  private formula(xml: string, display: boolean): string | undefined {
    const inline = xml.search(/<(?:[\w.-]+:)?math[\s>]/u)
    const href = /<draw:object\s[^<>]*xlink:href="(?:\.\/)?([^"/]+)\/?"/u.exec(xml)?.[1]
    const source =
      inline >= 0 ? xml : href === undefined ? undefined : this.parts.get(`${XmlText.unescape(href)}/content.xml`)
    const start = source?.search(/<(?:[\w.-]+:)?math[\s>]/u) ?? -1
    if (source === undefined || start < 0) return undefined
    const found = Element.read(source, start)
    const markdown = found === undefined ? "" : Formula.ofElement(found.element, display)
    return markdown === "" ? undefined : this.inserted.word(markdown)
  }

  shown(xml: string, name: string, alone: boolean): Shown | undefined {
    if (shapes.has(name)) {
      const blocks = shapeText(xml)
      return blocks === "" ? undefined : { blocks, inline: "" }
    }
    const box = bodyOf(xml, "draw:")
    if (box !== undefined) return { blocks: box, inline: "" }
    const formula = this.formula(xml, alone)
    return formula === undefined ? undefined : { blocks: "", inline: formula }
  }
}

/** True where a paragraph holds nothing but the frame at `[start, end)`. */
const isAlone = (xml: string, from: number, start: number, end: number): boolean => {
  const rest = xml.slice(end, end + 40)
  return (
    start - from < 4096 &&
    xml
      .slice(from, start)
      .replaceAll(/<[^<>]*>/gu, "")
      .trim() === "" &&
    /^\s*(?:<\/text:span>)*\s*<\/text:[ph]>/u.test(rest)
  )
}

/** Text documents: what frames in paragraphs show. */
const withFrames = (xml: string, writer: Writer): string => {
  const edits: Array<Edits.Edit> = []
  const tags = Tags.of(xml)
  let paragraph: Tags.Tag | undefined
  let depth = 0
  let pending = ""
  let cells = 0
  for (let next = tags.next(); next.done !== true; next = tags.next()) {
    const tag = next.value
    if (tag.name === "table-cell" && tag.kind !== "empty") cells += tag.kind === "open" ? 1 : -1
    if (paragraphs.has(tag.name) && tag.kind !== "empty") {
      if (tag.kind === "open" && depth++ === 0) paragraph = tag
      if (tag.kind === "close" && --depth === 0) {
        if (pending !== "") edits.push({ start: tag.end, end: tag.end, text: pending })
        pending = ""
        paragraph = undefined
      }
    } else if (tag.kind === "open" && paragraph !== undefined && (tag.name === "frame" || shapes.has(tag.name))) {
      const end = closing(tags, tag)
      if (end === undefined) return xml
      const alone = cells === 0 && isAlone(xml, paragraph.end, tag.start, end.end)
      const shown = writer.shown(xml.slice(tag.start, end.end), tag.name, alone)
      if (shown === undefined) continue
      pending += shown.blocks
      edits.push({ start: tag.start, end: end.end, text: shown.inline })
    }
  }
  return Edits.edited(xml, edits)
}

/** Deepest text boxes within text boxes that are told apart. */
const deepest = 3

const note = (element: Element.Element): string => {
  const author = Element.child(element, "creator")
  const own = Element.children(element).filter(({ name }) => name === "p" || name === "list")
  const text = own.map(Element.text).join(" ").trim()
  const by = author === undefined || Element.text(author) === "" ? "" : ` by ${Element.text(author)}`
  return text === ""
    ? ""
    : `<text:note ${space} text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>${XmlText.escape(`Comment${by}: ${text}`)}</text:p></text:note-body></text:note>`
}

/** Comments of a text document as footnotes. */
const withComments = (xml: string): string =>
  xml.includes("annotation") ? Edits.edited(xml, Element.replacing(xml, ["annotation"], note)) : xml

const raised = (xml: string, parts: ReadonlyMap<string, string>, inserted: Inserted): string =>
  RaisedRuns.ofSpans(
    xml,
    new Map([...RaisedRuns.openStyles(parts.get("styles.xml") ?? ""), ...RaisedRuns.openStyles(xml)]),
    inserted
  )

const tables: LayoutTables.Names = { table: "table", row: "table-row", cell: "table-cell", properties: undefined }

const isFrame = /<draw:(?:frame|custom-shape|rect|ellipse|polygon|path|caption)[\s>]/u

/** Repairs of `odt`. */
export const text: Mender = {
  wanted: (name) => wanted.test(name),
  mend: (parts, inserted) => {
    const writer = new Writer(parts, inserted)
    let xml = withComments(LayoutTables.without(parts.get(content) ?? "", tables))
    for (let pass = 0; pass < deepest && isFrame.test(xml); pass++) {
      const next = withFrames(xml, writer)
      if (next === xml) break
      xml = next
    }
    if (xml !== "") parts.set(content, raised(xml, parts, inserted))
    return []
  }
}

/** Repairs of `odp`: fields of the notes' pages, which hold nothing but their own names. */
export const presentation: Mender = {
  wanted: (name) => wanted.test(name),
  mend: (parts, inserted) => {
    const xml = parts
      .get(content)
      ?.replaceAll(/<text:page-number(?:\s[^<>]*)?>&lt;[^<>&]*&gt;<\/text:page-number>/gu, "")
    if (xml !== undefined) parts.set(content, raised(xml, parts, inserted))
    return []
  }
}
