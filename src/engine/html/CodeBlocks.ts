/**
 * Reads blocks of code as highlighters and documentation tools write them: verbatim, without line numbers and buttons, with the language.
 */
import type { Element, ElementContent } from "hast"
import * as Tree from "./Tree.ts"

const words = (element: Element, property: string): ReadonlyArray<string> =>
  (Tree.attribute(element, property) ?? "").split(/[\s;]+/).filter((word) => word !== "")

/** Class names that end in a language. */
const named = /^(?:language|lang|highlight-source|highlight-text|highlight|brush|code|syntax|source)[-:](.+)$/i

/** Class names that the language follows as a separate name. */
const before = new Set([
  "brush:",
  "sourcecode",
  "hljs",
  "highlight",
  "codehilite",
  "src",
  "code",
  "programlisting",
  "prettyprint",
  "shiki",
  "chroma"
])

/** Names in the place of a language that name none. */
const noLanguage =
  /^(?:default|none|no-?highlight|notranslate|text|plain|plaintext|plain-text|txt|raw|block|blocks|wrapper|container|example|sample|box|toolbar|copy|linenums|line-numbers|numbersource|numberlines|source|highlight|highlighter-.*|hljs|literal-block|fragment|src|code|pre|prettyprinted?|toggle|.*(?:theme|dark|light).*)$/i

