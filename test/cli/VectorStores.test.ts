import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as EmbeddingServer from "../embedding/server.ts"
import * as Servers from "../fixtures/servers.ts"
import { chromaServer, unavailable } from "../sinks/chromaServer.ts"
import * as Postgres from "../sinks/postgres.ts"
import { qdrantDouble } from "../sinks/qdrantDouble.ts"
import * as Workplace from "./workplace.ts"

interface Store {
  /** `--to`, with what a user would write. */
  readonly to: string
  /** As it may be shown and kept, where that is not the same. */
  readonly shown?: string
  /** Must be found nowhere. */
  readonly secret?: string
  /** The variable that the secret comes from, where it is not in the address. */
  readonly variable?: string
  /** Finds by vectors only. */
  readonly vectorsOnly?: boolean
}

/** Everything that the command line does with one store, from the first run to the last. */
const lifeOf = (make: (folder: string) => Effect.Effect<Store, never, Scope.Scope>) =>
  Effect.gen(function* () {
    const place = yield* Workplace.make
    const store = yield* make(place.folder)
    const { secret = "", variable } = store
    yield* Workplace.withVariables(variable === undefined ? {} : { [variable]: secret })(lived(place, store))
  })

const lived = (place: Workplace.Workplace, store: Store) =>
  Effect.gen(function* () {
    const { ingest, run, state } = place
    const { secret, shown, to, variable, vectorsOnly } = store
    const again = shown === undefined ? [] : ["--to", to]

    assert.strictEqual((yield* run("search", "gauge", "--to", to)).status, 2)
    const first = yield* ingest("--to", to, "--embedder", "hash")
    assert.deepInclude(first, { status: 0, stderr: "" })
    assert.deepInclude(first.summary, { stored: 3, requests: 3 })
    assert.deepInclude((yield* ingest("--to", to, "--embedder", "hash")).summary, { unchanged: 3, requests: 0 })

    const found = yield* run(
      "search",
      "calibration of a gauge",
      "--to",
      to,
      "--json",
      "--limit",
      "2",
      "--min-score",
      "0"
    )
    assert.deepInclude(found, { status: 0, stderr: "" })
    const [best, ...others] = Workplace.hitsOf(found)
    assert.lengthOf(others, 1)
    assert.deepInclude(best, { source: "gauges.pdf", documentId: "docs/gauges.pdf", pages: [1] })
    assert.include(best?.text, "before the thaw")
    assert.deepInclude(best?.metadata, { language: "en" })
    const people = yield* run("search", "gauge", "--to", to, "--json", "--filter", "language=de", "--min-score", "0")
    assert.deepStrictEqual(
      Workplace.hitsOf(people).map(({ source }) => source),
      vectorsOnly === true ? ["letters.pdf"] : Workplace.hitsOf(people).map(() => "letters.pdf")
    )

    const models = yield* EmbeddingServer.start(EmbeddingServer.complete)
    const model = `openai:other@${models.base}`
    const refused = yield* ingest("--to", to, "--embedder", model)
    assert.deepInclude(refused, { status: 64, stdout: "" })
    assert.match(refused.stderr, /holds vectors of hash-v1 .* brings vectors of other .*--rebuild/)
    const wrong = yield* run("search", "gauge", "--to", to, "--embedder", model)
    assert.strictEqual(wrong.status, 64)
    assert.match(wrong.stderr, /hash-v1 .* other /)
    const rebuilt = yield* ingest("--to", to, "--embedder", model, "--rebuild")
    assert.deepInclude(rebuilt.summary, { stored: 3, fromCache: 3, requests: 0, exit: 0 })

    const asModel = yield* run("search", "gauge", "--to", to, "--json", "--embedder", model)
    assert.strictEqual(asModel.status, 0)
    const unasked = yield* run("search", "gauge", "--to", to, "--json")
    assert.match(unasked.stderr, /vectors are of other, .* --embedder openai:other@BASE/)
    assert.strictEqual(unasked.status, vectorsOnly === true ? 64 : 0)
    if (vectorsOnly !== true) {
      const words = yield* run("search", "gauge", "--to", to, "--json", "--embedder", "none")
      assert.deepStrictEqual(words, { ...unasked, stderr: "" })
      assert.deepStrictEqual(
        Workplace.hitsOf(words).map(({ source }) => source),
        ["gauges.pdf"]
      )
    }

    if (secret !== undefined) {
      const unset = Workplace.withVariables(variable === undefined ? {} : { [variable]: "" })
      const lacking = yield* unset(run("doctor", "--state", state))
      assert.strictEqual(lacking.status, 64)
      const asked = variable === undefined ? `--to ${shown} again with its credential` : `${variable} for ${to} again`
      assert.include(lacking.stderr, `give ${asked}, which is not kept`)
    }
    const removed = yield* run("remove", "gauges.pdf", "--state", state, ...again)
    assert.deepInclude(removed, { status: 0, stderr: "" })
    const left = yield* run("search", "gauge", "--to", to, "--json", "--embedder", model)
    assert.notInclude(
      Workplace.hitsOf(left).map(({ source }) => source),
      "gauges.pdf"
    )
    const agreed = yield* run("doctor", "--state", state, "--json", ...again)
    assert.strictEqual(agreed.status, 0, agreed.stderr + agreed.stdout)
    assert.match(
      agreed.stdout,
      /^\[\{"sink":"[^"]+","documents":2,"missing":0,"extra":0,"stale":0,"fixed":0,"others":0\}\]$/m
    )
    if (secret !== undefined) assert.notInclude(place.traces(), secret)
  })

const postgresMissing = Postgres.missing()
const scope = Effect.runSync(Scope.make())
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const postgres = Effect.runSync(
  Effect.cached(
    Scope.extend(
      Effect.acquireRelease(Effect.promise(Servers.postgres), (server) => Effect.promise(server.stop)),
      scope
    )
  )
)

describe("the command line with a vector store", () => {
  it.scopedLive("libsql", () => lifeOf((folder) => Effect.succeed({ to: `libsql:${join(folder, "chunks.db")}` })))

  it.scopedLive("lancedb", () => lifeOf((folder) => Effect.succeed({ to: `lancedb:${join(folder, "lance")}#parts` })))

  it.scopedLive("qdrant (a double of its interface)", () =>
    lifeOf(() =>
      Effect.map(qdrantDouble({ key: "s3cret-key" }), ({ url }) => ({
        to: `qdrant:${url}#parts`,
        secret: "s3cret-key",
        variable: "QDRANT_API_KEY"
      }))
    )
  )

  const named = postgresMissing === null ? "pgvector" : `pgvector (not here: ${postgresMissing})`
  const withPostgres = postgresMissing === null ? it.scopedLive : it.scopedLive.skip
  withPostgres(named, () =>
    lifeOf(() =>
      Effect.map(postgres, ({ url }) => ({
        to: `pgvector:${url}?table=parts`,
        shown: `pgvector:${url.replace("tester:s3cret-pass@", "")}?table=parts`,
        secret: "s3cret-pass"
      }))
    )
  )

  const withChroma = unavailable === null ? it.scopedLive : it.scopedLive.skip
  withChroma(unavailable === null ? "chroma" : `chroma (not here: ${unavailable})`, () =>
    lifeOf(() =>
      Effect.map(Effect.orDie(chromaServer), (url) => ({
        to: `chroma:${url}#parts`,
        secret: "s3cret-token",
        variable: "CHROMA_TOKEN",
        vectorsOnly: true
      }))
    )
  )
})
