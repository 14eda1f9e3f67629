import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Hit } from "docsluice/ChunkSink"
import { Verdict } from "docsluice/Verification"
import { Effect, Schema } from "effect"
import Libsql from "libsql"
import * as HitList from "../../src/cli/HitList.ts"
import * as Snippet from "../../src/cli/Snippet.ts"
import * as Terminal from "../../src/cli/Terminal.ts"
import { commandLine } from "../fixtures/commandLine.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import { runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

describe("docsluice search", () => {
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
      /twice.*\$in/
    ],
    [
      "a page that is no number",
      ["search", "x", "--to", "libsql:nowhere.db", "--filter", "page=ii"],
      /page is a number/
    ],
    [
      "a filter that is no JSON",
      ["search", "x", "--to", "libsql:nowhere.db", "--filter", "{year: 1}"],
      /single quotes/
    ],
    [
      "an operator that there is not",
      ["search", "x", "--to", "libsql:nowhere.db", "--filter", '{"metadata.year":{"gte":1}}'],
      /--filter: filter\["metadata\.year"\]\.gte: .*operators begin with \$: \$gte/
    ],
    [
      "a field that there is not",
      ["search", "x", "--to", "libsql:nowhere.db", "--filter", '{"year":2020}'],
      /write "metadata\.year"/
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

  it.scopedLive("names a tenant that has nothing in a store of others", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* Workplace.make
      const store = `libsql:${folder}/shared.db`
      yield* run("ingest", "docs", "--to", `${store}?tenant=acme`, "--quiet")
      const found = yield* run("search", "gauge", "--to", store, "--tenant", "acme", "--min-score", "0")
      assert.strictEqual(found.status, 0)
      for (const asking of [
        ["search", "gauge", "--to", store],
        ["ingest", "docs", "--to", store, "--no-state"]
      ]) {
        const unnamed = yield* run(...asking)
        assert.match(unnamed.stderr, /serves several tenants; search with --tenant NAME, or give \?tenant=NAME/u)
      }
      const { status, stderr } = yield* run("search", "gauge", "--to", store, "--tenant", "nobody")
      assert.strictEqual(status, 2)
      assert.include(stderr, "shared.db, tenant nobody: there is no store; ingest makes it")
    })
  )

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

  it.scopedLive("tells of each sentence of an answer where it stands, and answers 0 only if all do", () =>
    Effect.gen(function* () {
      const { folder, ingest, run } = yield* Workplace.make
      const to = `libsql:${join(folder, "chunks.db")}`
      yield* ingest("--to", to)
      const standing = "Every gauge is calibrated in spring, before the thaw."
      assert.deepStrictEqual(yield* run("search", "--verify", standing, "--to", to), {
        status: 0,
        stdout: `${standing}\n    gauges.pdf, p. 1\n`,
        stderr: ""
      })
      const answer = `${standing} Every gauge is calibrated in autumn, before the thaw. Robots do that.`
      const { status, stderr, stdout } = yield* run("search", "--verify", answer, "--to", to)
      assert.strictEqual(status, 1)
      assert.include(stderr, "1 of 3 sentences stand word for word")
      assert.deepStrictEqual(stdout.split("\n"), [
        standing,
        "    gauges.pdf, p. 1",
        "Every gauge is calibrated in autumn, before the thaw.",
        "    nearly in gauges.pdf, p. 1: “spring,” stands there, not “autumn,”",
        "Robots do that.",
        "    no source",
        ""
      ])
      const json = yield* run("search", "--verify", answer, "--to", to, "--json")
      const verdicts = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Verdict)))(json.stdout)
      assert.deepStrictEqual(
        verdicts.map(({ stands }) => stands),
        ["exact", "close", "absent"]
      )
      assert.deepStrictEqual(verdicts[0]?.places[0]?.pages, [1])
    })
  )

  it.scopedLive("takes an answer from standard input", () =>
    Effect.gen(function* () {
      const { folder, ingest } = yield* Workplace.make
      const to = `libsql:${join(folder, "chunks.db")}`
      yield* ingest("--to", to)
      const piped = (input: string) => {
        const { status, stdout } = spawnSync(
          process.execPath,
          [commandLine().main, "search", "--verify", "-", "--to", to],
          { input, encoding: "utf8" }
        )
        return { status, stdout }
      }
      assert.deepStrictEqual(piped("Every gauge is calibrated\nin spring.\n"), {
        status: 1,
        stdout:
          "Every gauge is calibrated in spring.\n    nearly in gauges.pdf, p. 1: “spring,” stands there, not “spring.”\n"
      })
      assert.strictEqual(piped("Every gauge is calibrated in spring\n").status, 0)
      assert.strictEqual(piped(" ").status, 64)
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
            "1. gauges.pdf, p. 1  (1, matched 100 %)",
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
      for (const [filter, sources] of [
        ["source=gauges.pdf", "gauges.pdf"],
        ["page=2", ""],
        ['{"heading":{"$contains":"Gau"}}', "gauges.pdf"],
        ['{"$not":{"metadata.language":"en"}}', "letters.pdf"]
      ] as const) {
        const found = yield* run(
          "search",
          "in gauge mast",
          "--min-score",
          "0",
          "--to",
          to,
          "--json",
          "--filter",
          filter
        )
        assert.strictEqual([...new Set(Workplace.hitsOf(found).map(({ source }) => source))].join(), sources, filter)
      }
    })
  )
})

