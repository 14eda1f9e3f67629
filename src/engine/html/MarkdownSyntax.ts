/** Markdown handlers that replace the library's where its output is harder to read or search: fewer escapes, plain addresses. */
import type { Emphasis, Image, Link, Paragraph, Parent, Parents, Strong, Table, TableRow, Text } from "mdast"
import type { Options } from "mdast-util-to-markdown"
import * as BareAddresses from "../BareAddresses.ts"

type Handle = NonNullable<NonNullable<Options["handlers"]>["text"]>

const unsafeInAddress = /[\s<>()\\"]/g

const percent = (character: string): string =>
  Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  ).join("")

/** Address without escapes, so that it can be copied and matched; characters that would end it early are percent-encoded. */
const destination = (url: string, title: string | null | undefined): string => {
  const address = url.replaceAll(unsafeInAddress, percent)
  const text = title?.trim().replaceAll(/\s+/g, " ") ?? ""
  return text === "" ? `(${address})` : `(${address} "${text.replaceAll(/["\\]/g, String.raw`\$&`)}")`
}

const even = String.raw`(?<!\\)((?:\\\\)*)`

const ampersand = new RegExp(String.raw`${even}\\&(?!#?\w+;)`, "g")

const underscore = new RegExp(String.raw`(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])`, "gu")

const bracket = new RegExp(String.raw`${even}\\\[(?![ xX]\])`, "g")

/** Escapes that the library puts into addresses so that readers of Markdown do not link them, which would be harmless. */
const linkSign = new RegExp(String.raw`${even}\\([@:]|(?<=w\\)\.)`, "gi")

