import { assert } from "@effect/vitest"
import type { Chunked } from "docsluice/Chunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import type { Tokenizer } from "docsluice/Tokenizer"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

export interface Expectation {
  readonly tokenizer: Tokenizer.Service
  readonly maxTokens: number
  readonly overlapTokens?: number
  /** Spans that may be missing in addition to white space and markers. */
  readonly dropped?: ReadonlyArray<readonly [number, number]>
}

const marker = /---\s+<!-- page \d+ -->/g

const loneSurrogate = /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/

const assertGap = (
  markdown: string,
  from: number,
  to: number,
  dropped: ReadonlyArray<readonly [number, number]>
): void => {
  let gap = ""
  for (let at = from; at < to; at++) {
    gap += dropped.some(([start, end]) => at >= start && at < end) ? "" : markdown.charAt(at)
  }
  assert.strictEqual(gap.replace(marker, "").trim(), "", "a gap holds text")
}

/** A node of the independent parser, as far as it is looked at. */
export interface Node {
  readonly type: string
  readonly depth?: number
  readonly value?: string
  readonly alt?: string | null | undefined
  readonly children?: ReadonlyArray<Node>
  readonly position?:
    | {
        readonly start: { readonly offset?: number | undefined }
        readonly end: { readonly offset?: number | undefined }
      }
    | undefined
}

const trees = new Map<string, Node>()

/** As GitHub reads it; the texts of one document are parsed once. */
export const parse = (markdown: string): Node => {
  const known = trees.get(markdown)
  if (known !== undefined) return known
  const tree: Node = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  if (trees.size > 5000) trees.clear()
  trees.set(markdown, tree)
  return tree
}

const textOf = (node: Node): string => node.value ?? node.alt ?? (node.children ?? []).map(textOf).join("")

export const offsetOf = (node: Node): number => node.position?.start.offset ?? 0

export const endOf = (node: Node): number => node.position?.end.offset ?? 0

export const nodes = (node: Node, wanted: (node: Node) => boolean): ReadonlyArray<Node> =>
  (node.children ?? []).flatMap((child) => (wanted(child) ? [child] : nodes(child, wanted)))

const normal = (text: string): string => text.replace(/\s+/g, " ").trim()

interface Titled {
  readonly start: number
  readonly end: number
  readonly depth: number
  readonly text: string
}

/** Headings over an offset, from the outermost to the innermost. */
const pathAt = (headings: ReadonlyArray<Titled>, offset: number): ReadonlyArray<Titled> => {
  const path: Array<Titled> = []
  for (const heading of headings.filter(({ start }) => start <= offset)) {
    while (path.length > 0 && (path[path.length - 1]?.depth ?? 0) >= heading.depth) path.pop()
    path.push(heading)
  }
  return path
}

const shared = (left: ReadonlyArray<Titled>, right: ReadonlyArray<Titled>): ReadonlyArray<Titled> =>
  left.filter((heading, at) => heading === right[at])

/**
 * Law 7, first half: the heading path is the deepest that covers all text of the chunk after its first headings, and `headings` are those that begin in it,
 * both by the independent parser; pages are parsed one by one.
 */