describe("the hits of a search", () => {
  const hit = (text: string, words: ReadonlyArray<string>): Hit => ({
    score: 0.5,
    matched: 0.75,
    similarity: 0.25,
    relevance: 0.9,
    highlights: words.map((word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length })),
    chunk: chunk("gauges.md", 0, { text }),
    before: [chunk("gauges.md", 1, { text: "The chunk before." })]
  })

  const written = (terminal: boolean) =>
    Effect.gen(function* () {
      const parts: Array<string> = []
      const stream = {
        isTTY: terminal,
        columns: 80,
        write: (text: string, done?: () => void) => {
          parts.push(text)
          done?.()
        }
      }
      const { result } = Terminal.make({ stdout: stream, stderr: stream }, { quiet: false, colours: true })
      const hits = [
        hit("Every gauge is calibrated in spring, \u001B[31mno gauges are.", ["gauge", "calibrated"]),
        hit("中国的首都是北京。", ["首都"])
      ]
      yield* result(HitList.text(hits, "calibrating gauges", 80))
      return parts.join("")
    })

  it.effect("have their words in bold in a terminal, and no codes of the text", () =>
    Effect.gen(function* () {
      const shown = yield* written(true)
      assert.include(shown, "Every \u001B[1mgauge\u001B[22m is \u001B[1mcalibrated\u001B[22m in spring")
      assert.include(shown, "中国的\u001B[1m首都\u001B[22m是北京。")
      assert.include(shown, "no gauges are.")
      assert.notInclude(shown, "\u001B[31m")
    })
  )

  it.effect("have no codes in a pipe, and say how they were found", () =>
    Effect.gen(function* () {
      const shown = yield* written(false)
      assert.notInclude(shown, "\u001B")
      assert.include(
        shown,
        "1. gauges.md  (0.5, matched 75 %, similarity 0.25)\n   before: The chunk before.\n   Every gauge"
      )
    })
  )

  it.scopedLive("are left out where nothing fits, shown with --min-score 0, and have their surroundings in JSON", () =>
    Effect.gen(function* () {
      const { folder, ingest, run } = yield* Workplace.make
      const to = `libsql:${join(folder, "chunks.db")}`
      yield* ingest("--to", to)
      const query = ["search", "gauge of a volcano under the Antarctic glacier shelf", "--to", to]
      const refused = yield* run(...query)
      assert.deepInclude(refused, { status: 1, stdout: "" })
      assert.match(refused.stderr, /fits: the relevance of the nearest is 0\.\d\d; --min-score 0 shows it/)
      assert.deepInclude(yield* run(...query, "--json"), { status: 1, stdout: "[]\n" })
      assert.match((yield* run(...query, "--min-score", "0")).stdout, /gauges\.pdf/)
      assert.match((yield* run(...query, "--min-score", "2")).stderr, /--min-score: expected a number from 0 to 1/)
      const shown = yield* run("search", "gauges", "--to", to, "--json", "--neighbours", "1", "--context")
      const [first] = JSON.parse(shown.stdout)
      assert.containsAllKeys(first, ["relevance", "similarity", "matched", "highlights", "before", "after", "parent"])
      assert.isNull(first.similarity)
      assert.strictEqual(first.matched, 1)
      assert.isAbove(first.highlights.length, 0)
      assert.isAbove(first.parent.length, 0)
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
    }
  )
})
