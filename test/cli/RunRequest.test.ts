import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Effect, Option } from "effect"
import * as EmbedderTarget from "../../src/cli/EmbedderTarget.ts"
import type { RunFlags } from "../../src/cli/RunFlags.ts"
import * as RunRequest from "../../src/cli/RunRequest.ts"
import * as SinkTarget from "../../src/cli/SinkTarget.ts"
import * as StoredTargets from "../../src/cli/StoredTargets.ts"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import * as Address from "../../src/internal/target/address.ts"
import type { Environment } from "../../src/internal/target/secret.ts"
import { generation } from "../fixtures/ledger.ts"

const given: RunFlags = {
  paths: ["docs"],
  root: Option.none(),
  name: Option.none(),
  newRoot: false,
  ignore: ["drafts"],
  gitignore: true,
  types: [],
  endpoint: Option.none(),
  allowPrivate: [],
  filesFrom: Option.none(),
  to: [],
  embedder: "none",
  service: "https://user:hunter2@parse.example/v2?token=hunter3",
  apiKey: Option.some("fc-hunter4"),
  ocrLanguages: Option.some(["eng", "deu"]),
  parseOptions: Option.none(),
  chunker: "blocks",
  maxTokens: 256,
  overlap: 32,
  minTokens: 16,
  pageBoundaries: Option.some("hard"),
  metadata: ["team=legal"],
  tokenizer: "chars",
  state: ".docsluice",
  noState: false,
  mode: "sync",
  allowRemovals: false,
  verify: false,
  refresh: false,
  rebuild: false,
  shared: false,
  adopt: false,
  budgetPages: Option.none(),
  budgetCredits: Option.none(),
  concurrency: 4,
  outageLimit: 300_000,
  maxBytesInFlight: 1000,
  ordered: false,
  onFailure: "dead-letter",
  progress: "none",
  json: false,
  quiet: false
}

const read = (spelling: string, environment: Environment = {}) =>
  Effect.provide(SinkTarget.parse(spelling, environment), NodeFileSystem.layer)

const secretive = "pgvector:postgres://me:hunter5@db.example/rag?sslmode=require&sslpassword=hunter6"

const recorded = Effect.gen(function* () {
  const targets = yield* Effect.forEach([secretive, "jsonl:out.jsonl"], (spelling) => read(spelling))
  const embedder = yield* EmbedderTarget.parse("openai:m@https://me:hunter8@models.example/v1?key=hunter9")
  return RunRequest.make({
    command: "ingest",
    given,
    to: targets.map(({ kept }) => kept),
    embedder: EmbedderTarget.keep(embedder, { DOCSLUICE_EMBEDDER_API_KEY: "sk-hunter10" }),
    parseOptions: { timeout: 60_000, headers: { Authorization: "Bearer hunter7" } },
    discovery: { root: "." }
  })
})

const target = "pgvector:postgres://db.example/rag?sslmode=require"

describe("RunRequest", () => {
  it.effect("keeps everything that a repetition needs, and nothing that is secret", () =>
    Effect.gen(function* () {
      const text = RunRequest.encode(yield* recorded)
      assert.notInclude(text, "hunter")
      assert.deepInclude(JSON.parse(text), {
        command: "ingest",
        root: process.cwd(),
        paths: ["docs"],
        to: [
          { address: target, credential: true },
          { address: `jsonl:${process.cwd()}/out.jsonl`, credential: false }
        ],
        embedder: { address: "openai:m@https://models.example/v1", credential: true },
        service: { address: "https://parse.example/v2", credential: true },
        parseOptions: { timeout: 60_000 },
        headers: true,
        chunker: "blocks",
        overlap: 32,
        mode: "sync"
      })
    })
  )

  it.effect("is read as it was written", () =>
    Effect.gen(function* () {
      const space = { model: "m", dimensions: 3, normalized: true, metric: "cosine" } as const
      const request = RunRequest.within(yield* recorded, space, ["pgvector:db", "jsonl:/out"])
      assert.deepStrictEqual(yield* RunRequest.decode(RunRequest.encode(request)), request)
      assert.deepStrictEqual(request.space, space)
      const error = yield* Effect.flip(RunRequest.decode('{"version":2}'))
      assert.strictEqual(error._tag, "UsageError")
    })
  )

  it.effect("has an address that held a credential given again, and says which", () =>
    Effect.gen(function* () {
      const { to } = yield* recorded
      const other = yield* read("jsonl:other.jsonl")
      const error = yield* Effect.flip(StoredTargets.ofRequest([other], to))
      assert.match(error.message, /^give --to pgvector:postgres:\/\/db\.example\/rag\?sslmode=require again/)
      const whole = yield* read("pgvector:postgres://me:new@db.example/rag?sslmode=require")
      const found = yield* StoredTargets.ofRequest([whole], to)
      assert.deepStrictEqual(
        found.map(({ spelling }) => spelling),
        [whole.spelling, `jsonl:${process.cwd()}/out.jsonl`]
      )
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("finds the servers that documents are in, whichever run wrote to them", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const server = "pgvector:db.example:5432/rag/public.chunks"
      const first = RunRequest.within(yield* recorded, null, [server, "jsonl:/out.jsonl"])
      yield* ledger.startRun(1, RunRequest.encode(first))
      yield* ledger.commit(generation("a.pdf", { acknowledged: [{ sink: server, store: "s" }] }))
      const last = RunRequest.within(RunRequest.RunRequest.make({ ...first, to: first.to.slice(1) }), null, [
        "jsonl:/b"
      ])
      yield* ledger.startRun(2, RunRequest.encode(last))
      const request = yield* StoredTargets.lastRequest
      const error = yield* Effect.flip(StoredTargets.all([], request))
      assert.match(error.message, /^give --to pgvector:postgres:\/\/db\.example\/rag\?sslmode=require again/)
      const found = yield* StoredTargets.all(["pgvector:postgres://me:new@db.example/rag?sslmode=require"], request)
      assert.deepStrictEqual(
        found.map(({ kept }) => kept.address),
        [target, `jsonl:${process.cwd()}/out.jsonl`]
      )
    }).pipe(Effect.provide(NodeFileSystem.layer), Effect.provide(Ledger.layerMemory))
  )

  it.effect("has a key of the embedder's set again, and says which", () =>
    Effect.gen(function* () {
      const { embedder } = yield* recorded
      const error = yield* Effect.flip(EmbedderTarget.again(embedder, { OPENAI_API_KEY: "sk-other" }))
      assert.match(error.message, /DOCSLUICE_EMBEDDER_API_KEY/)
      yield* EmbedderTarget.again(embedder, { DOCSLUICE_EMBEDDER_API_KEY: "sk-new" })
      yield* EmbedderTarget.again({ address: "hash", credential: false }, {})
    })
  )
})

describe("Address", () => {
  it("leaves an address without credentials as it is spelt", () => {
    for (const address of ["http://127.0.0.1:8787/v2", "embedded", "https://h/v2?region=eu", "C:\\data"]) {
      assert.deepStrictEqual(Address.stripped(address), { address, credential: false })
    }
  })

  it("takes user names, passwords and secret parameters out, whatever their spelling", () => {
    for (const secret of [
      "https://tok3n@h/",
      "https://u:tok3n@h/",
      "https://h/?api_key=tok3n",
      "https://h/?Access-Token=tok3n"
    ]) {
      assert.deepStrictEqual(Address.stripped(secret), { address: "https://h/", credential: true })
    }
  })
})
