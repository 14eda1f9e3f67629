/** A document between two steps of its walk. */
import type * as Effect from "effect/Effect"
import type { Chunked } from "../../Chunker.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Failed, Outcome } from "../../Outcome.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { rootOf, type SourceFile } from "../../SourceFile.ts"
import type { Known } from "../client/currentFile.ts"
import type { Failure, LedgerEntry } from "../state/ledger/entry.ts"
import type { Lease } from "./byteBudget.ts"
import type { DocumentError } from "./documentError.ts"
import { recordFailure, type RunMemory, sighting } from "./memory.ts"
import { failed, type FailureFacts, namesOf, notAttempted } from "./outcome.ts"
import type { RunError } from "./runError.ts"
import type { Halt, Session } from "./session.ts"

/** A document whose outcome is known. */
export interface Ended {
  readonly _tag: "Ended"
  readonly outcome: Outcome
  /** Name of the root; null when it is unknown, or when the document of that name is another one. */
  readonly root: string | null
  /** Records the outcome in the ledger and returns the recorded failure; null when there is nothing to record. */
  readonly note: Effect.Effect<Failure | void, LedgerError> | null
  /** True when a failure becomes a dead letter. */
  readonly keep: boolean
}

/** A document whose refusal may turn out to be about the run rather than about the document. */
export interface Refused {
  readonly _tag: "Refused"
  readonly file: SourceFile
  /** Equal for two identical refusals. */
  readonly refusal: string
  /** Its outcome, should the refusal be about the document. */
  readonly failure: Ended
}

/** A document that has to be parsed. */
export interface ToParse {
  readonly _tag: "ToParse"
  readonly file: SourceFile
  /** The document's ledger entry before this run; null when it has none. */
  readonly entry: LedgerEntry | null
  readonly known: Known
  /** The document is unchanged when its answer is not cached: nothing is paid for metadata alone. */
  readonly cached: boolean
}

/** A document with its answer. */
export interface Parsed extends Pick<ToParse, "file" | "entry" | "known"> {
  readonly _tag: "Parsed"
  readonly document: ParsedDocument
  /** Requests that were sent for it. */
  readonly attempts: number
}

/** A document whose chunks are ready to be embedded and stored. */
export interface Prepared extends Omit<Parsed, "_tag"> {
  readonly _tag: "Prepared"
  readonly chunked: Chunked
  /** The bytes that it holds. */
  readonly lease: Lease
}

/** A document between two stages. */
export type Item = Ended | Refused | Prepared

export const ended = (
  root: string | null,
  outcome: Outcome,
  { keep = true, note = null }: Partial<Pick<Ended, "keep" | "note">> = {}
): Ended => ({ _tag: "Ended", outcome, root, note, keep })

/** A file that the run does not get to. */
export const unattempted = (file: SourceFile): Ended => ended(rootOf(file), notAttempted(file))

/** Stops the run for this reason, without an attempt at the file. */
export const halted = (
  { session }: { readonly session: Session },
  file: SourceFile,
  error: RunError,
  how?: Halt
): Ended => {
  session.halt(error, how)
  return unattempted(file)
}

interface WithMemory {
  readonly memory: RunMemory | null
}

/** A document that failed, with the record of its failure. `final`: the same bytes, options and service always fail like this. */
export const endedBy = ({ memory }: WithMemory, file: SourceFile, outcome: Failed, final: boolean = false): Ended =>
  ended(rootOf(file), outcome, {
    note: memory === null ? null : recordFailure(memory, file, sighting(memory, file), { outcome, final })
  })

/** A document that failed by an error. */
export const failedBy = (
  context: WithMemory,
  file: SourceFile,
  error: DocumentError,
  facts: FailureFacts = {}
): Ended => endedBy(context, file, failed(namesOf(file), error, facts))
