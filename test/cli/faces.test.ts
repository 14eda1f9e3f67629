import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import { defaultMinScore, type Hit } from "docsluice/ChunkSink"
import * as Corpus from "docsluice/Corpus"
import { Effect, Exit, Option, Schema, Scope } from "effect"
import * as AgentStore from "../../src/cli/AgentStore.ts"
import * as Terminal from "../../src/cli/Terminal.ts"
import * as EmbeddingServer from "../embedding/server.ts"
import * as Asked from "../internal/look/askedStore.ts"
import { runHere } from "./run.ts"

const documents: Readonly<Record<string, string>> = {
  "leave.md": "Employees may take twenty five days of leave, and carry five of them over.",
  "calibration.md": "Every gauge is calibrated in spring, before the thaw.",
  "cleaning.md": "The pressure gauge at North Quay is cleaned twice a month.",
  "mast.md": "The mast of the station has three stays, each with a tension meter.",
  "logger.md": "A logger keeps readings for forty days and sends them at noon.",
  "paint.md": "Housings are painted white, so that the sun does not warm them.",
  "ferry.md": "The ferry to the island leaves at six.",
  "keys.md": "Keys of the huts hang in the office, behind the door.",
  "radio.md": "Call the office by radio before you climb.",
  "boats.md": "Boats are lifted out of the water in October.",
  "ice.md": "Ice on the sensor is melted, never scraped.",
  "fuel.md": "Fuel for the generator is kept in the shed."
}

/** Cosines of texts about one subject, and of any two others, as models of two makers have them. */
const cosines: Readonly<Record<string, readonly [related: number, unrelated: number]>> = {
  small: [0.42, 0.1],
  e5: [0.86, 0.74]
}

const subjects = [/holiday|vacation|\bleave\b/iu, /gauge/iu, /ferry|boat/iu]

/** An axis that all texts share, one for each subject, and one of its own for each text. */
const vectorOf = (text: string, model: string): ReadonlyArray<number> => {
  const [related, unrelated] = cosines[model] ?? [0, 0]
  const vector = Array.from({ length: 256 }, () => 0)
  const subject = subjects.findIndex((words) => words.test(text))
  const own = [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 251, 7)
  vector[0] = Math.sqrt(unrelated)
  if (subject >= 0) vector[1 + subject] = Math.sqrt(related - unrelated)
  vector[4 + own] = Math.sqrt(1 - (subject < 0 ? unrelated : related))
  return vector
}

const models = ({ body, input }: EmbeddingServer.Asked): EmbeddingServer.Reaction =>
  EmbeddingServer.ok(input.map((text, index) => ({ index, embedding: vectorOf(text, String(body["model"])) })))

interface Store {
  readonly to: `libsql:${string}`
  readonly embedder: "hash" | `openai:${string}` | undefined
}

/** Best first; in JSON, since the faces leave out different members. */
interface Answered {
  readonly hits: ReadonlyArray<unknown>
  /** Relevance of the nearest hit where nothing fits; undefined where the face does not tell. */
  readonly nearest?: string | undefined
}

const Figures = Schema.Struct({
  source: Schema.String,
  score: Schema.Number,
  relevance: Schema.Number,
  similarity: Schema.NullOr(Schema.Number),
  matched: Schema.NullOr(Schema.Number)
})

type Judged = Omit<Hit, "chunk" | "relevance"> & {
  readonly chunk: Pick<Hit["chunk"], "source">
  readonly relevance?: number | null | undefined
}

const figures = ({ chunk, matched, relevance, score, similarity }: Judged) => ({
  source: chunk.source,
  score,
  relevance,
  similarity,
  matched
})

interface Question {
  readonly text: string
  readonly limit?: number
  readonly minScore?: number
}

type Face = (store: Store, question: Question) => Promise<Answered>