/** Characters and patterns that may need an escape. The library tests each text for some fifty patterns, and most texts have none. */
const delicate = /[\\`*_[\]<>&#|~\r\n\t]|\d[.)]|!$|^\s*[-+=:.()]/

const isLineEnd = (character: string): boolean => character === "\n" || character === "\r"

/** True if a text between these characters needs no escape in Markdown. */
const isPlain = (value: string, before: string, after: string): boolean =>
  !delicate.test(value) &&
  !(value.startsWith(" ") && isLineEnd(before.slice(-1))) &&
  !(value.endsWith(" ") && isLineEnd(after.charAt(0)))

/** Text of a node that holds only that text and needs no escape; undefined when the library has to write it. */
const plainText = ({ children }: Parent, before: string, after: string): string | undefined => {
  const only = children.length === 1 ? children[0] : undefined
  return only?.type === "text" && only.value !== "" && isPlain(only.value, before, after) ? only.value : undefined
}

/**
 * Writes a text. An ampersand is escaped only before a character reference, an underscore not inside a word, a bracket only where it
 * could form a link, nothing in an address.
 */
const text: Handle = (node: Text, _, state, info) => {
  if (isPlain(node.value, info.before, info.after)) {
    return node.value
  }
  const escaped = state.safe(node.value, info)
  const lean = escaped.replaceAll(ampersand, "$1&").replaceAll(underscore, "_").replaceAll(linkSign, "$1$2")
  const own = state.stack.includes("label") ? lean : BareAddresses.unescaped(lean)
  return /\][([:]/.test(node.value) ? own : own.replaceAll(bracket, "$1[")
}

/** Balanced brackets, which do not end a label. */
const balanced = /\\?\[([^[\]\\]*)\\\]/g

const link: Handle = (node: Link, _, state, info) => {
  const plain = plainText(node, "[", "]")
  if (plain !== undefined) {
    return `[${plain}]${destination(node.url, node.title)}`
  }
  const exit = state.enter("link")
  const exitLabel = state.enter("label")
  const tracker = state.createTracker(info)
  const label = state.containerPhrasing(node, { ...tracker.current(), before: "[", after: "]" })
  exitLabel()
  exit()
  return `[${label.replaceAll(balanced, "[$1]")}]${destination(node.url, node.title)}`
}

/** First character of a link, by which the library decides how to write the sibling before it. */
const linkPeek = (): string => "["

const image: Handle = (node: Image, _, state, info) => {
  const exit = state.enter("image")
  const exitLabel = state.enter("label")
  const alt = state.safe(node.alt?.replaceAll(/\s+/g, " ") ?? "", { ...info, before: "[", after: "]" })
  exitLabel()
  exit()
  return `![${alt}]${destination(node.url, node.title)}`
}

const imagePeek = (): string => "!"

const isBlank = (character: string): boolean => /^\s?$/u.test(character)

const isSign = (character: string): boolean => /^[\p{P}\p{S}]$/u.test(character)

/** True if marks of a kind are read as such between these characters, outside and inside (CommonMark, 6.2). */
const flanks = (mark: string, outside: string, inside: string): boolean =>
  isBlank(outside) || isSign(outside) ? !isBlank(inside) : mark !== "_" && !isBlank(inside) && !isSign(inside)

const lastOf = (text: string): string => Array.from(text.slice(-2)).at(-1) ?? ""

const firstOf = (text: string): string => Array.from(text.slice(0, 2))[0] ?? ""

type Marked = Emphasis | Strong

/** Characters that the content of a mark begins and ends with, where they are text; what is no text begins with a sign. */
const edgesOf = ({ children }: Marked): readonly [first: string, last: string] => {
  const [first, last] = [children[0], children.at(-1)]
  return [
    first?.type === "text" ? firstOf(first.value) : first === undefined ? "" : "[",
    last?.type === "text" ? lastOf(last.value) : last === undefined ? "" : "]"
  ]
}

const isMarked = (node: Marked["children"][number] | undefined): boolean =>
  node?.type === "emphasis" || node?.type === "strong"

/** True if the asterisks of a mark would stand next to others, which is no longer two marks. */
const meetsAsterisks = (mark: string, { children }: Marked, before: string, after: string): boolean =>
  before.endsWith("*") ||
  after.startsWith("*") ||
  (mark === "*" && (isMarked(children[0]) || isMarked(children.at(-1))))

/** The first of the marks that is read as one around a node; none where all would stand in the text as characters. */
const markOf = (marks: ReadonlyArray<string>, node: Marked, before: string, after: string): string => {
  const [first, last] = edgesOf(node)
  const found = marks.find(
    (mark) =>
      flanks(mark, lastOf(before), first) &&
      flanks(mark, firstOf(after), last) &&
      (mark === "_" || !meetsAsterisks(mark, node, before, after))
  )
  return found ?? ""
}

/** Writes a mark without character references for the letters next to it, and none where Markdown has none: the text is what counts. */
const marked =
  (marks: ReadonlyArray<string>): Handle =>
  (node: Marked, _, state, info) => {
    const mark = markOf(marks, node, info.before, info.after)
    const [before, after] = mark === "" ? [info.before, info.after] : [mark, mark]
    const plain = plainText(node, before, after)
    if (plain !== undefined) {
      return `${mark}${plain}${mark}`
    }
    const exit = state.enter(node.type)
    const tracker = state.createTracker(info)
    tracker.move(mark)
    const content = state.containerPhrasing(node, { ...tracker.current(), before, after })
    exit()
    return `${mark}${content}${mark}`
  }

const tableRow = (row: TableRow, state: Parameters<Handle>[2], info: Parameters<Handle>[3]): string => {
  const cells = row.children.map((cell) => {
    const plain = plainText(cell, " ", " ")
    if (plain !== undefined) {
      return plain
    }
    const exit = state.enter("tableCell")
    const content = state.containerPhrasing(cell, { ...info, before: " ", after: " " })
    exit()
    return content
  })
  return `| ${cells.join(" | ")} |`
}

const rules = { left: ":---", right: "---:", center: ":---:", none: "---" } as const

/** Writes a table without padding its columns to equal width: a long cell would lengthen every row. */
const table: Handle = (node: Table, _, state, info) => {
  const exit = state.enter("table")
  const [head, ...rows] = node.children.map((row) => tableRow(row, state, info))
  exit()
  const columns = node.children[0]?.children ?? []
  const rule = columns.map((_, at) => rules[node.align?.[at] ?? "none"])
  return [head, `| ${rule.join(" | ")} |`, ...rows].join("\n")
}

/** Checkbox of a task list item, before the item's first paragraph. */
const box = (node: Paragraph, parent: Parents | undefined): string =>
  parent?.type === "listItem" && typeof parent.checked === "boolean" && parent.children[0] === node
    ? `[${parent.checked ? "x" : " "}] `
    : ""

const paragraph: Handle = (node: Paragraph, parent, state, info) => {
  const start = box(node, parent)
  const plain = plainText(node, info.before, info.after)
  if (plain !== undefined) {
    return start + plain
  }
  const exit = state.enter("paragraph")
  const exitPhrasing = state.enter("phrasing")
  const content = state.containerPhrasing(node, info)
  exitPhrasing()
  exit()
  return start + content
}

/** Line break as two spaces: a program that does not know Markdown would read a backslash as text. */
const lineBreak: Handle = () => "  \n"

/** Handlers for the Markdown writer. */
export const handlers: NonNullable<Options["handlers"]> = {
  text,
  paragraph,
  break: lineBreak,
  emphasis: Object.assign(marked(["_", "*"]), { peek: () => "_" }),
  strong: Object.assign(marked(["**"]), { peek: () => "*" }),
  table,
  link: Object.assign(link, { peek: linkPeek }),
  image: Object.assign(image, { peek: imagePeek })
}
