import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { scan } from "../../../src/internal/chunking/scan/scan.ts"
import { runs } from "../../fixtures/seed.ts"

const inlines = [
  "foo",
  "bar baz",
  "`x",
  "\\# no",
  "#d",
  "####### c",
  "a | b",
  "x | y",
  "| a | b |",
  "| a \\| b |",
  "\\|"
]

const headings = ["# a", "## b ##", "   # y", "\t# x", "===", "---", "  ===", "  ---"]

const raw = ["```", "```js", "~~~", "    code", "<div>", "</div>", "<!--", "-->", "<pre>", "<!x", "<?php", "?>"]

const elements = ["<a>", "</a>"]

const delimiters = ["|---|---|", "| - |", "--|--", "|:-:|", "  |---|---|"]

const breaks = ["- - -", "***", "* * *"]

const items = ["- item", "* item", "1. one", "2) two", "  - sub", "- # h", "- ```", "- [r]: /u", "- | a | b |", "+\tx"]

const empties = ["-", "*", "1.", ">", "[^a]:"]

const quotes = ["> q", "> > qq", "> ```", "> # h", "> [r]: /u", "> ===", "> ---", "> | a | b |", "> |---|---|"]

const definitions = [
  ..."[r]: /u|[r]: /u 'title'|[r]:|/u|'t|t'|[r|]: /u|[r]: <a b>|[r]: /u 't' x|[]: /u".split("|"),
  "[\\]]: x",
  "[r]: (/u",
  "[^a]: foo"
]

const lines = FastCheck.oneof(
  ...[inlines, headings, raw, elements, delimiters, breaks, items, empties, quotes, definitions, ["", "  "]].map(
    (all) => FastCheck.constantFrom(...all)
  )
)

const soup = FastCheck.tuple(
  FastCheck.array(lines, { maxLength: 9 }),
  FastCheck.constantFrom("\n", "\n", "\r\n", "\r")
).map(([all, join]) => all.join(join))

interface Node {
  readonly type: string
  readonly depth?: number
  readonly children?: ReadonlyArray<Node>
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

const containers = new Set(["root", "list", "listItem", "blockquote", "footnoteDefinition"])

const blocks = (node: Node): ReadonlyArray<Node> =>
  containers.has(node.type) ? (node.children ?? []).flatMap(blocks) : [node]

const expected = (text: string): ReadonlyArray<string> =>
  blocks(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })).flatMap((node) => {
    const start = lineStart(text, node.position?.start.offset ?? 0)
    return node.type === "heading"
      ? [`${start} heading ${node.depth}`]
      : node.type === "code" || node.type === "table"
        ? [`${start} ${node.type}`]
        : []
  })

const found = (text: string): ReadonlyArray<string> =>
  scan(text, 0, text.length).flatMap(({ kind, start, depth }) =>
    kind === "heading" ? [`${start} heading ${depth}`] : kind === "code" || kind === "table" ? [`${start} ${kind}`] : []
  )

const container = "^ {0,3}(?:[>*+-]|\\d\\S|\\[\\^)"

const indented = "(?: {4}|\t).*\n(?: *\n)*"

/**
 * Cases in which the parser departs from CommonMark, whose reference implementation (commonmark.js 0.31.2) agrees with the
 * scanner.
 */
const departures: ReadonlyArray<RegExp> = [
  // an item that may not interrupt a paragraph does not interrupt indented code either
  new RegExp(`^${indented} {0,3}(?:(?:[*+-]|1\\.)[ \t]*$|2\\))`, "m"),
  // indented code directly below a container falls into one block for every line
  new RegExp(`${container}.*\n(?: *\n)*${indented}(?: {4}|\t)`, "m"),
  // an HTML block of kind 7 interrupts a paragraph, where the line is a lazy one or could be a table's head
  new RegExp(`${container}[^]*\n</?a>|^</?a>\n.*-`, "m"),
  // a line directly below a table in a container is no table's head
  new RegExp(`${container}[^]*-.*\n.*\n *[|:-]`, "m")
]

const isDisputed = (text: string): boolean => {
  const normal = text.replace(/\r\n?/g, "\n")
  return departures.some((pattern) => pattern.test(normal))
}

const of = (part: string): string => part.repeat(Math.ceil(200_000 / part.length))

/** Texts of which a careless scanner looks at every character again and again. */
const hostile: Readonly<Record<string, string>> = {
  "open brackets": of("["),
  "open labels": `${of("[a\n")}===`,
  definitions: `${of("[r]: /u\n")}===`,
  "underlined definitions": of("[r]: /u\n===\n"),
  "open titles": `${of("[r]: /u\n'x\n")}===`,
  "one open title": `[r]: /u\n'${of("x\n")}===`,
  "open destinations": `[r]: <${of("a")}\n===`,
  "open parentheses": `[r]: ${of("(")}\n===`,
  "definitions in quotes": `${of("> [r]: /u\n")}> ===`,
  "footnote labels": of("[^a"),
  "open comments": `<!--${of("\n<!--")}`,
  "one tag's attributes": `<a${of(" a = b")}!`,
  "one tag's white space": `<a${of(" ")}=`,
  "wide delimiter rows": `a\n|-${of(" ")}-`,
  "long delimiter rows": `a\n${of("- |")} -- -`,
  "list items in one line": `${of("- ")}x`,
  "thematic breaks that are none": `a\n${of("* ")}x`,
  "list items ever deeper": Array.from({ length: 600 }, (_, depth) => `${" ".repeat(depth)}- a\n`).join(""),
  "wide lines in deep lists": `${"- ".repeat(99)}a\n${of(`${" ".repeat(200)}b\n`)}`,
  "carriage returns": of("\r"),
  "lines with carriage returns only": of("x\r"),
  "fences in fences": of("```\n~~~\n"),
  "closing hashes": `# ${of("# ")}`,
  "white space": of(" \t\u00a0")
}

describe("scan", () => {
  it("finds the headings, code blocks and tables that the independent parser finds", () => {
    FastCheck.assert(
      FastCheck.property(soup, (text) => {
        FastCheck.pre(!isDisputed(text))
        assert.deepStrictEqual(found(text), expected(text))
      }),
      { numRuns: runs(700) }
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
      { numRuns: runs(1000) }
    )
  })

  it("a setext underline makes no heading of link reference definitions", () => {
    assert.deepStrictEqual(found("[r]: /u\n==="), [])
    assert.deepStrictEqual(found("[r]: /u\n===\n---"), ["8 heading 2"])
    assert.deepStrictEqual(found("[r]:\n/u\n'a\ntitle'\n==="), [])
    assert.deepStrictEqual(found("> [r]: /u\n> (t)\n> ===\n> ---"), ["16 heading 2"])
    assert.deepStrictEqual(found("[r]: /u 'open\n==="), ["0 heading 1"])
    assert.deepStrictEqual(found("[r]: /u\ntext\n==="), ["0 heading 1"])
  })

  it.each(Object.entries(hostile))("200,000 characters of %s take less than a second of work", (_, text) => {
    const times = [0, 1, 2].map(() => {
      const { user, system } = process.cpuUsage()
      scan(text, 0, text.length)
      const after = process.cpuUsage()
      return after.user + after.system - user - system
    })
    assert.isBelow(Math.min(...times), 1_000_000)
  })

  it("containers nested 100,000 deep take no longer than any other text", () => {
    const text = `${"> ".repeat(100_000)}\n${"- ".repeat(100_000)}\n\n`.repeat(2)
    assert.isAtLeast(scan(text, 0, text.length).length, 1)
  })
})
