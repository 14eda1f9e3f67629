import { type Edit, edited } from "../../Edits.ts"
/**
 * Parts of an RTF document that the parser does not know: headings by the style of their paragraph, deleted text, comments, text boxes,
 * tables in cells, superscripts and subscripts.
 *
 * Source: Rich Text Format Specification 1.9.1, "Style Sheet", "Track Changes", "Comments (Annotations)", "Word 97 through Word 2007
 * RTF for Drawing Objects".
 */
import type * as RaisedText from "../../RaisedText.ts"
import * as RtfTokens from "../markup/RtfTokens.ts"
import type { Inserted } from "./Inserted.ts"
import type { Mended } from "./Package.ts"
import * as Unread from "./Unread.ts"

type Token = RtfTokens.Token

interface Style {
  number: number
  name: string
  basedOn: number | undefined
  /** 0 to 8; 9 for body text. */
  outline: number | undefined
}

const bodyText = 9

/** Longest chain of styles that is followed. */
const longest = 16

const headingName = /^heading ([1-9])$/iu

/** End of the group that begins with the token given last: the place after its brace. */
const groupEnd = (tokens: Iterator<Token>): number | undefined => {
  let depth = 1
  for (let next = tokens.next(); next.done !== true; next = tokens.next()) {
    const { end, kind } = next.value
    if (kind === "open") depth++
    if (kind === "close" && --depth === 0) return end
  }
  return undefined
}

const stylesOf = (sheet: string): ReadonlyArray<Style> => {
  const styles: Array<Style> = []
  let depth = 0
  let style: Style | undefined
  for (const { end, kind, name, start, value } of RtfTokens.of(sheet)) {
    if (kind === "open" && ++depth === 2) style = { number: 0, name: "", basedOn: undefined, outline: undefined }
    if (kind === "close" && depth-- === 2 && style !== undefined) {
      styles.push({ ...style, name: style.name.replaceAll(/\s+/gu, " ").replace(/;.*$/u, "").trim() })
      style = undefined
    }
    if (style === undefined || depth !== 2) continue
    if (kind === "text") style.name += sheet.slice(start, end)
    if (kind !== "word") continue
    if (name === "s") style.number = value ?? 0
    if (name === "sbasedon") style.basedOn = value
    if (name === "outlinelevel") style.outline = value
  }
  return styles
}

/** Level of a style's paragraphs in the outline, from 0: the style's own, that of its name, or that of the style that it is based on. */
const levelOf = (style: Style, styles: ReadonlyMap<number, Style>): number | undefined => {
  let own: Style | undefined = style
  for (let step = 0; own !== undefined && step < longest; step++) {
    if (own.outline !== undefined) return own.outline < bodyText ? own.outline : undefined
    const named = headingName.exec(own.name)?.[1]
    if (named !== undefined) return Number(named) - 1
    own = own.basedOn === undefined || own.basedOn === own.number ? undefined : styles.get(own.basedOn)
  }
  return undefined
}

interface Sheet {
  readonly end: number
  readonly levels: ReadonlyMap<number, number>
}

const sheetOf = (rtf: string): Sheet | undefined => {
  const start = rtf.indexOf("{\\stylesheet")
  if (start < 0) return undefined
  const tokens = RtfTokens.of(rtf, start)
  tokens.next()
  const end = groupEnd(tokens)
  if (end === undefined) return undefined
  const styles = new Map(stylesOf(rtf.slice(start, end)).map((style) => [style.number, style]))
  const levels = [...styles.values()].flatMap((style) => {
    const level = style.number === 0 ? undefined : levelOf(style, styles)
    return level === undefined ? [] : [[style.number, level] as const]
  })
  return { end, levels: new Map(levels) }
}

/** Text after its deletion by a tracked change, and the text at the place that a moved text was taken from. */
const removals = new Set(["deleted", "mvf"])

interface Group {
  readonly removed: boolean
  /** The group holds the name of a comment's author. */
  readonly author: boolean
  readonly script?: RaisedText.Script | undefined
}

const scripts: Readonly<Record<string, RaisedText.Script | undefined>> = {
  super: "sup",
  up: "sup",
  sub: "sub",
  dn: "sub",
  nosupersub: undefined
}

