import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import * as Corpus from "./corpus.ts"
import * as Disk from "./disk.ts"
import * as Site from "./site.ts"

const files = 24
const typed = new Set(["LedgerError", "ParseCacheError", "SinkError", "DeadLetterError"])

/** Both tests are skipped where no disk can be mounted. */
describe.skipIf(Disk.isolation === undefined)("a disk of its own", () => {
  const ingested = (kind: "full" | "read-only") =>
    Effect.gen(function* () {
      const server = yield* FaultServer.start({ document: Corpus.document })
      const site = yield* Site.make({ files, limited: 0, broken: 0 })
      const { code, said } = yield* Disk.ingestOn(site, { kind, bytes: 4_000_000, base: server.base })
      assert.strictEqual(code, 0)
      return { said, server }
    })

  it.scopedLive(
    "that is full ends runs with typed errors and loses nothing, and the next run with room stores everything",
    () =>
      Effect.gen(function* () {
        const { said } = yield* ingested("full")
        assert.strictEqual(said.length, 14)
        const roomy = said.filter(({ step }) => step.startsWith("enough room"))
        for (const one of roomy) {
          assert.strictEqual(one.exit, 0, JSON.stringify(one))
          assert.isTrue(one.check.ok, JSON.stringify(one))
        }
        const cramped = said.filter(({ step }) => !step.startsWith("enough room"))
        assert.isAbove(cramped.filter(({ exit }) => exit !== 0).length, 4)
        for (const one of cramped) {
          if (one.exit !== 0) assert.isAbove(one.tags.length, 0, JSON.stringify(one))
          for (const tag of one.tags) assert.isTrue(typed.has(tag), JSON.stringify(one))
          if (one.exit === 0) assert.isTrue(one.check.ok, JSON.stringify(one))
          if (!one.step.startsWith("changes")) continue
          assert.deepStrictEqual(one.check.documents, { jsonl: files, fs: files }, JSON.stringify(one))
        }
      })
  )

  it.scopedLive(
    "that is read-only under the state ends the run with a typed error before anything is sent or stored",
    () =>
      Effect.gen(function* () {
        const { said, server } = yield* ingested("read-only")
        const [first, refused, again] = said
        assert.deepInclude(first, { exit: 0, requests: files })
        assert.deepInclude(refused, { exit: null, tags: ["LedgerError"], reason: "ReadOnly" })
        assert.deepStrictEqual(refused?.check.documents, { jsonl: files, fs: files })
        assert.strictEqual(refused?.check.jsonl.duplicates, 0)
        assert.deepInclude(again, { exit: 0, requests: 6 })
        assert.isTrue(again?.check.ok, JSON.stringify(again))
        assert.strictEqual(server.log.length, files + 6)
      })
  )
})
