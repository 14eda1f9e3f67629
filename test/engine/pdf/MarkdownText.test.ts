import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Nodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import * as MarkdownText from "../../../src/engine/pdf/MarkdownText.ts"
import { runs } from "../../fixtures/seed.ts"

const tree = (markdown: string) => fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

const textOf = (node: Nodes): string => {
  if ("children" in node) return node.children.map(textOf).join("")
  return "value" in node ? node.value : ""
}

const piece = fc.constantFrom(
  "a",
  "word",
  " ",
  " ",
  "#",
  "##",
  "-",
  "+",
  "*",
  "**",
  "_",
  "__",
  "`",
  "~~",
  "<",
  ">",
  "<b>",
  "</b>",
  "<!--",
  "&amp;",
  "&",
  "|",
  "[",
  "]",
  "](u)",
  "(",
  ")",
  "1.",
  "12)",
  "\\",
  "!",
  "==",
  "---",
  "~~~",
  "$x$",
  "é",
  "漢"
)

const plainText = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join("").replace(/\s+/g, " ").trim())
  .filter((text) => text !== "")

describe("MarkdownText", () => {
  it("escapes a rule of dashes with blanks between them", () => {
    assert.strictEqual(MarkdownText.escapeStart("--- ---"), "\\--- ---")
    assert.strictEqual(MarkdownText.escapeStart("-- x"), "-- x")
  })

  it("escapes any line so that Markdown shows it as one paragraph of the same text", () => {
    fc.assert(
      fc.property(plainText, (text) => {
        const markdown = MarkdownText.escapeStart(MarkdownText.escapeInline(text))
        const root = tree(markdown)
        assert.deepStrictEqual(
          root.children.map((node) => node.type),
          ["paragraph"],
          markdown
        )
        assert.strictEqual(textOf(root), text, markdown)
      }),
      { numRuns: runs(3000) }
    )
  })

  it("leaves ordinary text as it is", () => {
    for (const text of [
      "Total: 3.5 % (of 12) - not more",
      "snake_case and a & b",
      "a < b > c",
      "see [12] and 2019.",
      "C# is 5 + 3",
      "https://example.org/~ada/_b_ or _c@example.org or ~d"
    ]) {
      assert.strictEqual(MarkdownText.escapeStart(MarkdownText.escapeInline(text)), text)
    }
  })

  it("leaves the signs around a printed address out of its link", () => {
    const written = (text: string, link = "https://x.example/a_(b)") => MarkdownText.fromRuns([{ text, link }])
    assert.strictEqual(written("(https://x.example/)."), "([https://x.example/](https://x.example/a_%28b%29)).")
    assert.strictEqual(written("“x.example/a_(b)”,"), String.raw`“[x.example/a\_(b)](https://x.example/a_%28b%29)”,`)
    assert.strictEqual(written("(see there)."), "[(see there).](https://x.example/a_%28b%29)")
    assert.strictEqual(written("..."), "[...](https://x.example/a_%28b%29)")
  })

  it("writes runs under a link as one link with their text", () => {
    fc.assert(
      fc.property(plainText, (text) => {
        const markdown = MarkdownText.fromRuns([
          { text: "before ", link: undefined },
          { text, link: "https://example.org/x?a=(1)&b=c d" },
          { text: " behind", link: undefined }
        ])
        const root = tree(markdown)
        assert.strictEqual(textOf(root), `before ${text} behind`, markdown)
        const [paragraph] = root.children
        const link = paragraph !== undefined && "children" in paragraph ? paragraph.children[1] : undefined
        assert.strictEqual(link?.type, "link", markdown)
      }),
      { numRuns: runs(2000) }
    )
  })

  it("escapes the pipes of a cell once", () => {
    assert.strictEqual(MarkdownText.cell("a|b \\| c\nd"), "a\\|b \\| c d")
  })
})
