import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { SinkError } from "../../ChunkSink.ts"
import * as DeadLetter from "../../DeadLetter.ts"
import type { ChunkId } from "../../DocumentChunk.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Acknowledgement, Removal, Report } from "../../LedgerEntry.ts"
import type { Outcome, Stored } from "../../Outcome.ts"
import { lacked } from "../../ParsedDocument.ts"
import { type DocumentId, documentId, rootOf } from "../../SourceFile.ts"
import * as ChunkIds from "../state/ledger/packedIds.ts"
import { isRetryable } from "./failure.ts"
import * as Hold from "./hold.ts"
import { recordFailure, type RunMemory, sighting } from "./memory.ts"
import { failed, notAttempted, report, stored } from "./outcome.ts"
import type { Context, Ended, Prepared, Refused } from "./prepare.ts"
import type { SinkWriter } from "./sinkWriter.ts"
import * as Stray from "./stray.ts"

/** Outcome of an unchanged document, computed synchronously; else undefined. */
export const outcomeIfUnchanged = (prepared: Ended | Refused | Prepared): Outcome | Refused | undefined =>
  prepared._tag === "Ended" && prepared.note === null && prepared.outcome._tag === "Unchanged"
    ? prepared.outcome
    : undefined

/**
 * Writes the chunks to every sink that lacks them and returns the outcome of the document. The document is in the sinks' queues
 * when this returns, so documents are written in the order of the calls. Passes a refused document on. Never fails.
 */
export const store =
  (context: Context): ((prepared: Ended | Refused | Prepared) => Effect.Effect<Outcome | Refused>) =>
  (prepared) => {
    if (prepared._tag === "Refused") return Effect.succeed(prepared)
    if (prepared._tag === "Ended") return settled(context, prepared)
    const { memory, writers } = context
    const { chunked, document, file, lease } = prepared
    const root = rootOf(file)
    const ids = chunked.chunks.map((chunk) => chunk.id)
    const targets = memory === null ? writers : writers.filter((writer) => !holds(memory, prepared, ids, writer))
    const writes = targets.map((writer) =>
      writer.submit(
        document.documentId,
        chunked.chunks,
        memory === null ? undefined : announce(memory, prepared, ids, writer)
      )
    )
    /** Sinks that may have got chunks. */
    let sent: ReadonlyArray<SinkWriter> = []
    const stored = eachWritten(writes).pipe(
      Effect.flatMap((results) => {
        lease.release()
        sent = targets.filter((_, at) => {
          const result = results[at]
          return result !== undefined && (Either.isRight(result) || result.left._tag === "SinkError")
        })
        const failures = results.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))
        const written = targets.filter((_, at) => {
          const result = results[at]
          return result !== undefined && Either.isRight(result)
        })
        return concluded(context, prepared, { ids, targets, written, failures })
      }),
      Effect.catchTag("LedgerError", (error) =>
        memory !== null && error.reason === "Superseded" ? Stray.takenOver(context, memory, file, ids, sent) : error
      ),
      Effect.catchTag("LedgerError", (error) =>
        Effect.sync((): Ended => {
          context.session.halt(error)
          return { _tag: "Ended", outcome: notAttempted(file), keep: false, note: null, root }
        })
      ),
      Effect.flatMap((end) => settled(context, end))
    )
    return memory === null ? stored : Effect.onInterrupt(stored, () => Hold.letGo(memory, file))
  }

type Written = ReadonlyArray<Either.Either<void, SinkError | LedgerError>>

/** Most runs have one sink. */
const eachWritten = (writes: ReadonlyArray<Effect.Effect<void, SinkError | LedgerError>>): Effect.Effect<Written> => {
  const [first, ...others] = writes
  if (first === undefined) return Effect.succeed([])
  return others.length === 0 ? Effect.map(Effect.either(first), Array.of) : Effect.forEach(writes, Effect.either)
}

/** Results of the writes of a document. */
interface Writes {
  readonly ids: ReadonlyArray<ChunkId>
  /** Sinks that lacked it. */
  readonly targets: ReadonlyArray<SinkWriter>
  /** Those of them that acknowledged. */
  readonly written: ReadonlyArray<SinkWriter>
  readonly failures: ReadonlyArray<SinkError | LedgerError>
}

