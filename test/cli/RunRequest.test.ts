import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Address from "../../src/cli/Address.ts"
import type { RunFlags } from "../../src/cli/RunFlags.ts"
import * as RunRequest from "../../src/cli/RunRequest.ts"
import * as StoredTargets from "../../src/cli/StoredTargets.ts"

const given: RunFlags = {
  paths: ["docs"],
  root: Option.none(),
  name: Option.none(),
  ignore: ["drafts"],
  gitignore: true,
  filesFrom: Option.none(),
  to: [],
  service: "https://user:hunter2@parse.example/v2?token=hunter3",
  apiKey: Option.some("fc-hunter4"),
  parseOptions: Option.none(),
  chunker: "blocks",
  maxTokens: 256,
  overlap: 32,
  tokenizer: "chars",
  state: ".docsluice",
  noState: false,
  mode: "sync",
  allowRemovals: false,
  verify: false,
  refresh: false,
  rebuild: false,
  budgetPages: Option.none(),
  budgetCredits: Option.none(),
  concurrency: 4,
  maxBytesInFlight: 1000,
  ordered: false,
  onFailure: "dead-letter",
  progress: "none",
  json: false,
  quiet: false
}

const request = RunRequest.make({
  command: "ingest",
  given,
  to: ["pgvector:postgres://me:hunter5@db.example/rag?sslmode=require&sslpassword=hunter6", "jsonl:out.jsonl"],
  parseOptions: { timeout: 60_000, headers: { Authorization: "Bearer hunter7" } },
  discovery: { root: "." },
  space: null
})

const target = "pgvector:postgres://db.example/rag?sslmode=require"

describe("RunRequest", () => {
  it("keeps everything that a repetition needs, and nothing that is secret", () => {
    const text = RunRequest.encode(request)
    assert.notInclude(text, "hunter")
    assert.deepInclude(JSON.parse(text), {
      command: "ingest",
      root: process.cwd(),
      paths: ["docs"],
      to: [
        { address: target, credential: true },
        { address: `jsonl:${process.cwd()}/out.jsonl`, credential: false }
      ],
      service: { address: "https://parse.example/v2", credential: true },
      parseOptions: { timeout: 60_000 },
      headers: true,
      chunker: "blocks",
      overlap: 32,
      mode: "sync"
    })
  })

  it.effect("is read as it was written", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* RunRequest.decode(RunRequest.encode(request)), request)
      const error = yield* Effect.flip(RunRequest.decode('{"version":2}'))
      assert.strictEqual(error._tag, "UsageError")
    })
  )

  it.effect("has an address that held a credential given again, and says which", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(StoredTargets.ofRequest(["jsonl:other.jsonl"], request.to))
      assert.match(error.message, /^give --to pgvector:postgres:\/\/db\.example\/rag\?sslmode=require again/)
      const whole = "pgvector:postgres://me:new@db.example/rag?sslmode=require"
      assert.deepStrictEqual(yield* StoredTargets.ofRequest([whole], request.to), [
        whole,
        `jsonl:${process.cwd()}/out.jsonl`
      ])
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
