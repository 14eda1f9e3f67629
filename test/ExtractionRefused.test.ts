import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect } from "effect"
import { start } from "./service/serverFixture.ts"

const documents = 12

/** A folder of documents with contents of their own, next to a place for the memory of runs. */
const workplace = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-refused-"))
    const root = join(folder, "docs")
    mkdirSync(root)
    for (let at = 0; at < documents; at++) writeFileSync(join(root, `${at}.html`), `<p>Report ${at} of the station</p>`)
    return { root, state: join(folder, "state"), letters: join(folder, "dead-letters.jsonl") }
  }),
  ({ root }) => Effect.sync(() => rmSync(join(root, ".."), { recursive: true }))
)

const asking = { formats: [{ type: "markdown" }, { type: "json", prompt: "the station" }] } as const

describe("a run that asks for json from a service without a model", () => {
  for (const [where, service] of [
    ["in process", Effect.succeed(undefined)],
    ["over HTTP", start({ engine: "native" })]
  ] as const) {
    it.scopedLive(
      `stops after five refusals with nothing lost, and a run without json stores everything: ${where}`,
      () =>
        Effect.gen(function* () {
          const { letters, root, state } = yield* workplace
          const base = yield* service
          const sink = MemorySink.layer()
          const run = (parseOptions: Async.IngestOptions["parseOptions"]) =>
            Effect.promise(() =>
              Async.ingest({ root, sinks: [sink], state, deadLetters: letters, parseOptions, service: base })
            )
          const refused = yield* run(asking)
          assert.strictEqual(refused.stopped?.tag, "BadRequest")
          assert.match(refused.stopped?.message ?? "", /"json" needs a language model/)
          assert.deepInclude(refused, { exit: 2, failed: 0, stored: 0, notAttempted: documents })
          assert.strictEqual(existsSync(letters) ? readFileSync(letters, "utf8") : "", "")
          const plain = yield* run(undefined)
          assert.deepInclude(plain, { exit: 0, failed: 0, stored: documents })
        })
    )
  }
})
