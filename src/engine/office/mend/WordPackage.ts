/** Parts of a Word document that the parser leaves out, as text where they stand: equations, comments, charts, and initials of their own. */
import * as Edits from "../../Edits.ts"
import * as OfficeMath from "../equation/OfficeMath.ts"
import * as Element from "../markup/Element.ts"
import * as Tags from "../markup/Tags.ts"
import * as XmlText from "../XmlText.ts"
import * as Charts from "./Charts.ts"
import type { Inserted } from "./Inserted.ts"
import * as LayoutTables from "./LayoutTables.ts"
import type { Mender } from "./Package.ts"
import * as RaisedRuns from "./RaisedRuns.ts"
import * as Unread from "./Unread.ts"

const space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

const wanted =
  /^(?:word\/charts\/[^/]+\.xml|word\/(?:document\d*|footnotes|endnotes|comments|styles)\.xml|word\/_rels\/document\d*\.xml\.rels|\[Content_Types\]\.xml)$/u

const run = (text: string): string => `<w:r ${space}><w:t xml:space="preserve">${text}</w:t></w:r>`

/** The equations of a part as words of `inserted`, each in what `around` makes of it; none when one of them is not well-formed. */
export const equations = (
  xml: string,
  inserted: Inserted,
  around: (word: string) => string
): ReadonlyArray<Edits.Edit> =>
  Tags.mayHave(xml, "oMath")
    ? Element.replacing(xml, ["oMath", "oMathPara"], (element) => {
        const markdown = OfficeMath.markdown(element)
        return markdown === "" ? "" : around(inserted.word(markdown))
      })
    : []

/** Equations that are pictures of another program's: the program's name is that of an embedded object. */
const objects = /\bProgID\s*=\s*["'](?:Equation\.|MathType)/gu

/** Text of a paragraph, with its tabs and breaks as spaces. */
const textOf = (element: Element.Element): string =>
  element.name === "t"
    ? Element.text(element)
    : element.name === "tab" || element.name === "br"
      ? " "
      : Element.children(element).map(textOf).join("")

/** Comments by id, each as one line after the name of its author. */
const commentsOf = (xml: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const comment of Element.named(xml, ["comment"])) {
    if (comment === undefined) return found
    const { attributes } = comment.element
    const text = Element.children(comment.element).map(textOf).join(" ").trim()
    const author = attributes.get("author") ?? ""
    if (text !== "")
      found.set(attributes.get("id") ?? "", `${author === "" ? "Comment" : `Comment by ${author}`}: ${text}`)
  }
  return found
}

const footnotesType = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
const footnotesRelation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"

const contentTypes = "[Content_Types].xml"
const footnotesPart = "word/footnotes.xml"
const typesSpace = "http://schemas.openxmlformats.org/package/2006/content-types"
const relationsSpace = "http://schemas.openxmlformats.org/package/2006/relationships"

/** Number from which on the notes of comments have theirs: those of footnotes are small. */
const firstNote = 900_000

/** Changes the parts so that comments are footnotes of the document. */
const addComments = (parts: Map<string, string>, document: string): void => {
  const comments = commentsOf(parts.get("word/comments.xml") ?? "")
  const relationsName = `${document.replace("word/", "word/_rels/")}.rels`
  const [xml, types, relations] = [document, contentTypes, relationsName].map((name) => parts.get(name))
  if (comments.size === 0 || xml === undefined || types === undefined || relations === undefined) return
  const notes: Array<string> = []
  const edits: Array<Edits.Edit> = []
  for (const tag of Tags.named(xml, ["commentReference"])) {
    if (tag.kind === "close") continue
    const comment = comments.get(Tags.attributes(xml, tag).get("id") ?? "")
    if (comment === undefined) continue
    const id = firstNote + notes.length
    notes.push(`<w:footnote ${space} w:id="${id}"><w:p>${run(XmlText.escape(comment))}</w:p></w:footnote>`)
    edits.push({ ...tag, text: `<w:footnoteReference ${space} w:id="${id}"/>` })
  }
  if (notes.length === 0) return
  const footnotes = parts.get(footnotesPart)
  if (footnotes === undefined) {
    parts.set(footnotesPart, `<w:footnotes ${space}>${notes.join("")}</w:footnotes>`)
    parts.set(
      contentTypes,
      before(
        "Types",
        types,
        `<Override xmlns="${typesSpace}" PartName="/${footnotesPart}" ContentType="${footnotesType}"/>`
      )
    )
    parts.set(
      relationsName,
      before(
        "Relationships",
        relations,
        `<Relationship xmlns="${relationsSpace}" Id="docsluiceNotes" Type="${footnotesRelation}" Target="footnotes.xml"/>`
      )
    )
  } else {
    parts.set(footnotesPart, before("footnotes", footnotes, notes.join("")))
  }
  parts.set(document, Edits.edited(xml, edits))
}

