import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { LedgerError } from "../../Ledger.ts"
import type { Failed } from "../../Outcome.ts"
import type { Terms } from "../../Parser.ts"
import { documentId, type SourceFile } from "../../SourceFile.ts"
import type { Failure, Key, LedgerEntry, Sighting } from "../state/ledger/entry.ts"
import type { Hold, Scan } from "../state/ledger/runLedger.ts"
import type { Expected } from "../state/ledger/verdict.ts"
import type { LedgerOptions } from "./options.ts"

/** State that the stages of a run with a ledger share. */
export interface RunMemory {
  readonly ledger: LedgerOptions["ledger"]
  readonly options: LedgerOptions
  readonly mode: "append" | "upsert" | "sync"
  readonly expected: Expected
  readonly scan: Scan<LedgerError>
  /** Ids of the sinks, unavailable ones included. */
  readonly targets: ReadonlyArray<string>
  /** Digest of the run's request text; null when it is empty. */
  readonly request: string | null
  /** Answers older than this are ignored, in milliseconds since the epoch; null: none are. */
  readonly since: number | null
  /** Number of files found. */
  found: number
  /** Reason why a part of the scope was not examined; null while every part was. */
  incomplete: string | null
  /** True once it was logged that documents are chunked again because the configuration changed. */
  rechunkLogged: boolean
  /** True once it was logged that documents wait for other processes. */
  waitLogged: boolean
  /** Documents that this run took and has not let go, by id. */
  readonly taken: Map<string, Key>
}

/** Stands in for the terms of a parser without them. */
export const noTerms: Pick<Terms, "identity" | "optionsHash" | "means"> = { identity: "", optionsHash: "" }

/** The sighting that this run may record of a file. */
export const sighting = (memory: RunMemory, file: SourceFile): Sighting => ({
  size: file.size,
  fingerprint: file.fingerprint,
  checkedAt: memory.expected.startedAt
})

/** A failed outcome to record in the ledger. */
export interface Recorded {
  readonly outcome: Failed
  /** True when the same bytes, options and service always fail like this. */
  readonly final: boolean
}

/** Records the failure of a document and returns it; stored chunks of the document stay. */
export const recordFailure = (
  memory: RunMemory,
  key: Key,
  seen: Sighting,
  { final, outcome }: Recorded
): Effect.Effect<Failure, LedgerError> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    noted(memory, key, {
      ...seen,
      error: outcome.error,
      retryable: outcome.retryable,
      final,
      contentHash: outcome.contentHash,
      optionsHash: memory.expected.optionsHash,
      identity: memory.expected.identity,
      attempts: outcome.attempts,
      at,
      ...ofRun(memory)
    })
  )

/** Records that a failure of an earlier run still stands, with a new sighting and this run's request. */
export const repeatFailure = (
  memory: RunMemory,
  key: Key,
  seen: Sighting,
  failure: Failure
): Effect.Effect<Failure, LedgerError> => noted(memory, key, { ...failure, ...seen, ...ofRun(memory) })

const noted = (memory: RunMemory, key: Key, failure: Failure): Effect.Effect<Failure, LedgerError> =>
  Effect.as(memory.ledger.fail(key, failure, memory.scan.scope), failure)

/** The parts of a failure from which the attempt can be repeated. */
const ofRun = ({ request, targets }: RunMemory): Pick<Failure, "request" | "targets"> => ({ request, targets })

/** The ledger key of a path in the scope that is not a source file. */
export const keyOf = (memory: RunMemory, path: string): Key => ({
  documentId: documentId(memory.options.scope.root, path),
  path
})

/** The row of a file that the ledger knows. */
export const entryOf = (memory: RunMemory, file: SourceFile): Effect.Effect<LedgerEntry | null, LedgerError> =>
  Effect.map(memory.ledger.get(file), (entry) => (entry._tag === "Some" ? entry.value : null))

/** The part of a run's memory by which it takes documents. */
type Taking = Pick<RunMemory, "ledger" | "waitLogged" | "taken">

/** Shortest and longest time between two questions for a document that another process has, in milliseconds. */
const pause = { least: 50, most: 300 } as const

/**
 * Takes the document for this process, and waits for it while another process works on it: the result of that one then counts. `until`:
 * gives up waiting when it returns true. Pauses are random, and the questions of one moment are one statement.
 */
export const take = (memory: Taking, key: Key, until: () => boolean): Effect.Effect<Hold, LedgerError> =>
  Effect.flatMap(held(memory, key), (hold) => {
    if (hold.standing !== "busy" || until()) return Effect.succeed(hold)
    const logged = memory.waitLogged
      ? Effect.void
      : Effect.logInfo("another process works on the same documents: its results are taken")
    memory.waitLogged = true
    return logged.pipe(
      Effect.zipRight(Random.nextIntBetween(pause.least, pause.most)),
      Effect.flatMap((millis) => Effect.sleep(millis)),
      Effect.zipRight(take(memory, key, until))
    )
  })

/** Asks for the document once. */
const held = ({ ledger, taken }: Taking, key: Key): Effect.Effect<Hold, LedgerError> =>
  Effect.uninterruptible(
    Effect.map(ledger.hold(key), (hold) => {
      if (hold.standing === "held") taken.set(key.documentId, key)
      return hold
    })
  )

/** Lets go of a document without a result. Never fails: the lease ends the hold of a process that cannot. */
export const letGo = (memory: RunMemory | null, key: Key): Effect.Effect<void> =>
  memory === null
    ? Effect.void
    : Effect.suspend(() => {
        memory.taken.delete(key.documentId)
        return Effect.catchAll(memory.ledger.letGo(key), (error) => Effect.logWarning(error.message))
      })

/** Lets go of the documents that a run which broke off had between two of its stages: nobody else would. */
export const letGoAll = (memory: RunMemory): Effect.Effect<void> =>
  Effect.suspend(() => Effect.forEach([...memory.taken.values()], (key) => letGo(memory, key), { discard: true }))
