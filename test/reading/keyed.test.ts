import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunksOf, parse } from "./reading.ts"

/** Files of an extension among the packages that the tests are installed with: written by others, for other programs. */
const installed = (extension: RegExp, count: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  const root = join(import.meta.dirname, "../../node_modules")
  for (const name of readdirSync(root).toSorted()) {
    if (found.length === count) break
    const folder = join(root, name)
    const file = name.startsWith(".") ? undefined : readdirSync(folder).find((entry) => extension.test(entry))
    if (file !== undefined) found.push(join(folder, file))
  }
  return found
}

const covers = (text: string, blocks: ReadonlyArray<{ readonly start: number; readonly end: number }> = []) => {
  let at = 0
  for (const { end, start } of blocks) {
    assert.strictEqual(text.slice(at, start).trim(), "")
    at = end
  }
  assert.strictEqual(text.slice(at).trim(), "")
}

/** Keys above each block, and its text. */
const pathsOf = (path: string, text: string) =>
  Effect.map(parse(path, text), ({ markdown, structure = [] }) =>
    structure.map(({ end, path = [], start }) => [path.join(" > "), markdown.slice(start, end)] as const)
  )

const settings = (text: string) => `"text": "${text.repeat(90)}"`

describe("JSON", () => {
  it.effect("has the keys above a value as headings, and its text as it is written", () =>
    Effect.gen(function* () {
      const text = `{\r\n  "name": "x",\r\n  "server": {\r\n    "tls": { ${settings("a")} },\r\n    "port": 1\r\n  },\r\n  "log": { ${settings("b")} }\r\n}\r\n`
      const paths = yield* pathsOf("a.json", text)
      assert.deepEqual(
        paths.map(([path]) => path),
        ["", "server > tls", "server", "log"]
      )
      assert.include(paths[1]?.[1], '"tls": {')
      assert.include(paths[2]?.[1], '"port": 1')
      covers(text, (yield* parse("a.json", text)).structure)
    })
  )

  it.effect("keeps short items of a list together, and opens a section for a long one", () =>
    Effect.gen(function* () {
      const short = JSON.stringify({ rows: Array.from({ length: 20 }, (_, id) => ({ id, name: "short" })) }, null, 1)
      assert.deepEqual(new Set((yield* pathsOf("a.json", short)).map(([path]) => path)), new Set(["rows"]))
      const long = JSON.stringify([{ a: "x".repeat(700), b: { c: 1 } }, { a: "y".repeat(700) }])
      assert.deepEqual(
        (yield* pathsOf("a.json", long)).map(([path]) => path),
        ["[0]", "[1]"]
      )
      const { headingPath } = (yield* chunksOf("a.json", long, { maxTokens: 100 })).at(-1) ?? {}
      assert.deepEqual(
        headingPath?.map(({ text }) => text),
        ["[1]"]
      )
    })
  )

  it.effect("takes comments and closing commas, and says where a text is no JSON", () =>
    Effect.gen(function* () {
      assert.deepEqual((yield* parse("a.json", '// why\n{"a": [1, 2,],}')).warnings, [])
      const broken = yield* parse("a.json", '{\n  "a": 1,\n  "b": }\n')
      assert.match(broken.warnings.join(), /line 3 is no JSON/u)
      assert.strictEqual(broken.markdown, '{\n  "a": 1,\n  "b": }\n')
    })
  )

  it.effect("reads a text that is nested too deeply as lines, with a warning", () =>
    Effect.gen(function* () {
      const { markdown, warnings } = yield* parse("a.json", "[".repeat(200_000))
      assert.strictEqual(markdown.length, 200_000)
      assert.match(warnings.join(), /nested too deeply/u)
    })
  )

  it.effect("reads real files", () =>
    Effect.gen(function* () {
      for (const file of installed(/^package\.json$/u, 10)) {
        const text = readFileSync(file, "utf8")
        const document = yield* parse("a.json", text)
        assert.deepEqual(document.warnings, [], file)
        covers(text, document.structure)
        assert.include(JSON.stringify(document.structure?.map(({ path }) => path)), '"', file)
      }
    })
  )
})