export const assertHeadingPaths = (
  document: ParsedDocument,
  { chunks }: Chunked,
  starts: ReadonlyArray<number>
): void => {
  const bounds = [0, ...starts, document.markdown.length]
  const headings: ReadonlyArray<Titled> = bounds.slice(1).flatMap((stop, index) => {
    const from = bounds[index] ?? 0
    return (parse(document.markdown.slice(from, stop)).children ?? [])
      .filter(({ type }) => type === "heading")
      .map((node) => ({
        start: from + offsetOf(node),
        end: from + endOf(node),
        depth: node.depth ?? 0,
        text: normal(textOf(node))
      }))
  })
  for (const chunk of chunks) {
    const inside = headings.filter(({ start }) => start >= chunk.start && start < chunk.end)
    const leading: Array<Titled> = []
    let text = chunk.start
    for (const heading of inside) {
      if (document.markdown.slice(text, heading.start).trim() !== "") break
      leading.push(heading)
      text = heading.end
    }
    let path = pathAt(headings, text)
    for (const heading of inside.slice(leading.length)) path = shared(path, pathAt(headings, heading.start))
    // A heading of more than 500 characters is cut.
    const asWritten = (text: string, whole = ""): string =>
      whole.length > 500 && text.length <= 500 && whole.startsWith(text.slice(0, -1)) && text.endsWith("…")
        ? whole
        : text
    assert.deepStrictEqual(
      chunk.headingPath.map(({ depth, text }, at) => ({ depth, text: asWritten(text, path[at]?.text) })),
      path.map((heading) => ({ depth: heading.depth, text: heading.text }))
    )
    const begun = chunk.metadata["headings"]
    assert.deepStrictEqual(
      Array.isArray(begun) ? begun.map((text, at) => asWritten(text, inside[at]?.text)) : begun,
      inside.length === 0 ? undefined : inside.map((heading) => heading.text)
    )
  }
}

/** Law 5: fences that fit the budget are in one chunk; and so are tables, unless the heading before them would be left alone. */
export const assertBlocksWhole = (document: ParsedDocument, { chunks }: Chunked, expectation: Expectation): void => {
  const { markdown } = document
  const tree = parse(markdown)
  const headed = new Set((tree.children ?? []).filter((_, at) => tree.children?.[at - 1]?.type === "heading"))
  for (const node of nodes(tree, ({ type }) => type === "code" || type === "table")) {
    const [start, end] = [offsetOf(node), endOf(node)]
    if (headed.has(node) && !/[`~]/.test(markdown.charAt(start))) continue
    const holding = chunks.filter((chunk) => chunk.start < end && chunk.end > start)
    if (expectation.tokenizer.count(markdown, start, end) + 2 <= expectation.maxTokens) {
      assert.isTrue(
        holding.some((chunk) => chunk.start <= start && chunk.end >= end),
        "a block that fits was cut"
      )
    }
  }
}

/** Laws 1 to 4 and 9. */
export const assertLaws = (document: ParsedDocument, { chunks }: Chunked, expectation: Expectation): void => {
  const { markdown } = document
  const { tokenizer, maxTokens, overlapTokens = 0, dropped = [] } = expectation
  const whole = !loneSurrogate.test(markdown)
  const headings = overlapTokens === 0 ? [] : nodes(parse(markdown), ({ type }) => type === "heading").map(offsetOf)
  let end = 0
  let start = -1
  chunks.forEach((chunk, index) => {
    assert.strictEqual(chunk.index, index)
    assert.strictEqual(markdown.slice(chunk.start, chunk.end), chunk.text)
    assert.include(chunk.embedText, chunk.text)
    assert.strictEqual(tokenizer.count(chunk.embedText), chunk.tokens)
    assert.isAtMost(chunk.tokens, maxTokens)
    assert.isAbove(chunk.start, start)
    assert.isAbove(chunk.end, end)
    if (chunk.start < end) {
      assert.strictEqual(markdown.charAt(chunk.start - 1), "\n", "an overlap starts a line")
      assert.isAtMost(tokenizer.count(markdown, chunk.start, end), overlapTokens)
      assert.isFalse(
        headings.some((at) => at >= chunk.start && at < end),
        "an overlap reaches over a heading"
      )
    }
    assertGap(markdown, end, chunk.start, dropped)
    assert.isFalse(whole && loneSurrogate.test(chunk.text), "a surrogate stands alone")
    assert.isFalse(chunk.text.startsWith("\n") && markdown.charAt(chunk.start - 1) === "\r")
    start = chunk.start
    end = chunk.end
  })
  assertGap(markdown, end, markdown.length, dropped)
}
