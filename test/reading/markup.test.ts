import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunksOf, parse, pathsOf } from "./reading.ts"

/** The blocks of a text, as their kinds and first lines. */
const blocks = (path: string, text: string) =>
  Effect.map(parse(path, text), ({ markdown, structure = [] }) =>
    structure.map(({ end, kind, start }) => `${kind}: ${markdown.slice(start, end).split(/\r?\n/u)[0] ?? ""}`)
  )

/** Paths of the chunks when no two sections share one. */
const sections = (path: string, text: string) =>
  Effect.map(pathsOf(path, text, { maxTokens: 24, context: false }), (found) => [
    ...new Set(found.map(([each]) => each))
  ])

const filler = "Words that fill a section so that it needs a chunk of its own, and then some more words."

describe("Markdown read here", () => {
  it.effect("has its front matter in the metadata of every chunk, and in no text", () =>
    Effect.gen(function* () {
      const text = `---\ntitle: "A: title"\ndate: 2024-05-01\ntags:\n  - x\n  - y\ndraft: false\nauthor:\n  name: Ann\nerror: none\n---\n# Top\n\nBody.\n`
      const [chunk] = yield* chunksOf("a.md", text)
      assert.strictEqual(chunk?.text, "# Top\n\nBody.")
      assert.deepEqual(chunk?.metadata, {
        title: "A: title",
        headings: ["Top"],
        date: "2024-05-01",
        tags: ["x", "y"],
        draft: false,
        "author.name": "Ann",
        "document.error": "none",
        sourceURL: "a.md",
        contentType: "text/markdown"
      })
    })
  )

  it.effect("takes TOML between plus signs, and reads broken YAML line by line with a warning", () =>
    Effect.gen(function* () {
      const toml = yield* parse(
        "a.md",
        '+++\ntitle = "T"\nweight = 3\ntags = ["a", "b"]\n[extra]\ndeep = true\n+++\nText\n'
      )
      assert.deepInclude(toml.metadata, { title: "T", weight: 3, tags: ["a", "b"], "extra.deep": true })
      const broken = yield* parse("a.md", "---\ntitle: Note: a colon\nsummary: fine\n---\nText\n")
      assert.deepInclude(broken.metadata, { title: "Note: a colon", summary: "fine" })
      assert.lengthOf(broken.warnings, 1)
      assert.match(broken.warnings[0] ?? "", /front matter/)
    })
  )

  it.effect("has no block for the nothing after its front matter", () =>
    Effect.gen(function* () {
      for (const text of ["+++\n+++", "---\na: 1\n---"]) {
        const { markdown, structure } = yield* parse("a.md", text)
        assert.deepStrictEqual(structure, [{ kind: "omitted", start: 0, end: markdown.length }])
      }
    })
  )

  it.effect("has no front matter between two thematic breaks", () =>
    Effect.gen(function* () {
      const { metadata, structure } = yield* parse("a.md", "---\n\nJust a sentence.\n\n---\n\n# A\n")
      assert.isUndefined(structure)
      assert.deepEqual(metadata, { title: "A", sourceURL: "a.md", contentType: "text/markdown" })
    })
  )

  it.effect("keeps imports and exports of MDX as code, and prose that begins like one as prose", () =>
    Effect.gen(function* () {
      const text = `import { Tabs } from "./tabs"\n\n# Guide\n\nimport duties are paid here.\n\nexport const meta = { a: 1 }\n\n<Tabs>\n\nInside **bold**.\n\n</Tabs>\n`
      assert.deepEqual(yield* blocks("a.mdx", text), [
        'code: import { Tabs } from "./tabs"',
        "markdown: ",
        "code: export const meta = { a: 1 }",
        "markdown: "
      ])
      const [chunk] = yield* chunksOf("a.mdx", text)
      assert.deepEqual(chunk?.metadata["title"], "Guide")
    })
  )
})