const program: Face = async ({ embedder, to }, { text, ...options }) => ({
  hits: await Effect.flatMap(Corpus.Corpus, (docs) => docs.search(text, options)).pipe(
    Effect.map((hits) => hits.map(figures)),
    Effect.provide(Corpus.layer({ to, embedder })),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )
})

const handle: Face = async ({ embedder, to }, { text, ...options }) => {
  const docs = await Async.open({ to, ...(embedder !== undefined && { embedder }) })
  const hits = await docs.search(text, options)
  await docs.close()
  return { hits: hits.map(figures) }
}

const nearestIn = (said: string): string | undefined => /nearest(?: passage)? is (\d\.\d\d)/u.exec(said)?.[1]

const commandLine: Face = async ({ embedder, to }, { limit, minScore, text }) => {
  const { stderr, stdout } = await runHere([
    "search",
    text,
    "--to",
    to,
    "--json",
    ...(embedder === undefined ? [] : ["--embedder", embedder]),
    ...(limit === undefined ? [] : ["--limit", String(limit)]),
    ...(minScore === undefined ? [] : ["--min-score", String(minScore)])
  ])
  const hits = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Figures)))(stdout)
  return { hits, nearest: nearestIn(stderr) }
}

const page: Face = ({ embedder, to }, { limit = 10, minScore, text }) =>
  Effect.gen(function* () {
    const ask = yield* Asked.ask({ store: to, state: "none" }, embedder === undefined ? {} : { embedder })
    const { hits, nothing } = yield* ask.search({ query: text, limit, minScore }, Asked.caller)
    return {
      hits: hits.map(figures),
      nearest: nothing === null ? undefined : nearestIn(nothing)
    }
  }).pipe(Effect.scoped, Effect.runPromise)

const silent = { write: (_: string, done?: () => void) => done?.() }

const agent: Face = ({ embedder, to }, { limit = 10, minScore, text }) =>
  Effect.gen(function* () {
    const asked = {
      flag: "to",
      spelling: to,
      embedder: Option.fromNullable(embedder),
      rerank: "none",
      environment: {}
    } as const
    const corpus = yield* AgentStore.open(asked)
    const hits = yield* corpus.search(text, { limit, minScore })
    return { hits: hits.map(figures) }
  }).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer),
    Effect.provideService(
      Terminal.Terminal,
      Terminal.make({ stdout: silent, stderr: silent }, { quiet: false, colours: false })
    ),
    Effect.runPromise
  )

const faces = { program, handle, commandLine, page, agent }

const scope = Effect.runSync(Scope.make())
const folder = mkdtempSync(join(tmpdir(), "docsluice-faces-"))
const stores: Record<string, Store> = {}

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

beforeAll(async () => {
  const docs = join(folder, "docs")
  mkdirSync(docs)
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(docs, name), text)
  const server = await Effect.runPromise(Scope.extend(EmbeddingServer.start(models), scope))
  const made = {
    words: undefined,
    hash: "hash",
    small: `openai:small@${server.base}`,
    e5: `openai:e5@${server.base}`
  } as const
  for (const [name, embedder] of Object.entries(made)) {
    const to = `libsql:${join(folder, `${name}.db`)}` as const
    stores[name] = { to, embedder }
    await Effect.flatMap(Corpus.Corpus, (corpus) => corpus.ingest({ root: docs })).pipe(
      Effect.provide(Corpus.layer({ to, embedder })),
      Effect.provide(NodeContext.layer),
      Effect.runPromise
    )
  }
  // The model of the vectors is not known to whoever names none: words are searched alone.
  stores["small, without its embedder"] = { ...storeOf("small"), embedder: undefined }
  stores["hash, without its embedder"] = { ...storeOf("hash"), embedder: undefined }
})

const storeOf = (name: string): Store => stores[name] ?? assert.fail(`there is no store ${name}`)

const names = ["words", "hash", "small", "e5", "small, without its embedder", "hash, without its embedder"]

