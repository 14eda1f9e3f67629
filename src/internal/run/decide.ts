import * as Effect from "effect/Effect"
import type { LedgerError } from "../../Ledger.ts"
import type { Failure, LedgerEntry } from "../../LedgerEntry.ts"
import { type Outcome, Unchanged } from "../../Outcome.ts"
import type { Known } from "../../Parser.ts"
import type { FileChanged, FileUnreadable, SourceFile } from "../../SourceFile.ts"
import { fileHash } from "../discovery/fileHash.ts"
import * as Changes from "../state/ledger/verdict.ts"
import type { Compared } from "./compare.ts"
import { entryOf, repeatFailure, type RunMemory, sighting } from "./memory.ts"
import { failed, unchecked } from "./outcome.ts"

/** The work that a found file needs. */
export type Decision =
  | {
      readonly _tag: "Ended"
      readonly outcome: Outcome
      /** Records the outcome in the ledger when it is reported; returns the failure recorded. */
      readonly note: Effect.Effect<Failure | void, LedgerError> | null
    }
  | {
      readonly _tag: "Parse"
      readonly entry: LedgerEntry | null
      readonly known: Known
      /** The document is unchanged when its answer is not cached: nothing is paid for metadata alone. */
      readonly cached: boolean
    }

/** Decides by the ledger; reads the file only when nothing else shows whether it changed. */
export const decide = (
  memory: RunMemory,
  file: SourceFile,
  standing: Compared["standing"]
): Effect.Effect<Decision, LedgerError | FileUnreadable | FileChanged> =>
  Effect.suspend(() => {
    // A document that is not in the ledger is parsed, whatever its bytes.
    if (standing === "new") return Effect.succeed(parse(memory, null, {}))
    return Effect.flatMap(entryOf(memory, file), (entry) => decideBy(memory, file, entry))
  })

/** As {@link decide}, by an entry that was just read; null when there is none. */
export const decideBy = (
  memory: RunMemory,
  file: SourceFile,
  entry: LedgerEntry | null
): Effect.Effect<Decision, LedgerError | FileUnreadable | FileChanged> => {
  if (entry === null) return Effect.succeed(parse(memory, null, {}))
  const { expected } = memory
  const seen = Changes.decide(entry, file, expected)
  if (seen._tag !== "NeedsHash") return following(memory, file, entry, seen)
  return Effect.flatMap(fileHash(file), (hash) =>
    following(memory, file, entry, Changes.decideByContent(entry, hash, expected))
  )
}

const following = (
  memory: RunMemory,
  file: SourceFile,
  entry: LedgerEntry,
  verdict: Changes.Verdict
): Effect.Effect<Decision> => {
  switch (verdict._tag) {
    case "Unchanged":
      return Effect.succeed({
        _tag: "Ended",
        outcome: new Unchanged({ source: file.path }, unchecked),
        note: memory.ledger.touch(file, sighting(memory, file), memory.scan.scope)
      })
    case "KnownFailure": {
      const { attempts, contentHash, message, tag } = verdict.failure
      const outcome = failed(file.path, { _tag: tag, message }, false, attempts, contentHash)
      return Effect.succeed({
        _tag: "Ended",
        outcome,
        note: repeatFailure(memory, file, sighting(memory, file), verdict.failure)
      })
    }
    case "Rechunk":
      return Effect.as(
        logRechunk(memory, verdict.reason),
        parse(
          memory,
          entry,
          { contentHash: verdict.contentHash, identity: verdict.identity },
          verdict.reason === "annotations"
        )
      )
    default: {
      const { contentHash, reason } = verdict
      // The cached answer lacks what the document lacks.
      const known = reason === "means" ? { contentHash, since: memory.expected.startedAt } : { contentHash }
      return Effect.succeed(parse(memory, entry, known))
    }
  }
}

const parse = (memory: RunMemory, entry: LedgerEntry | null, known: Known, cached: boolean = false): Decision => ({
  _tag: "Parse",
  entry,
  cached,
  known: memory.since === null ? known : { ...known, since: memory.since }
})

/** Logs once, before the first such document, that stored documents are split again. */
const logRechunk = (memory: RunMemory, reason: Changes.RechunkReason): Effect.Effect<void> =>
  Effect.suspend(() => {
    const change = changes[reason]
    if (memory.rechunkLogged || change === undefined) return Effect.void
    memory.rechunkLogged = true
    return Effect.logInfo(`${change} and stored again, from the cache, without being parsed`)
  })

const changes: Readonly<Partial<Record<Changes.RechunkReason, string>>> = {
  configuration: "the way of chunking is not that of the stored documents: they are chunked",
  annotations: "the metadata of chunks are not those of the stored documents: they are completed",
  embedder: "the embedder is not that of the stored documents: they are embedded"
}