describe("reStructuredText", () => {
  it.effect("has headings by the order of their adornments, whatever Markdown would see", () =>
    Effect.gen(function* () {
      const text = `=====\nTitle\n=====\n\n${filler}\n\nFirst ¨one¨\n-----------\n\n# a comment of a shell\n\n${filler}\n\nDeep\n~~~~\n\n${filler}\n\nSecond\n------\n\n${filler}\n`
      assert.deepEqual(yield* sections("a.rst", text.replaceAll("¨", "``")), [
        "Title",
        "Title > First one",
        "Title > First one > Deep",
        "Title > Second"
      ])
    })
  )

  it.effect("finds code, lists, tables and directives", () =>
    Effect.gen(function* () {
      const text =
        "Example::\n\n    code = 1\n\n    # more\n\n- one\n  two\n- three\n\n.. code-block:: python\n   :linenos:\n\n   def f():\n       pass\n\n.. note:: Mind this.\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n\n===  ===\na    b\n===  ===\n1    2\n===  ===\n\n>>> 1 + 1\n2\n"
      assert.deepEqual(yield* blocks("a.rst", text), [
        "paragraph: Example::",
        "code:     code = 1",
        "list: - one",
        "list: - three",
        "code: .. code-block:: python",
        "paragraph: .. note:: Mind this.",
        "table: +---+---+",
        "table: ===  ===",
        "code: >>> 1 + 1"
      ])
    })
  )

  it.effect("takes the fields below its title as metadata, and keeps the title in the paths", () =>
    Effect.gen(function* () {
      const text = `Title\n=====\n\n:Author: Ann\n:Date: 2024-01-01\n\n${filler}\n\nPart\n----\n\n${filler}\n`
      const chunks = yield* chunksOf("a.rst", text, { maxTokens: 40 })
      assert.deepInclude(chunks[0]?.metadata, { author: "Ann", date: "2024-01-01", title: "Title" })
      assert.isFalse(chunks.some((chunk) => chunk.text.includes("Author")))
      assert.deepEqual(
        chunks.map(({ headingPath }) => headingPath.map(({ text }) => text).join(" > ")),
        ["Title", "Title > Part"]
      )
    })
  )

  it.effect("repeats the head of a table that is cut", () =>
    Effect.gen(function* () {
      const rows = Array.from(
        { length: 60 },
        (_, at) => `| ${String(at).padStart(4)} | value |\n+------+-------+`
      ).join("\n")
      const chunks = yield* chunksOf("a.rst", `+------+-------+\n| key  | value |\n+======+=======+\n${rows}\n`, {
        maxTokens: 120
      })
      assert.isAbove(chunks.length, 3)
      assert.isTrue(chunks.every(({ embedText }) => embedText.startsWith("+------+-------+\n| key")))
      assert.deepEqual([...new Set(chunks.flatMap(({ kinds }) => kinds))], ["table"])
    })
  )
})

describe("AsciiDoc", () => {
  it.effect("has sections, and its header in the metadata", () =>
    Effect.gen(function* () {
      const text = `= The *Title*\nAnn Author <ann@example.org>\nv1.0, 2024-01-01\n:toc:\n:description: Short.\n\n${filler}\n\n== First\n\n${filler}\n\n[source,sh]\n----\n== not a section\n----\n\n=== Deep\n\n${filler}\n\n== Second ==\n\n${filler}\n`
      assert.deepEqual(yield* sections("a.adoc", text), [
        "The Title",
        "The Title > First",
        "The Title > First > Deep",
        "The Title > Second"
      ])
      const { metadata } = yield* parse("a.adoc", text)
      assert.deepInclude(metadata, {
        title: "The Title",
        author: "Ann Author",
        revision: "v1.0, 2024-01-01",
        description: "Short."
      })
    })
  )

  it.effect("finds listings with their attributes, tables, lists and blocks inside others", () =>
    Effect.gen(function* () {
      const text =
        "Intro.\n\n.A listing\n[source,js]\n----\nlet a\n\nlet b\n----\n\n[NOTE]\n====\nA note.\n\n* one\n* two\n====\n\n|===\n|a |b\n\n|1 |2\n|===\n\nterm:: its meaning\n"
      assert.deepEqual(yield* blocks("a.adoc", text), [
        "paragraph: Intro.",
        "code: .A listing",
        "paragraph: [NOTE]",
        "list: * one",
        "list: * two",
        "table: |===",
        "list: term:: its meaning"
      ])
    })
  )
})

describe("Org", () => {
  it.effect("has headlines without state and tags, and its keywords in the metadata", () =>
    Effect.gen(function* () {
      const text = `#+TITLE: Notes\n#+FILETAGS: :a:b:\n\n${filler}\n\n* TODO [#A] First :x:y:\n\n${filler}\n\n** Deep =code=\n\n#+begin_src sh\n* not a headline\n#+end_src\n\n${filler}\n\n* Second\n\n${filler}\n`
      assert.deepEqual(yield* sections("a.org", text), ["", "First", "First > Deep code", "Second"])
      const { metadata } = yield* parse("a.org", text)
      assert.deepInclude(metadata, { title: "Notes", tags: ["a", "b"] })
    })
  )

  it.effect("has no block where one is never ended, and finds the next one that is", () =>
    Effect.gen(function* () {
      const text = "#+begin_quote\nopen\n#+begin_quote\nopen\n* A\n#+begin_quote\nclosed\n#+end_quote\n"
      assert.deepEqual(yield* blocks("a.org", text), [
        "paragraph: #+begin_quote",
        "heading: * A",
        "quote: #+begin_quote"
      ])
    })
  )

  it.effect("finds source blocks, tables, lists, drawers and fixed text", () =>
    Effect.gen(function* () {
      const text =
        "* A\n:PROPERTIES:\n:ID: 1\n:END:\nText.\n\n#+NAME: x\n#+begin_src js\nlet a\n\nlet b\n#+end_src\n\n| a | b |\n|---+---|\n| 1 | 2 |\n\n- one\n  more\n- two\n\n: fixed\n"
      assert.deepEqual(yield* blocks("a.org", text), [
        "heading: * A",
        "lines: :PROPERTIES:",
        "paragraph: Text.",
        "code: #+NAME: x",
        "table: | a | b |",
        "list: - one",
        "list: - two",
        "code: : fixed"
      ])
    })
  )
})