const paraphrase = "how long can my vacation be"

/** Each question, and the source of its first hit in each store; null: nothing fits. */
const cases: ReadonlyArray<readonly [Question, Readonly<Record<string, string | null>>]> = [
  [{ text: "zebra unicorn" }, Object.fromEntries(names.map((name) => [name, null]))],
  [{ text: "zebra unicorn", limit: 3 }, Object.fromEntries(names.map((name) => [name, null]))],
  [{ text: "When are gauges calibrated?" }, Object.fromEntries(names.map((name) => [name, "calibration.md"]))],
  [
    { text: paraphrase },
    { ...Object.fromEntries(names.map((name) => [name, null])), small: "leave.md", e5: "leave.md" }
  ],
  [
    { text: paraphrase, limit: 1 },
    { small: "leave.md", e5: "leave.md" }
  ],
  [{ text: "ferry", minScore: 0 }, Object.fromEntries(names.map((name) => [name, "ferry.md"]))]
]

describe("the same question over the same store", { timeout: 60_000 }, () => {
  it.each(
    cases.flatMap(([question, firsts]) => Object.entries(firsts).map(([name, first]) => ({ question, name, first })))
  )("has the same hits and figures in every face: $question in $name", async ({ first, name, question }) => {
    const store = storeOf(name)
    const expected = await program(store, question)
    const [best] = Schema.decodeUnknownSync(Schema.Array(Figures))(expected.hits)
    assert.strictEqual(best?.source ?? null, first)
    for (const [face, ask] of Object.entries(faces)) {
      const { hits } = await ask(store, question)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(hits)), JSON.parse(JSON.stringify(expected.hits)), face)
    }
  })

  it.each(names)("has one relevance for a hit, whatever the limit and the lowest relevance: %s", async (name) => {
    const { embedder, to } = storeOf(name)
    const docs = await Async.open({ to, ...(embedder !== undefined && { embedder }) })
    const of = async ({ text, ...options }: Question) =>
      (await docs.search(text, options)).map(({ chunk, relevance = 0 }) => ({ source: chunk.source, relevance }))
    for (const text of [paraphrase, "gauge", "When is the pressure gauge cleaned, and by whom?"]) {
      const all = await of({ text, limit: 12, minScore: 0 })
      const known = new Map(all.map(({ relevance, source }) => [source, relevance]))
      for (const limit of [1, 2, 5, 10, 50]) {
        for (const minScore of [0, 0.2, 0.5, 0.9]) {
          const hits = await of({ text, limit, minScore })
          for (const { relevance, source } of hits) assert.strictEqual(relevance, known.get(source))
          assert.lengthOf(hits, Math.min(limit, all.filter(({ relevance }) => relevance >= minScore).length))
        }
      }
    }
    await docs.close()
  })

  it.each(names)("is refused with the relevance of the nearest on the scale that refused it: %s", async (name) => {
    const store = storeOf(name)
    const question = { text: "How many zebras calibrate the unicorn of the office?", minScore: 1 }
    const all = Schema.decodeUnknownSync(Schema.Array(Figures))(
      (await program(store, { ...question, minScore: 0 })).hits
    )
    const nearest = Math.max(...all.map(({ relevance }) => relevance))
    assert.isBelow(nearest, 1)
    for (const ask of [commandLine, page]) {
      assert.deepStrictEqual(await ask(store, question), { hits: [], nearest: nearest.toFixed(2) })
    }
    assert.isNotEmpty((await commandLine(store, { ...question, minScore: nearest - 0.005 })).hits)
  })

  it("has one default of the lowest relevance", async () => {
    const store = storeOf("small")
    for (const ask of Object.values(faces)) {
      const question = { text: "gauge ferry" }
      assert.deepStrictEqual(
        (await ask(store, question)).hits,
        (await ask(store, { ...question, minScore: defaultMinScore })).hits
      )
    }
  })
})
