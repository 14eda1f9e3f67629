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

const settings = (text: string) => `"text": "${text.repeat(200)}"`

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
        const paths = JSON.stringify(document.structure?.map(({ path }) => path))
        // A short one is one part.
        if (text.length > 1000) assert.include(paths, '"', file)
      }
    })
  )
})

describe("keys", () => {
  it.effect("name a long item of a list by its title, name or id", () =>
    Effect.gen(function* () {
      const items = [
        { id: 7, text: "x".repeat(700) },
        { id: 8, name: "Lund\n  South", parts: [{ a: "y".repeat(700) }] },
        { properties: { name: "Malmö" }, text: "z".repeat(700) },
        { name: "", text: "z".repeat(700) }
      ]
      assert.deepEqual(
        (yield* pathsOf("a.json", JSON.stringify({ items }, null, 2))).map(([path]) => path),
        [
          "items > [0] 7",
          "items > [1] Lund South",
          "items > [1] Lund South > parts > [0]",
          "items > [2] Malmö",
          "items > [3]"
        ]
      )
    })
  )

  it.effect("are headings though they are empty, long or of several lines", () =>
    Effect.gen(function* () {
      const value = { a: "x".repeat(200) }
      const text = JSON.stringify({ "": value, " ": value, "b\nc": value, ["🙂".repeat(200)]: value })
      const paths = (yield* pathsOf("a.json", text)).map(([path]) => path)
      assert.deepEqual(paths.slice(0, 3), ['""', '" "', "b c"])
      assert.strictEqual(paths[3], `${"🙂".repeat(49)}…`)
    })
  )
})

describe("line ends", () => {
  it.effect("of each kind give the same blocks", () =>
    Effect.gen(function* () {
      const long = "words ".repeat(60)
      const texts = {
        "a.json": `{\n  "a": {\n    "b": "${long}"\n  },\n  "c": {\n    "d": "${long}"\n  }\n}\n`,
        "a.yaml": `# all\na:\n  b: ${long}\n# more\nc:\n  d: ${long}\n`,
        "a.xml": `<a>\n  <b>\n    <e>${long}</e>\n  </b>\n  <c>\n    <e>${long}</e>\n  </c>\n</a>\n`
      }
      for (const [path, text] of Object.entries(texts)) {
        const expected = yield* pathsOf(path, text)
        assert.lengthOf(expected, 2, path)
        for (const end of ["\r\n", "\r"]) {
          const found = yield* pathsOf(path, text.replaceAll("\n", end))
          assert.deepEqual(
            found.map(([keys, part]) => [keys, part.replaceAll(end, "\n")]),
            expected.map(([keys, part]) => [keys, part]),
            path
          )
        }
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
      assert.match(document.warnings.join(), /^line 51 is no JSON$/u)
      const chunks = yield* chunksOf("a.jsonl", text, { maxTokens: 100, overlapTokens: 0 })
      assert.isAbove(chunks.length, 5)
      for (const record of records) assert.isTrue(chunks.some((chunk) => chunk.text.includes(record)))
    })
  )
})

describe("YAML", () => {
  const text = `# whole\nname: x\n\n# how it is served\nserver:\n  # secure\n  tls:\n    cert: ${"a ".repeat(100)}\n  ports:\n    - name: web\n      port: 1\n    - name: other\n      port: 2\n`

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

  it.effect("numbers the documents of a stream, with their names", () =>
    Effect.gen(function* () {
      const paths = yield* pathsOf(
        "a.yml",
        `---\nkind: A\nspec:\n  text: ${"a ".repeat(90)}\n---\nkind: B\nmetadata: { name: web }\ntext: ${"b ".repeat(90)}\n`
      )
      assert.deepEqual(
        paths.map(([path]) => path),
        ["[0]", "[0] > spec", "[1] web"]
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
  it.effect("has the elements above a text as headings, numbered among their like and with their names", () =>
    Effect.gen(function* () {
      const entry = (text: string) =>
        `  <entry>\n    <title>${text}</title>\n    <p>Some <b>bold</b> ${"words ".repeat(120)}</p>\n  </entry>\n`
      const text = `<?xml version="1.0"?>\n<feed>\n  <updated>2024</updated>\n${entry("First")}${entry("Second 🙂")}</feed>\n`
      const document = yield* parse("a.xml", text)
      assert.strictEqual(document.markdown, text)
      covers(text, document.structure)
      assert.deepEqual(
        document.structure?.map(({ path }) => path?.join(" > ")),
        ["feed", "feed > entry[1] First", "feed > entry[2] Second 🙂"]
      )
    })
  )

  it.effect("names an element by its title, name or id, and takes one with a title for a chapter", () =>
    Effect.gen(function* () {
      const words = "words ".repeat(40)
      const text = `<book id="b">\n<chapter id="one"><title>One &amp; all</title><p>${words}</p></chapter>\n<chapter><title>Two</title><p>${words}</p></chapter>\n<row name="r"><p>${words}</p></row>\n<row><p>${words}</p></row>\n</book>\n`
      assert.deepEqual(
        (yield* pathsOf("a.xml", text)).map(([path]) => path),
        ["book b > chapter[1] One & all", "book b > chapter[2] Two", "book b", "book b"]
      )
    })
  )

  it.effect("is decoded by the encoding that it declares, unless its bytes are not valid in it", () =>
    Effect.gen(function* () {
      const start = (encoding: string) => new TextEncoder().encode(`<?xml version='1.0' encoding='${encoding}'?><a>`)
      const sjis = new Uint8Array([...start("Shift_JIS"), 0x93, 0xfa, 0x96, 0x7b, ...new TextEncoder().encode("</a>")])
      assert.match((yield* parse("a.xml", sjis)).markdown, /<a>日本<\/a>/u)
      const utf8 = new Uint8Array([...start("us-ascii"), ...new TextEncoder().encode("日本</a>")])
      assert.deepEqual((yield* parse("a.xml", sjis)).warnings, [])
      assert.match(
        (yield* parse("a.xml", new Uint8Array([...start("x-none"), ...utf8.subarray(-10)]))).markdown,
        /日本<\/a>/u
      )
      const wrong = yield* parse(
        "a.xml",
        new Uint8Array([...start("utf-8"), 0xe9, ...new TextEncoder().encode("</a>")])
      )
      assert.match(wrong.markdown, /<a>é<\/a>/u)
      assert.isNotEmpty(wrong.warnings)
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
