import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LedgerError } from "../../Ledger.ts"
import type { Failure, Key, LedgerEntry, Sighting } from "../../LedgerEntry.ts"
import type { Failed } from "../../Outcome.ts"
import type { Terms } from "../../Parser.ts"
import { documentId, type SourceFile } from "../../SourceFile.ts"
import type { Scan } from "../state/ledger/runLedger.ts"
import type { Expected } from "../state/ledger/verdict.ts"
import type { LedgerOptions } from "./options.ts"

/** What the stages of a run with a ledger share. */
export interface RunMemory {
  readonly ledger: LedgerOptions["ledger"]
  readonly options: LedgerOptions
  readonly mode: "append" | "upsert" | "sync"
  readonly expected: Expected
  readonly scan: Scan<LedgerError>
  /** Ids of the sinks, those that are not there included. */
  readonly targets: ReadonlyArray<string>
  /** Digest of what the run was told; null when that was nothing. */
  readonly request: string | null
  /** Answers from before this moment do not count; null: all do. */
  readonly since: number | null
  /** Files that were found. */
  found: number
  /** Why not everything of the scope was looked at; null as long as nothing was left out. */
  incomplete: string | null
  /** Whether it was said that documents are chunked anew since the configuration changed. */
  told: boolean
}

/** What a parser without terms stands for. */
export const noTerms: Pick<Terms, "identity" | "optionsHash"> = { identity: "", optionsHash: "" }

/** The sighting that this run may record of a file. */
export const sighting = (memory: RunMemory, file: SourceFile): Sighting => ({
  size: file.size,
  fingerprint: file.fingerprint,
  checkedAt: memory.expected.startedAt
})

/** Errors of the service about the document itself, which the same question meets again. */
export interface Recorded {
  readonly outcome: Failed
  /** The same bytes, options and service end so for good. */
  readonly final: boolean
}

/** Notes why a document failed, and gives the note; what is stored of the document stays. */
export const recordFailure = (
  memory: RunMemory,
  key: Key,
  seen: Sighting,
  { final, outcome }: Recorded
): Effect.Effect<Failure, LedgerError> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    noted(memory, key, {
      ...seen,
      tag: outcome.tag,
      message: outcome.message,
      retryable: outcome.retryable,
      final,
      contentHash: outcome.contentHash,
      optionsHash: memory.expected.optionsHash,
      identity: memory.expected.identity,
      attempts: outcome.attempts,
      at,
      ...told(memory)
    })
  )

/** Notes that a failure of an earlier run still stands: a new sighting, and what this run was told. */
export const repeatFailure = (
  memory: RunMemory,
  key: Key,
  seen: Sighting,
  failure: Failure
): Effect.Effect<Failure, LedgerError> => noted(memory, key, { ...failure, ...seen, ...told(memory) })

const noted = (memory: RunMemory, key: Key, failure: Failure): Effect.Effect<Failure, LedgerError> =>
  Effect.as(memory.ledger.fail(key, failure, memory.scan.scope), failure)

/** What a repetition of the failed attempt needs. */
const told = ({ request, targets }: RunMemory): Pick<Failure, "request" | "targets"> => ({ request, targets })

/** The key of a path of the scope that is no source file. */
export const keyOf = (memory: RunMemory, path: string): Key => ({
  documentId: documentId(memory.options.scope.root, path),
  path
})

/** The row of a file that the ledger knows. */
export const entryOf = (memory: RunMemory, file: SourceFile): Effect.Effect<LedgerEntry | null, LedgerError> =>
  Effect.map(memory.ledger.get(file), (entry) => (entry._tag === "Some" ? entry.value : null))
