import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import Libsql from "libsql"
import * as Snippet from "../../src/cli/Snippet.ts"
import { runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

describe("docsluice search", { timeout: 60_000 }, () => {
  it.each([
    ["no store", ["search", "gauge"], /--to libsql:FILE/],
    ["an empty query", ["search", " ", "--to", "libsql:nowhere.db"], /query is empty/],
    [
      "a sink that cannot search",
      ["search", "gauge", "--to", "jsonl:chunks.jsonl"],
      /jsonl:chunks\.jsonl cannot be searched/
    ],
    ["two stores", ["search", "gauge", "--to", "libsql:a.db", "--to", "lancedb:b"], /one store at a time/],
    ["a filter without a value", ["search", "gauge", "--to", "libsql:nowhere.db", "--filter", "topic"], /KEY=VALUE/],
    [
      "a key that is filtered twice",
      ["search", "gauge", "--to", "libsql:nowhere.db", "--filter", "a=1", "--filter", "a=2"],
      /twice/
    ],
    [
      "a limit of none",
      ["search", "gauge", "--to", "libsql:nowhere.db", "--limit", "0"],
      /--limit: expected a whole number/
    ],
    [
      "a target that is no address",
      ["search", "gauge", "--to", "pgvector:localhost/rag"],
      /--to pgvector: expected postgres:/
    ]
  ] as const)("answers 64 to %s, with a word on why", async (_, args, word) => {
    const { status, stderr, stdout } = await runHere(args)
    assert.match(stderr, word)
    assert.strictEqual(stdout, "")
    assert.strictEqual(status, 64)
    assert.isFalse(existsSync("nowhere.db"))
  })

  it.scopedLive("answers 2 where there is no store, one of somebody else or no server, and makes nothing", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* Workplace.make
      writeFileSync(
        join(folder, "text.db"),
        "This is a text that is longer than the header of a database, by far.\n".repeat(99)
      )
      const other = new Libsql(join(folder, "other.db"))
      other.exec("CREATE TABLE people (name TEXT)")
      other.close()
      const before = readdirSync(folder).toSorted()
      const targets = [
        "libsql:nowhere.db",
        "libsql:nowhere/nowhere.db",
        "libsql:text.db",
        "libsql:other.db",
        "lancedb:nowhere",
        "lancedb:docs",
        "lancedb:docs#parts"
      ].map((target) => target.replace(":", `:${folder}/`))
      for (const target of [...targets, "qdrant:http://127.0.0.1:1", "pgvector:postgres://127.0.0.1:1/rag"]) {
        const { status, stderr, stdout } = yield* run("search", "gauge", "--to", target, "--json")
        assert.deepStrictEqual({ target, status, stdout }, { target, status: 2, stdout: "" })
        assert.match(stderr, /there is no store|not a database|cannot be reached|is not there/)
      }
      const left = readdirSync(folder).filter((name) => !/^other\.db-(wal|shm)$/.test(name))
      assert.deepStrictEqual(left.toSorted(), before)
      const tables = new Libsql(join(folder, "other.db")).prepare("SELECT name FROM sqlite_master").all([])
      assert.deepStrictEqual(tables, [{ name: "people" }])
    })
  )

  it.scopedLive("tells a reader rank, score, source, page, headings and what stands around the words", () =>
    Effect.gen(function* () {
      const { folder, ingest, run } = yield* Workplace.make
      const to = `libsql:${join(folder, "chunks.db")}`
      yield* ingest("--to", to)
      const found = yield* run("search", "gauge", "calibrated", "--to", to)
      assert.deepStrictEqual(
        { ...found, stdout: found.stdout.split("\n") },
        {
          status: 0,
          stderr: "",
          stdout: [
            "1. gauges.pdf, p. 1  (0.5)",
            "   Gauges › Calibration",
            "   # Gauges ## Calibration Every gauge is calibrated in spring, before the thaw.",
            ""
          ]
        }
      )
      const none = yield* run("search", "volcano", "--to", to)
      assert.deepStrictEqual(none, { status: 1, stdout: "", stderr: `nothing found in ${to}\n` })
      assert.deepInclude(yield* run("search", "volcano", "--to", to, "--json"), { status: 1, stdout: "[]\n" })
      const vectors = yield* run("search", "gauge", "--to", to, "--embedder", "hash")
      assert.deepInclude(vectors, { status: 64, stdout: "" })
      assert.match(vectors.stderr, /holds chunks without vectors/)
      const wanted = yield* run("search", "in", "--to", to, "--json", "--filter", "language=en", "--limit", "1")
      assert.deepStrictEqual(
        Workplace.hitsOf(wanted).map(({ metadata }) => metadata["language"]),
        ["en"]
      )
    })
  )
})

describe("Snippet", () => {
  const filler = "lorem ipsum dolor sit amet ".repeat(20)

  it("shows where most words of the query stand together, long ones before short ones, cut between words", () => {
    const text = `${filler}is at of. ${filler}The gauge of calibration. ${filler}`
    const shown = Snippet.around(text, "What is the calibration of a GAUGE?", 100)
    assert.match(shown, /^….*\bThe gauge of calibration\..*…$/)
    assert.isAtMost(shown.length, 102)
    assert.match(shown.slice(1, -1), /^(lorem|ipsum|dolor|sit|amet) .* (lorem|ipsum|dolor|sit|amet)$/)
  })

  it("begins at the beginning where no word is found, and keeps a short text whole", () => {
    assert.match(Snippet.around(filler, "volcano?", 50), /^lorem ipsum .*…$/)
    assert.strictEqual(Snippet.around("a\n\n| b |\n| --- |\n\tc", "?", 50), "a | b | c")
  })

  it("holds nothing that a terminal obeys", () => {
    assert.strictEqual(Snippet.plain("a\u001B[31mb\u0007\u202Ec\r\nd\u009B"), "a [31mb c d")
  })

  it.prop(
    "never cuts a character in two, and never gives more than was asked for",
    [Schema.Array(Schema.Literal("a", " ", "🙂", "数", "bc", "🇩🇪")), Schema.Int.pipe(Schema.between(8, 40))],
    ([parts, length]) => {
      const shown = Snippet.around(parts.join(""), "a bc", length)
      assert.notMatch(shown, /\p{Surrogate}/u)
      assert.isAtMost(shown.length, length + 2)
      const lines = Snippet.wrapped(shown, 7)
      assert.isTrue(lines.every((line) => line.length <= 7 && !/\p{Surrogate}/u.test(line)))
      assert.strictEqual(lines.join("").replaceAll(" ", ""), shown.replaceAll(" ", ""))
    }
  )
})
