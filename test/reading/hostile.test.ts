import { assert, describe, it } from "@effect/vitest"
import * as Readers from "docsluice/Readers"
import { Effect, Either, FastCheck as fc } from "effect"
import { runs } from "../fixtures/seed.ts"
import { parse } from "./reading.ts"

const size = 200_000

/** Lines and runs that a careless pattern reads again for each of their characters. */
const hostile: Readonly<Record<string, string>> = {
  "one title of stars": `${"*a".repeat(size / 2)}\n${"=".repeat(size)}\n`,
  "one title of backticks": `= ${"`a <b".repeat(size / 5)}\n\ntext\n`,
  "one headline of tags": `* ${":a b".repeat(size / 4)}\n\ntext\n`,
  "one line of colons": `${"a::b".repeat(size / 4)}\n`,
  "one line of brackets": `[${"[a".repeat(size / 2)}\n`,
  "front matter of blanks": `---\na: x${" ".repeat(size)}y: [\n---\n`,
  "front matter of brackets": `---\na: ${"[".repeat(size / 10)}\n---\ntext\n`,
  "front matter of aliases": `---\na: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: [*d, *d, *d, *d, *d, *d]\n---\ntext\n`,
  "front matter with names of objects": `---\n__proto__: [a]\nconstructor: b\n---\ntext\n`,
  "open blocks": "#+begin_src\n----\n::\n\n".repeat(size / 20),
  "one-line tables": "|===\n+--+\n===  ===\n\n".repeat(size / 20),
  "blank lines": "\n".repeat(size),
  "nested lists": Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n")
}

/** Beginnings of each format, which random text goes on from. */
const beginnings = [
  "",
  '{"a":[',
  "a:\n  - b: ",
  "<a><b c='",
  "From: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
  '{"nbformat":4,"cells":[{"cell_type":"code","source":"'
]

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      ..."{ } [ ] < > / : , ; - = # & ' \" * ` | \n \r \t \0".split(" "),
      "<![CDATA[",
      "-->",
      "\n\n",
      "--b--",
      "\uD800"
    )
  ),
  { maxLength: 40 }
)

describe("arbitrary content", () => {
  for (const extension of Readers.builtIn) {
    it.effect.prop(
      `of type .${extension} is read, with its blocks in order and inside of its text`,
      [fc.constantFrom(...beginnings), pieces, fc.uint8Array({ maxLength: 40 })],
      ([beginning, parts, bytes]) =>
        Effect.gen(function* () {
          const text = new TextEncoder().encode(beginning + parts.join(""))
          for (const content of [text, bytes, new Uint8Array([...text, ...bytes])]) {
            const read = yield* Effect.either(parse(`a.${extension}`, content))
            if (Either.isLeft(read)) {
              assert.strictEqual(read.left._tag, "TextUnreadable")
              continue
            }
            const { markdown, structure = [] } = read.right
            let at = 0
            for (const { end, start } of structure) {
              assert.isTrue(start >= at && end > start && end <= markdown.length)
              at = end
            }
          }
        }),
      { fastCheck: { numRuns: runs(60) } }
    )
  }
})

describe("a hostile text", () => {
  for (const extension of Readers.builtIn) {
    it.effect(`of type .${extension} is read in linear time, whatever it holds`, () =>
      Effect.gen(function* () {
        for (const [name, text] of Object.entries(hostile)) {
          const started = process.cpuUsage()
          const document = yield* parse(`a.${extension}`, text)
          const { system, user } = process.cpuUsage(started)
          assert.strictEqual(document.markdown, text)
          assert.isBelow((user + system) / 1000, 4000, name)
        }
      })
    )
  }

  for (const [extension, table] of Object.entries({ adoc: "|===\n|===\n", rst: "=== ===\n=== ===\n\n" })) {
    it.effect(`of type .${extension} is read in linear time, however many tables it holds`, () =>
      Effect.gen(function* () {
        const started = process.cpuUsage()
        const { structure = [] } = yield* parse(`a.${extension}`, table.repeat(200_000))
        const { system, user } = process.cpuUsage(started)
        assert.isAtLeast(structure.length, 200_000)
        assert.isBelow((user + system) / 1000, 4000)
      })
    )
  }
})
