/**
 * Ingests until it is killed: waits for its order, and pauses at the ordered step. Imports single modules, since it starts often.
 */
import { type ChunkSink, mapPrepared } from "docsluice/ChunkSink"
import type { Ledger, LedgerError } from "docsluice/Ledger"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { ofRun, type RunLedger, runLedger } from "../../src/internal/state/ledger/runLedger.ts"
import { notReplacing } from "../fixtures/notReplacing.ts"
import { isOrder, type Order, type Pause } from "./order.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"

const say = (word: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    process.send?.(word, () => resume(Effect.void))
  })

/** Ends no more at the n-th time that this step is come to. */
const pauses = (pause: Pause | null) => {
  let left = pause?.times ?? 0
  return (step: Pause["step"]): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (pause?.step !== step) return Effect.void
      left -= 1
      return left === 0 ? Effect.zipRight(say("paused"), Effect.never) : Effect.void
    })
}

type Hold = ReturnType<typeof pauses>

/** Without `replace`, so that a document is written first and its old chunks are removed later. */
const sink =
  (hold: Hold, plain: boolean) =>
  (own: ChunkSink.Service): ChunkSink.Service => {
    const around = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      hold("before-write").pipe(
        Effect.zipRight(call),
        Effect.tap(() => hold("after-write"))
      )
    return mapPrepared(plain ? notReplacing(own) : own, ({ remove, replace, replaceAll, ...rest }) => ({
      ...rest,
      write: (chunks) => around(rest.write(chunks)),
      ...(remove !== undefined && {
        remove: (ids) =>
          hold("before-remove").pipe(
            Effect.zipRight(remove(ids)),
            Effect.tap(() => hold("after-remove"))
          )
      }),
      ...(!plain && replace !== undefined && { replace: (id, chunks) => around(replace(id, chunks)) }),
      ...(!plain && replaceAll !== undefined && { replaceAll: (documents) => around(replaceAll(documents)) }),
      finish: hold("before-compact").pipe(
        Effect.zipRight(rest.finish),
        Effect.tap(() => hold("after-compact"))
      )
    }))
  }

const ledger =
  (hold: Hold) =>
  (service: Ledger.Service): Ledger.Service => {
    const own = ofRun(service)
    const run: RunLedger<LedgerError> = {
      ...own,
      announce: (...given) => Effect.tap(own.announce(...given), () => hold("after-announce")),
      commit: (entry) =>
        hold("before-commit").pipe(
          Effect.zipRight(own.commit(entry)),
          Effect.tap(() => hold("after-commit"))
        ),
      removed: (removal) => Effect.zipRight(hold("before-removed"), own.removed(removal)),
      forget: (key, sinks) => Effect.zipRight(hold("before-forget"), own.forget(key, sinks)),
      finishRun: (run, at, summary, report) =>
        Effect.zipRight(hold("before-finish-run"), own.finishRun(run, at, summary, report))
    }
    const held = { ...service, [runLedger]: run }
    return held
  }

const ingest = ({ base, concurrency, directory, pause, plain }: Order) => {
  const hold = pauses(pause)
  return Run.run(Site.at(directory), { base, concurrency, sink: sink(hold, plain), ledger: ledger(hold) })
}

const obey = async (order: Order): Promise<void> => {
  const summary = await Effect.runPromise(Effect.provide(ingest(order), Logger.remove(Logger.defaultLogger)))
  process.send?.(`ended ${summary.exit}`)
  process.disconnect()
}

process.on("message", (order: unknown) => {
  if (isOrder(order)) void obey(order)
})
process.send?.("ready")
