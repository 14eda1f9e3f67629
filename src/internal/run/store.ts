import * as Effect from "effect/Effect"
import type { SinkError } from "../../ChunkSink.ts"
import type { ChunkId } from "../../DocumentChunk.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Outcome, Stored } from "../../Outcome.ts"
import { lacked, type ParsedDocument } from "../../ParsedDocument.ts"
import { type DocumentId, rootOf } from "../../SourceFile.ts"
import { sha256 } from "../base/sha256.ts"
import type { Acknowledgement, Removal, Report } from "../state/ledger/entry.ts"
import * as ChunkIds from "../state/ledger/packedIds.ts"
import { acknowledged, isEmbedded } from "../state/ledger/verdict.ts"
import type { RunContext } from "./context.ts"
import { type Ended, ended, failedBy, halted, type Item, type Prepared, type Refused } from "./item.ts"
import { letGo, type RunMemory, sighting } from "./memory.ts"
import { report, stored } from "./outcome.ts"
import { record } from "./record.ts"
import type { SinkWriter } from "./sinkWriter.ts"
import * as Stray from "./stray.ts"

/** Outcome of an unchanged document, computed synchronously; else undefined. */
export const outcomeIfUnchanged = (item: Item): Outcome | Refused | undefined =>
  item._tag === "Ended" && item.note === null && item.outcome._tag === "Unchanged" ? item.outcome : undefined

/**
 * Writes the chunks to every sink that lacks them, commits them to the ledger, and records the outcome. The document is in the sinks' queues
 * when this returns, so documents are written in the order of the calls. Passes a refused document on. Never fails.
 */
export const store =
  (context: RunContext) =>
  (item: Item): Effect.Effect<Outcome | Refused> => {
    if (item._tag === "Refused") return Effect.succeed(item)
    return item._tag === "Ended" ? record(context, item) : write(context, item)
  }

/** The result of the write to one sink. */
interface Written {
  readonly writer: SinkWriter
  readonly error: SinkError | LedgerError | null
}

/** The chunks of a document, and the results of its writes. */
interface Writes {
  readonly ids: ReadonlyArray<ChunkId>
  /** One for each sink that lacked the document. */
  readonly written: ReadonlyArray<Written>
}

const write = (context: RunContext, prepared: Prepared): Effect.Effect<Outcome> => {
  const { memory, writers } = context
  const { chunks } = prepared.chunked
  const { document, file, lease } = prepared
  const ids = chunks.map((chunk) => chunk.id)
  const lacking = memory === null ? writers : writers.filter((writer) => !holds(memory, prepared, ids, writer))
  const writes = lacking.map((writer) => {
    const announced = memory === null ? undefined : announce(memory, prepared, ids, writer)
    return Effect.match(writer.submit(document.documentId, chunks, announced), {
      onFailure: (error): Written => ({ writer, error }),
      onSuccess: (): Written => ({ writer, error: null })
    })
  })
  /** Sinks that may have got chunks. */
  let reached: ReadonlyArray<SinkWriter> = []
  const stored = all(writes).pipe(
    Effect.flatMap((written) => {
      lease.release()
      reached = written.flatMap(({ error, writer }) => (error?._tag === "LedgerError" ? [] : [writer]))
      return concluded(context, prepared, { ids, written })
    }),
    Effect.catchTag("LedgerError", (error) =>
      memory !== null && error.reason === "Superseded"
        ? Stray.takenOver(context, memory, { file, ids, reached })
        : error
    ),
    Effect.catchTag("LedgerError", (error) => Effect.sync(() => halted(context, file, error))),
    Effect.flatMap((end) => record(context, end))
  )
  return memory === null ? stored : Effect.onInterrupt(stored, () => letGo(memory, file))
}

/** Most runs have one sink. */
const all = (writes: ReadonlyArray<Effect.Effect<Written>>): Effect.Effect<ReadonlyArray<Written>> => {
  const [first, ...others] = writes
  if (first === undefined) return Effect.succeed([])
  return others.length === 0 ? Effect.map(first, Array.of) : Effect.all(writes)
}

