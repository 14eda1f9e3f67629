import { assert, describe, it } from "@effect/vitest"
import * as Client from "docsluice/service/Client"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import * as Workspace from "../ledger/workspace.ts"
import { apart, impatient, live } from "../service/collaborators.ts"

describe("A run and the limits of its service", () => {
  it.scopedLive("stops at the outage limit when everything is answered with 503, and the next run stores all", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(12)
      let ill = true
      const server = yield* FaultServer.start({ fault: () => (ill ? "e503" : null) })
      const run = { client: live(server.base, impatient, 4) }
      const stopped = yield* Workspace.run(ws, {
        ...run,
        change: (options) => ({ ...options, outageLimit: "2 seconds" })
      })
      assert.deepInclude(stopped, { stored: 0, exit: 2 })
      assert.strictEqual(stopped.stopped?.tag, "ServiceUnreachable")
      // Ten failures in a row are an outage: no more than two documents can have used up five attempts each before.
      assert.isAtMost(stopped.failed, 2)
      assert.strictEqual(stopped.failed + stopped.notAttempted, 12)
      assert.lengthOf((yield* Workspace.letters(ws)).match(/^./gmu) ?? [], stopped.failed)
      ill = false
      const next = yield* Workspace.run(ws, run)
      assert.deepInclude(next, { stored: 12, failed: 0, notAttempted: 0, exit: 0 })
    })
  )

  it.scopedLive("sends as many requests at a time as `concurrency` says, 16 of 16", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(64)
      const server = yield* FaultServer.start({ delay: 100 })
      const client = Client.layer({ baseUrl: server.base }).pipe(
        Layer.provide([apart(), UndiciHttpClient.layer()]),
        Layer.orDie
      )
      const summary = yield* Workspace.run(ws, { client, change: (options) => ({ ...options, concurrency: 16 }) })
      assert.deepInclude(summary, { stored: 64, failed: 0 })
      assert.strictEqual(server.maxInFlight(), 16)
    })
  )
})
