/** Removes single documents from everywhere: sinks, parse cache, dead letters, ledger. */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ChunkSink, EmbeddingSpace } from "../../ChunkSink.ts"
import { SinkError } from "../../ChunkSink.ts"
import { DeadLetter, type DeadLetterError, type Entry } from "../../DeadLetter.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import { ParseCache, type ParseCacheError, typeOf } from "../../ParseCache.ts"
import { type DocumentId, documentId } from "../../SourceFile.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import * as Generations from "../sink/generations.ts"
import { lacking } from "../sink/lacking.ts"
import type { Holding, Key, LedgerEntry } from "../state/ledger/entry.ts"
import { ofRun } from "../state/ledger/runLedger.ts"
import * as Claim from "./claim.ts"
import { take } from "./memory.ts"

/**
 * The document cannot be removed as asked; nothing was done.
 *
 * `Unknown`: neither ledger nor dead letters have it. `Ambiguous`: several roots have a document at that path. `SinkMissing`: a
 * sink that holds chunks of it is not among those given.
 *
 * @since 0.1.0
 * @category errors
 */
export class RemovalError extends Schema.TaggedError<RemovalError>("docsluice/RemovalError")("RemovalError", {
  source: Schema.String,
  reason: Schema.Literal("Unknown", "Ambiguous", "SinkMissing"),
  /** Ids of the matching documents, or of the missing sinks. */
  candidates: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return Message.render(textOf(this))
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.worded(textOf(this)).parts
  }
}

const textOf = ({ candidates, reason, source }: RemovalError): Message.Message =>
  text`${source}: ${messages[reason](candidates.join(", "))}`

const messages: Readonly<Record<RemovalError["reason"], (names: string) => Message.Message>> = {
  Unknown: () => "no such document is known",
  Ambiguous: (names) => `several roots have it; name one of ${names}`,
  SinkMissing: (names) => text`it is in ${names} too; give that target (${option("to")})`
}

/**
 * A document that was removed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Removed {
  /** Null when only a dead letter was found. */
  readonly documentId: DocumentId | null
  /** POSIX path below the root. */
  readonly source: string
  /** Chunk ids that sinks were asked to remove, all sinks together. */
  readonly chunks: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Every sink that may hold chunks of the documents. */
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  /** The space that the sinks were filled with; default null: chunks without vectors. */
  readonly space?: EmbeddingSpace | null | undefined
}

/**
 * @since 0.1.0
 * @category errors
 */
export type Failure = RemovalError | SinkError | LedgerError | ParseCacheError | DeadLetterError

/**
 * Removes documents, each named by its path below the root or by its id. All names are looked up before anything is done.
 *
 * Order: the ledger stops counting the document as stored but keeps its chunk ids; the chunks leave the sinks; the answers for
 * its bytes leave the cache (unless another document has the same bytes); the dead letter goes; last, the ledger's row. A kill in
 * between therefore leaves no chunk that the ledger does not know: calling again completes the removal, and a run over the file
 * stores it again. The next run treats a file that still exists as new.
 *
 * @since 0.1.0
 * @category running
 */
export const remove: (
  sources: ReadonlyArray<string>,
  options: Options
) => Effect.Effect<ReadonlyArray<Removed>, Failure, Ledger | ParseCache | DeadLetter> = Effect.fn(
  "DocumentRemoval.remove"
)(function* (sources, options) {
  const found = yield* Effect.forEach(sources, (source) => lookUp(source))
  // A document leaves all generations of a store: no rollback brings it back.
  const sinks = (yield* Effect.forEach(options.sinks, Generations.all)).flat()
  const targets = yield* Effect.forEach(found, (target) => reachable(target, sinks))
  const ledger = ofRun(yield* Ledger)
  const open = new Map<string, ChunkSink.Prepared>()
  const opened: Opening = (sink) =>
    Effect.gen(function* () {
      const before = open.get(sink.id)
      if (before !== undefined) return before
      const claim = yield* Claim.make(ledger, sink, { how: "own", roots: [], rebuild: false })
      const prepared = yield* sink.prepare(options.space ?? null, claim)
      open.set(sink.id, prepared)
      return prepared
    })
  const removed = yield* Effect.forEach(targets, (target) =>
    target.entry === null
      ? Effect.map(removeOne(target, sinks, opened), ({ removed }) => removed)
      : taken(target, target.entry, sinks, opened)
  )
  for (const prepared of open.values()) yield* prepared.finish
  // Nothing repeats a removal that a power cut took back.
  yield* ledger.checkpoint
  return removed
})

type Opening = (sink: ChunkSink.Service) => Effect.Effect<ChunkSink.Prepared, SinkError | LedgerError>

interface Target {
  /** Name of the root; null where only a dead letter without one is known. */
  readonly root: string | null
  readonly source: string
  readonly entry: LedgerEntry | null
  readonly holding: Holding | null
}

const heldBy = ({ holding }: Target, sink: string) => holding?.held.find((held) => held.sink === sink)?.chunkIds ?? []

/** Rows that a name may refer to: it is an id, or a path below some root. */
const keysOf = (source: string, roots: ReadonlyArray<string>): ReadonlyArray<Key> => [
  ...roots
    .filter((root) => source.startsWith(`${root}/`) && source.length > root.length + 1)
    .map((root) => ({ root, path: source.slice(root.length + 1) }))
    .map(({ path, root }) => ({ documentId: documentId(root, path), path })),
  ...roots.map((root) => ({ documentId: documentId(root, source), path: source }))
]

