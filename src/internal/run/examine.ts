/** Compares the ledger with the contents of the sinks. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chunker } from "../../Chunker.ts"
import { type ChunkSink, type EmbeddingSpace, type SinkError, type Store, unstamped } from "../../ChunkSink.ts"
import type { ChunkId } from "../../DocumentChunk.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import type { DocumentId } from "../../SourceFile.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import * as Batches from "../base/batches.ts"
import { digestsOf, isIdOf, recordDigest } from "../chunking/identity.ts"
import type { Key, LedgerEntry } from "../state/ledger/entry.ts"
import { ofRun, type RunLedger } from "../state/ledger/runLedger.ts"
import * as Claim from "./claim.ts"
import { gather } from "./reconcile.ts"

/**
 * The result of examining one sink, as `docsluice doctor --json` prints it.
 *
 * @since 0.1.0
 * @category models
 */
export class Finding extends Schema.Class<Finding>("docsluice/Doctor/Finding")({
  /** The sink's id. */
  sink: Schema.String,
  /** Documents that the sink should hold. */
  documents: Schema.NonNegativeInt,
  /** Those of `documents` that lack some or all of their chunks, or have a chunk whose text was changed. */
  missing: Schema.NonNegativeInt,
  /** Chunks of documents that are not in the ledger. */
  extra: Schema.NonNegativeInt,
  /** Chunks of known documents that do not belong to the current generation. */
  stale: Schema.NonNegativeInt,
  /** Number of the missing, extra and stale ones that were written or removed now; 0 unless requested. */
  fixed: Schema.NonNegativeInt,
  /** Documents of other states in a shared store; never changed. */
  others: Schema.NonNegativeInt,
  /** For a generation that does not serve, which is never changed: what it is. Its documents may be as they were before. */
  standing: Schema.optional(Schema.Literal("filling", "whole", "former", "dropping"))
}) {}

/**
 * True when ledger and sink agree: nothing missing, extra or stale. A generation that does not serve need not.
 *
 * @since 0.1.0
 * @category predicates
 */
export const agrees = (finding: Finding): boolean =>
  finding.standing !== undefined || finding.missing + finding.extra + finding.stale === 0

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Sinks to examine; those that cannot list are skipped. `examine` prepares them. */
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  /** The space that the sinks were filled with; default null: chunks without vectors. */
  readonly space?: EmbeddingSpace | null | undefined
  /** `keep`: former generations stay in the sinks on purpose (mode append) and are not stale; default `remove`. */
  readonly former?: "remove" | "keep" | undefined
  /**
   * Remove extra and stale chunks, and revoke the sink's acknowledgement of missing documents so that the next run writes them
   * again. The former generation of a document whose current one was not written to the end stays until it is. Documents of other states in a shared store are never changed. Default false: examine only; sinks that support
   * read-only access are not created, changed or locked.
   */
  readonly fix?: boolean | undefined
  /**
   * Also compare chunk texts with their ids, in sinks that return their chunks. Applies to documents split with this tokenizer by
   * a chunker of this package, with its settings or those that a root was filled with, whose chunk ids are hashes of the content.
   * Default: compare ids only.
   */
  readonly texts?:
    | {
        readonly chunker: Pick<Chunker, "name" | "configuration" | "annotations" | "keeping">
        readonly tokenizer: Pick<Tokenizer.Service, "name">
      }
    | undefined
  /** Called for each document that a sink lacks. */
  readonly onMissing?: ((entry: LedgerEntry, sink: string) => void) | undefined
}

/**
 * One finding for each sink that can list, in the order of the sinks.
 *
 * If a sink's store is not the one that acknowledged the documents, all of them are missing. Holds the ids that one sink lists,
 * some 150 bytes each. The parsing service is not called.
 *
 * @since 0.1.0
 * @category running
 */
export const examine: (options: Options) => Effect.Effect<ReadonlyArray<Finding>, SinkError | LedgerError, Ledger> =
  Effect.fnUntraced(function* (options) {
    const findings: Array<Finding> = []
    for (const target of options.sinks) {
      const { generations } = target
      const all = generations === undefined ? [{ sink: target, standing: "serving" } as const] : yield* generations.list
      for (const { sink, standing } of all) {
        const finding = yield* examineStore(
          sink,
          standing === "serving" ? options : { ...options, fix: false, onMissing: undefined }
        )
        if (finding === null) continue
        findings.push(standing === "serving" ? finding : Finding.make({ ...finding, standing }))
      }
    }
    return findings
  })

