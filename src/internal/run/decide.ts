import * as Effect from "effect/Effect"
import type { LedgerError } from "../../Ledger.ts"
import { type FileChanged, type FileUnreadable, rootOf, type SourceFile } from "../../SourceFile.ts"
import { hold, mostHeld } from "../client/heldFile.ts"
import { fileHash } from "../discovery/fileHash.ts"
import type { LedgerEntry } from "../state/ledger/entry.ts"
import type { Hold } from "../state/ledger/runLedger.ts"
import * as Changes from "../state/ledger/verdict.ts"
import type { Compared } from "./compare.ts"
import type { RunContext } from "./context.ts"
import { type Ended, ended, type ToParse, unattempted } from "./item.ts"
import { entryOf, repeatFailure, type RunMemory, sighting, take } from "./memory.ts"
import { failed, namesOf, unchanged } from "./outcome.ts"
import type { Postpone, Postponed } from "./postponed.ts"

/** Errors of a decision: of the ledger, or of the file whose bytes decide. */
export type DecisionError = LedgerError | FileUnreadable | FileChanged

/** Decides by the ledger; reads the file only when nothing else shows whether it changed. */
export const decide = (
  { memory, session }: RunContext,
  file: SourceFile,
  standing: Compared["standing"]
): Effect.Effect<Ended | ToParse, DecisionError> => {
  if (session.stopped() !== null) return Effect.succeed(unattempted(file))
  // A document that is not in the ledger is parsed, whatever its bytes.
  if (memory === null || standing === "new") return Effect.succeed(toParse(memory, file, null))
  return Effect.flatMap(entryOf(memory, file), (entry) => decideBy(memory, file, entry))
}

/**
 * Takes a document that has to be parsed, so that no other process works on it. A document that another process has is put off, or waited
 * for when `postpone` has no room for it; then it is decided again, since that process may have stored it or failed with it.
 */
export const claim = <P extends Postponed>(
  { memory, session }: RunContext,
  decided: ToParse,
  postpone: Postpone<P> | null
): Effect.Effect<Ended | ToParse | P, DecisionError> => {
  if (memory === null) return Effect.succeed(decided)
  const { file } = decided
  const under = ({ entry, standing }: Hold): Effect.Effect<Ended | ToParse, DecisionError> => {
    if (standing === "busy") return Effect.succeed(unattempted(file))
    return standing === "alone" ? Effect.succeed(decided) : decideBy(memory, file, entry)
  }
  return Effect.flatMap(
    take(memory, file, () => true),
    (hold): Effect.Effect<Ended | ToParse | P, DecisionError> => {
      if (hold.standing !== "busy") return under(hold)
      const later = postpone?.(file) ?? null
      return later === null
        ? Effect.flatMap(
            take(memory, file, () => session.stopped() !== null),
            under
          )
        : Effect.succeed(later)
    }
  )
}

/** Decides by an entry that was just read; null for a document that is not in the ledger. */
const decideBy = (
  memory: RunMemory,
  file: SourceFile,
  entry: LedgerEntry | null
): Effect.Effect<Ended | ToParse, FileUnreadable | FileChanged> => {
  if (entry === null) return Effect.succeed(toParse(memory, file, null))
  const { expected } = memory
  const seen = Changes.decide(entry, file, expected)
  if (seen._tag !== "NeedsHash") return following(memory, file, entry, seen)
  return Effect.flatMap(hashed(file), (read) =>
    following(memory, read.file, entry, Changes.decideByContent(entry, read.hash, expected))
  )
}

/** The hash of a file, and the file: with its bytes where they are few and far away, so that they are fetched once. */
const hashed = (
  file: SourceFile
): Effect.Effect<{ readonly file: SourceFile; readonly hash: string }, FileUnreadable | FileChanged> =>
  file.fingerprint?._tag === "Stat" || file.size > mostHeld
    ? Effect.map(fileHash(file), (hash) => ({ file, hash }))
    : Effect.map(hold(file), (held) => ({ file: held, hash: held.contentHash }))

const following = (
  memory: RunMemory,
  file: SourceFile,
  entry: LedgerEntry,
  verdict: Changes.Verdict
): Effect.Effect<Ended | ToParse> => {
  switch (verdict._tag) {
    case "Unchanged": {
      const note = memory.ledger.touch(file, sighting(memory, file), memory.scan.scope)
      return Effect.succeed(ended(rootOf(file), unchanged(file), { note }))
    }
    case "KnownFailure": {
      const { attempts, contentHash, error } = verdict.failure
      const outcome = failed(namesOf(file), error, { attempts, contentHash })
      const note = repeatFailure(memory, file, sighting(memory, file), verdict.failure)
      return Effect.succeed(ended(rootOf(file), outcome, { note }))
    }
    case "Rechunk": {
      const { contentHash, identity, reason } = verdict
      const decided = toParse(memory, file, entry, { contentHash, identity })
      return Effect.as(logRechunk(memory, reason), { ...decided, cached: reason === "annotations" })
    }
    default: {
      const { contentHash, reason } = verdict
      // The cached answer lacks what the document lacks.
      const known = reason === "means" ? { contentHash, since: memory.expected.startedAt } : { contentHash }
      return Effect.succeed(toParse(memory, file, entry, known))
    }
  }
}

const toParse = (
  memory: RunMemory | null,
  file: SourceFile,
  entry: LedgerEntry | null,
  known: ToParse["known"] = {}
): ToParse => ({
  _tag: "ToParse",
  file,
  entry,
  known: memory === null || memory.since === null ? known : { ...known, since: memory.since },
  cached: false
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
