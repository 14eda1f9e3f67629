import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Servers from "../fixtures/servers.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as VectorKilling from "./vectorKilling.ts"

const missing = Postgres.missing()

it.scopedLive.skipIf(missing !== null)(
  `has every document once in pgvector after killed connections, killed processes, an outage of the embedder and another one${
    missing === null ? "" : ` (${missing})`
  }`,
  () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => Servers.postgres()),
        ({ stop }) => Effect.promise(stop)
      )
      const numbers = { files: 60, kills: 2, changed: 6, concurrency: 4, delay: 10 }
      const report = yield* VectorKilling.play(numbers, server.url)
      const label = JSON.stringify(report)
      for (const kill of report.kills) {
        assert.isAbove(kill.connections, 0, label)
        assert.isAtMost(kill.parsedTwice, numbers.concurrency, label)
        assert.isAtMost(kill.embeddedTwice, numbers.concurrency, label)
      }
      assert.deepInclude(report.afterKills, { documents: 60, missing: 0, extra: 0, wrongVectors: 0 }, label)
      assert.deepInclude(report.summaries.unchanged, { unchanged: 60, requests: 0, exit: 0 }, label)
      assert.deepInclude(report.summaries.outage, { failed: 6, requests: 6, exit: 1 }, label)
      assert.deepInclude(report.summaries.healed, { stored: 6, unchanged: 54, requests: 0, exit: 0 }, label)
      assert.deepInclude(report.summaries.otherEmbedder, { stored: 60, fromCache: 60, requests: 0, exit: 0 }, label)
      assert.isTrue(report.checks.healed.ok && report.checks.otherEmbedder.ok, label)
      assert.isTrue(report.ok, label)
    })
)