/** Edits of headings, deleted text, comments, superscripts and subscripts. */
const inPlace = (rtf: string, sheet: Sheet | undefined, inserted: Inserted): ReadonlyArray<Edit> => {
  const edits: Array<Edit> = []
  const outer: Array<Group> = []
  let group: Group = { removed: false, author: false }
  let author = ""
  for (const token of RtfTokens.of(rtf, sheet?.end ?? 0)) {
    const { end, kind, name, start, value } = token
    if (kind === "open") {
      outer.push(group)
    } else if (kind === "close") {
      group = outer.pop() ?? group
    } else if (kind === "text" || kind === "symbol") {
      if (group.author) author += kind === "text" ? rtf.slice(start, end) : ""
      if (group.removed && (kind === "text" || name === "'")) edits.push({ start, end, text: "" })
      else if (group.script !== undefined && kind === "text") {
        const text = rtf.slice(start, end)
        const word = inserted.raised(text.trim(), group.script)
        if (word !== undefined) edits.push({ start, end, text: text.replace(text.trim(), word) })
      }
    } else if (name in scripts) {
      group = { ...group, script: value === 0 ? undefined : scripts[name] }
    } else if (removals.has(name)) {
      group = { ...group, removed: value !== 0 }
    } else if (name === "plain") {
      group = { ...group, removed: false, script: undefined }
    } else if (name === "u" && group.removed) {
      edits.push({ start, end, text: "" })
    } else if (name === "s" && value !== undefined) {
      const level = sheet?.levels.get(value)
      if (level !== undefined) edits.push({ start: end, end, text: `\\outlinelevel${level} ` })
    } else if (name === "atnauthor") {
      group = { ...group, author: true }
      author = ""
    } else if (name === "annotation" && rtf.startsWith("\\*", start - 2)) {
      const by = author.trim()
      edits.push({ start: start - 2, end, text: `\\footnote Comment${by === "" ? "" : ` by ${by}`}: ` })
      group = { ...group, removed: false }
    }
  }
  return edits
}

const boxes = ["{\\shptxt", "{\\dptxbxtext"] as const

/** Text of a drawing's box; undefined for a drawing without one. */
const boxText = (drawing: string): string | undefined => {
  for (const box of boxes) {
    const start = drawing.indexOf(box)
    if (start < 0) continue
    const tokens = RtfTokens.of(drawing, start)
    tokens.next()
    const end = groupEnd(tokens)
    return end === undefined ? undefined : drawing.slice(start + box.length, end - 1).replace(/^ /u, "")
  }
  return undefined
}

const paragraphEnds = new Set(["par", "cell", "nestcell", "row", "sect"])

/** The texts of boxes after the paragraphs that they are anchored in, or at the end of a cell. */
const withBoxes = (rtf: string): string => {
  if (!boxes.some((box) => rtf.includes(box))) return rtf
  const edits: Array<Edit> = []
  let pending = ""
  const tokens = RtfTokens.of(rtf)
  for (let next = tokens.next(); next.done !== true; next = tokens.next()) {
    const { end, kind, name, start } = next.value
    if (kind === "open" && /^\{\\(?:shp[\s\\{]|\*\\do[\s\\{])/u.test(rtf.slice(start, start + 8))) {
      const last = groupEnd(tokens)
      if (last === undefined) return rtf
      const text = boxText(rtf.slice(start, last))
      if (text === undefined) continue
      pending += `{${text}\\par}`
      edits.push({ start, end: last, text: "" })
    } else if (pending !== "" && kind === "word" && paragraphEnds.has(name)) {
      const place = name === "par" ? end : start
      edits.push({ start: place, end: place, text: name === "par" ? `{\\pard\\plain ${pending}}` : `\\par ${pending}` })
      pending = ""
    }
  }
  if (pending !== "")
    edits.push({ start: rtf.lastIndexOf("}"), end: rtf.lastIndexOf("}"), text: `\\par\\pard\\plain ${pending}` })
  return edited(rtf, edits)
}

/** Tables in cells as lines of their cell, where they stand: the parser puts them behind all other text of it. */
const withoutNesting = (rtf: string): string => {
  if (!rtf.includes("\\nestcell")) return rtf
  const edits: Array<Edit> = []
  const tokens = RtfTokens.of(rtf)
  for (let next = tokens.next(); next.done !== true; next = tokens.next()) {
    const { end, kind, name, start, value } = next.value
    const properties = kind === "open" && rtf.startsWith("{\\*\\nesttableprops", start)
    if (properties || (kind === "open" && rtf.startsWith("{\\nonesttables", start))) {
      const last = groupEnd(tokens)
      if (last === undefined) return rtf
      edits.push({ start, end: last, text: properties ? "\\par " : "" })
    } else if (kind === "word" && name === "nestcell") {
      edits.push({ start, end, text: " " })
    } else if (kind === "word" && name === "itap" && (value ?? 1) > 1) {
      edits.push({ start, end, text: "\\itap1 " })
    }
  }
  return edited(rtf, edits)
}

const objects = /\\objclass Equation\b/gu

/** The document as the parser is to read it; the same bytes where there is nothing to mend. */
export const mended = (bytes: Uint8Array, inserted: Inserted): Mended => {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
  const sheet = sheetOf(rtf)
  const worth = (sheet?.levels.size ?? 0) > 0 || /\\(?:deleted|mvf|annotation|super|sub|up\d|dn\d)(?![a-z])/u.test(rtf)
  const text = withoutNesting(withBoxes(worth ? edited(rtf, inPlace(rtf, sheet, inserted)) : rtf))
  return {
    bytes: text === rtf ? bytes : Buffer.from(text, "latin1"),
    spans: /\\clv?mrg/u.test(text),
    warnings: Unread.equations([...rtf.matchAll(objects)].length)
  }
}