const lookUp = (
  source: string
): Effect.Effect<Target, RemovalError | LedgerError | DeadLetterError, Ledger | DeadLetter> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const { roots } = yield* ledger.stats
    const keys = keysOf(
      source,
      roots.map((root) => root.name)
    )
    const entries = yield* Effect.forEach(keys, (key) => ledger.get(key))
    const known = entries.flatMap((entry) => Option.toArray(entry))
    const [entry] = known
    if (known.length > 1) {
      const candidates = known.map((one) => one.documentId)
      return yield* new RemovalError({ source, reason: "Ambiguous", candidates })
    }
    if (entry !== undefined) {
      const { path, root } = entry
      return { root, source: path, entry, holding: Option.getOrNull(yield* ledger.holding(entry)) }
    }
    const letters = (yield* Effect.flatMap(DeadLetter, (letters) => letters.entries)).filter(
      (letter) => letter.source === source || idOf(letter) === source
    )
    const [letter] = letters
    if (letter === undefined) return yield* new RemovalError({ source, reason: "Unknown", candidates: [] })
    if (letters.length > 1) {
      return yield* new RemovalError({ source, reason: "Ambiguous", candidates: letters.map(idOf) })
    }
    return { root: letter.root, source: letter.source, entry: null, holding: null }
  })

const idOf = ({ root, source }: Entry): string => (root === null ? source : documentId(root, source))

const reachable = (
  target: Target,
  sinks: ReadonlyArray<ChunkSink.Service>
): Effect.Effect<Target, RemovalError | SinkError> => {
  const held = (target.holding?.held ?? []).filter(({ chunkIds }) => chunkIds.length > 0)
  const candidates = held.map(({ sink }) => sink).filter((id) => !sinks.some((sink) => sink.id === id))
  if (candidates.length > 0) {
    return Effect.fail(new RemovalError({ source: target.source, reason: "SinkMissing", candidates }))
  }
  const fixed = sinks.find((sink) => !sink.capabilities.remove && held.some((one) => one.sink === sink.id))
  return fixed === undefined
    ? Effect.succeed(target)
    : Effect.fail(
        new SinkError({ sink: fixed.id, reason: "Unsupported", problem: "nothing can be removed from this target" })
      )
}

/**
 * Removes a document once no other process works on it: what that one stored goes too. Again if another process takes the document over
 * meanwhile, since this one stood still for longer than its lease.
 */
const taken = (
  target: Target,
  key: LedgerEntry,
  sinks: ReadonlyArray<ChunkSink.Service>,
  opened: Opening
): Effect.Effect<Removed, Failure, Ledger | ParseCache | DeadLetter> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    yield* Effect.addFinalizer(() => Effect.catchAll(ledger.letGo(key), (error) => Effect.logWarning(error.message)))
    for (let chunks = 0; ;) {
      const { entry } = yield* take({ ledger, waitLogged: false, taken: new Map() }, key, () => false)
      const now = { ...target, entry: entry ?? key, holding: Option.getOrNull(yield* ledger.holding(key)) }
      const { isGone, removed } = yield* removeOne(yield* reachable(now, sinks), sinks, opened)
      chunks += removed.chunks
      if (isGone) return { ...removed, chunks }
    }
  }).pipe(Effect.scoped)

interface RemovedOne {
  readonly removed: Removed
  /** False when another process has the document by now. */
  readonly isGone: boolean
}

const removeOne = (
  target: Target,
  sinks: ReadonlyArray<ChunkSink.Service>,
  opened: Opening
): Effect.Effect<RemovedOne, Exclude<Failure, RemovalError>, Ledger | ParseCache | DeadLetter> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const letters = yield* DeadLetter
    const { entry, holding, root, source } = target
    const named = (holding?.held ?? []).map(({ sink }) => sink)
    if (entry !== null) yield* ledger.disown(entry, named)
    let chunks = 0
    for (const sink of sinks) {
      const ids = heldBy(target, sink.id)
      if (ids.length === 0) continue
      const { remove } = yield* opened(sink)
      yield* remove?.(ids) ?? lacking(sink.id, "remove")
      chunks += ids.length
    }
    if (entry !== null) yield* uncached(entry)
    yield* letters.remove({ root, source })
    const isGone = entry === null || (yield* ledger.forget(entry, named))
    return { removed: { documentId: entry?.documentId ?? null, source, chunks }, isGone }
  })

const uncached = (entry: LedgerEntry): Effect.Effect<void, LedgerError | ParseCacheError, Ledger | ParseCache> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const cache = yield* ParseCache
    const { failure, stored } = entry
    const type = Option.getOrUndefined(typeOf(entry.path))
    if (failure !== null && failure.contentHash !== null && failure.contentHash !== stored?.contentHash) {
      yield* cache.removeContent(failure.contentHash, type)
    }
    if (stored === null) return
    const same = yield* ledger.sameContent(stored.contentHash, stored.optionsHash)
    const others = same.filter(
      ({ documentId, path }) => documentId !== entry.documentId && Equal.equals(typeOf(path), typeOf(entry.path))
    )
    if (others.length === 0) yield* cache.removeContent(stored.contentHash, type)
  })
