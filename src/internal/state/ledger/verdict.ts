import type { Acknowledgement, Failure, Generation, LedgerEntry, Sighting } from "../../../LedgerEntry.ts"
import type { Fingerprint } from "../../../SourceFile.ts"

/** What the run would record of a document that it stores. */
export interface Expected {
  readonly optionsHash: string
  readonly identity: string
  readonly configuration: string
  readonly embedder: string | null
  /** The run's sinks with the store ids that `prepare` found. */
  readonly sinks: ReadonlyArray<Acknowledgement>
  /** Start of this run, milliseconds since the epoch. */
  readonly startedAt: number
  /** Believe no fingerprint: every file is hashed. */
  readonly verify: boolean
  /** What is done again though the ledger says it is done; each includes the ones before it. */
  readonly redo: "nothing" | "failures" | "writes" | "parses"
}

/** The file as discovery saw it. */
export interface Seen {
  readonly size: number
  readonly fingerprint: Fingerprint | undefined
}

/** Why a document that was stored is chunked and written again; its answer is expected in the cache. */
export type RechunkReason = "configuration" | "embedder" | "sinks" | "asked"

/** Why a document is parsed. */
export type ReparseReason = "new" | "content" | "options" | "failed" | "asked"

/** What to do with a file whose bytes are known. */
export type Verdict =
  /** To be touched in the ledger when the bytes were read for it, or a failure is still recorded: the next run then sees it so. */
  | { readonly _tag: "Unchanged" }
  /** The same bytes, options and service ended so before, for good. */
  | { readonly _tag: "KnownFailure"; readonly failure: Failure }
  /** `identity` is the service that answered: the cache has it under that. */
  | {
      readonly _tag: "Rechunk"
      readonly reason: RechunkReason
      readonly identity: string
      readonly contentHash: string
    }
  | { readonly _tag: "Reparse"; readonly reason: ReparseReason; readonly contentHash: string }

/** `NeedsHash`: only the bytes can tell; ask {@link decideByContent} with their hash. */
export type Decision = Verdict | { readonly _tag: "NeedsHash" }

/**
 * Time stamps are taken from the kernel's last tick: a change in this many nanoseconds after a run's start may bear a
 * time before it.
 */
const tick = 10_000_000n

const second = 1_000_000_000n

/** Whole seconds tell of a file system that keeps no finer ones (FAT: two seconds). */
const grain = (time: bigint): bigint => (time % second === 0n ? 2n * second : tick)

const before = (time: bigint, startMs: number): boolean => time + grain(time) < BigInt(Math.trunc(startMs)) * 1_000_000n

/**
 * Whether the sighting's times are for sure older than the start of the run that looked: a file written while that run read it
 * can bear the same times with other bytes.
 */
export const isCalm = ({ checkedAt, fingerprint }: Sighting): boolean =>
  fingerprint?._tag !== "Stat" || (before(fingerprint.modified, checkedAt) && before(fingerprint.changed, checkedAt))

/**
 * Whether the file is for sure the one that was looked at: size, modification time, change time and inode are equal, the
 * sighting was calm, and the clock was not set back behind it since: then times prove nothing. An etag proves by itself.
 */
export const untouched = (known: Sighting, seen: Seen, startedAt: number): boolean => {
  const then = known.fingerprint
  const now = seen.fingerprint
  if (then === undefined || now === undefined || known.size !== seen.size) return false
  if (then._tag === "Etag" || now._tag === "Etag") {
    return then._tag === "Etag" && now._tag === "Etag" && then.value === now.value
  }
  return (
    then.modified === now.modified &&
    then.changed === now.changed &&
    then.inode === now.inode &&
    known.checkedAt <= startedAt &&
    isCalm(known)
  )
}

/** Whether every sink of the run holds the generation, in the very store that is there now. */
export const acknowledged = (
  generation: ReadonlyArray<Acknowledgement>,
  sinks: ReadonlyArray<Acknowledgement>
): boolean => sinks.every((sink) => generation.some((known) => known.sink === sink.sink && known.store === sink.store))

/** What is still to be done with bytes that are stored; null when nothing is. */
const outstanding = (stored: Generation, expected: Expected): RechunkReason | null => {
  if (stored.configuration !== expected.configuration) return "configuration"
  if (stored.embedder !== expected.embedder) return "embedder"
  if (!acknowledged(stored.acknowledged, expected.sinks)) return "sinks"
  return expected.redo === "writes" ? "asked" : null
}

const isFinal = (failure: Failure, expected: Expected): boolean =>
  expected.redo === "nothing" &&
  failure.final &&
  failure.optionsHash === expected.optionsHash &&
  failure.identity === expected.identity

const whenStored = (stored: Generation, expected: Expected): Verdict => {
  const { contentHash, identity } = stored
  if (stored.optionsHash !== expected.optionsHash) return { _tag: "Reparse", reason: "options", contentHash }
  const reason = outstanding(stored, expected)
  return reason === null ? { _tag: "Unchanged" } : { _tag: "Rechunk", reason, identity, contentHash }
}

/**
 * What to do with a file whose bytes are known by their SHA-256.
 *
 * Another service or a later engine alone is no reason to parse again (`redo: "parses"` is for that); it is one to try
 * again what failed.
 */
export const decideByContent = (entry: LedgerEntry | null, contentHash: string, expected: Expected): Verdict => {
  if (expected.redo === "parses") return { _tag: "Reparse", reason: "asked", contentHash }
  const failure = entry?.failure?.contentHash === contentHash ? entry.failure : null
  const stored = entry?.stored ?? null
  if (failure !== null && isFinal(failure, expected)) return { _tag: "KnownFailure", failure }
  if (stored !== null && stored.contentHash === contentHash) return whenStored(stored, expected)
  if (failure !== null) return { _tag: "Reparse", reason: "failed", contentHash }
  return { _tag: "Reparse", reason: stored === null ? "new" : "content", contentHash }
}

/**
 * What to do with a file, by what the ledger knows of it; reads nothing. The file's size is taken to be allowed: a file that
 * is too large is refused before this.
 *
 * The sighting that counts is the last one: the failure's where the last attempt failed.
 */
export const decide = (entry: LedgerEntry | null, seen: Seen, expected: Expected): Decision => {
  const last = entry?.failure ?? entry?.stored ?? null
  if (last === null || last.contentHash === null || expected.verify) return { _tag: "NeedsHash" }
  return untouched(last, seen, expected.startedAt)
    ? decideByContent(entry, last.contentHash, expected)
    : { _tag: "NeedsHash" }
}