const isLanguage = (name: string | undefined): name is string =>
  name !== undefined && /^[a-z][\w+#.-]{0,29}$/i.test(name) && !noLanguage.test(name)

const normal: Readonly<Record<string, string>> = {
  "html-basic": "html",
  "text-html": "html",
  ipython3: "python",
  python3: "python",
  pycon3: "pycon"
}

const tidy = (name: string): string => normal[name.toLowerCase()] ?? name.replace(/^text-/, "")

const attributes = ["dataLang", "dataLanguage", "dataCodeLanguage", "dataLangName"]

/** The language that an element's class names or attributes state. Undefined when they state none. */
export const languageOf = (element: Element): string | undefined => {
  const stated = attributes.map((name) => Tree.attribute(element, name)).find(isLanguage)
  if (stated !== undefined) return tidy(stated)
  const names = words(element, "className")
  for (const name of names) {
    const own = named.exec(name)?.[1]
    if (isLanguage(own)) return tidy(own)
  }
  const isCode = element.tagName === "pre" || element.tagName === "code"
  const at = isCode ? names.findIndex((name) => before.has(name.toLowerCase())) : -1
  const next = at < 0 ? undefined : names.slice(at + 1).find(isLanguage)
  if (next !== undefined) return tidy(next)
  const lang = element.tagName === "pre" ? Tree.attribute(element, "lang") : undefined
  return isLanguage(lang) ? tidy(lang) : undefined
}

const numbers =
  /^(?:line-?no|line-?nos|line-?numbers?(?:-rows)?|linenodiv|linenumber|gutter|blob-num|hljs-ln-numbers|hljs-ln-n|lnt|ln|rouge-gutter|crayon-nums|copy(?:-?btn|-?button|-to-clipboard)?|clipboard.*|ttc|react-code-line-number)$/i

const isNumber = (element: Element): boolean =>
  element.tagName === "button" ||
  Tree.names(element).some((name) => numbers.test(name)) ||
  element.tagName === "style" ||
  element.tagName === "script"

const lineTags = new Set(["div", "p", "li", "tr"])

/** Text of code: a line break for each `br`, and one line for each element that is one. */
class Writer {
  private readonly parts: Array<string> = []
  private atStart = true

  private write(text: string): void {
    if (text !== "") {
      this.parts.push(text)
      this.atStart = text.endsWith("\n")
    }
  }

  /** White space between elements that are lines only lays out the source. */
  add(nodes: ReadonlyArray<ElementContent>): void {
    const hasLines = nodes.some((node) => node.type === "element" && lineTags.has(node.tagName))
    for (const node of nodes) {
      if (node.type === "text") {
        this.write(hasLines && node.value.trim() === "" ? "" : node.value)
      } else if (node.type === "element" && !isNumber(node)) {
        this.element(node)
      }
    }
  }

  private element(node: Element): void {
    if (node.tagName === "br") {
      this.write("\n")
    } else if (lineTags.has(node.tagName)) {
      if (!this.atStart) this.write("\n")
      const before = this.parts.length
      this.add(node.children)
      if (!this.atStart || this.parts.length === before) this.write("\n")
    } else {
      this.add(node.children)
    }
  }

  text(): string {
    return this.parts.join("").replaceAll("\u00A0", " ").replaceAll("\r\n", "\n").replace(/^\n/, "").trimEnd()
  }
}

const textOf = (nodes: ReadonlyArray<ElementContent>): string => {
  const writer = new Writer()
  writer.add(nodes)
  return writer.text()
}

/** Shiki and others make each line a `span` and may leave out the line feeds between them. */
const spansAsLines = (element: Element): ReadonlyArray<ElementContent> => {
  const isLine = (node: ElementContent): node is Element =>
    node.type === "element" &&
    node.tagName === "span" &&
    Tree.names(node).some(
      (name) => name === "line" || name === "code-line" || name === "token-line" || name === "view-line"
    )
  const lines = element.children.filter(isLine)
  return lines.length > 1 && lines.length === element.children.length
    ? lines.flatMap((line, at): ReadonlyArray<ElementContent> =>
        at === 0 || Tree.text(line).endsWith("\n") ? [line] : [{ type: "text", value: "\n" }, line]
      )
    : element.children
}

const block = (code: string, language: string | undefined): Element =>
  Tree.element("pre", {}, [
    Tree.element("code", language === undefined ? {} : { className: [`language-${language}`] }, [
      { type: "text", value: `${code}\n` }
    ])
  ])

const firstLanguage = (element: Element): string | undefined => {
  const own = languageOf(element)
  const inner = element.children.find((child) => child.type === "element")
  return (
    own ??
    (inner?.type === "element" && (inner.tagName === "code" || inner.tagName === "pre") ? languageOf(inner) : undefined)
  )
}

/** The `code` that is all a `pre` holds. */
const onlyCode = (pre: Element): Element => {
  const filled = pre.children.filter(
    (child) => child.type === "element" || (child.type === "text" && child.value.trim() !== "")
  )
  const only = filled.length === 1 ? filled[0] : undefined
  return only?.type === "element" && only.tagName === "code" ? only : pre
}

/** Cells of the table's own rows. */
const cells = (table: Element): ReadonlyArray<ReadonlyArray<Element>> =>
  [table, ...Tree.childElements(table, "thead", "tbody")]
    .flatMap((section) => Tree.childElements(section, "tr"))
    .map((row) => Tree.childElements(row, "td", "th"))

const tableNames =
  /^(?:rouge-table|highlighttable|codehilitetable|hljs-ln|lntable|blob-.*|js-file-line-container|highlight|syntaxhighlighter|crayon-table|linenotable|code-table)$/

/** Most nodes of a cell of line numbers. */
const mostNodes = 200_000

/** True for a cell with numbers and white space only, and tells if it has an element that is named so. Stops at the first other text. */
const numbersIn = (cell: Element): "named" | "plain" | undefined => {
  let left = mostNodes
  let isNamed = isNumber(cell) || cell.properties["dataLineNumber"] !== undefined
  const holds = (nodes: ReadonlyArray<ElementContent>): boolean =>
    nodes.every((node) => {
      left -= 1
      if (node.type === "text") return /^[\d\s]*$/.test(node.value)
      if (node.type !== "element") return true
      isNamed ||= isNumber(node)
      return left > 0 && holds(node.children)
    })
  return holds(cell.children) ? (isNamed ? "named" : "plain") : undefined
}

/** True for a table that places code next to the numbers of its lines. */
const isCodeTable = (table: Element): boolean => {
  const [first] = cells(table)
  const [number, code, ...more] = first ?? []
  if (number === undefined || code === undefined || more.length > 0) return false
  const numbered = numbersIn(number)
  if (Tree.names(table).some((name) => tableNames.test(name))) return numbered !== undefined
  return numbered === "named" && (Tree.findNear(code, "pre") !== undefined || Tree.names(code).includes("code"))
}

const tableCode = (table: Element): string => {
  const rows = cells(table)
  return rows.length === 1
    ? textOf(rows[0]?.[1]?.children ?? [])
    : rows.map((row) => textOf(row[1]?.children ?? []).replaceAll("\n", " ")).join("\n")
}

/** Lines of code as blocks, without a `pre`: Doxygen's way. */
const isFragment = (element: Element): boolean =>
  element.tagName === "div" &&
  Tree.names(element).some((name) => name === "fragment" || name === "syntaxhighlighter") &&
  element.children.some(
    (child) => child.type === "element" && child.tagName === "div" && Tree.names(child).includes("line")
  )

/** The block of code that an element is, as a `pre` with one `code` and the language as its class; undefined for other elements. */
export const of = (element: Element, inherited: string | undefined): Element | undefined => {
  if (element.tagName === "pre") {
    const code = onlyCode(element)
    return block(textOf(spansAsLines(code)), firstLanguage(element) ?? languageOf(code) ?? inherited)
  }
  if (element.tagName === "table") {
    return isCodeTable(element) ? block(tableCode(element), languageOf(element) ?? inherited) : undefined
  }
  return isFragment(element) ? block(textOf(element.children), inherited) : undefined
}
