/**
 * Writes to a state until it is killed, and reports each completed write on stdout. Imports single modules, since it starts
 * often.
 */
import { writeSync } from "node:fs"
import { join } from "node:path"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import type { Open } from "../fixtures/ledger.ts"
import * as Script from "./script.ts"

const say = (word: string, document: number, step: number) =>
  Effect.sync(() => writeSync(1, `${word} ${document} ${step}\n`))

const life = (ledger: Open, document: number, step: number) =>
  Effect.gen(function* () {
    const entry = Script.commit(document, step)
    yield* say("announcing", document, step)
    yield* ledger.announce(entry, entry.chunkIds, [Script.sink.sink], null)
    yield* say("announced", document, step)
    const due = yield* ledger.commit(entry)
    yield* say("committed", document, step)
    yield* Effect.forEach(due, ledger.removed)
  })

const ledger = (directory: string, first: number) =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger.make({ directory }))
    yield* say("open", 0, 0)
    yield* Effect.forEach(
      Array.from({ length: 5 }, (_, step) => first + step),
      (step) =>
        Effect.forEach(Script.documents, (document) => life(ledger, document, step), { concurrency: 8, discard: true }),
      { discard: true }
    )
  })

const cache = (directory: string, first: number) =>
  Effect.gen(function* () {
    const cache = yield* ParseCache.make({ directory: join(directory, "cache"), maxBytes: 500_000_000 })
    yield* say("open", 0, 0)
    yield* Effect.forEach(
      Array.from({ length: 500 }, (_, index) => first * 1000 + index),
      (document) => Effect.zipRight(cache.put(Script.key(document), Script.answer(document)), say("kept", document, 0)),
      { concurrency: 4, discard: true }
    )
  })

const [, , kind, directory = "", first = "0"] = process.argv
const work: Effect.Effect<void, Ledger.LedgerError | ParseCache.ParseCacheError, Scope.Scope> =
  kind === "cache" ? cache(directory, Number(first)) : ledger(directory, Number(first))
await Effect.runPromise(Effect.scoped(Effect.zipRight(work, Effect.never)))
