/**
 * Source code: the text as it is written, with the functions and classes around a line as its headings, each with its signature. Its parser is
 * an optional package; without it, code is lines without headings.
 */
import type * as Tree from "@vscode/tree-sitter-wasm"
import * as Effect from "effect/Effect"
import type { TextBlock } from "../../ParsedDocument.ts"
import type { Grammar } from "../base/codeType.ts"
import type { Reading } from "./contract.ts"

const packageName = "@vscode/tree-sitter-wasm"

type TreeSitter = typeof Tree

type Language = Tree.Language

/** What is read of a node of its tree. */
interface Node {
  readonly type: string
  readonly startIndex: number
  readonly endIndex: number
  readonly namedChildren: ReadonlyArray<Node | null>
  readonly childForFieldName: (name: string) => Node | null
}

/** UTF-16 code units up to which syntax is read: a megabyte takes a second. */
const longest = 1_000_000

/** Milliseconds for one text. */
const time = 2000

/** Levels of classes and functions that are headings. */
const deepest = 5

/** Nodes without a meaning of their own that are looked into, one in the other. */
const mostContainers = 20

const longestSignature = 160

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Functions and methods of all grammars, inside of which no headings are. */
const functions = setOf(
  "function_declaration generator_function_declaration function_definition function_item function_statement method_definition " +
    "method_declaration method singleton_method constructor_declaration destructor_declaration operator_declaration local_function_statement " +
    "class_method_definition arrow_function function_expression generator_function"
)

/** Classes of all grammars, and what else holds functions. */
const classes = setOf(
  "class_declaration abstract_class_declaration class_definition class_specifier class_statement class struct_specifier struct_item " +
    "struct_declaration union_specifier union_item enum_specifier enum_item enum_declaration interface_declaration " +
    "annotation_type_declaration record_declaration trait_item trait_declaration impl_item mod_item module internal_module " +
    "namespace_definition namespace_declaration type_declaration"
)

/** Nodes around one that defines something: decorators, exports, templates, a name to which a function is assigned. */
const wrappers = setOf(
  "export_statement decorated_definition template_declaration expression_statement ambient_declaration lexical_declaration " +
    "variable_declaration variable_declarator public_field_definition field_definition assignment_expression pair"
)

/** Nodes that hold definitions without being one. */
const containers = setOf(
  "statement_list declaration_list preproc_ifdef preproc_if preproc_else linkage_specification type_definition type_declaration_list"
)

/** Definitions whose grammar does not name their body. */
const bodiless = setOf(
  "method singleton_method class module type_declaration function_statement class_statement class_method_definition"
)

const isDefinition = (node: Node): boolean =>
  (functions.has(node.type) || classes.has(node.type)) &&
  (node.childForFieldName("body") !== null || bodiless.has(node.type))

