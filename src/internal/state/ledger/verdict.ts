import { type Means, overcomes } from "../../../ParsedDocument.ts"
import type { Fingerprint } from "../../../SourceFile.ts"
import { sameChunks } from "../../chunking/identity.ts"
import type { Acknowledgement, Failure, Generation, LedgerEntry, Sighting } from "./entry.ts"

/** The record that the run would write of a document that it stores. */
export interface Expected {
  readonly optionsHash: string
  readonly identity: string
  readonly configuration: string
  readonly embedder: string | null
  /** What the service can do now; null: nothing about what earlier answers lacked. */
  readonly means: Means | null
  /** The run's sinks with the store ids that `prepare` found. */
  readonly sinks: ReadonlyArray<Acknowledgement>
  /** Start of this run, milliseconds since the epoch. */
  readonly startedAt: number
  /** Trust no fingerprint: every file is hashed. */
  readonly verify: boolean
  /** Forces work that the ledger considers done. Each level includes the ones before. */
  readonly redo: "nothing" | "failures" | "writes" | "parses"
}

/** The file as discovery saw it. */
export interface Seen {
  readonly size: number
  readonly fingerprint: Fingerprint | undefined
}

/**
 * Reason to chunk and write a stored document again; its answer is expected in the cache. `annotations`: only the metadata of its
 * chunks would change, which is no reason to parse it.
 */
export type RechunkReason = "configuration" | "annotations" | "embedder" | "sinks" | "asked"

/** Reason to parse a document. `means`: the service can now read what it could not when the document was stored. */
export type ReparseReason = "new" | "content" | "options" | "means" | "failed" | "asked"

/** The work for a file whose bytes are known. */
export type Verdict =
  /** Touched in the ledger when the bytes were read or a failure is still recorded, so that the next run knows it by sight. */
  | { readonly _tag: "Unchanged" }
  /** The same bytes, options and service failed before, for good. */
  | { readonly _tag: "KnownFailure"; readonly failure: Failure }
  /** `identity` is that of the service that answered, under which the answer is cached. */
  | {
      readonly _tag: "Rechunk"
      readonly reason: RechunkReason
      readonly identity: string
      readonly contentHash: string
    }
  | { readonly _tag: "Reparse"; readonly reason: ReparseReason; readonly contentHash: string }

/** `NeedsHash`: only the bytes can decide; call {@link decideByContent} with their hash. */
export type Decision = Verdict | { readonly _tag: "NeedsHash" }

/**
 * Granularity of time stamps, in nanoseconds. They are taken from the kernel's last tick, so a change within this time after a
 * run's start may carry a time before it.
 */
const tick = 10_000_000n

const second = 1_000_000_000n

/** Resolution of a time stamp, in nanoseconds. Whole seconds suggest a coarse file system (FAT: two seconds). */
const grain = (time: bigint): bigint => (time % second === 0n ? 2n * second : tick)

const before = (time: bigint, startMs: number): boolean => time + grain(time) < BigInt(Math.trunc(startMs)) * 1_000_000n

/**
 * True when the sighting's times are certainly older than the start of the run that made it: a file written while that run read
 * it can have the same times with other bytes.
 */
export const isCalm = ({ checkedAt, fingerprint }: Sighting): boolean =>
  fingerprint?._tag !== "Stat" || (before(fingerprint.modified, checkedAt) && before(fingerprint.changed, checkedAt))

/**
 * True when the file is certainly the one of the sighting: size, modification time, change time and inode are equal, the
 * sighting was calm, and the clock was not set back to before it, which would make times worthless. An equal etag suffices.
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

/** True when every sink of the run holds the generation in its present store, as far as they have vectors of that embedder. */
export const acknowledged = (
  generation: ReadonlyArray<Acknowledgement>,
  { embedder, sinks }: Pick<Expected, "embedder" | "sinks">
): boolean =>
  sinks.every((sink) =>
    generation.some(
      (known) =>
        known.sink === sink.sink &&
        known.store === sink.store &&
        (known.embedder === undefined || known.embedder === embedder)
    )
  )

/** True when all sinks of the run that hold the document have vectors of the run's embedder. */
export const isEmbedded = (
  { acknowledged: acks, embedder }: Generation,
  expected: Pick<Expected, "embedder" | "sinks">
): boolean => {
  const own = acks.filter(({ sink }) => expected.sinks.some((one) => one.sink === sink))
  return own.length === 0
    ? embedder === expected.embedder
    : own.every((ack) => (ack.embedder === undefined ? embedder : ack.embedder) === expected.embedder)
}

/** Reason to chunk and write stored bytes again; null when there is none. */
const outstanding = (stored: Generation, expected: Expected): RechunkReason | null => {
  if (!sameChunks(stored.configuration, expected.configuration)) return "configuration"
  if (!isEmbedded(stored, expected)) return "embedder"
  if (!acknowledged(stored.acknowledged, expected)) return "sinks"
  if (expected.redo === "writes") return "asked"
  return stored.configuration === expected.configuration ? null : "annotations"
}

const isReadable = ({ lacked = [] }: Pick<Generation, "lacked">, { means }: Expected): boolean =>
  means !== null && lacked.some((one) => overcomes(means, one))

/** True when an unchanged file is known by its sighting alone. */
export const trustsSightings = ({ redo, verify }: Expected): boolean =>
  !verify && redo !== "writes" && redo !== "parses"

/** True when a document with this setting needs no work, if it is in all sinks and unchanged. */
export const isSettled = (
  setting: Pick<Generation, "optionsHash" | "configuration" | "embedder" | "lacked">,
  expected: Expected
): boolean =>
  setting.optionsHash === expected.optionsHash &&
  setting.configuration === expected.configuration &&
  setting.embedder === expected.embedder &&
  !isReadable(setting, expected)

const isFinal = (failure: Failure, expected: Expected): boolean =>
  expected.redo === "nothing" &&
  failure.final &&
  failure.optionsHash === expected.optionsHash &&
  failure.identity === expected.identity

const whenStored = (stored: Generation, expected: Expected): Verdict => {
  const { contentHash, identity } = stored
  if (stored.optionsHash !== expected.optionsHash) return { _tag: "Reparse", reason: "options", contentHash }
  const reason = outstanding(stored, expected)
  // What a sink lacks is completed from the cache first, as `doctor` does, which may not parse.
  if (reason !== "sinks" && isReadable(stored, expected)) return { _tag: "Reparse", reason: "means", contentHash }
  return reason === null ? { _tag: "Unchanged" } : { _tag: "Rechunk", reason, identity, contentHash }
}

/**
 * Decides the work for a file whose bytes are known by their SHA-256.
 *
 * Another service or a later engine alone is no reason to parse a stored document again (use `redo: "parses"`), unless it can do what the
 * one that parsed it lacked, but it is a reason to retry a failed one.
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
 * Decides the work for a file by its ledger entry; reads nothing. The file's size is assumed to be allowed: a file that is too
 * large is refused before this.
 *
 * Uses the last sighting, which is the failure's when the last attempt failed.
 */
export const decide = (entry: LedgerEntry | null, seen: Seen, expected: Expected): Decision => {
  const last = entry?.failure ?? entry?.stored ?? null
  if (last === null || last.contentHash === null || expected.verify) return { _tag: "NeedsHash" }
  return untouched(last, seen, expected.startedAt)
    ? decideByContent(entry, last.contentHash, expected)
    : { _tag: "NeedsHash" }
}
