/** The ledger over the rows of either database. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ScopeRequest } from "../../../Source.ts"
import { type Document, dueOf, entryOf, holdingOf, keyOf } from "./document.ts"
import type { Acknowledgement, Holding, Key, LedgerEntry } from "./entry.ts"
import * as Figures from "./figures.ts"
import * as Filled from "./filled.ts"
import * as Operations from "./operations.ts"
import { paged } from "./paged.ts"
import * as Places from "./places.ts"
import * as Renames from "./renamed.ts"
import type { Change, RowStore, Selection } from "./rowStore.ts"
import { type RunLedger, runLedger } from "./runLedger.ts"
import type { Recorded } from "./runReport.ts"
import * as Runs from "./runs.ts"
import * as Scans from "./scan.ts"
import { isKnown, type Value } from "./script.ts"

/** As `Ledger.Service`, whose module this one serves. */
export interface Service<E> {
  readonly claims: (request: ScopeRequest) => Effect.Effect<number, E>
  readonly get: (key: Key) => Effect.Effect<Option.Option<LedgerEntry>, E>
  readonly sameContent: (contentHash: string, optionsHash: string) => Effect.Effect<ReadonlyArray<LedgerEntry>, E>
  readonly holding: (key: Key) => Effect.Effect<Option.Option<Holding>, E>
  readonly sinks: Effect.Effect<ReadonlyArray<Acknowledgement>, E>
  readonly entries: (selection: "all" | "failed") => Stream.Stream<LedgerEntry, E>
  readonly requests: Effect.Effect<ReadonlyArray<Runs.Request>, E>
  readonly lastRun: Effect.Effect<Option.Option<Runs.Run>, E>
  readonly reports: Effect.Effect<ReadonlyArray<Recorded>, E>
  readonly stats: Effect.Effect<Figures.Stats, E>
  readonly checkpoint: Effect.Effect<void, E>
  readonly [runLedger]: RunLedger<E>
}

/** Errors that are about the request rather than the database. */
export interface Refusals<E> {
  readonly clash: (request: ScopeRequest, path: string | null) => E
  readonly renamed: (request: ScopeRequest, renamed: Renames.Renamed) => E
}

/** Documents of one page. */
const perPage = 256

/** Documents with a condition, as in {@link Selection}, in order of first sight. */
const documents = <E>(
  store: RowStore<E>,
  condition: string,
  values: ReadonlyArray<Value>,
  pending: boolean
): Stream.Stream<Document, E> =>
  paged(perPage, (after, limit) =>
    store.documents(`d.id > $1 AND ${condition}`, [after, ...values], { pending, limit })
  )

/** Documents with a property, held until their chunks are removed. */
const taken = <E>(store: RowStore<E>, selection: Selection): Stream.Stream<Document, E> =>
  store.holds.taken(
    selection,
    Stream.filter(
      documents(store, selection.condition, selection.values, true),
      (document) => !document.busy && selection.holds(document)
    )
  )

const reading = <E>(store: RowStore<E>): Omit<Service<E>, typeof runLedger> => {
  const { dialect, read } = store
  return {
    claims: (request) => read(() => Places.claimsOf(request)),
    get: (key) =>
      Effect.map(store.find(key, false), (found) => Option.fromNullable(found === null ? null : entryOf(found))),
    sameContent: (contentHash, optionsHash) =>
      Effect.gen(function* () {
        const settings = yield* read(() => Figures.settingsWhere((setting) => setting.optionsHash === optionsHash))
        const hash = Buffer.from(contentHash, "hex")
        const found = yield* store.documents(
          `substr(d.hash, 1, 8) = $1 AND d.hash = $2 AND ${dialect.isIn("d.setting", "$3", "bigint")}`,
          [hash.subarray(0, 8), hash, settings],
          { pending: false, limit: 100 }
        )
        return found.map(entryOf).filter((entry) => entry !== null)
      }),
    holding: (key) =>
      Effect.map(store.find(key, true), (found) => (found === null ? Option.none() : Option.some(holdingOf(found)))),
    sinks: read(Figures.sinksInUse),
    entries: (selection) => {
      const condition = selection === "failed" ? dialect.hasFailed : isKnown(dialect)
      return Stream.filterMap(documents(store, condition, [], false), (found) => Option.fromNullable(entryOf(found)))
    },
    requests: read(Runs.requests),
    lastRun: Effect.map(read(Runs.lastRun), Option.fromNullable),
    reports: read(() => Runs.reports(dialect)),
    stats: read(() => Figures.stats(dialect)),
    checkpoint: store.checkpoint
  }
}

/** Runs over one scope: see `RunLedger` for each. */
const scanning = <E>(store: RowStore<E>, refusals: Refusals<E>): Pick<RunLedger<E>, "admit" | "preview" | "scan"> => {
  const { dialect, read, write } = store
  const accepted = <A extends object>(request: ScopeRequest, place: A | Places.Clash): Effect.Effect<A, E> =>
    "_tag" in place ? Effect.fail(refusals.clash(request, place.path)) : Effect.succeed(place)
  const placed = (request: ScopeRequest) =>
    Effect.flatMap(
      read(() => Places.place(request)),
      (place) => accepted(request, place)
    )
  return {
    admit: (request, newRoot = false) =>
      Effect.gen(function* () {
        yield* placed(request)
        if (newRoot || request.path === null) return
        const renamed = yield* Renames.search(store, request.root, request.path)
        if (renamed !== null) yield* Effect.fail(refusals.renamed(request, renamed))
      }),
    scan: (request, expected) =>
      Effect.gen(function* () {
        const bound = yield* accepted(request, yield* write(() => Places.bind(dialect, request)))
        return Scans.scan(store, request, bound, yield* store.scan(bound, request, expected))
      }),
    preview: (request, expected) =>
      Effect.gen(function* () {
        const place = yield* placed(request)
        return Scans.preview(store, request, place, yield* store.preview(place, request, expected))
      })
  }
}

