import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ended, get, statusOf, submit, submitted } from "../service/agentFixture.ts"
import * as AgentPlace from "./agentPlace.ts"

const Answered = Schema.Struct({
  answer: Schema.String,
  citations: Schema.Array(
    Schema.Struct({ document: Schema.String, documentId: Schema.String, quote: Schema.String, chunkId: Schema.String })
  )
})

const filled = (...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const place = yield* AgentPlace.make
    const ingested = yield* place.run("ingest", "docs", "--to", "libsql:chunks.db", ...more)
    assert.strictEqual(ingested.status, 0, ingested.stderr)
    return place
  })

const serving = (place: AgentPlace.AgentPlace, ...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* place.start("serve", "--port", "0", "--json", ...words)
    return { server, base: (yield* AgentPlace.baseOf(server)).replace(/\/v2$/u, "") }
  })

describe("docsluice serve --agent-store", () => {
  it.scopedLive(
    "answers a job from the store with citations, keeps it over a restart, and changes nothing in the store",
    () =>
      Effect.gen(function* () {
        const place = yield* filled("--embedder", "hash")
        const model = yield* AgentPlace.model()
        const before = readFileSync(join(place.folder, "chunks.db"))
        const words = ["--agent-store", "libsql:chunks.db", "--model", model.target, "--state", "served"]
        const { base, server } = yield* serving(place, ...words)
        const id = yield* submitted(base, "How much rain fell at Brno?")
        const job = yield* ended(base, id)
        const { answer, citations } = Schema.decodeUnknownSync(Answered)(job.data)
        assert.include(answer, "612 millimetres")
        assert.strictEqual(citations[0]?.document, "docs/rain.html")
        assert.deepEqual(readFileSync(join(place.folder, "chunks.db")), before)
        assert.isTrue(existsSync(join(place.folder, "served", "serve", "agent", "agent.db")))
        server.child.kill("SIGTERM")
        assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 130)
        const again = yield* serving(place, ...words)
        assert.deepEqual((yield* statusOf(again.base, id)).data, job.data)
      })
  )

  it.scopedLive("a job that a killed server was running has failed, retryable, after the restart", () =>
    Effect.gen(function* () {
      const place = yield* filled()
      const model = yield* AgentPlace.model(() => "never")
      const words = ["--agent-store", "libsql:chunks.db", "--model", model.target]
      const { base, server } = yield* serving(place, ...words)
      const id = yield* submitted(base, "Rain?")
      yield* AgentPlace.until(() => model.asked.join(), /Rain/u)
      server.child.kill("SIGKILL")
      yield* Effect.promise(() => server.ended)
      const again = yield* serving(place, ...words)
      assert.deepInclude(yield* statusOf(again.base, id), { status: "failed", creditsUsed: 0 })
      const trace = yield* get(again.base, `/${id}/trace`)
      assert.match(JSON.stringify(trace.body), /"code":"internal"[^}]*"retryable":true/u)
    })
  )

  it.scopedLive("names the flags in the 400 of a submission without them", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const { base } = yield* serving(place)
      const { body, status } = yield* submit(base, { prompt: "Rain?" })
      assert.strictEqual(status, 400)
      assert.match(JSON.stringify(body), /docsluice serve --agent-store STORE --model openai:MODEL/u)
      assert.deepEqual(
        readdirSync(place.folder).filter((name) => name !== "docs"),
        []
      )
    })
  )

  for (const { name, pattern, words } of [
    { name: "a store without a model", words: ["libsql:chunks.db"], pattern: /--agent-store: .*give --model/u },
    {
      name: "a sink that cannot search",
      words: ["jsonl:chunks.jsonl", "--model", "openai:m@http://127.0.0.1:9/v1"],
      pattern: /--agent-store: jsonl:chunks\.jsonl cannot be searched; a .*libsql/u
    },
    {
      name: "a spelling of no sink",
      words: ["chunks.db", "--model", "openai:m@http://127.0.0.1:9/v1"],
      pattern: /--agent-store: expected/u
    },
    {
      name: "a store that is not there",
      words: ["libsql:none.db", "--model", "openai:m@http://127.0.0.1:9/v1"],
      pattern: /--agent-store: libsql:none\.db: there is no store; docsluice ingest/u
    },
    {
      name: "a store on a server that cannot be reached",
      words: ["pgvector:postgres://127.0.0.1:9/none", "--model", "openai:m@http://127.0.0.1:9/v1"],
      pattern: /--agent-store: .*start the store, or name another/u
    }
  ]) {
    it.scopedLive(`refuses ${name} with 64 and a remedy, and leaves nothing`, () =>
      Effect.gen(function* () {
        const place = yield* AgentPlace.make
        const { status, stderr, stdout } = yield* place.run("serve", "--port", "0", "--agent-store", ...words)
        assert.match(stderr, pattern)
        assert.deepEqual([status, stdout], [64, ""])
        assert.deepEqual(readdirSync(place.folder), ["docs"])
      })
    )
  }
})
