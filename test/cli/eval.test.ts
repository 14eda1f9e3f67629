import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Evaluation from "docsluice/Evaluation"
import { Effect, Either, Schema } from "effect"
import * as AgentPlace from "./agentPlace.ts"
import type { Result } from "./run.ts"
import { runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

const comparison = ({ stdout }: Result) => Schema.decodeSync(Schema.parseJson(Evaluation.Comparison))(stdout)

const values = (result: Result, measure: string) =>
  comparison(result).runs.map(({ name, result: { levels } }) => [name, levels.at(-1)?.measures[measure]?.value])

/** A workplace with a file of questions: two that its documents answer, and one that they do not. */
const place = Effect.gen(function* () {
  const made = yield* Workplace.make
  const questions = join(made.folder, "questions.csv")
  writeFileSync(
    questions,
    "question,source,quote,kind\n" +
      "When is a gauge calibrated?,gauges.pdf,calibrated in spring,dates\n" +
      "Where does a thermometer read?,sensors.pdf,reads in the shade,\n" +
      "What does the mast need?,letters.pdf,a new halyard,\n"
  )
  return { ...made, questions, to: `libsql:${join(made.folder, "chunks.db")}` }
})

/** A model that asks about the passage, with a quote of its last line, or of nothing that is there. */
const writing = (quotes: boolean) =>
  AgentPlace.model((messages) => {
    const [, text = ""] = /=====passage=====\n([\s\S]*)\n=====passage=====/u.exec(messages.at(-1)?.content ?? "") ?? []
    const quote = quotes ? (text.trim().split("\n").at(-1) ?? "") : "words that stand nowhere"
    const question = { question: `What about ${quote.length}?`, answer: "so", quote }
    return { text: `\`\`\`json\n${JSON.stringify(question)}\n\`\`\`` }
  })

const written = ({ stdout }: Result) =>
  Either.getOrThrow(Evaluation.decodeQuestions("made.jsonl", stdout)).map(({ pages, quote, source }) => ({
    pages,
    quote,
    source
  }))

describe("docsluice eval make", () => {
  it.scopedLive("writes questions that eval reads, each with a quote of its passage, the same for the same seed", () =>
    Effect.gen(function* () {
      const { docs, folder, ingest, run, service, state, to } = yield* place
      const model = yield* writing(true)
      const given = ["--service", service.base, "--state", state, "--root", docs, "--model", model.target]
      const made = yield* run("eval", "make", ".", ...given)
      assert.strictEqual(made.status, 0, made.stderr)
      assert.deepStrictEqual(written(made), [
        { pages: 1, quote: "Every gauge is calibrated in spring, before the thaw.", source: "gauges.pdf" }
      ])
      assert.include(made.stderr, "wrote 1 question; 0 answers dropped, 1,520 tokens")
      assert.strictEqual((yield* run("eval", "make", ".", ...given)).stdout, made.stdout)
      yield* ingest("--to", to)
      const fromStore = yield* run("eval", "make", "--to", to, "--model", model.target)
      assert.strictEqual(fromStore.stdout, made.stdout)
      const file = join(folder, "made.jsonl")
      writeFileSync(file, made.stdout)
      const asked = yield* run("eval", file, "--to", to, "--min-score", "0", "--json")
      assert.strictEqual(asked.status, 0)
    })
  )

  it.scopedLive("keeps no question whose quote is not of the passage, and asks nothing beyond its tokens", () =>
    Effect.gen(function* () {
      const { ingest, run, to } = yield* place
      yield* ingest("--to", to)
      const model = yield* writing(false)
      const none = yield* run("eval", "make", "--to", to, "--model", model.target)
      assert.deepInclude(none, { status: 1, stdout: "" })
      assert.include(none.stderr, "wrote 0 questions; 1 answer dropped")
      const asked = model.asked.length
      const bounded = yield* run("eval", "make", "--to", to, "--model", model.target, "--model-tokens", "100")
      assert.include(bounded.stderr, "the tokens of --model-tokens are used up")
      assert.strictEqual(model.asked.length, asked)
      assert.deepInclude(yield* run("eval", "make", "--to", to), { status: 64, stdout: "" })
    })
  )
})

describe("docsluice eval", () => {
  it.scopedLive("measures a store as it is, and shows what was wanted where nothing was found", () =>
    Effect.gen(function* () {
      const { folder, ingest, questions, run, to } = yield* place
      yield* ingest("--to", to)
      const before = readdirSync(folder)
      const { status, stderr, stdout } = yield* run(
        "eval",
        questions,
        "--to",
        to,
        "--k",
        "1,3",
        "--tokens",
        "500",
        "--min-score",
        "0"
      )
      assert.deepStrictEqual([status, stderr], [0, ""])
      const lines = stdout.split("\n").map((line) => line.trim().replaceAll(/ {2,}/gu, "  "))
      assert.deepStrictEqual(lines.slice(0, 4), [
        "document, 3 questions",
        "RECALL  @1  @3  MRR  NDCG@3  500 TOKENS",
        "fused  1.000  1.000  1.000  1.000  1.000",
        "95 %: from  1.000  1.000  1.000  1.000  1.000"
      ])
      assert.include(lines, "passage, 3 questions")
      assert.include(lines, "fused  0.667  0.667  0.667  0.667  0.667")
      assert.include(lines, "dates (1)  1.000  1.000  1.000  1.000  1.000")
      assert.include(
        stdout,
        "1 question without a right hit\nWhat does the mast need?\n  wanted letters.pdf, “a new halyard” (not found)\n  came letters.pdf, p. 1"
      )
      assert.deepStrictEqual(readdirSync(folder), before)
    })
  )

  it.scopedLive("asks by words, by vectors and by both, and refuses vectors that the store has not", () =>
    Effect.gen(function* () {
      const { folder, ingest, questions, run, to } = yield* place
      yield* ingest("--to", to, "--embedder", "hash")
      const all = yield* run("eval", questions, "--to", to, "--by", "words,vectors,fused", "--json")
      assert.deepStrictEqual(
        values(all, "hit@10").map(([name]) => name),
        ["words", "vectors", "fused"]
      )
      const plain = `libsql:${join(folder, "plain.db")}`
      yield* ingest("--to", plain)
      const refused = yield* run("eval", questions, "--to", plain, "--by", "vectors")
      assert.match(refused.stderr, /its chunks have no vectors/)
      assert.notStrictEqual(refused.status, 0)
    })
  )

  it.scopedLive(
    "ends with 1 where a measure is worse than in the baseline by more than the tolerance, and says which",
    () =>
      Effect.gen(function* () {
        const { folder, ingest, questions, run, to } = yield* place
        yield* ingest("--to", to)
        const baseline = join(folder, "baseline.json")
        const first = yield* run("eval", questions, "--to", to, "--json")
        writeFileSync(baseline, first.stdout)
        const same = ["eval", questions, "--to", to, "--baseline", baseline]
        assert.deepInclude(yield* run(...same), { status: 0, stderr: "" })
        const worse = yield* run(...same, "--filter", "source=gauges.pdf")
        assert.strictEqual(worse.status, 1)
        assert.include(worse.stderr, "worse than the baseline: fused, passage, recall@1: 0.667 before, 0.333 now\n")
        assert.strictEqual((yield* run(...same, "--filter", "source=gauges.pdf", "--tolerance", "0.7")).status, 0)
        const less = yield* run(...same, "--k", "1,3,5")
        assert.include(less.stderr, "recall@10: 0.667 before, not measured now")
        writeFileSync(baseline, "{}")
        assert.deepInclude(yield* run(...same), { status: 64, stdout: "" })
      })
  )

  it.scopedLive("stores documents in every combination in a temporary folder, and parses each once", () =>
    Effect.gen(function* () {
      const { docs, folder, questions, run, service, state } = yield* place
      const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("docsluice-eval-"))
      const before = temporary()
      const given = ["--service", service.base, "--state", state]
      const axes = [
        "--chunker",
        "auto,blocks",
        "--max-tokens",
        "8,64",
        "--embedder",
        "none,hash",
        "--by",
        "words,fused"
      ]
      const result = yield* run("eval", questions, ".", "--root", docs, ...given, ...axes, "--json")
      assert.strictEqual(result.status, 0, result.stderr)
      const names = ["auto 8", "auto 64", "blocks 8", "blocks 64"].flatMap((chunker) =>
        ["none, words", "hash, words", "hash, fused"].map((way) => `${chunker}, ${way}`)
      )
      assert.deepStrictEqual(
        comparison(result).runs.map(({ name }) => name),
        names
      )
      assert.match(result.stderr, /^auto 8, none: \d+ chunks$/mu)
      assert.deepStrictEqual(values(result, "hit@10").slice(0, 1), [["auto 8, none, words", 1 / 3]])
      const asked = service.log.length
      const again = yield* run("eval", questions, ".", "--root", docs, ...given, ...axes, "--json")
      assert.strictEqual(again.stdout, result.stdout)
      assert.strictEqual(service.log.length, asked)
      assert.strictEqual(asked, 3)
      assert.deepStrictEqual(temporary(), before)
      assert.isFalse(existsSync(join(folder, "chunks.db")))
      assert.isFalse(existsSync(join(state, "ledger.db")))
    })
  )

  it.scopedLive(
    "writes a page with measures, curves and misses that loads nothing, and escapes what questions say",
    () =>
      Effect.gen(function* () {
        const { folder, ingest, run, to } = yield* place
        yield* ingest("--to", to)
        const [file, out] = [join(folder, "q.jsonl"), join(folder, "page.html")]
        writeFileSync(
          file,
          '{"question":"Where is the <script>alert(1)</script> mast?","source":"letters.pdf","quote":"a new halyard","answer":"a & b"}'
        )
        const asked = ["eval", file, "--to", to, "--min-score", "0", "--by", "words,fused"]
        const written = yield* run(...asked, "--html", out)
        assert.strictEqual(written.status, 0)
        assert.match(written.stderr, /page\.html: the measures of 2 searches/)
        assert.match(written.stdout, /^passage, 1 question$/mu)
        const page = readFileSync(out, "utf8")
        assert.notMatch(page, /<script|<img|<link|src=|href=/u)
        assert.include(page, "Where is the &lt;script>alert(1)&lt;/script> mast?")
        assert.include(page, "a new halyard")
        assert.include(page, "letters.pdf, p. 1")
        // At each of two levels two figures of two lines.
        assert.strictEqual(page.split("<polyline").length - 1, 8)
        const alone = yield* run(...asked, "--html", "-")
        assert.strictEqual(alone.stdout, page)
        assert.strictEqual((yield* run(...asked, "--html", "-", "--json")).status, 64)
      })
  )

  it.scopedLive("says how documents are named where no hit is of one that the questions name", () =>
    Effect.gen(function* () {
      const { folder, ingest, run, to } = yield* place
      yield* ingest("--to", to)
      const file = join(folder, "q.jsonl")
      writeFileSync(file, '{"question":"When is a gauge calibrated?","source":"manuals/gauges.pdf"}')
      const { status, stderr } = yield* run("eval", file, "--to", to, "--min-score", "0")
      assert.strictEqual(status, 0)
      assert.match(stderr, /no hit is of a document that the questions name; hits are named like this: gauges\.pdf/)
    })
  )

  it("answers 64 to questions that cannot be used, with file, line and field, before any store is opened", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-questions-"))
    try {
      const file = join(folder, "q.jsonl")
      writeFileSync(file, '{"question":"a","source":"b"}\n{"question":"a","source":"b","pages":["x"]}\n')
      for (const [args, word] of [
        [[file, "--to", "libsql:nowhere.db"], /q\.jsonl, line 2, pages/],
        [[join(folder, "none.csv"), "--to", "libsql:nowhere.db"], /none\.csv: no such file$/mu],
        [[file, "--to", "libsql:nowhere.db", "--k", "1,0"], /--k: expected/],
        [[file, "--to", "libsql:nowhere.db", "--by", "meaning"], /--by: expected some of words,vectors,fused/]
      ] as const) {
        const { status, stderr, stdout } = await runHere(["eval", ...args])
        assert.match(stderr, word)
        assert.deepStrictEqual([status, stdout], [64, ""])
      }
      writeFileSync(file, '{"question":"a","source":"b"}\n')
      assert.match((await runHere(["eval", file])).stderr, /name the store/)
      assert.strictEqual((await runHere(["eval", file, "--to", `libsql:${join(folder, "no.db")}`])).status, 2)
      assert.isFalse(existsSync("nowhere.db"))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
