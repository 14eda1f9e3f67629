/** Superscripts and subscripts of office documents, which the parser writes on the line. */
import * as Edits from "../../Edits.ts"
import type * as RaisedText from "../../RaisedText.ts"
import * as Tags from "../markup/Tags.ts"
import * as XmlText from "../XmlText.ts"
import type { Inserted } from "./Inserted.ts"

/** Text of a document with a word for what is raised or lowered in it; the same text where nothing is. */
const withWord = (xml: string, script: RaisedText.Script, inserted: Inserted): string => {
  const own = xml.trim()
  const word = inserted.raised(XmlText.unescape(own), script)
  return word === undefined ? xml : xml.replace(own, word)
}

/** Scripts of styles by their names; a style is taken as based on no other. */
export type Styles = ReadonlyMap<string, RaisedText.Script>

const aligned: Readonly<Record<string, RaisedText.Script>> = { superscript: "sup", subscript: "sub" }

/** Styles of a Word document that raise or lower text. Source: ECMA-376 part 1, 17.3.2.42 (`vertAlign`). */
export const wordStyles = (xml: string): Styles => {
  const styles = new Map<string, RaisedText.Script>()
  if (!Tags.mayHave(xml, "vertAlign")) return styles
  let style = ""
  for (const tag of Tags.named(xml, ["style", "vertAlign"])) {
    if (tag.kind === "close") continue
    const attributes = Tags.attributes(xml, tag)
    if (tag.name === "style") style = attributes.get("type") === "character" ? (attributes.get("styleId") ?? "") : ""
    const script = aligned[attributes.get("val") ?? ""]
    if (tag.name === "vertAlign" && script !== undefined && style !== "") styles.set(style, script)
  }
  return styles
}

interface Run {
  script: RaisedText.Script | undefined
}

/** Height of a run of a slide over the line, in thousandths of a percent (ECMA-376 part 1, 21.1.2.3.9). */
const ofBaseline = (baseline: string | undefined): RaisedText.Script | undefined =>
  baseline === undefined || Number(baseline) === 0 ? undefined : Number(baseline) > 0 ? "sup" : "sub"

/** A part with runs of text, in which raised and lowered text is a word of `inserted`. */
export const ofRuns = (xml: string, styles: Styles, inserted: Inserted): string => {
  const baselines = Tags.mayHave(xml, "rPr") && xml.includes("baseline")
  if (styles.size === 0 && !Tags.mayHave(xml, "vertAlign") && !baselines) return xml
  const edits: Array<Edits.Edit> = []
  const open: Array<Run> = []
  let text: number | undefined
  let former = false
  for (const tag of Tags.named(xml, ["r", "t", "rPr", "rStyle", "vertAlign", "rPrChange"])) {
    const run = open.at(-1)
    if (tag.name === "rPrChange") former = tag.kind === "open"
    else if (tag.name === "r" && tag.kind === "open") open.push({ script: undefined })
    else if (tag.name === "r" && tag.kind === "close") open.pop()
    else if (run === undefined || former) continue
    else if (tag.name === "t") {
      if (tag.kind === "open") text = tag.end
      else if (text !== undefined && run.script !== undefined)
        edits.push({ start: text, end: tag.start, text: withWord(xml.slice(text, tag.start), run.script, inserted) })
    } else if (tag.kind !== "close") {
      const attributes = Tags.attributes(xml, tag)
      const value = attributes.get("val") ?? ""
      if (tag.name === "rPr") run.script = ofBaseline(attributes.get("baseline"))
      else run.script = tag.name === "rStyle" ? styles.get(value) : aligned[value]
    }
  }
  return Edits.edited(xml, edits)
}

/**
 * Styles of a part of an OpenDocument file that raise or lower text. Source: OpenDocument 1.3 part 3, 20.396
 * (`style:text-position`).
 */
export const openStyles = (xml: string): Styles => {
  const styles = new Map<string, RaisedText.Script>()
  if (!xml.includes("text-position")) return styles
  let style = ""
  for (const tag of Tags.named(xml, ["style", "text-properties"])) {
    if (tag.kind === "close") continue
    const attributes = Tags.attributes(xml, tag)
    if (tag.name === "style") style = attributes.get("name") ?? ""
    const [position = ""] = (attributes.get("text-position") ?? "").split(" ")
    const height = position === "super" ? 1 : position === "sub" ? -1 : Number.parseFloat(position)
    if (height > 0) styles.set(style, "sup")
    if (height < 0) styles.set(style, "sub")
  }
  return styles
}

/** The content of each element that has a script as `written` has it; of elements within one another, of the inner ones. */
const ofElements = (
  xml: string,
  names: ReadonlyArray<string>,
  scriptOf: (tag: Tags.Tag) => RaisedText.Script | undefined,
  written: (content: string, script: RaisedText.Script) => string
): string => {
  const edits: Array<Edits.Edit> = []
  let open: Tags.Tag | undefined
  for (const tag of Tags.named(xml, names)) {
    if (tag.kind === "open") open = tag
    else if (tag.kind === "close" && open?.name === tag.name) {
      const script = scriptOf(open)
      if (script !== undefined)
        edits.push({ start: open.end, end: tag.start, text: written(xml.slice(open.end, tag.start), script) })
      open = undefined
    }
  }
  return Edits.edited(xml, edits)
}

/** A part of an OpenDocument file, in which raised and lowered text is a word of `inserted`. */
export const ofSpans = (xml: string, styles: Styles, inserted: Inserted): string =>
  styles.size === 0
    ? xml
    : ofElements(
        xml,
        ["span"],
        (tag) => styles.get(Tags.attributes(xml, tag).get("style-name") ?? ""),
        // Anything else is a note or a frame that holds texts.
        (content, script) => (content.includes("<") ? content : withWord(content, script, inserted))
      )

/** A page of a publication, in which raised and lowered text is a word of `inserted`. */
export const ofPage = (xhtml: string, inserted: Inserted): string =>
  ofElements(
    xhtml,
    ["sup", "sub"],
    ({ name }) => (name === "sub" ? "sub" : "sup"),
    (content, script) =>
      content.replaceAll(/(^|>)([^<>]+)/gu, (_, tag: string, text: string) => tag + withWord(text, script, inserted))
  )
