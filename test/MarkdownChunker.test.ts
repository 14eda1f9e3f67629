import { assert, describe, it } from "@effect/vitest"
import type { ChunkOptions } from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { assertBlocksWhole, assertHeadingPaths, assertLaws } from "./chunking/laws.ts"
import { markdownDocument } from "./chunking/markdownDocument.ts"
import { metered } from "./chunking/metered.ts"
import { assertNoBareHeading } from "./chunking/structureLaws.ts"
import { runs } from "./fixtures/seed.ts"

const chunk = (tokenizer: Tokenizer.Tokenizer.Service, document: ParsedDocument, options: ChunkOptions) =>
  Effect.runSync(
    MarkdownChunker.make(options).chunk(document).pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer))
  )

const parts = FastCheck.constantFrom(
  "# One",
  "## **Two** `code`",
  "Three\n=====",
  "Some text that goes on. And then another sentence! 中文。日本語です。",
  "a line\nanother line\na third line\n  and a fourth, which is longer",
  "- item\n  - nested",
  "> quote\n> # no section",
  "```ts\nconst a = 1\n// comment\n# no heading\n\n}\n```",
  `~~~\n${"line of code;\n".repeat(40)}~~~`,
  `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(40)}`,
  `<table><tr><th>a</th></tr>${"<tr><td>1</td></tr>".repeat(40)}</table>`,
  "Words of (a paragraph), /and more.\n\tNext! ".repeat(30),
  "x".repeat(3000),
  "👨‍👩‍👧".repeat(200),
  "/usr/bin",
  "}"
)

const markdown = FastCheck.array(parts, { maxLength: 12 }).map((all) => all.join("\n\n"))

const wild = FastCheck.tuple(
  FastCheck.array(FastCheck.oneof(parts, FastCheck.fullUnicodeString(), FastCheck.string()), { maxLength: 12 }),
  FastCheck.constantFrom("\n\n", "\n", "\r\n")
).map(([all, join]) => all.join(join))

const budgets = FastCheck.constantFrom(16, 64, 512)

const words = Tokenizer.make("words", (text) => Math.ceil(text.length / 3) + text.split(" ").length)