/** Puts a text before the last end tag of that name. */
const before = (name: string, xml: string, text: string): string => {
  const at = xml.search(new RegExp(`</(?:[\\w.-]+:)?${name}\\s*>\\s*$`, "u"))
  return at < 0 ? xml : xml.slice(0, at) + text + xml.slice(at)
}

/** The names of embedded objects apart from the text around them, which the parser joins to them. */
const withObjectsApart = (xml: string): string => {
  if (!xml.includes("OLEObject")) return xml
  const blank = `<w:t ${space} xml:space="preserve"> </w:t>`
  const edits = Array.from(Tags.named(xml, ["object"])).flatMap(({ end, kind, start }): ReadonlyArray<Edits.Edit> => {
    if (kind === "empty") return []
    const at = kind === "open" ? start : end
    return [{ start: at, end: at, text: blank }]
  })
  return Edits.edited(xml, edits)
}

const isDropCap = /<w:framePr\s[^<>]*\bw:dropCap\s*=\s*["'](?:drop|margin)["']/u

/** A paragraph without others in it. */
const paragraph = /<w:p(?:\s[^<>]*)?>(?:(?!<\/?w:p[\s>])[^])*?<\/w:p>/uy

/** Each initial that stands in a paragraph of its own, as the beginning of the paragraph after it. */
const withoutDropCaps = (xml: string): string => {
  if (!Tags.mayHave(xml, "framePr") || !isDropCap.test(xml)) return xml
  const edits: Array<Edits.Edit> = []
  for (const { index } of xml.matchAll(/<w:p[\s>]/gu)) {
    paragraph.lastIndex = index
    const own = paragraph.exec(xml)?.[0] ?? ""
    if (!isDropCap.test(own)) continue
    const end = index + own.length
    const [before = "", next] =
      /^\s*(<w:p(?:\s[^<>]*[^/])?>(?:<w:pPr(?:\s[^<>]*)?>[^]*?<\/w:pPr>|<w:pPr\/>)?)/u.exec(
        xml.slice(end, end + 20_000)
      ) ?? []
    if (next === undefined) continue
    const runs = own.replace(/^<w:p(?:\s[^<>]*)?>/u, "").replace(/<w:pPr(?:\s[^<>]*)?>[^]*?<\/w:pPr>/u, "")
    edits.push({ start: index, end: end + before.length, text: `${before}${runs.slice(0, -"</w:p>".length)}` })
  }
  return Edits.edited(xml, edits)
}

const tables: LayoutTables.Names = { table: "tbl", row: "tr", cell: "tc", properties: "tcPr" }

/** Repairs of `docx` and `docm`. */
export const mender: Mender = {
  wanted: (name) => wanted.test(name),
  mend: (parts, inserted) => {
    const document = [...parts.keys()].find((name) => /^word\/document\d*\.xml$/u.test(name))
    if (document === undefined) return []
    addComments(parts, document)
    for (const [name, xml] of parts) if (name.startsWith("word/charts/")) parts.set(name, Charts.completed(xml))
    const laidOut = LayoutTables.without(parts.get(document) ?? "", tables)
    parts.set(document, withObjectsApart(withoutDropCaps(laidOut)))
    const styles = RaisedRuns.wordStyles(parts.get("word/styles.xml") ?? "")
    let pictures = 0
    for (const name of [document, footnotesPart, "word/endnotes.xml"]) {
      const xml = parts.get(name)
      if (xml === undefined) continue
      const raised = RaisedRuns.ofRuns(xml, styles, inserted)
      parts.set(name, Edits.edited(raised, equations(raised, inserted, run)))
      if (xml.includes("ProgID")) pictures += Array.from(xml.matchAll(objects)).length
    }
    return Unread.equations(pictures)
  }
}
