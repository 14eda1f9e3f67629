/** `.json`: the text as it is written, with the keys above a value as its headings. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import type { FormatReader, Reading } from "./contract.ts"
import { blocksOf, deepest, itemKey, labelOf, type Part } from "./keyed.ts"
import { reading as plain } from "./plain.ts"

const partOf = (node: Node, index: number, depth: number): Part => {
  const [key, value] = node.type === "property" ? (node.children ?? []) : [undefined, node]
  return {
    key: key === undefined ? itemKey(index) : String(key.value),
    item: key === undefined,
    label: key === undefined ? () => labelOf((path) => findNodeAtLocation(node, [...path])?.value) : undefined,
    start: node.offset,
    end: node.offset + node.length,
    parts: value === undefined || depth > deepest ? [] : partsOf(value, depth)
  }
}

const partsOf = ({ children = [] }: Node, depth = 0): ReadonlyArray<Part> =>
  children.map((node, index) => partOf(node, index, depth + 1))

/** 1 for the first line. */
const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const warningsOf = (text: string, [first]: ReadonlyArray<ParseError>): ReadonlyArray<string> =>
  first === undefined ? [] : [`line ${lineOf(text, first.offset)} is no JSON (${printParseErrorCode(first.error)})`]

/** Comments and commas before a closing bracket are taken, as many programs write them. */
const read = (text: string): Reading => {
  const errors: Array<ParseError> = []
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true })
    const blocks = root === undefined ? [] : blocksOf(text, partsOf(root))
    const markdown = text
    return {
      markdown,
      blocks: blocks.length > 0 ? blocks : plain(text, "lines").blocks,
      warnings: warningsOf(text, errors)
    }
  } catch (cause) {
    // The parser calls itself for each level.
    if (!(cause instanceof RangeError)) throw cause
    return { ...plain(text, "lines"), warnings: ["it is nested too deeply; its keys are no headings"] }
  }
}

export const json: FormatReader = { ofText: read }