/** True when the store held exactly these chunks of the document at the start of the run. */
const held = (document: DocumentId, ids: ReadonlyArray<ChunkId>, writer: SinkWriter): boolean => {
  const there = writer.held?.get(document)
  return there !== undefined && there.size === ids.length && ids.every((id) => there.has(id))
}

/** True when this sink already holds exactly these chunks. */
const holds = (memory: RunMemory, prepared: Prepared, ids: ReadonlyArray<ChunkId>, writer: SinkWriter): boolean => {
  const { expected } = memory
  const known = prepared.entry?.stored ?? null
  if (expected.redo !== "nothing" && expected.redo !== "failures") return false
  // The same ids may have been stored with other metadata.
  const annotated = known === null || known.configuration === expected.configuration
  if (annotated && held(prepared.document.documentId, ids, writer)) return true
  return (
    known !== null &&
    known.acknowledged.some((ack) => ack.sink === writer.sink.id && ack.store === writer.store) &&
    known.contentHash === prepared.document.contentHash &&
    known.optionsHash === expected.optionsHash &&
    known.configuration === expected.configuration &&
    known.embedder === expected.embedder &&
    ChunkIds.same(known.chunkIds, ids)
  )
}

const announce = (memory: RunMemory, { file }: Prepared, ids: ReadonlyArray<ChunkId>, writer: SinkWriter) => {
  // Chunks that were stored before and are not written again are removed with the former generation.
  const there = memory.mode === "append" ? undefined : writer.held?.get(file.documentId)
  const how = writer.replaces ? "instead" : "beside"
  return memory.ledger.announce(
    file,
    there === undefined ? ids : [...there, ...ids],
    [writer.sink.id],
    memory.scan.scope,
    how
  )
}

const concluded = (context: Context, prepared: Prepared, writes: Writes): Effect.Effect<Ended, LedgerError> => {
  const { memory, writers } = context
  const { attempts, chunked, document, file } = prepared
  const fault = writes.failures.find((error) => error._tag === "LedgerError")
  if (fault !== undefined) return fault
  const counted = report(document, chunked, context.truncated)
  const failure = writes.failures.find((error) => error._tag === "SinkError")
  const outcome =
    failure === undefined
      ? stored(file, document, counted, changes(context, prepared, writes))
      : failed(file.path, failure, isRetryable(failure), attempts, document.contentHash)
  if (outcome._tag === "Stored") context.session.collected.chunks(chunked.chunks)
  const end: Ended = { _tag: "Ended", outcome, keep: true, note: null, root: rootOf(file) }
  if (memory === null) return Effect.succeed(end)
  const holding = writers.filter((writer) => !writes.targets.includes(writer) || writes.written.includes(writer))
  const committed =
    holding.length > 0 || writers.length === 0
      ? commit(memory, prepared, writes, counted, holding)
      : Effect.succeed<ReadonlyArray<Removal>>([])
  const removed = Effect.flatMap(committed, (left) =>
    left.length === 0 ? Effect.succeed<ReadonlyArray<string>>([]) : removeFormer(context, writes, left)
  )
  return Effect.map(removed, (warnings): Ended => {
    if (outcome._tag !== "Stored") {
      return { ...end, note: recordFailure(memory, file, sighting(memory, file), { outcome, final: false }) }
    }
    if (warnings.length === 0) return end
    const all = { ...counted, warnings: [...counted.warnings, ...warnings] }
    return { ...end, outcome: stored(file, document, all, outcome.chunks) }
  })
}

/** Numbers of chunks by their change. */
const changes = ({ memory }: Context, { entry }: Prepared, { ids, targets }: Writes): Stored["chunks"] => {
  const known = entry?.stored ?? null
  const knew = targets.every((writer) =>
    known?.acknowledged.some((ack) => ack.sink === writer.sink.id && ack.store === writer.store)
  )
  if (memory === null || known === null || !knew) return { added: ids.length, deleted: 0, unchanged: 0 }
  const deleted = memory.mode === "append" ? 0 : ChunkIds.without(known.chunkIds, ids).length
  const added = ChunkIds.without(ids, known.chunkIds).length
  return { added, deleted, unchanged: new Set(ids).size - added }
}

