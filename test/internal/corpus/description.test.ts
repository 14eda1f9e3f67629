import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import * as Tokenizer from "docsluice/Tokenizer"
import { ConfigProvider, Context, Effect, Either, Layer, Option, Redacted } from "effect"
import * as Description from "../../../src/internal/corpus/description.ts"
import * as Means from "../../../src/internal/corpus/means.ts"
import * as Parts from "../../../src/internal/corpus/parts.ts"
import * as Repeating from "../../../src/internal/corpus/repeating.ts"
import * as StoredTargets from "../../../src/internal/corpus/storedTargets.ts"
import { ofRun } from "../../../src/internal/state/ledger/runLedger.ts"
import * as Address from "../../../src/internal/target/address.ts"
import { generation } from "../../fixtures/ledger.ts"

const secretive = "pgvector:postgres://me:hunter5@db.example/rag?sslmode=require&sslpassword=hunter6"

const withKeys = Effect.withConfigProvider(
  ConfigProvider.fromMap(new Map([["DOCSLUICE_EMBEDDER_API_KEY", "sk-hunter10"]]))
)

/** The means of a run whose every part is in words, but for those given. */
const meansOf = (own: Partial<Means.Given<never>> = {}) =>
  Effect.gen(function* () {
    const words = {
      service: "https://user:hunter2@parse.example/v2?token=hunter3",
      apiKey: Redacted.make("fc-hunter4"),
      parseOptions: { timeout: 60_000, headers: { Authorization: "Bearer hunter7" } }
    }
    return yield* Means.make<never>({
      to: [secretive, "jsonl:out.jsonl"],
      embedder: "openai:m@https://me:hunter8@models.example/v1?key=hunter9",
      chunker: {
        kind: "blocks",
        maxTokens: 256,
        overlap: 32,
        minTokens: 16,
        pageBoundaries: "hard",
        metadata: ["team=legal"]
      },
      parser: yield* Parts.parser({ service: "embedded" }),
      service: { ...words, key: true, ocrLanguages: ["eng", "deu"] },
      tokenizer: Effect.map(Layer.build(Tokenizer.layerCharacters), (made) =>
        Context.get(made, Tokenizer.Tokenizer)
      ).pipe(Effect.scoped),
      tokenizerName: "chars",
      state: ".docsluice",
      mode: "sync",
      concurrency: 4,
      outageLimit: 300_000,
      maxBytesInFlight: 1000,
      onFailure: "dead-letter",
      ...own
    })
  }).pipe(withKeys, Effect.provide(NodeContext.layer))

const source = { root: ".", patterns: ["docs"], ignore: ["drafts"], gitignore: true }
const space = { model: "m", dimensions: 3, normalized: true, metric: "cosine" } as const

const textOf = (sinks: ReadonlyArray<string> = [], own: Partial<Means.Given<never>> = {}) =>
  Effect.map(Effect.scoped(meansOf(own)), ({ request }) => request(source, { space, sinks }, { command: "ingest" }))

const recorded = (sinks: ReadonlyArray<string> = []) => Effect.flatMap(textOf(sinks), Description.decode)

const target = "pgvector:postgres://db.example/rag?sslmode=require"
const lines = `jsonl:${process.cwd()}/out.jsonl`

/** The text that the version before this one kept of the same run. */
const first = {
  version: 1,
  command: "ingest",
  root: process.cwd(),
  name: null,
  paths: ["docs"],
  filesFrom: null,
  ignore: ["drafts"],
  gitignore: true,
  to: [
    { address: target, credential: true, sink: "pgvector:db" },
    { address: lines, credential: false, sink: "jsonl:/out" }
  ],
  embedder: { address: "openai:m@https://models.example/v1", credential: true },
  space,
  service: { address: "https://parse.example/v2", credential: true },
  ocrLanguages: ["eng", "deu"],
  parseOptions: { timeout: 60_000 },
  headers: true,
  chunker: "blocks",
  maxTokens: 256,
  overlap: 32,
  minTokens: 16,
  pageBoundaries: "hard",
  metadata: ["team=legal"],
  tokenizer: "chars",
  mode: "sync",
  concurrency: 4,
  outageLimit: 300_000,
  maxBytesInFlight: 1000,
  onFailure: "dead-letter"
}

