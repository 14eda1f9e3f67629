/**
 * Compares what the ledger says with what the sinks hold.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Chunker } from "./Chunker.ts"
import type { ChunkSink, EmbeddingSpace, SinkError } from "./ChunkSink.ts"
import type { ChunkId } from "./DocumentChunk.ts"
import { configurationDigest, digestsOf, isIdOf } from "./internal/chunking/identity.ts"
import * as Claim from "./internal/run/claim.ts"
import { gather } from "./internal/run/reconcile.ts"
import { ofRun, type RunLedger } from "./internal/state/ledger/runLedger.ts"
import { Ledger, type LedgerError } from "./Ledger.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import type { DocumentId } from "./SourceFile.ts"
import type { Tokenizer } from "./Tokenizer.ts"

/**
 * What was found in one sink, as `docsluice doctor --json` prints it.
 *
 * @since 0.1.0
 * @category models
 */
export class Finding extends Schema.Class<Finding>("docsluice/Doctor/Finding")({
  /** The sink's id. */
  sink: Schema.String,
  /** Documents that are to be there. */
  documents: Schema.NonNegativeInt,
  /** Documents of those that lack a chunk or all of them, or have one whose text was changed. */
  missing: Schema.NonNegativeInt,
  /** Chunks of documents that the ledger knows nothing of. */
  extra: Schema.NonNegativeInt,
  /** Chunks of known documents that belong to no present generation. */
  stale: Schema.NonNegativeInt,
  /** Of the three above, what was written or removed now; 0 unless asked for. */
  fixed: Schema.NonNegativeInt,
  /** Documents of other states in a store that is shared; never touched. */
  others: Schema.NonNegativeInt
}) {}

/**
 * Whether ledger and sink agree.
 *
 * @since 0.1.0
 * @category predicates
 */
export const agrees = (finding: Finding): boolean => finding.missing + finding.extra + finding.stale === 0

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Those that cannot list are passed over. Prepared here. */
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  /** The space that the sinks were filled with; default null: chunks without vectors. */
  readonly space?: EmbeddingSpace | null | undefined
  /** `keep`: former generations stay in the sinks on purpose (mode append) and are not stale; default `remove`. */
  readonly former?: "remove" | "keep" | undefined
  /**
   * Remove what is extra and stale, and take back that the sink has what is missing, so that the next run writes it again. What
   * other states have in a store that is shared is left alone. Default false: look only, with nothing made, changed or locked in
   * sinks that can be read so.
   */
  readonly fix?: boolean | undefined
  /**
   * Compare texts with ids, where the sink gives back its chunks: of the documents that one of this package's chunkers, whose ids are
   * hashes of their content, has split with this tokenizer. Default: compare ids only.
   */
  readonly texts?:
    | {
        readonly chunker: Pick<Chunker, "name" | "configuration">
        readonly tokenizer: Pick<Tokenizer.Service, "name">
      }
    | undefined
  /** Told of each document that a sink lacks. */
  readonly onMissing?: ((entry: LedgerEntry, sink: string) => void) | undefined
}

/**
 * One finding for each sink that can list, in the order of the sinks.
 *
 * A sink whose store is another than the one that acknowledged has everything missing. Holds the ids that one sink lists,
 * some 150 bytes each. Nothing is asked of the service.
 *
 * @since 0.1.0
 * @category running
 */
export const examine: (options: Options) => Effect.Effect<ReadonlyArray<Finding>, SinkError | LedgerError, Ledger> =
  Effect.fn("Doctor.examine")(function* (options) {
    const findings: Array<Finding> = []
    for (const sink of options.sinks) {
      if (sink.list === undefined) continue
      const opened = yield* openOne(sink, options)
      const listed: Listed = opened.there ? yield* gather(sink.list) : new Map()
      const others = [...listed.keys()].filter(opened.isOthers)
      for (const documentId of others) listed.delete(documentId)
      const { texts } = options
      const changed = opened.there && texts ? yield* changedTexts(sink, texts) : new Set<DocumentId>()
      const { store } = opened
      findings.push(yield* examineOne({ sink, store, listed, changed, others: others.length, options }))
    }
    return findings
  })

interface OpenedSink {
  readonly store: string | null
  readonly there: boolean
  readonly isOthers: (documentId: DocumentId) => boolean
}

