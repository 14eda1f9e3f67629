/**
 * Rewrites a page's source in one linear pass over its tags before it is parsed: bounds the nesting, and writes XML's empty elements in
 * the HTML form.
 */
import * as Tree from "./Tree.ts"

/** Most levels of nested elements; Chromium's parser has the same limit. */
const maxDepth = 512

const voidNames = Tree.namesIn("area base br col embed frame hr img input keygen link meta param source track wbr")

/** Elements whose end tags may be omitted, so unclosed ones do not nest. */
const impliedNames = Tree.namesIn(
  "html head body p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rp rt rb rtc"
)

/** Elements whose content is text up to their end tag. */
const rawNames = Tree.namesIn("script style textarea title xmp iframe noembed noframes")

interface Piece {
  readonly kind: "start" | "end" | "data"
  readonly start: number
  /** Exclusive end. */
  readonly end: number
  /** Name in lower case; empty for `data`. */
  readonly name: string
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const after = (source: string, mark: string, from: number): number => {
  const at = source.indexOf(mark, from)
  return at < 0 ? source.length : at + mark.length
}

const quoted = /["']/

/** End of a tag. A quote counts only where a value may begin, as in the HTML standard's tokenizer. */
const tagEnd = (source: string, from: number): number => {
  const simple = source.indexOf(">", from)
  if (simple < 0) {
    return source.length
  }
  return quoted.test(source.slice(from, simple)) ? quotedTagEnd(source, from) : simple + 1
}

const openingQuote = /\s*["']/y

/** End of the quoted value that begins here; `from` when none does. */
const valueEnd = (source: string, from: number): number => {
  openingQuote.lastIndex = from
  const opening = openingQuote.exec(source)?.[0]
  return opening === undefined ? from : after(source, opening.slice(-1), from + opening.length)
}

const quotedTagEnd = (source: string, from: number): number => {
  const marks = /[>"'=]/g
  let at = from
  for (;;) {
    marks.lastIndex = at
    const mark = marks.exec(source)
    if (mark === null) {
      return source.length
    }
    if (mark[0] === ">") {
      return mark.index + 1
    }
    at = mark[0] === "=" ? valueEnd(source, mark.index + 1) : mark.index + 1
  }
}

const tagName = /[a-zA-Z][^\s/>]*/y

const nameAt = (source: string, at: number): string => {
  tagName.lastIndex = at
  return tagName.exec(source)?.[0].toLowerCase() ?? ""
}

const endOfRaw = (source: string, name: string, from: number): number => {
  const end = new RegExp(`</${name}[\\s/>]`, "gi")
  end.lastIndex = from
  return end.exec(source)?.index ?? source.length
}

/** The piece of markup that begins at a `<`; undefined when none does. */
const pieceAt = (source: string, start: number): Piece | undefined => {
  const data = (mark: string, from: number): Piece => ({
    kind: "data",
    start,
    end: after(source, mark, from),
    name: ""
  })
  const mark = source.charAt(start + 1)
  if (mark === "!" && source.startsWith("<!--", start)) {
    return data("-->", start + 4)
  }
  if (mark === "!" && source.startsWith("<![CDATA[", start)) {
    return data("]]>", start + 9)
  }
  if (mark === "!" || mark === "?") {
    return data(">", start + 2)
  }
  const closing = mark === "/"
  const nameStart = start + (closing ? 2 : 1)
  const name = nameAt(source, nameStart)
  return name === ""
    ? undefined
    : { kind: closing ? "end" : "start", start, end: tagEnd(source, nameStart + name.length), name }
}

const isEmptyElement = (source: string, piece: Piece): boolean => source.startsWith("/>", piece.end - 2)

const scan = function* (source: string, xml: boolean): Generator<Piece> {
  let at = source.indexOf("<")
  while (at >= 0) {
    const piece = pieceAt(source, at)
    if (piece !== undefined) {
      yield piece
    }
    const end = piece?.end ?? at + 1
    const isRaw = piece?.kind === "start" && rawNames.has(piece.name) && !(xml && isEmptyElement(source, piece))
    at = source.indexOf("<", isRaw ? endOfRaw(source, piece.name, end) : end)
  }
}

/** Edit that gives a piece of XML the same meaning in HTML; undefined when none is needed. */
const asHtml = (source: string, piece: Piece): Edit | undefined => {
  const { end, kind, name, start } = piece
  const whole = source.slice(start, end)
  if (kind === "data" && whole.startsWith("<![CDATA[")) {
    const text = whole.slice(9).replace(/\]\]>$/, "")
    return { start, end, text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;") }
  }
  return kind === "start" && isEmptyElement(source, piece) && !voidNames.has(name)
    ? { start, end, text: `${whole.slice(0, -2)}></${name}>` }
    : undefined
}

const apply = (source: string, edits: ReadonlyArray<Edit>): string => {
  const parts: Array<string> = []
  let at = 0
  for (const { end, start, text } of edits) {
    parts.push(source.slice(at, start), text)
    at = end
  }
  parts.push(source.slice(at))
  return parts.join("")
}

const writeEmptyElements = (source: string): string => {
  const edits: Array<Edit> = []
  for (const piece of scan(source, true)) {
    const edit = asHtml(source, piece)
    if (edit !== undefined) {
      edits.push(edit)
    }
  }
  return apply(source, edits)
}

/** True for fewer tags than levels are allowed: most pages are small, and nothing in them can nest too deeply. */
const isShallow = (source: string): boolean => {
  let count = 0
  for (let at = source.indexOf("<"); at >= 0 && count <= maxDepth; at = source.indexOf("<", at + 1)) {
    count += 1
  }
  return count <= maxDepth
}

const boundDepth = (source: string): string => {
  if (isShallow(source)) {
    return source
  }
  const edits: Array<Edit> = []
  let depth = 0
  for (const { end, kind, name, start } of scan(source, false)) {
    if (kind === "data" || voidNames.has(name) || impliedNames.has(name)) {
      continue
    }
    depth += kind === "start" ? 1 : 0
    if (depth > maxDepth && !rawNames.has(name)) {
      edits.push({ start, end, text: "" })
    }
    depth = Math.max(0, depth - (kind === "end" ? 1 : 0))
  }
  return edits.length === 0 ? source : apply(source, edits)
}

/**
 * The source without tags that nest deeper than 512 levels (their text stays). In an XML source, an end tag is added to each empty
 * element that HTML would leave open, and CDATA sections become text.
 */
export const bound = (source: string, xml: boolean): string => boundDepth(xml ? writeEmptyElements(source) : source)
