import { assert, describe, it } from "@effect/vitest"
import * as Readers from "docsluice/Readers"
import { Effect } from "effect"
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
})