describe("the description of a run", () => {
  it.effect("keeps the kinds of files that are opened, so that a repeated run opens them too", () =>
    Effect.gen(function* () {
      const { request } = yield* meansOf()
      const text = request({ ...source, expand: ["zip", "mail"] }, { space, sinks: [] }, { command: "ingest" })
      const { run } = yield* Description.decode(text)
      assert.deepEqual(Description.sourceOptions(run).expand, ["zip", "mail"])
    }).pipe(Effect.scoped)
  )

  it.effect("keeps everything that a repetition needs, and nothing that is secret", () =>
    Effect.gen(function* () {
      const text = yield* textOf()
      assert.notInclude(text, "hunter")
      assert.deepInclude(JSON.parse(text), {
        version: 2,
        command: "ingest",
        kept: {
          sinks: [],
          space,
          secrets: { to: [target], embedder: true, service: true, headers: true },
          alive: []
        }
      })
      assert.deepInclude(JSON.parse(text).run, {
        root: process.cwd(),
        patterns: ["docs"],
        to: [target, lines],
        embedder: "openai:m@https://models.example/v1",
        service: "https://parse.example/v2",
        parseOptions: { timeout: 60_000 },
        chunker: {
          kind: "blocks",
          maxTokens: 256,
          overlap: 32,
          minTokens: 16,
          pageBoundaries: "hard",
          metadata: ["team=legal"]
        },
        mode: "sync"
      })
    })
  )

  it.effect("is read as it was written, by this version and the one before, and a later one is refused", () =>
    Effect.gen(function* () {
      const sinks = ["pgvector:db", "jsonl:/out"]
      const now = yield* recorded(sinks)
      assert.deepStrictEqual(yield* Description.decode(Description.encode(now)), now)
      const before = yield* Description.decode(JSON.stringify(first))
      assert.deepStrictEqual(JSON.parse(Description.encode(before)), JSON.parse(Description.encode(now)))
      const error = yield* Effect.flip(Description.decode('{"version":3}'))
      assert.strictEqual(error._tag, "OptionError")
    })
  )

  it.effect("names the parts that only a program has, of version 1 as well", () =>
    Effect.gen(function* () {
      const chunker = { name: "own", configuration: "", chunk: () => Effect.die("not called") }
      const text = yield* textOf([], { chunker, service: null })
      assert.deepStrictEqual((yield* Description.decode(text)).kept.alive, ["chunker", "parser"])
      const program = { version: 1, program: true, root: "/docs", name: "d", paths: ["a"], filesFrom: null }
      const { kept, run } = yield* Description.decode(JSON.stringify(program))
      assert.deepInclude(run, { root: "/docs", name: "d", patterns: ["a"] })
      assert.isAbove(kept.alive.length, 0)
    })
  )

  it.effect("has an address that held a credential given again, and says which", () =>
    Effect.gen(function* () {
      const targets = Description.targetsOf(yield* recorded())
      const error = yield* Effect.flip(StoredTargets.credited(["jsonl:other.jsonl"], targets))
      assert.match(error.message, /^give `to` pgvector:postgres:\/\/db\.example\/rag\?sslmode=require again/)
      const whole = "pgvector:postgres://me:new@db.example/rag?sslmode=require"
      const found = yield* StoredTargets.credited([whole], targets)
      assert.deepStrictEqual(
        found.map(({ spelling }) => spelling),
        [whole, lines]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("finds the servers that documents are in, whichever run wrote to them", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      const server = "pgvector:db.example:5432/rag/public.chunks"
      yield* ledger.startRun(1, yield* textOf([server, "jsonl:/out.jsonl"]))
      yield* ledger.commit(generation("a.pdf", { acknowledged: [{ sink: server, store: "s" }] }))
      yield* ledger.startRun(2, yield* textOf(["jsonl:/b"], { to: ["jsonl:out.jsonl"] }))
      const last = yield* StoredTargets.lastRun
      const error = yield* Effect.flip(StoredTargets.all([], last))
      assert.match(error.message, /^give `to` pgvector:postgres:\/\/db\.example\/rag\?sslmode=require again/)
      const found = yield* StoredTargets.all(["pgvector:postgres://me:new@db.example/rag?sslmode=require"], last)
      assert.deepStrictEqual(
        found.map(({ kept }) => kept.address),
        [target, lines]
      )
    }).pipe(Effect.provide(NodeContext.layer), Effect.provide(Ledger.layerMemory))
  )

  it.scoped("has keys and headers set again, and says which", () =>
    Effect.gen(function* () {
      const run = yield* recorded()
      const again = (given: Partial<Repeating.Secrets>) =>
        Effect.either(Repeating.make(run, { to: [], apiKey: undefined, headers: undefined, ...given }, { state: "s" }))
      const message = Either.match({ onLeft: ({ message }: Error) => message, onRight: () => "" })
      const none = yield* again({})
      assert.match(message(none), /`apiKey` of https:\/\/parse\.example\/v2 and `parseOptions` with the headers/)
      const keyless = yield* again({ apiKey: Redacted.make("k"), headers: {} })
      assert.match(message(keyless), /DOCSLUICE_EMBEDDER_API_KEY/)
      const keyed = yield* withKeys(again({ apiKey: Redacted.make("k"), headers: {} }))
      assert.match(message(keyed), /give `to` pgvector/)
      assert.isTrue(Option.isSome(Either.getLeft(keyed)))
    }).pipe(Effect.provide(NodeContext.layer), Effect.withConfigProvider(ConfigProvider.fromMap(new Map())))
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