const acknowledgementOf = ({ sink, store }: SinkWriter): Acknowledgement => ({ sink: sink.id, store })

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
  const own = { sinks: [acknowledgementOf(writer)], embedder: expected.embedder }
  const annotated = known === null || known.configuration === expected.configuration
  if (annotated && held(prepared.document.documentId, ids, writer)) return true
  return (
    known !== null &&
    acknowledged(known.acknowledged, own) &&
    known.contentHash === prepared.document.contentHash &&
    known.optionsHash === expected.optionsHash &&
    known.configuration === expected.configuration &&
    isEmbedded(known, own) &&
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

/** Commits what the sinks hold now, removes what they held before, and tells the outcome. */
const concluded = (context: RunContext, prepared: Prepared, writes: Writes): Effect.Effect<Ended, LedgerError> => {
  const { memory, session, writers } = context
  const { attempts, chunked, document, file } = prepared
  const errors = writes.written.flatMap(({ error }) => error ?? [])
  const fault = errors.find((error) => error._tag === "LedgerError")
  if (fault !== undefined) return fault
  const failure = errors.find((error) => error._tag === "SinkError")
  const counted = report(document, chunked, context)
  if (failure === undefined) session.collected.chunks(chunked.chunks)
  const endedWith = (warnings: ReadonlyArray<string>): Ended => {
    if (failure !== undefined) {
      const { contentHash } = document
      return failedBy(context, file, failure, { attempts, contentHash })
    }
    const all = warnings.length === 0 ? counted : { ...counted, warnings: [...counted.warnings, ...warnings] }
    return ended(rootOf(file), stored(file, document, all, changes(context, prepared, writes)))
  }
  if (memory === null) return Effect.succeed(endedWith([]))
  const holding = writers.filter((writer) => !writes.written.some((one) => one.writer === writer && one.error !== null))
  if (holding.length === 0 && writers.length > 0) return Effect.succeed(endedWith([]))
  return Effect.flatMap(commit(memory, prepared, { ids: writes.ids, report: counted, holding }), (former) =>
    former.length === 0
      ? Effect.succeed(endedWith([]))
      : Effect.map(removeFormer(context, memory, writes, former), endedWith)
  )
}

/** Numbers of chunks by their change. */
const changes = ({ memory }: RunContext, { entry }: Prepared, { ids, written }: Writes): Stored["chunks"] => {
  const known = entry?.stored ?? null
  if (
    memory === null ||
    known === null ||
    !acknowledged(known.acknowledged, {
      sinks: written.map(({ writer }) => acknowledgementOf(writer)),
      embedder: memory.expected.embedder
    })
  ) {
    return { added: ids.length, deleted: 0, unchanged: 0 }
  }
  const deleted = memory.mode === "append" ? 0 : ChunkIds.without(known.chunkIds, ids).length
  const added = ChunkIds.without(ids, known.chunkIds).length
  return { added, deleted, unchanged: new Set(ids).size - added }
}

/** The generation that the holding sinks have. */
interface Generation {
  readonly ids: ReadonlyArray<ChunkId>
  readonly report: Report
  readonly holding: ReadonlyArray<SinkWriter>
}

/** False when a figure lacks its description for now: the next run shall not take the document for chunked as it wants it. */
const isDescribed = ({ undescribed = [] }: ParsedDocument): boolean =>
  undescribed.every(({ reason }) => reason !== "NotDescribed")

const commit = (
  memory: RunMemory,
  { document, file, known }: Prepared,
  { holding, ids, report }: Generation
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
    configuration: isDescribed(document) ? configuration : sha256(configuration),
    embedder,
    lacked: lacked(document),
    chunkIds: ids,
    acknowledged: holding.map(acknowledgementOf),
    report,
    scope: memory.scan.scope
  })
}

/** Removes the former generation from the sinks that have the new one; returns a warning for each that could not. */
const removeFormer = (
  { writers }: RunContext,
  memory: RunMemory,
  { written }: Writes,
  former: ReadonlyArray<Removal>
): Effect.Effect<ReadonlyArray<string>, LedgerError> => {
  if (memory.mode === "append") return Effect.succeed([])
  return Effect.map(
    Effect.forEach(former, (removal) => {
      const writer = writers.find(({ sink }) => sink.id === removal.sink)
      if (writer === undefined) return Effect.succeed([])
      // A replacement has already removed the former chunks.
      const gone = writer.replaces && written.some((one) => one.writer === writer && one.error === null)
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
