import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Workplace from "./workplace.ts"

describe("docsluice ingest --outage-limit", () => {
  it.scopedLive(
    "stops a run when the service wants a longer wait, fails no document, and the next run stores what is left",
    () =>
      Effect.gen(function* () {
        const { docs, ingest, service, state } = yield* Workplace.make
        writeFileSync(join(docs, "late@e429-rate~retryAfter=600,times=1.pdf"), "document late")
        const words = ["--to", `jsonl:${join(state, "..", "chunks.jsonl")}`, "--concurrency", "2"]
        const first = yield* ingest(...words, "--outage-limit", "5m")
        assert.strictEqual(first.status, 2)
        assert.strictEqual(first.summary?.stopped?.tag, "ServiceUnreachable")
        assert.strictEqual(first.summary?.failed, 0)
        assert.isAbove(first.summary?.notAttempted ?? 0, 0)
        const letters = join(state, "dead-letter.jsonl")
        assert.strictEqual(existsSync(letters) ? readFileSync(letters, "utf8") : "", "")
        const sent = service.log.length
        const second = yield* ingest(...words, "--outage-limit", "5m")
        assert.strictEqual(second.status, 0)
        assert.strictEqual((first.summary?.stored ?? 0) + (second.summary?.stored ?? 0), 4)
        assert.strictEqual(service.log.length - sent, second.summary?.stored)
      })
  )

  it.scopedLive("refuses what is no time before any work", () =>
    Effect.gen(function* () {
      const { ingest, service } = yield* Workplace.make
      const result = yield* ingest("--outage-limit", "soon")
      assert.strictEqual(result.status, 64)
      assert.include(result.stderr, "--outage-limit")
      assert.lengthOf(service.log, 0)
    })
  )
})