/** Null for a sink that cannot list. */
const examineStore = (
  sink: ChunkSink.Service,
  options: Options
): Effect.Effect<Finding | null, SinkError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    if (sink.list === undefined) return null
    const { prepared, store, there } = yield* openOne(sink, options)
    const listed: Listed = there ? yield* gather(sink.list) : new Map()
    const others = [...listed.keys()].filter(store.isOthers)
    for (const documentId of others) listed.delete(documentId)
    const { texts } = options
    const changed = there && texts ? yield* changedTexts(sink, texts) : new Set<DocumentId>()
    const subject = { sink, store: Option.getOrNull(store.storeId), prepared, listed, changed, options }
    return yield* examineOne({ ...subject, others: others.length })
  })

interface OpenedSink {
  readonly store: Store
  readonly there: boolean
  /** Null for a sink that was only looked at. */
  readonly prepared: ChunkSink.Prepared | null
}

/** Opens a sink with the state's claim, so another state's store is refused. */
const openOne = (
  sink: ChunkSink.Service,
  { fix = false, space = null }: Options
): Effect.Effect<OpenedSink, SinkError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const claim = yield* Claim.make(ledger, sink, { how: "own", roots: [], rebuild: false })
    if (!fix && sink.look !== undefined) {
      const seen = yield* sink.look(claim)
      return { store: Option.getOrElse(seen, () => unstamped), there: Option.isSome(seen), prepared: null }
    }
    const prepared = yield* sink.prepare(space, claim)
    return { store: prepared, there: true, prepared }
  })

/** Documents with a stored chunk whose content does not match its id. */
const changedTexts = (
  sink: ChunkSink.Service,
  { chunker, tokenizer }: NonNullable<Options["texts"]>
): Effect.Effect<ReadonlySet<DocumentId>, SinkError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const kept = (yield* ledger.configurations).flatMap((configuration) => chunker.keeping?.(configuration) ?? [])
    const digests = new Map(
      [chunker, ...kept].map((one) => [recordDigest(one, tokenizer.name), digestsOf(one.configuration, tokenizer.name)])
    )
    const split = new Map<DocumentId, ReadonlyArray<string>>()
    const changed = new Set<DocumentId>()
    if (sink.contents === undefined) return changed
    yield* Stream.runForEach(ledger.entries("all"), ({ documentId, stored }) =>
      Effect.sync(() => {
        const own = stored === null ? undefined : digests.get(stored.configuration)
        if (own !== undefined) split.set(documentId, own)
      })
    )
    yield* Stream.runForEach(sink.contents, (chunk) =>
      Effect.sync(() => {
        if (split.get(chunk.documentId)?.some((digest) => isIdOf(chunk, digest)) === false)
          changed.add(chunk.documentId)
      })
    )
    return changed
  })

type Listed = Map<DocumentId, Set<ChunkId>>

interface Case {
  readonly sink: ChunkSink.Service
  readonly store: string | null
  readonly prepared: OpenedSink["prepared"]
  /** Examined documents are deleted from it; those left at the end are extra. */
  readonly listed: Listed
  /** Documents with a chunk whose content does not match its id. */
  readonly changed: ReadonlySet<DocumentId>
  /** Number of other states' documents, which are not among those listed. */
  readonly others: number
  readonly options: Options
}

interface Counts {
  documents: number
  missing: number
  extra: number
  stale: number
  fixed: number
}

const examineOne = (subject: Case): Effect.Effect<Finding, SinkError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    const { listed, options, prepared, sink } = subject
    const ledger = ofRun(yield* Ledger)
    const counts: Counts = { documents: 0, missing: 0, extra: 0, stale: 0, fixed: 0 }
    const differing = new Map<DocumentId, Differing>()
    yield* Stream.runForEach(ledger.entries("all"), (entry) =>
      Effect.gen(function* () {
        const { documentId, path } = entry
        const there = listed.get(documentId) ?? nothing
        listed.delete(documentId)
        const { isExpected, isMissing, stale } = yield* compare(subject, ledger, entry, there)
        if (isExpected) counts.documents += 1
        if (isMissing) {
          counts.missing += 1
          options.onMissing?.(entry, sink.id)
        }
        counts.stale += stale.length
        if (isMissing || stale.length > 0) differing.set(documentId, { key: { documentId, path }, there })
      })
    )
    for (const [documentId, there] of listed) {
      counts.extra += there.size
      differing.set(documentId, { key: { documentId, path: pathOf(documentId) }, there })
    }
    if (options.fix === true && prepared !== null && differing.size > 0) {
      counts.fixed = yield* mended({ ...subject, prepared }, ledger, [...differing.values()])
      if (counts.fixed > 0) yield* prepared.finish
    }
    return Finding.make({ sink: sink.id, ...counts, others: subject.others })
  })

/** A document in which ledger and sink differ, and its chunks in the sink. */
interface Differing {
  readonly key: Key
  readonly there: ReadonlySet<ChunkId>
}

const nothing: ReadonlySet<ChunkId> = new Set()

const pathOf = (documentId: DocumentId): string => documentId.slice(documentId.indexOf("/") + 1)

