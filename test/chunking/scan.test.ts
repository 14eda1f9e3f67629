import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { scan } from "../../src/internal/chunking/scan.ts"

const lines = FastCheck.constantFrom(
  ..."# a|## b ##|####### c|#d|foo|bar baz|===|---|- - -|***|```|```js|~~~|    code|- item|* item|1. one|2) two|> q|> > qq|<div>|</div>|<!--|-->|<pre>|  - sub|\\# no|`x|* * *|> ```|> # h|- # h|- ```|[r]: /u".split(
    "|"
  ),
  "| a | b |",
  "|---|---|",
  "| - |",
  "a | b",
  "--|--",
  "",
  "",
  "",
  "  "
)

const soup = FastCheck.tuple(
  FastCheck.array(lines, { maxLength: 9 }),
  FastCheck.constantFrom("\n", "\n", "\r\n", "\r")
).map(([all, join]) => all.join(join))

interface Node {
  readonly type: string
  readonly depth?: number
  readonly children?: ReadonlyArray<unknown>
  readonly position?:
    | {
        readonly start: { readonly offset?: number | undefined }
        readonly end: { readonly offset?: number | undefined }
      }
    | undefined
}

const lineStart = (text: string, offset: number): number => {
  let at = offset
  while (at > 0 && text.charAt(at - 1) !== "\n" && text.charAt(at - 1) !== "\r") {
    at--
  }
  return at
}

const expected = (text: string): ReadonlyArray<string> =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children.flatMap((node: Node) => {
    const start = lineStart(text, node.position?.start.offset ?? 0)
    return node.type === "heading"
      ? [`${start} heading ${node.depth}`]
      : node.type === "code" || node.type === "table"
        ? [`${start} ${node.type}`]
        : []
  })

const found = (text: string): ReadonlyArray<string> =>
  scan(text, 0, text.length).flatMap(({ kind, level, start, depth }) =>
    level > 0
      ? []
      : kind === "heading"
        ? [`${start} heading ${depth}`]
        : kind === "code" || kind === "table"
          ? [`${start} ${kind}`]
          : []
  )

/**
 * Where the parser departs from CommonMark's reference implementations: a line that lazily continues a paragraph in a
 * container, and indented lines behind an empty container.
 */
const isDisputed = (text: string): boolean => /(?:^|[\r\n])[ ]*(?:[>*+-]|\d+[.)])/.test(text) && /\n? {4}|\|/.test(text)

describe("scan", () => {
  it("finds the headings, code blocks and tables that the independent parser finds", () => {
    FastCheck.assert(
      FastCheck.property(soup, (text) => {
        FastCheck.pre(!isDisputed(text))
        assert.deepStrictEqual(found(text), expected(text))
      }),
      { numRuns: 1500 }
    )
  })

  it("leaves are in order, disjoint, and hold all that is no white space", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(soup, FastCheck.string()), (text) => {
        let at = 0
        for (const { start, end } of scan(text, 0, text.length)) {
          assert.isAtLeast(start, at)
          assert.strictEqual(text.slice(at, start).trim(), "")
          at = end
        }
        assert.strictEqual(text.slice(at).trim(), "")
      }),
      { numRuns: 2000 }
    )
  })

  it("containers nested 100,000 deep take no longer than any other text", () => {
    const text = `${"> ".repeat(100_000)}\n${"- ".repeat(100_000)}\n\n`.repeat(2)
    assert.isAtLeast(scan(text, 0, text.length).length, 1)
  })
})
