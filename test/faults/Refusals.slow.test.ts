import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { wordless } from "../faultserver/answers.ts"
import * as FaultServer from "../faultserver/server.ts"
import * as Workspace from "../ledger/workspace.ts"
import { live } from "../service/collaborators.ts"

const documents = 8

/** Every answer that is not the service's own, by what makes it so. */
const faults = {
  "a 400 without an error record": Object.keys(wordless).map((body) => `e400-${body}`),
  "a 403 without an error record": Object.keys(wordless).map((body) => `e403-${body}`),
  "a 429 without an error record": Object.keys(wordless).map((body) => `e429-${body}`),
  "another status, or a damaged body": ["e405-html", "e418-empty", "gzip-damaged"]
}

/** A run that meets the fault after `from` answers, and one after the fault is gone. */
const twoRuns = (fault: string, from: number) =>
  Effect.gen(function* () {
    const ws = yield* Workspace.make(documents)
    let ill = true
    let answered = 0
    const server = yield* FaultServer.start({ fault: () => (ill && answered++ >= from ? fault : null) })
    const run = { client: live(server.base) }
    const first = yield* Workspace.run(ws, run)
    assert.strictEqual(first.stored, from, fault)
    assert.strictEqual(first.failed + first.notAttempted, documents - from, fault)
    assert.isTrue(
      first.failures.every(({ retryable }) => retryable),
      fault
    )
    ill = false
    const second = yield* Workspace.run(ws, run)
    assert.deepInclude(second, { stored: documents - from, unchanged: from, failed: 0, exit: 0 }, fault)
    assert.strictEqual(yield* Workspace.letters(ws), "", fault)
  }).pipe(Effect.scoped)

describe("a service that is not itself for one run", () => {
  for (const [what, names] of Object.entries(faults)) {
    for (const from of [0, 3]) {
      const when = from === 0 ? "from the start" : "in the middle"
      it.live(`everything is stored by the second run: ${what}, ${when}`, () =>
        Effect.forEach(names, (fault) => twoRuns(fault, from), { concurrency: 4, discard: true })
      )
    }
  }

  it.scopedLive("the same refusal of the first five contents is nobody's failure, and costs no dead letter", () =>
    Effect.forEach(
      ["e400", "e403-injection"],
      (fault) =>
        Effect.gen(function* () {
          const ws = yield* Workspace.make(documents)
          // Copies of one content are one: they do not stop a run.
          for (let copy = 0; copy < 5; copy++) ws.write(`${copy}-copy.pdf`, "one content")
          yield* Workspace.settle
          let ill = true
          const server = yield* FaultServer.start({ delay: 5, fault: () => (ill ? fault : null) })
          const run = { client: live(server.base, undefined, 8) }
          const first = yield* Workspace.run(ws, run)
          assert.deepInclude(first, { stored: 0, failed: 0, notAttempted: documents + 5, exit: 2 }, fault)
          assert.strictEqual(yield* Workspace.letters(ws), "", fault)
          ill = false
          const second = yield* Workspace.run(ws, run)
          assert.deepInclude(second, { stored: documents + 5, failed: 0, exit: 0 }, fault)
        }).pipe(Effect.scoped),
      { concurrency: 2, discard: true }
    )
  )
})