describe("MarkdownChunker", () => {
  for (const name of ["o200k_base", "cl100k_base", "chars"] as const) {
    it.effect(`laws 1 to 4 hold on generated Markdown under ${name}, with and without overlap`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        FastCheck.assert(
          FastCheck.property(wild, budgets, FastCheck.boolean(), (text, maxTokens, overlap) => {
            const document = markdownDocument(text)
            const overlapTokens = overlap ? Math.floor(maxTokens / 4) : 0
            const chunked = chunk(tokenizer, document, { maxTokens, overlapTokens })
            assertLaws(document, chunked, { tokenizer, maxTokens, overlapTokens })
          }),
          { numRuns: runs(75) }
        )
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )
  }

  for (const name of ["o200k_base", "cl100k_base", "chars"] as const) {
    it.effect(`parents and children are slices, counted exactly, within their budgets, under ${name}`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        FastCheck.assert(
          FastCheck.property(wild, budgets, FastCheck.constantFrom(2, 4), (text, maxTokens, times) => {
            const { chunks } = chunk(tokenizer, markdownDocument(text), {
              maxTokens: maxTokens * times,
              children: { maxTokens }
            })
            for (const one of chunks) {
              assert.strictEqual(one.text, text.slice(one.start, one.end))
              assert.strictEqual(one.tokens, tokenizer.count(one.embedText))
              assert.isAtMost(one.tokens, one.parentId === undefined ? maxTokens * times : maxTokens)
            }
          }),
          { numRuns: runs(50) }
        )
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )
  }

  it("laws 1 to 4 hold with a counting function of the caller's own", () => {
    FastCheck.assert(
      FastCheck.property(wild, FastCheck.constantFrom(40, 200), (text, maxTokens) => {
        const document = markdownDocument(text)
        const chunked = chunk(words, document, { maxTokens })
        assertLaws(document, chunked, { tokenizer: words, maxTokens })
        assert.isTrue(chunked.chunks.length > 0 || text.trim() === "")
      }),
      { numRuns: runs(50) }
    )
  })

  it.effect("laws 5 to 7: fences and tables that fit are whole, heading paths are CommonMark's", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      FastCheck.assert(
        FastCheck.property(markdown, budgets, (text, maxTokens) => {
          const document = markdownDocument(text)
          const chunked = chunk(tokenizer, document, { maxTokens })
          assertBlocksWhole(document, chunked, { tokenizer, maxTokens })
          assertHeadingPaths(document, chunked, [])
          assertNoBareHeading(document, chunked, { tokenizer, maxTokens, starts: [], titles: new Set() })
        }),
        { numRuns: runs(75) }
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("law 10: appended text changes only chunks of the last section", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      FastCheck.assert(
        FastCheck.property(markdown, parts, budgets, (before, appended, maxTokens) => {
          const text = `${before}\n\n# Last\n\nwords`
          const old = chunk(tokenizer, markdownDocument(text), { maxTokens }).chunks
          const ids = new Set(
            chunk(tokenizer, markdownDocument(`${text}\n\n${appended}`), { maxTokens }).chunks.map(({ id }) => id)
          )
          const last = text.indexOf("# Last")
          for (const { id, end } of old) {
            assert.isTrue(end > last || ids.has(id))
          }
        }),
        { numRuns: runs(50) }
      )
    }).pipe(Effect.provide(Tokenizer.layerCl100k))
  )

  it.effect("law 13: ordinary text is counted about once, 200,000 characters without a break at most four times", () =>
    Effect.gen(function* () {
      const { counted, work } = metered(yield* Tokenizer.Tokenizer)
      const usual = [
        "7",
        "word ",
        "中文。",
        "!@#$ ",
        "x\n\n",
        "Some text that goes on. And then! 中文。日本語です。\n\n"
      ]
      const unusual = ["a", "中", "=", "😀", " ", "\n/", "a。\n\n"]
      for (const unit of [...usual, ...unusual]) {
        const sample = unit.repeat(200_000 / unit.length)
        work.characters = 0
        chunk(counted, markdownDocument(sample), { maxTokens: 512 })
        const most = usual.includes(unit) ? 1.1 : 4
        assert.isAtMost(work.characters, sample.length * most, JSON.stringify(unit))
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect(
    "law 13: wide tables are counted about once in a small budget, pieces that are cut at most four times",
    () =>
      Effect.gen(function* () {
        const row = (cell: string) => `|${` ${cell} |`.repeat(12)}\n`
        const table = row("Quarter") + row("---") + Array.from({ length: 900 }, (_, at) => row(`${at}.5  `)).join("")
        const samples = [table, `${"\\_".repeat(300)} and text. `.repeat(60), `| ${"\\_".repeat(400)} |\n`.repeat(60)]
        for (const layer of [Tokenizer.layerCl100k, Tokenizer.layerO200k, Tokenizer.layerCharacters]) {
          const { counted, work } = metered(yield* Effect.provide(Tokenizer.Tokenizer, layer))
          for (const sample of samples) {
            work.characters = 0
            chunk(counted, markdownDocument(sample), { maxTokens: 64 })
            assert.isAtMost(work.characters, sample.length * (sample === table ? 1.1 : 4), sample.slice(0, 10))
          }
        }
      })
  )

  it.effect(
    "law 13: long lines of a fence, paragraphs that start with a slash and long pieces are not counted more often",
    () =>
      Effect.gen(function* () {
        const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        const line = (at: number) =>
          Array.from({ length: 600 }, (_, of) => letters[(at * 31 + of * of * 7) % 64]).join("")
        const lines = Array.from({ length: 300 }, (_, at) => line(at)).join("\n")
        const samples = [
          `\`\`\`\n${lines}\n\`\`\``,
          Array.from({ length: 5000 }, (_, at) => `/path/${at}.`).join("\n\n"),
          `\`\`\`\n${Array.from({ length: 9000 }, (_, at) => `/path/${at}`).join("\n")}\n\`\`\``
        ]
        for (const layer of [Tokenizer.layerCl100k, Tokenizer.layerO200k]) {
          const { counted, work } = metered(yield* Effect.provide(Tokenizer.Tokenizer, layer))
          for (const sample of samples) {
            work.characters = 0
            chunk(counted, markdownDocument(sample), { maxTokens: 64 })
            assert.isAtMost(work.characters, sample.length * 4, sample.slice(0, 10))
          }
        }
      })
  )

  it.effect(
    "law 13: pieces that have to be cut are not counted more often, wherever they start and end, nor give more chunks than needed",
    () =>
      Effect.gen(function* () {
        const many = (times: number, make: (at: number) => string) => Array.from({ length: times }, (_, at) => make(at))
        const han = (at: number, length: number) =>
          many(length, (of) => String.fromCharCode(0x4e00 + ((at * 131 + of * of * 17) % 8000))).join("")
        const thai = many(250, (at) => ["ภาษา", "ไทย", "เป็น", "ที่", "ประเทศ"][(at * at) % 5] ?? "").join("")
        const row = (cell: string) => `|${` ${cell} |`.repeat(12)}\n`
        const fence = (lines: ReadonlyArray<string>) => `~~~\n${lines.join("\n")}\n~~~`
        const samples = [
          [fence(many(200, (at) => han(at, 1000))), 1.1],
          [row("标题") + row("---") + many(200, (at) => row(han(at, 80))).join(""), 2],
          [fence(many(150, () => thai)), 1.3],
          [many(400, () => "👨‍👩‍👧‍👦".repeat(20)).join("\n"), 1.3],
          [`e${"\u0301\u0302\u0303".repeat(3000)}`.repeat(11), 1.1]
        ] as const
        for (const layer of [Tokenizer.layerCl100k, Tokenizer.layerO200k]) {
          const { counted, work } = metered(yield* Effect.provide(Tokenizer.Tokenizer, layer))
          for (const [sample, most] of samples) {
            // The event loop turns between samples.
            yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
            work.characters = 0
            const { chunks } = chunk(counted, markdownDocument(sample), { maxTokens: 64 })
            assert.isAtMost(work.characters, sample.length * 4, sample.slice(0, 20))
            const tokens = chunks.reduce((sum, one) => sum + one.tokens, 0)
            assert.isAtMost(chunks.length, (most * tokens) / 64, sample.slice(0, 20))
          }
        }
      })
  )

  it.effect(
    "law 14: a table of one row of 4 million characters is cut in linear time, within the test's time limit",
    () =>
      Effect.gen(function* () {
        const cells = 1_000_000
        const markdown = `| ${"a | ".repeat(cells)}\n| ${"--- | ".repeat(cells)}\n`
        const { chunks } = yield* MarkdownChunker.make({ maxTokens: 512, overlapTokens: 64 }).chunk(
          markdownDocument(markdown)
        )
        assert.isAbove(chunks.length, 1000)
      }).pipe(Effect.provide(Tokenizer.layerCl100k))
  )

  it.effect("law 13: parent chunks are not counted again, whether their paragraphs are whole or cut", () =>
    Effect.gen(function* () {
      const section = (at: number, sentences: number) =>
        `## Part ${at}\n\n${"Some text of it, (or so). ".repeat(sentences)}\n\n- one item\n- another\n\n`
      const { counted, work } = metered(yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerO200k))
      for (const sentences of [5, 40]) {
        const sample = Array.from({ length: 400 }, (_, at) => section(at, sentences)).join("")
        work.characters = 0
        const { chunks } = chunk(counted, markdownDocument(sample), { maxTokens: 512, children: { maxTokens: 128 } })
        assert.isAtMost(work.characters, sample.length * 1.1)
        assert.isAtLeast(chunks.filter(({ parentId }) => parentId !== undefined).length, 200)
        for (const { embedText, tokens } of chunks) assert.strictEqual(tokens, counted.count(embedText))
      }
    })
  )

  it.effect("a code point above the budget is a typed error that says where", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(MarkdownChunker.make({ maxTokens: 1 }).chunk(markdownDocument("a😀")))
      assert.strictEqual(error.reason, "BudgetTooSmall")
      assert.strictEqual(error.offset, 1)
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )

  it.effect("a table above the budget is cut between rows and repeats its head", () =>
    Effect.gen(function* () {
      const table = `| name | value |\n| --- | --- |\n${"| some | thing |\n".repeat(60)}`
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 100 }).chunk(markdownDocument(`# Title\n\n${table}`))
      assert.isAbove(chunks.length, 2)
      for (const { embedText, text } of chunks.slice(1)) {
        assert.isTrue(embedText.startsWith("Title\n\n| name | value |\n| --- | --- |\n| some"))
        assert.isTrue(text.startsWith("| some | thing |"))
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a table whose head is above half the budget has a note that the head is not repeated", () =>
    Effect.gen(function* () {
      const table = `| ${"name ".repeat(40)} | v |\n| --- | --- |\n${"| some | thing |\n".repeat(60)}`
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 64 }).chunk(markdownDocument(table))
      assert.deepStrictEqual(chunks[chunks.length - 1]?.notes, ["header-not-repeated"])
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("rows of an HTML table that a rowspan joins stay together", () =>
    Effect.gen(function* () {
      const rows = "<tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr>".repeat(20)
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 120 }).chunk(
        markdownDocument(`<table><tr><th>x</th><th>y</th></tr>${rows}</table>`)
      )
      assert.isAbove(chunks.length, 2)
      for (const { embedText, text } of chunks.slice(1)) {
        assert.isTrue(text.startsWith("<tr><td rowspan=2>"))
        assert.isTrue(embedText.startsWith("<table><tr><th>x</th><th>y</th></tr>\n<tr>"))
        assert.isTrue(embedText.endsWith("</table>"))
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a fence above the budget is cut at line ends, opened again with its info string and closed", () =>
    Effect.gen(function* () {
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 60 }).chunk(
        markdownDocument(`\`\`\`ts\n${"const value = 1\n".repeat(60)}\`\`\``)
      )
      assert.isAbove(chunks.length, 2)
      for (const { embedText } of chunks) {
        assert.isTrue(embedText.startsWith("```ts\nconst value = 1\n"))
        assert.isTrue(embedText.endsWith("const value = 1\n```"))
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a heading is never the end of a chunk while its section has text", () =>
    Effect.gen(function* () {
      const text = "word ".repeat(90)
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 100 }).chunk(
        markdownDocument(`# A\n\n${text}\n\n## B\n\n${text}\n\n## C\n\n${text}`)
      )
      assert.deepStrictEqual(
        chunks.map(({ headingPath }) => headingPath.map(({ text }) => text)),
        [["A"], ["A", "B"], ["A", "C"]]
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  const kinds: ReadonlyArray<readonly [string, (size: number) => string]> = [
    ["a paragraph", (size) => "word ".repeat(size).trim()],
    ["a list item", (size) => `- ${"word ".repeat(size).trim()}`],
    ["a table", (size) => `| a | b |\n| --- | --- |${"\n| 1 | 2 |".repeat(size)}`],
    ["indented code", (size) => `    ${"word ".repeat(8)}${"\n    foo".repeat(size)}`],
    ["an HTML table", (size) => `<table>\n<tr><th>a</th></tr>${"\n<tr><td>1</td></tr>".repeat(size)}\n</table>`]
  ]
  for (const [kind, make] of kinds) {
    it.effect(`a heading is not left alone by ${kind} that fits the budget only without it`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        const maxTokens = 100
        const most = Array.from({ length: 100 }, (_, size) => make(size)).findLast(
          (text) => tokenizer.count(text) <= maxTokens
        )
        const document = markdownDocument(
          `before\n\n# A heading of some tokens, of at least twelve of them\n\n${most}\n\nbehind`
        )
        assert.isAbove(tokenizer.count(document.markdown.slice(8, -8)), maxTokens)
        const chunked = yield* MarkdownChunker.make({ maxTokens }).chunk(document)
        assertNoBareHeading(document, chunked, { tokenizer, maxTokens, starts: [], titles: new Set() })
        assertLaws(document, chunked, { tokenizer, maxTokens })
      }).pipe(Effect.provide(Tokenizer.layerO200k))
    )
  }

  it.effect("a heading's context is shortened before the heading is left alone", () =>
    Effect.gen(function* () {
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 100 }).chunk(
        markdownDocument(`# ${"above ".repeat(20)}\n\nintroduction\n\n## Below\n\n${"word ".repeat(90)}`)
      )
      assert.deepStrictEqual(
        chunks.map(({ text }) => text.slice(0, 8)),
        ["# above ", "## Below"]
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a fence that fits the budget only without its heading is whole, by law 5", () =>
    Effect.gen(function* () {
      const fence = `\`\`\`\n${"word ".repeat(90)}\n\`\`\``
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 100 }).chunk(
        markdownDocument(`# Some heading of seven or eight tokens\n\n${fence}`)
      )
      assert.deepStrictEqual(
        chunks.map(({ text }) => text),
        ["# Some heading of seven or eight tokens", fence]
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("long Thai text is cut between words", () =>
    Effect.gen(function* () {
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 64 }).chunk(
        markdownDocument("ภาษาไทยง่ายมาก".repeat(40))
      )
      const words = new Set(["ภาษา", "ไทย", "ง่าย", "มาก"])
      for (const { text } of chunks) {
        assert.isTrue([...words].some((word) => text.startsWith(word)))
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("children fill their parents, name them and keep to their own budget", () =>
    Effect.gen(function* () {
      const text = "A sentence of some words. ".repeat(400)
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 400, children: { maxTokens: 60 } }).chunk(
        markdownDocument(`# A\n\n${text}\n\n# B\n\n${text}`)
      )
      const parents = chunks.filter(({ parentId }) => parentId === undefined)
      for (const parent of parents) {
        const children = chunks.filter(({ parentId }) => parentId === parent.id)
        assert.strictEqual(children[0]?.start, parent.start)
        assert.strictEqual(children[children.length - 1]?.end, parent.end)
        assert.isTrue(children.every(({ tokens }) => tokens <= 60))
        assert.isAtMost(parent.tokens, 400)
      }
      assert.isBelow(parents.length * 3, chunks.length)
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a template's text is put before the chunk's, and a metadata hook's members are in the metadata", () =>
    Effect.gen(function* () {
      const { chunks } = yield* MarkdownChunker.make({
        context: { name: "source", render: (path, { source }) => [source, ...path.map(({ text }) => text)].join("/") },
        metadata: () => ({ tenant: "t1", access: ["a", "b"] })
      }).chunk(markdownDocument(`# A\n\n${"word ".repeat(600)}`))
      assert.isTrue(chunks[1]?.embedText.startsWith("a.md/A\n\nword"))
      assert.deepStrictEqual(chunks[1]?.metadata, { tenant: "t1", access: ["a", "b"] })
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("the same document gives the same ids, another budget gives others", () =>
    Effect.gen(function* () {
      const document = markdownDocument("# A\n\ntext")
      const ids = (maxTokens: number) =>
        Effect.map(MarkdownChunker.make({ maxTokens }).chunk(document), ({ chunks }) => chunks.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids(100), yield* ids(100))
      assert.notDeepEqual(yield* ids(100), yield* ids(101))
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )
})