/** Writes to documents: see `RunLedger` for each. */
const writing = <E>(
  store: RowStore<E>
): Omit<
  RunLedger<E>,
  | "admit"
  | "belief"
  | "configurations"
  | "fill"
  | "filledWith"
  | "finishRun"
  | "preview"
  | "scan"
  | "startRun"
  | "state"
> => {
  const { change, dialect, holds } = store
  /** Documents whose chunks are being written; their pending chunks are not yet to be removed. */
  const inWork = new Set<string>()

  const ended = (key: Pick<Key, "documentId">): void => {
    inWork.delete(key.documentId)
    holds.ended(key)
  }

  /** Runs a rule over a document whose chunks are being written; after a failure they are not any more. */
  const changeInWork = <A>(next: Change<A>) =>
    Effect.mapError(change(next), (error) => {
      inWork.delete(next.key.documentId)
      return error
    })

  /** Runs a rule that ends the work on a document. */
  const changeLast = <A>(last: Change<A>) =>
    Effect.map(change(last), (result) => {
      ended(last.key)
      return result
    })

  const holdsFor = (sinks: ReadonlyArray<string>) => (document: Document) =>
    !inWork.has(keyOf(document).documentId) && holdingOf(document).held.some(({ sink }) => sinks.includes(sink))

  const dueFor = (sinks: ReadonlyArray<string>, document: Document) =>
    inWork.has(keyOf(document).documentId) ? [] : dueOf(document).filter(({ sink }) => sinks.includes(sink))

  return {
    hold: holds.hold,
    letGo: (key) => holds.letGo(key),
    stray: (key, ids, sinks, how) =>
      change({ key, creates: true, apply: (...held) => Operations.stray(...held, ids, sinks, how) }),
    announce: (key, ids, sinks, scope, how = "beside") =>
      Effect.suspend(() => {
        inWork.add(key.documentId)
        return changeInWork({
          key,
          creates: true,
          apply: (...held) => Operations.announce(...held, ids, sinks, scope, how)
        })
      }),
    commit: (entry) =>
      Effect.map(
        changeInWork({
          key: entry,
          creates: true,
          apply: (document, holder) => Operations.commit(document, holder, entry)
        }),
        (due) => {
          if (due.length === 0) ended(entry)
          else inWork.delete(entry.documentId)
          return due
        }
      ),
    touch: (key, sighting, scope) =>
      changeLast({ key, creates: true, apply: (...held) => Operations.touch(...held, sighting, scope) }),
    fail: (key, failure, scope) =>
      changeLast({ key, creates: true, apply: (...held) => Operations.fail(...held, failure, scope) }),
    forgive: (key) => changeLast({ key, creates: false, apply: Operations.forgive }),
    removals: (sinks) => {
      // Read by its index: few documents have pending chunks, unless all have.
      const some = `SELECT DISTINCT document FROM pending WHERE document > $1 AND ${dialect.isIn("sink", "$2", "text")}`
      return taken(store, {
        condition: `d.id IN (${some} ORDER BY document LIMIT ${4 * perPage})`,
        values: [sinks],
        holds: (document) => dueFor(sinks, document).length > 0
      }).pipe(Stream.mapConcat((document) => dueFor(sinks, document)))
    },
    removed: (removal) =>
      change({
        key: removal,
        creates: false,
        apply: (...held) => Operations.removed(...held, removal, holds.isLent(removal))
      }),
    unclaimed: (root, sinks) =>
      Stream.unwrap(
        Effect.map(holds.isRootFree(root), (free) =>
          free
            ? Stream.map(
                taken(store, {
                  condition: "r.name = $2 AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.document = d.id)",
                  values: [root],
                  holds: holdsFor(sinks)
                }),
                holdingOf
              )
            : Stream.empty
        )
      ),
    forget: (key, sinks) => changeLast({ key, creates: false, apply: (...held) => Operations.forget(...held, sinks) }),
    disown: (key, sinks) => change({ key, creates: false, apply: (document) => Operations.disown(document, sinks) })
  }
}

export const make = <E>(store: RowStore<E>, refusals: Refusals<E>): Service<E> => {
  const { dialect, read, write } = store
  return {
    ...reading(store),
    [runLedger]: {
      state: store.lasting ? read(Figures.stateId) : Effect.succeed(null),
      belief: (sink) => read(() => Figures.belief(dialect, sink)),
      ...scanning(store, refusals),
      ...writing(store),
      filledWith: (root, sinks) => read(() => Filled.configurationOf(dialect, root, sinks)),
      configurations: read(() => Filled.configurations(dialect)),
      fill: (root, filled) => write(() => Filled.fill(root, filled)),
      startRun: (startedAt, request) =>
        Effect.suspend(() => {
          const token = randomUUID()
          return write(() => Runs.startRun(dialect, startedAt, request, token))
        }),
      finishRun: (run, finishedAt, summary, report) =>
        Effect.zipRight(
          write(() => Runs.finishRun(dialect, run, finishedAt, { summary, report })),
          store.checkpoint
        )
    }
  }
}
