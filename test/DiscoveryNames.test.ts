import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Discovery from "docsluice/Discovery"
import { Effect } from "effect"
import { collect, files, names, tree } from "./fixtures/discovered.ts"

describe("Discovery of odd names", () => {
  /** Prefixes that a shell, a glob, a list or a terminal would interpret. */
  const odd = [
    "\u2028",
    "\u2029",
    "\n",
    "\r",
    "	",
    " ",
    "-",
    "--to",
    "!",
    "#",
    "\\",
    "\\*",
    "[",
    "]",
    "[a]",
    "[!a]",
    "(",
    "(1)",
    "{",
    "{a,b}",
    "'",
    '"',
    '"a"',
    "*",
    "?",
    "+(a)",
    "@(a)",
    "!(a)",
    "$",
    "&",
    "|",
    "~",
    "^",
    "%2F",
    "",
    "",
    "\x1B[31m",
    ""
  ]
  const oddFiles = odd.flatMap((stem) => [`${stem}x.pdf`, `${stem}y/in.pdf`, `a${stem}.csv`, `${stem}.psd`])
  const oddNames = Object.fromEntries(oddFiles.map((file) => [file, "1"]))
  const pdfs = oddFiles.filter((file) => file.endsWith(".pdf"))

  it.scoped.each([
    ["everything", {}],
    ["a .gitignore", { gitignore: true }],
    ["something ignored", { ignore: ["none"] }],
    ["links followed", { followSymbolicLinks: true }],
    ["the folder's own name", { patterns: [".", "**/*.pdf"] }]
  ] as const)("gives an outcome to every name, whatever it begins with or holds: %s", ([, options]) =>
    Effect.gen(function* () {
      const root = yield* tree(oddNames)
      const found = yield* collect(Discovery.discover({ root, ...options }))
      assert.deepStrictEqual(found.map((item) => item.path).toSorted(), oddFiles.toSorted())
      assert.strictEqual(files(found).length, odd.length * 3)
    })
  )

  it.scoped("takes odd names as arguments, folders, static parts of a pattern and lines of a list", () =>
    Effect.gen(function* () {
      const root = yield* tree(oddNames)
      for (const stem of odd) {
        const [file, folder] = [`${stem}x.pdf`, `${stem}y`]
        for (const more of [{}, { ignore: ["none"] }, { gitignore: true }]) {
          assert.deepStrictEqual(yield* names({ root, patterns: [file], ...more }), [file])
          assert.deepStrictEqual(yield* names({ root, filesFrom: [file], ...more }), [file])
          assert.deepStrictEqual(yield* names({ root, patterns: [folder], ...more }), [`${folder}/in.pdf`])
          assert.deepStrictEqual(yield* names({ root, patterns: [`./${folder}/*.pdf`], ...more }), [`${folder}/in.pdf`])
        }
      }
    })
  )

  it.scoped("leaves odd names out that are ignored, excluded or negated, and no other", () =>
    Effect.gen(function* () {
      const root = yield* tree(oddNames)
      for (const stem of odd) {
        const [file, folder] = [`${stem}x.pdf`, `${stem}y`]
        const left = pdfs.filter((name) => name !== file && name !== `${folder}/in.pdf`).toSorted()
        const patterns = ["**/*.pdf"]
        assert.deepStrictEqual(yield* names({ root, patterns, ignore: [file, folder] }), left)
        assert.deepStrictEqual(
          yield* names({ root, patterns, exclude: [path.join(root, file), path.join(root, folder)] }),
          left
        )
        assert.deepStrictEqual(
          yield* names({ root, patterns: [file, ...patterns], ignore: [file, `${folder}/`] }),
          left
        )
      }
      const rules = ["?x.pdf", "?y/", "\\!(a)x.pdf", "\\[a\\]*", '"a"x.pdf']
      fs.writeFileSync(path.join(root, ".gitignore"), rules.join("\n"))
      const single = (name: string) => name.length === "?x.pdf".length || /^.y\//su.test(name)
      assert.deepStrictEqual(
        yield* names({ root, patterns: ["**/*.pdf"], gitignore: true }),
        pdfs.filter((name) => !single(name) && !/^(!\(a\)x|"a"x|\[a\])/.test(name)).toSorted()
      )
    })
  )

  it.scoped("matches a line break and a quote by a wildcard, and a backslash by two of them", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        "a\nb.pdf": "1",
        "a\u2028b.pdf": "1",
        'a"b.pdf': "1",
        "a\\b.pdf": "1",
        "a\uF78Ab.pdf": "1",
        "ab.pdf": "1"
      })
      assert.deepStrictEqual(yield* names({ root, patterns: ["a?b.pdf"] }), [
        "a\nb.pdf",
        'a"b.pdf',
        "a\\b.pdf",
        "a\u2028b.pdf"
      ])
      assert.deepStrictEqual(yield* names({ root, patterns: ["?\\\\*"] }), ["a\\b.pdf"])
      assert.deepStrictEqual(yield* names({ root, patterns: ['*"b*'] }), ['a"b.pdf'])
      assert.deepStrictEqual(yield* names({ root, patterns: ["?\nb.*"] }), ["a\nb.pdf"])
      assert.deepStrictEqual(yield* names({ root, patterns: ["*\uF78Ab*"] }), ["a\uF78Ab.pdf"])
    })
  )

  it.scoped("refuses names that are not UTF-8, pipes and sockets, and says so of each", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1" })
      const at = (name: Buffer) => Buffer.concat([Buffer.from(`${root}/`), name])
      fs.writeFileSync(at(Buffer.from([0xff, ...Buffer.from("b.pdf")])), "1")
      fs.mkdirSync(at(Buffer.from([0x63, 0xfe])))
      execFileSync("mkfifo", [path.join(root, "pipe.pdf"), path.join(root, "pipe")])
      for (const options of [{}, { ignore: ["none"] }, { followSymbolicLinks: true }]) {
        assert.deepStrictEqual(yield* names({ root, ...options }), [
          "a.pdf",
          "c\uFFFD!FileUnreadable",
          "pipe?",
          "pipe.pdf!FileUnreadable",
          "\uFFFDb.pdf!FileUnreadable"
        ])
      }
    })
  )
})
