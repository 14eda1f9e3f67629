import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import * as Corpus from "./corpus.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"

const count = 147
const faulty = (index: number): boolean => index % 21 === 0
const path = (index: number): string => (faulty(index) ? `${index}@e500.pdf` : `${index}.pdf`)

it.scopedLive(
  "documents that always meet 500 fail after their attempts, and are not taken for an outage once all others are done",
  () =>
    Effect.gen(function* () {
      const site = yield* Site.holding(
        Array.from({ length: count }, (_, index): Site.Planned => [path(index), Corpus.text(index)])
      )
      const server = yield* FaultServer.start({ document: Corpus.document, delay: 10 })
      const summary = yield* Run.run(site, { base: server.base, concurrency: 16 })
      assert.deepInclude(summary, { stored: 140, failed: 7, notAttempted: 0, exit: 1 })
      assert.isUndefined(summary.stopped)
      for (let index = 0; index < count; index += 21) {
        const requests = server.log.filter(({ filename }) => filename === path(index))
        assert.isAtMost(requests.length, 7, path(index))
      }
    })
)
