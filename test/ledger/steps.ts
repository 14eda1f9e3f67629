/** Names the moments of a run, so that a test can end it there. Imports modules: a process that is killed starts often. */
import { type ChunkSink, mapPrepared } from "docsluice/ChunkSink"
import type * as Ledger from "docsluice/Ledger"
import * as Effect from "effect/Effect"
import { ofRun, type RunLedger, runLedger } from "../../src/internal/state/ledger/runLedger.ts"
import { notReplacing } from "../fixtures/notReplacing.ts"

/** Told of every step that is reached. */
export type Reached = (step: string) => Effect.Effect<void>

/** The effect, with a step before it and one after it. */
const around = <A, E, R>(reached: Reached, name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.zipRight(reached(`before ${name}`), Effect.zipLeft(effect, reached(`after ${name}`)))

/** `replace`: the sink replaces documents; `write`: it cannot. */
export type Way = "replace" | "write"

export const sink = (own: ChunkSink.Service, way: Way, reached: Reached): ChunkSink.Service =>
  mapPrepared(way === "replace" ? own : notReplacing(own), ({ remove, replace, replaceAll, ...rest }) => ({
    ...rest,
    write: (batch) => around(reached, "write", rest.write(batch)),
    ...(remove && { remove: (ids) => around(reached, "remove", remove(ids)) }),
    ...(replace && way === "replace" && { replace: (id, chunks) => around(reached, "write", replace(id, chunks)) }),
    ...(replaceAll &&
      way === "replace" && { replaceAll: (documents) => around(reached, "write", replaceAll(documents)) }),
    finish: around(reached, "finish", rest.finish)
  }))

export const ledger = (service: Ledger.Ledger.Service, reached: Reached): Ledger.Ledger.Service => {
  const own = ofRun(service)
  const run: RunLedger<Ledger.LedgerError> = {
    ...own,
    announce: (...given) => around(reached, "announce", own.announce(...given)),
    commit: (entry) => around(reached, "commit", own.commit(entry)),
    removed: (removal) => around(reached, "removed", own.removed(removal)),
    forget: (...given) => around(reached, "forget", own.forget(...given)),
    forgive: (key) => around(reached, "forgive", own.forgive(key)),
    fail: (...given) => around(reached, "fail", own.fail(...given))
  }
  const told = { ...service, [runLedger]: run }
  return told
}

/** Every step of a way, in the order in which a document meets them. */
export const all: Readonly<Record<Way, ReadonlyArray<string>>> = {
  write: [
    "before announce",
    "after announce",
    "after write",
    "before commit",
    "after commit",
    "before remove",
    "after remove",
    "after removed",
    "before forget",
    "after forget",
    "before finish",
    "after finish"
  ],
  replace: [
    "before announce",
    "before write",
    "after write",
    "before commit",
    "after commit",
    "before removed",
    "after removed",
    "before remove",
    "after remove",
    "after forget",
    "after finish"
  ]
}
