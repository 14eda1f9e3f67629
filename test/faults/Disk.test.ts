import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import * as Corpus from "./corpus.ts"
import * as Disk from "./disk.ts"
import * as Site from "./site.ts"

const files = 24

/** Where no disk can be mounted it cannot be shown. */
describe.skipIf(Disk.isolation === undefined)("a disk of its own", () => {
  const ingested = (kind: "read-only") =>
    Effect.gen(function* () {
      const server = yield* FaultServer.start({ document: Corpus.document })
      const site = yield* Site.make({ files, limited: 0, broken: 0 })
      const { code, said } = yield* Disk.ingestOn(site, { kind, bytes: 4_000_000, base: server.base })
      assert.strictEqual(code, 0)
      return { said, server }
    })

  it.scopedLive(
    "under the state that takes no writes ends the run with a typed error before anything is sent or stored",
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
      }),
    120_000
  )
})