/** The node that defines something: itself, the one that it wraps, or the function that it assigns to a name. */
const definitionIn = (node: Node): Node | undefined => {
  if (isDefinition(node)) return node
  if (!wrappers.has(node.type)) return undefined
  const value = node.childForFieldName("value") ?? node.childForFieldName("right")
  if (value !== null) return isDefinition(value) ? value : undefined
  for (const child of node.namedChildren) {
    const found = child === null ? undefined : definitionIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

const isAhead = ({ type }: Node): boolean => /comment|attribute_item/u.test(type)

/** Comments that stand together. */
interface Ahead {
  readonly start: number
  readonly end: number
}

interface Cut {
  readonly at: number
  readonly path: ReadonlyArray<string>
}

/** Cuts a text where a class or a function begins and ends. */
class Outline {
  readonly cuts: Array<Cut> = [{ at: 0, path: [] }]
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Start of the line of a place, where nothing but white space stands before it; else the place itself. */
  private lineStart(at: number): number {
    const start = this.text.lastIndexOf("\n", at - 1) + 1
    return this.text.slice(start, at).trim() === "" ? start : at
  }

  /** Start of the line after a place, where nothing but white space and closing marks stand behind it; else the place itself. */
  private lineEnd(at: number): number {
    const [rest = ""] = /^[^\S\n]*[;,)}\]]*[^\S\n]*(?:\n|$)/u.exec(this.text.slice(at, at + 200)) ?? []
    return at + rest.length
  }

  private cut(at: number, path: ReadonlyArray<string>): void {
    const last = this.cuts.at(-1)
    if (last?.at === at) this.cuts.pop()
    this.cuts.push({ at, path })
  }

  /** True where at most one line end is between two places. */
  private areTogether(from: number, to: number): boolean {
    return this.text.slice(from, to).split("\n").length <= 2
  }

  /** Text of a definition up to its body, without decorators, on one line. */
  private signature(node: Node, definition: Node): string {
    const body = definition.childForFieldName("body")
    const all = this.text.slice(node.startIndex, body?.startIndex ?? definition.endIndex)
    const head = body === null ? (/^[^{\n]*/u.exec(all)?.[0] ?? "") : all
    const line = head
      .replace(/^(?:\s*(?:@[\w.]+(?:\([^()]*\))?|\[[^\]]*\]|#\[[^\]]*\]))+(?=\s)/u, "")
      .replace(/\s+/gu, " ")
      .replace(/(?:\s*(?:=>|[{:=]))+\s*$/u, "")
      .trim()
    return line.length <= longestSignature
      ? line
      : `${line.slice(0, longestSignature - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`
  }

  visit(parent: Node, path: ReadonlyArray<string>, depth = 0): void {
    let ahead: Ahead | null = null
    for (const node of parent.namedChildren) {
      if (node === null) continue
      if (isAhead(node)) {
        if (ahead === null || !this.areTogether(ahead.end, node.startIndex)) ahead = { start: node.startIndex, end: 0 }
        ahead = { start: ahead.start, end: node.endIndex }
        continue
      }
      const definition = definitionIn(node)
      if (definition !== undefined) {
        const lead = ahead !== null && this.areTogether(ahead.end, node.startIndex) ? ahead.start : node.startIndex
        this.define(node, definition, lead, path)
      } else if (containers.has(node.type) && depth < mostContainers) this.visit(node, path, depth + 1)
      ahead = null
    }
  }

  private define(node: Node, definition: Node, start: number, path: ReadonlyArray<string>): void {
    const inner = [...path, this.signature(node, definition)]
    this.cut(this.lineStart(start), inner)
    const body = classes.has(definition.type) ? (definition.childForFieldName("body") ?? definition) : null
    if (body !== null && inner.length < deepest) this.visit(body, inner)
    this.cut(this.lineEnd(node.endIndex), path)
  }
}

/** The part without white space alone joins the one before it. */
const blocksOf = (text: string, cuts: ReadonlyArray<Cut>): ReadonlyArray<TextBlock> => {
  const blocks: Array<TextBlock & { end: number }> = []
  for (const [index, { at, path }] of cuts.entries()) {
    const end = cuts[index + 1]?.at ?? text.length
    const last = blocks.at(-1)
    if (text.slice(at, end).trim() === "") {
      if (last !== undefined) last.end = end
    } else blocks.push({ kind: "code", start: last?.end ?? 0, end, path })
  }
  return blocks
}

/** The text as lines without headings. */
export const whole = (text: string, warnings: ReadonlyArray<string> = []): Reading => ({
  markdown: text,
  blocks: text.trim() === "" ? [] : [{ kind: "code", start: 0, end: text.length }],
  warnings
})

interface Installed {
  readonly treeSitter: TreeSitter
  readonly fileOf: (grammar: Grammar) => string
}

/** The package as this one finds it, else as the working directory does; undefined in browsers and workers, which have no packages. */
const required = (): Installed | undefined => {
  const node = globalThis.process?.getBuiltinModule?.("node:module")
  if (node === undefined) return undefined
  for (const place of [import.meta.url, `${process.cwd()}/package.json`]) {
    try {
      const from = node.createRequire(place)
      const treeSitter: TreeSitter = from(packageName)
      const file = from.resolve(packageName)
      return { treeSitter, fileOf: (grammar) => file.replace(/[^/\\]*$/u, `tree-sitter-${grammar}.wasm`) }
    } catch {
      // It is not there.
    }
  }
  return undefined
}

interface Syntax {
  readonly treeSitter: TreeSitter
  readonly language: (grammar: Grammar) => Promise<Language>
}

const load = async (): Promise<Syntax | undefined> => {
  const found = required()
  if (found === undefined) return undefined
  const { fileOf, treeSitter } = found
  await treeSitter.Parser.init()
  const known = new Map<Grammar, Promise<Language>>()
  const language = (grammar: Grammar): Promise<Language> => {
    const loading = known.get(grammar) ?? treeSitter.Language.load(fileOf(grammar))
    known.set(grammar, loading)
    return loading
  }
  return { treeSitter, language }
}

/** Loaded by the first source code, for the whole process. */
let syntax: Promise<Syntax | undefined> | undefined

const parsed = async (text: string, grammar: Grammar): Promise<Reading> => {
  const found = await (syntax ??= load())
  if (found === undefined) return whole(text)
  const parser = new found.treeSitter.Parser()
  try {
    parser.setLanguage(await found.language(grammar))
    const end = performance.now() + time
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end })
    if (tree === null) return whole(text, [`its syntax was not read within ${time / 1000} seconds`])
    try {
      const outline = new Outline(text)
      outline.visit(tree.rootNode, [])
      return { markdown: text, blocks: blocksOf(text, outline.cuts) }
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}

/** The text with its functions and classes as headings; without them where the parser is not installed, or cannot read the text. */
export const reading = (text: string, grammar: Grammar): Effect.Effect<Reading> =>
  text.length > longest
    ? Effect.succeed(whole(text, ["it is longer than a million characters; its syntax was not read"]))
    : Effect.catchAll(
        Effect.tryPromise(() => parsed(text, grammar)),
        () => Effect.succeed(whole(text, ["its syntax cannot be read"]))
      )
