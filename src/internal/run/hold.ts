/** The documents that this run works on, where other processes use the same state. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { LedgerError } from "../../Ledger.ts"
import type { Key } from "../../LedgerEntry.ts"
import type { Hold } from "../state/ledger/runLedger.ts"
import type { RunMemory } from "./memory.ts"

/** Times between two questions for a document that another process has, in milliseconds. */
const wait = { least: 50, most: 300 } as const

/**
 * Takes the document, and waits for it while another process works on it: that one's result then counts. `until`: gives up waiting when it
 * is true. Every waiting document asks at times of its own, and the questions of one moment are one statement.
 */
export const take = (memory: RunMemory, key: Key, until: () => boolean): Effect.Effect<Hold, LedgerError> =>
  Effect.flatMap(memory.ledger.hold(key), (hold) => {
    if (hold.standing !== "busy" || until()) return Effect.succeed(hold)
    const told = memory.waitLogged
      ? Effect.void
      : Effect.logInfo("another process works on the same documents: its results are taken")
    memory.waitLogged = true
    return told.pipe(
      Effect.zipRight(Random.nextIntBetween(wait.least, wait.most)),
      Effect.flatMap((millis) => Effect.sleep(millis)),
      Effect.zipRight(take(memory, key, until))
    )
  })

/** Lets the document go, whose result is recorded or which has none. Never fails: the lease ends the hold of a process that cannot. */
export const letGo = (memory: RunMemory, key: Key): Effect.Effect<void> =>
  Effect.catchAll(memory.ledger.letGo(key), (error) => Effect.logWarning(error.message))