/** With the claim of the state: another state's store is refused. */
const openOne = (
  sink: ChunkSink.Service,
  { fix = false, space = null }: Options
): Effect.Effect<OpenedSink, SinkError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const claim = yield* Claim.make(ledger, sink, { how: "own", roots: [], rebuild: false })
    if (!fix && sink.look !== undefined) {
      const opened = yield* sink.look(claim)
      const { isOthers = () => false, stamp = null } = opened ?? {}
      return { store: stamp?.storeId ?? null, there: opened !== null, isOthers }
    }
    const store = yield* sink.prepare(space, claim)
    const opened = sink.opened === undefined ? null : yield* sink.opened
    return { store, there: true, isOthers: opened?.isOthers ?? (() => false) }
  })

/** Documents of which a stored chunk is not what its id says. */
const changedTexts = (
  sink: ChunkSink.Service,
  { chunker, tokenizer }: NonNullable<Options["texts"]>
): Effect.Effect<ReadonlySet<DocumentId>, SinkError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const configuration = configurationDigest(JSON.stringify([chunker.name, chunker.configuration]), tokenizer.name)
    const digests = digestsOf(chunker.configuration, tokenizer.name)
    const split = new Set<DocumentId>()
    const changed = new Set<DocumentId>()
    if (sink.contents === undefined) return changed
    yield* Stream.runForEach(ledger.entries("all"), ({ documentId, stored }) =>
      Effect.sync(() => void (stored?.configuration === configuration && split.add(documentId)))
    )
    yield* Stream.runForEach(sink.contents, (chunk) =>
      Effect.sync(() => {
        if (split.has(chunk.documentId) && !digests.some((digest) => isIdOf(chunk, digest))) {
          changed.add(chunk.documentId)
        }
      })
    )
    return changed
  })

type Listed = Map<DocumentId, Set<ChunkId>>

interface Case {
  readonly sink: ChunkSink.Service
  readonly store: string | null
  /** What is looked at is taken out; what is left at the end is extra. */
  readonly listed: Listed
  /** Documents with a chunk that is not what its id says. */
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
    const { sink, listed, options } = subject
    const ledger = ofRun(yield* Ledger)
    const counts: Counts = { documents: 0, missing: 0, extra: 0, stale: 0, fixed: 0 }
    yield* Stream.runForEach(ledger.entries("all"), (entry) => examineDocument(subject, counts, ledger, entry))
    const extra = [...listed.values()].flatMap((ids) => Array.from(ids))
    counts.extra = extra.length
    if (options.fix === true) {
      counts.fixed += yield* removed(sink, extra)
      if (counts.fixed > 0 && sink.finish !== undefined) yield* sink.finish
    }
    return Finding.make({ sink: sink.id, ...counts, others: subject.others })
  })

const examineDocument = (
  { changed, listed, options, sink, store }: Case,
  counts: Counts,
  ledger: Ledger.Service & RunLedger<LedgerError>,
  entry: LedgerEntry
): Effect.Effect<void, SinkError | LedgerError> =>
  Effect.gen(function* () {
    const there: ReadonlySet<ChunkId> = listed.get(entry.documentId) ?? new Set()
    listed.delete(entry.documentId)
    const own = new Set(entry.stored?.chunkIds ?? [])
    const ack = entry.stored?.acknowledged.find((known) => known.sink === sink.id)
    // What was taken back and not written since is to be there all the same.
    const holding = ack !== undefined || entry.stored === null ? Option.none() : yield* ledger.holding(entry)
    const announced = Option.exists(holding, ({ held }) => held.some((one) => one.sink === sink.id))
    if (ack !== undefined || announced) {
      counts.documents += 1
      const lacks = ack?.store !== store || [...own].some((id) => !there.has(id))
      if (lacks || changed.has(entry.documentId)) {
        counts.missing += 1
        options.onMissing?.(entry, sink.id)
        if (options.fix === true) yield* ledger.disown(entry, [sink.id])
      }
    }
    if (options.former === "keep") return
    const stale = [...there].filter((id) => !own.has(id))
    counts.stale += stale.length
    if (options.fix !== true || stale.length === 0) return
    const gone = yield* removed(sink, stale)
    counts.fixed += gone
    if (gone > 0) {
      const { documentId, path } = entry
      yield* ledger.removed({ documentId, path, sink: sink.id, chunkIds: stale })
    }
  })

/** How many are gone: none from a sink that cannot remove. */
const removed = (sink: ChunkSink.Service, ids: ReadonlyArray<ChunkId>): Effect.Effect<number, SinkError> =>
  ids.length === 0 || sink.remove === undefined ? Effect.succeed(0) : Effect.as(sink.remove(ids), ids.length)