describe("JSON Lines", () => {
  it.effect("has a record a block, none in two chunks when it fits, and counts lines that are no JSON", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 50 }, (_, id) => JSON.stringify({ id, text: "some words ".repeat(5) }))
      const text = `${records.join("\n")}\nbroken\n`
      const document = yield* parse("a.jsonl", text)
      assert.strictEqual(document.structure?.length, 51)
      assert.match(document.warnings.join(), /^1 lines are no JSON, line 51 the first$/u)
      const chunks = yield* chunksOf("a.jsonl", text, { maxTokens: 100, overlapTokens: 0 })
      assert.isAbove(chunks.length, 5)
      for (const record of records) assert.isTrue(chunks.some((chunk) => chunk.text.includes(record)))
    })
  )
})

describe("YAML", () => {
  const text = `# whole\nname: x\n\n# how it is served\nserver:\n  # secure\n  tls:\n    cert: ${"a ".repeat(60)}\n  ports:\n    - name: web\n      port: 1\n    - name: other\n      port: 2\n`

  it.effect("has the keys above a value as headings, with the comments above a key", () =>
    Effect.gen(function* () {
      const paths = yield* pathsOf("a.yaml", text)
      assert.deepEqual(
        paths.map(([path]) => path),
        ["", "server > tls", "server"]
      )
      assert.match(paths[1]?.[1] ?? "", /^# how it is served\nserver:\n {2}# secure\n {2}tls:/u)
      assert.include(paths[2]?.[1], "- name: other")
    })
  )

  it.effect("numbers the documents of a stream", () =>
    Effect.gen(function* () {
      const paths = yield* pathsOf(
        "a.yml",
        `---\nkind: A\nspec:\n  text: ${"a ".repeat(80)}\n---\nkind: B\nname: ${"b ".repeat(60)}\n`
      )
      assert.deepEqual(
        paths.map(([path]) => path),
        ["[0]", "[0] > spec", "[1]"]
      )
    })
  )

  it.effect("finds the outer keys of a long text, and says what is no YAML", () =>
    Effect.gen(function* () {
      const long = Array.from({ length: 3 }, (_, at) => `key${at}:\n${`  - ${"word ".repeat(20)}\n`.repeat(900)}`).join(
        ""
      )
      const { structure } = yield* parse("a.yaml", long)
      assert.deepEqual(
        structure?.map(({ path }) => path),
        [["key0"], ["key1"], ["key2"]]
      )
      assert.match((yield* parse("a.yaml", 'a: "open\nb: 1\n')).warnings.join(), /no valid YAML/u)
    })
  )

  it.effect("does not expand aliases", () =>
    Effect.gen(function* () {
      const bomb = `a: &a [${"x,".repeat(9)}]\n${"bcdefghi"
        .split("")
        .map((key, at) => `${key}: &${key} [${`*${"abcdefgh".charAt(at)},`.repeat(9)}]`)
        .join("\n")}\n`
      assert.strictEqual((yield* parse("a.yaml", bomb)).markdown, bomb)
    })
  )
})

describe("XML", () => {
  it.effect("has the elements above a text as headings, numbered among their like", () =>
    Effect.gen(function* () {
      const entry = (text: string) =>
        `  <entry>\n    <title>${text}</title>\n    <p>Some <b>bold</b> ${"words ".repeat(120)}</p>\n  </entry>\n`
      const text = `<?xml version="1.0"?>\n<feed>\n  <updated>2024</updated>\n${entry("First")}${entry("Second 🙂")}</feed>\n`
      const document = yield* parse("a.xml", text)
      assert.strictEqual(document.markdown, text)
      covers(text, document.structure)
      assert.deepEqual(
        document.structure?.map(({ path }) => path?.join(" > ")),
        ["feed", "feed > entry[1]", "feed > entry[2]"]
      )
    })
  )

  it.effect("reads what is not well-formed as lines, with a warning, and resolves nothing outside", () =>
    Effect.gen(function* () {
      assert.match((yield* parse("a.xml", "<a><b></a>")).warnings.join(), /no well-formed XML/u)
      const outside = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
      const document = yield* parse("a.xml", outside)
      assert.deepEqual([document.markdown, document.warnings], [outside, []])
      assert.match((yield* parse("a.xml", "<a>".repeat(50_000))).warnings.join(), /nested too deeply|no well-formed/u)
    })
  )
})