interface Comparison {
  /** True if the sink should hold the document. */
  readonly isExpected: boolean
  /** True if it lacks a part of it. */
  readonly isMissing: boolean
  readonly stale: ReadonlyArray<ChunkId>
  /** Those of `stale` that nothing else removes: another generation serves until the sink has the current one, whose write removes it. */
  readonly removable: ReadonlyArray<ChunkId>
}

/** `there`: the document's chunks in the sink. */
const compare = (
  { changed, options, sink, store }: Case,
  ledger: Ledger.Service,
  entry: LedgerEntry,
  there: ReadonlySet<ChunkId>
): Effect.Effect<Comparison, LedgerError> =>
  Effect.gen(function* () {
    const own = new Set(entry.stored?.chunkIds ?? [])
    const ack = entry.stored?.acknowledged.find((known) => known.sink === sink.id)
    const isWhole = [...own].every((id) => there.has(id))
    const lacks = ack?.store !== store || !isWhole
    // A document whose acknowledgement was revoked and that was not written since must still be present.
    const holding =
      entry.stored === null || (ack !== undefined && !lacks) ? Option.none() : yield* ledger.holding(entry)
    const announced = Option.flatMapNullable(holding, ({ held }) => held.find((one) => one.sink === sink.id))
    const isExpected = ack !== undefined || Option.isSome(announced)
    const stale = options.former === "keep" ? [] : [...there].filter((id) => !own.has(id))
    const serving = new Set(Option.match(announced, { onNone: () => [], onSome: ({ chunkIds }) => chunkIds }))
    return {
      isExpected,
      isMissing: isExpected && (lacks || changed.has(entry.documentId)),
      stale,
      removable: own.size > 0 && isWhole ? stale : stale.filter((id) => !serving.has(id))
    }
  })

/** Documents that are mended together, between two lists of what the sink holds. */
const together = 4096

/** Documents that are taken or let go at a time. */
const atOnce = 256

/**
 * Mends documents, and returns the number of chunks that were removed. Those that another process works on are left to it. One that another
 * process may have stored since it was compared is compared once more, while it is held.
 */
const mended = (
  subject: Case & { readonly prepared: ChunkSink.Prepared },
  ledger: Ledger.Service & RunLedger<LedgerError>,
  differing: ReadonlyArray<Differing>
): Effect.Effect<number, SinkError | LedgerError> =>
  Effect.gen(function* () {
    let fixed = 0
    for (let at = 0; at < differing.length;) {
      const size = yield* Batches.next(together)
      fixed += yield* Effect.scoped(mendedTogether(subject, ledger, differing.slice(at, at + size)))
      at += size
    }
    return fixed
  })

const mendedTogether = (
  subject: Case & { readonly prepared: ChunkSink.Prepared },
  ledger: Ledger.Service & RunLedger<LedgerError>,
  differing: ReadonlyArray<Differing>
): Effect.Effect<number, SinkError | LedgerError, Scope.Scope> =>
  Effect.gen(function* () {
    const { prepared, sink } = subject
    const letGo = ({ key }: Differing) =>
      Effect.catchAll(ledger.letGo(key), (error) => Effect.logWarning(error.message))
    yield* Effect.addFinalizer(() => Effect.forEach(differing, letGo, { concurrency: atOnce, discard: true }))
    const standings = yield* Effect.forEach(differing, ({ key }) => ledger.hold(key), { concurrency: atOnce })
    const held = differing.filter((_, at) => standings[at]?.standing !== "busy")
    const isShared = standings.some(({ standing }) => standing !== "alone")
    const again = isShared && sink.list !== undefined ? yield* gather(sink.list) : null
    const stale = new Map<Key, ReadonlyArray<ChunkId>>()
    for (const { key, there } of held) {
      const now = again === null ? there : (again.get(key.documentId) ?? nothing)
      const entry = Option.getOrNull(yield* ledger.get(key))
      const found =
        entry === null ? { isMissing: false, removable: [...now] } : yield* compare(subject, ledger, entry, now)
      if (found.isMissing) yield* ledger.disown(key, [sink.id])
      if (found.removable.length > 0) stale.set(key, found.removable)
    }
    const fixed = yield* removed(prepared, [...stale.values()].flat())
    if (fixed > 0) {
      for (const [key, chunkIds] of stale) yield* ledger.removed({ ...key, sink: sink.id, chunkIds })
    }
    return fixed
  })

/** Removes the chunks and returns their number; 0 for a sink that cannot remove. */
const removed = ({ remove }: ChunkSink.Prepared, ids: ReadonlyArray<ChunkId>): Effect.Effect<number, SinkError> =>
  ids.length === 0 || remove === undefined ? Effect.succeed(0) : Effect.as(remove(ids), ids.length)