const commit = (
  memory: RunMemory,
  { document, file, known }: Prepared,
  { ids }: Writes,
  counted: Report,
  holding: ReadonlyArray<SinkWriter>
): Effect.Effect<ReadonlyArray<Removal>, LedgerError> => {
  const { expected } = memory
  const { configuration, embedder, optionsHash } = expected
  return memory.ledger.commit({
    documentId: file.documentId,
    path: file.path,
    ...sighting(memory, file),
    contentHash: document.contentHash,
    optionsHash,
    identity: document.origin === "cache" ? (known.identity ?? expected.identity) : expected.identity,
    configuration,
    embedder,
    lacked: lacked(document),
    chunkIds: ids,
    acknowledged: holding.map((writer): Acknowledgement => ({ sink: writer.sink.id, store: writer.store })),
    report: counted,
    scope: memory.scan.scope
  })
}

/** Removes the former generation from the sinks that have the new one; returns the part that could not be removed now. */
const removeFormer = (
  { memory, writers }: Context,
  { written }: Writes,
  removals: ReadonlyArray<Removal>
): Effect.Effect<ReadonlyArray<string>, LedgerError> => {
  if (memory === null || memory.mode === "append") return Effect.succeed([])
  return Effect.map(
    Effect.forEach(removals, (removal) => {
      const writer = writers.find(({ sink }) => sink.id === removal.sink)
      if (writer === undefined) return Effect.succeed([])
      // A replacement has already removed the former chunks.
      const gone = writer.replaces && written.includes(writer)
      return (gone ? Effect.void : writer.remove(removal.chunkIds)).pipe(
        Effect.zipRight(memory.ledger.removed(removal)),
        Effect.as<ReadonlyArray<string>>([]),
        Effect.catchTag("SinkError", (error) =>
          Effect.succeed([`former chunks stay until the next run: ${error.message}`])
        )
      )
    }),
    (results) => results.flat()
  )
}

/**
 * Records the outcome in the ledger, then in the dead letters, which can be restored from it. A run without a ledger has the
 * letters only.
 */
export const settled = (context: Context, end: Ended): Effect.Effect<Outcome> => {
  const { memory } = context
  const { outcome, root } = end
  const recorded = record(context, end)
  if (memory === null || root === null) return recorded
  const key = { documentId: documentId(root, outcome.source), path: outcome.source }
  return Effect.zipLeft(recorded, Hold.letGo(memory, key))
}

const record = (context: Context, { keep, note, outcome, root }: Ended): Effect.Effect<Outcome> => {
  const { deadLetter, onFailure, session } = context
  const done = (write: Effect.Effect<void, DeadLetter.DeadLetterError | LedgerError>): Effect.Effect<Outcome> =>
    Effect.as(
      Effect.catchAll(write, (error) => Effect.sync(() => session.halt(error))),
      outcome
    )
  const noted = note ?? Effect.void
  if (outcome._tag === "Stored" || outcome._tag === "Unchanged") {
    return done(Effect.zipRight(noted, deadLetter.remove({ root, source: outcome.source })))
  }
  if (outcome._tag !== "Failed") return Effect.succeed(outcome)
  if (onFailure === "fail") session.halt({ _tag: outcome.tag, message: `${outcome.source}: ${outcome.message}` })
  if (!keep) return done(Effect.asVoid(noted))
  const of = { root, source: outcome.source }
  return done(
    Effect.flatMap(noted, (failure) =>
      failure === undefined
        ? Effect.flatMap(DeadLetter.ofOutcome(outcome, root, targetsOf(context)), deadLetter.add)
        : deadLetter.add(DeadLetter.ofFailure(of, failure))
    )
  )
}

const targetsOf = ({ writers }: Context): ReadonlyArray<string> => writers.map(({ sink }) => sink.id)
