/** A ledger on PostgreSQL, which many processes may use at once. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Acknowledgement, Holding, Key, LedgerEntry, Removal } from "../../../LedgerEntry.ts"
import type { Recorded } from "../../../RunReport.ts"
import type { ScopeRequest } from "../../../Source.ts"
import { documentId } from "../../../SourceFile.ts"
import type { Renamed } from "../ledger/renamed.ts"
import type { Hold, RunLedger } from "../ledger/runLedger.ts"
import type { Request, Run, Stats } from "../ledger/runs.ts"
import { failed, type ServerFailure } from "../serverFailure.ts"
import { integer } from "./columns.ts"
import type { Connection } from "./connection.ts"
import { type Document, dueOf, entryOf } from "./document.ts"
import * as Operations from "./operations.ts"
import * as Places from "./places.ts"
import * as Preview from "./preview.ts"
import * as Reading from "./reading.ts"
import * as Runs from "./runs.ts"
import * as Scans from "./scan.ts"
import { heldByAnother, type Session } from "./session.ts"
import type { Writer } from "./writer.ts"

/** The public part, with an error of its own. */
export interface Service<E> {
  readonly claims: (request: ScopeRequest) => Effect.Effect<number, E>
  readonly get: (key: Key) => Effect.Effect<Option.Option<LedgerEntry>, E>
  readonly sameContent: (contentHash: string, optionsHash: string) => Effect.Effect<ReadonlyArray<LedgerEntry>, E>
  readonly holding: (key: Key) => Effect.Effect<Option.Option<Holding>, E>
  readonly sinks: Effect.Effect<ReadonlyArray<Acknowledgement>, E>
  readonly entries: (selection: "all" | "failed") => Stream.Stream<LedgerEntry, E>
  readonly requests: Effect.Effect<ReadonlyArray<Request>, E>
  readonly lastRun: Effect.Effect<Option.Option<Run>, E>
  readonly reports: Effect.Effect<ReadonlyArray<Recorded>, E>
  readonly stats: Effect.Effect<Stats, E>
}

/** Errors that are about the request rather than the server. */
export interface Refusals<E> {
  readonly clash: (request: ScopeRequest, path: string | null) => E
  readonly renamed: (request: ScopeRequest, renamed: Renamed) => E
}

/** Null for a row of which nothing is known yet. */
const known = (document: Document): LedgerEntry | null =>
  document.stored === null && document.failure === null ? null : entryOf(document)

export const reading = (connection: Connection): Service<ServerFailure> => ({
  claims: ({ patterns, root }) =>
    Effect.map(
      connection.rows(
        "SELECT count(*) FROM claim c JOIN scope s ON s.id = c.scope JOIN root r ON r.id = s.root WHERE r.name = $1 AND s.digest = $2",
        [root, patterns],
        (row) => integer(row, 0)
      ),
      ([count = 0]) => count
    ),
  get: (key) =>
    Effect.map(
      Reading.find(connection, key, false),
      Option.flatMap((found) => Option.fromNullable(known(found)))
    ),
  sameContent: (contentHash, optionsHash) => Reading.sameContent(connection, contentHash, optionsHash),
  holding: (key) => Effect.map(Reading.find(connection, key, true), Option.map(Reading.holdingOf)),
  sinks: Reading.sinksInUse(connection),
  entries: (selection) =>
    Stream.map(
      Reading.documents(connection, selection === "failed" ? "AND d.failure IS NOT NULL" : `AND ${Reading.isKnown}`),
      entryOf
    ),
  requests: Runs.requests(connection),
  lastRun: Effect.map(Runs.lastRun(connection), Option.fromNullable),
  reports: Runs.reports(connection),
  stats: Reading.stats(connection)
})

/** What only reads, of the methods of a run; the others fail with `ReadOnly`. */
export const previewing = <E>(
  connection: Connection,
  refusals: Refusals<E>
): Pick<RunLedger<E | ServerFailure>, "admit" | "belief" | "preview" | "state"> => ({
  state: Reading.stateId(connection),
  belief: (sink) => Reading.belief(connection, sink),
  admit: (request, newRoot = false) =>
    Effect.gen(function* () {
      const place = yield* Places.place(connection, request)
      if ("_tag" in place) return yield* Effect.fail(refusals.clash(request, place.path))
      const renamed =
        newRoot || request.path === null ? null : yield* Places.renamed(connection, request.root, request.path)
      return yield* renamed === null ? Effect.void : Effect.fail(refusals.renamed(request, renamed))
    }),
  preview: (request, expected) =>
    Effect.gen(function* () {
      const place = yield* Places.place(connection, request)
      if ("_tag" in place) return yield* Effect.fail(refusals.clash(request, place.path))
      return yield* Preview.make(connection, request, place, expected)
    })
})

export const readOnly = failed("ReadOnly", "it is opened for reading only")

export const readOnlyRun = <E>(connection: Connection, refusals: Refusals<E>): RunLedger<E | ServerFailure> => {
  const refuse = () => readOnly
  const nothing = Stream.fail(readOnly)
  return {
    ...previewing(connection, refusals),
    hold: refuse,
    letGo: refuse,
    stray: refuse,
    scan: refuse,
    announce: refuse,
    commit: refuse,
    touch: refuse,
    fail: refuse,
    forgive: refuse,
    removals: () => nothing,
    removed: refuse,
    unclaimed: () => nothing,
    forget: refuse,
    disown: refuse,
    startRun: refuse,
    finishRun: refuse
  }
}

/** The part of a run, and what has to be done with each renewal of the session. */
export interface Running<E> {
  readonly ledger: RunLedger<E | ServerFailure>
  /** Lets documents go that could not be let go while the server was away: this process lives on, so that its lease does not end them. */
  readonly letGoAgain: Effect.Effect<void>
}

export const running = <E>(
  connection: Connection,
  session: Session,
  writer: Writer,
  refusals: Refusals<E>
): Running<E> => {
  const { held: mine } = writer
  /** Documents whose chunks are being written; their pending chunks are not yet to be removed. */
  const writing = new Set<string>()
  /** Documents held only so that chunks of them can be removed. */
  const lent = new Map<string, Key>()
  /** Documents that this process may hold without use: the server did not say whether it took them, or let them go. */
  const owed = new Map<string, Key>()

  const owing = <A>(key: Key, self: Effect.Effect<A, ServerFailure>): Effect.Effect<A, ServerFailure> =>
    Effect.tapError(self, ({ reason }) =>
      Effect.sync(() => {
        if (reason !== "Superseded") owed.set(key.documentId, key)
      })
    )

  const ended = (key: Pick<Key, "documentId">): void => {
    writing.delete(key.documentId)
    lent.delete(key.documentId)
    mine.delete(key.documentId)
  }

  /** A document that another process took over is no longer this one's. */
  const write = <A>(key: Key, creates: boolean, apply: Parameters<typeof writer.write<A>>[0]["apply"]) =>
    Effect.tapError(writer.write({ key, creates, apply }), ({ reason }) =>
      Effect.sync(() => {
        if (reason === "Superseded") ended(key)
      })
    )

  const writeLast = <A>(key: Key, creates: boolean, apply: Parameters<typeof writer.write<A>>[0]["apply"]) =>
    Effect.tap(write(key, creates, apply), () => ended(key))

  // Uninterruptible: a hold of which this process does not know would never end.
  const hold = (key: Key): Effect.Effect<Hold, ServerFailure> =>
    Effect.uninterruptible(
      Effect.map(
        Effect.suspend(() => {
          owed.delete(key.documentId)
          return owing(
            key,
            write(key, true, (document, holder) => ({
              held: Operations.hold(document, holder),
              entry: known(document)
            }))
          )
        }),
        ({ entry, held }) => {
          if (held === "busy") return { standing: "busy", entry }
          mine.set(key.documentId, held)
          return { standing: "held", entry }
        }
      )
    )

  const release = (key: Key) => owing(key, writeLast(key, false, Operations.release))

  const letGo = (key: Key) => Effect.suspend(() => (mine.has(key.documentId) ? release(key) : Effect.void))

  const letGoAgain = Effect.suspend(() =>
    Effect.forEach(
      [...owed.values()],
      // One that is taken again by then is in use.
      (key) => Effect.suspend(() => (owed.delete(key.documentId) ? Effect.ignore(release(key)) : Effect.void)),
      { concurrency: Reading.perPage, discard: true }
    )
  )

  /** Holds the documents, reads them again and emits those that still have the property; lets the others go. */
  const taken = <A>(
    found: ReadonlyArray<Document>,
    read: (documents: ReadonlyArray<Document>) => Effect.Effect<ReadonlyArray<readonly [Document, A]>, ServerFailure>
  ): Effect.Effect<ReadonlyArray<A>, ServerFailure> =>
    Effect.gen(function* () {
      const keyed = found
        .map((document) => ({ document, key: keyOf(document) }))
        .filter(({ key }) => !writing.has(key.documentId) && (lent.has(key.documentId) || !mine.has(key.documentId)))
      const standings = yield* Effect.forEach(keyed, ({ key }) => hold(key), { concurrency: Reading.perPage })
      const ours = keyed.filter((_, at) => standings[at]?.standing === "held")
      for (const { key } of ours) lent.set(key.documentId, key)
      const now = yield* read(ours.map(({ document }) => document))
      const kept = new Set(now.map(([{ id }]) => id))
      const others = ours.filter(({ document }) => !kept.has(document.id))
      yield* Effect.forEach(others, ({ key }) => letGo(key), { concurrency: Reading.perPage, discard: true })
      return now.map(([, value]) => value)
    })

  const again = (documents: ReadonlyArray<Document>, condition: string, values: ReadonlyArray<string>) =>
    documents.length === 0
      ? Effect.succeed<ReadonlyArray<Document>>([])
      : Effect.map(
          Stream.runCollect(
            Reading.documents(
              connection,
              `AND d.id = ANY($2::bigint[]) ${condition}`,
              [documents.map(({ id }) => id), ...values],
              true
            )
          ),
          (chunk) => [...chunk]
        )

  const free = `AND NOT ${heldByAnother.replaceAll("$1", String(session.id))}`
  const noClaim = "AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.document = d.id)"

  const holds = (document: Document, sinks: ReadonlyArray<string>): boolean =>
    Reading.holdingOf(document).held.some(({ sink }) => sinks.includes(sink))

  const dueFor = (document: Document, sinks: ReadonlyArray<string>): ReadonlyArray<Removal> =>
    dueOf(document).filter(({ sink }) => sinks.includes(sink))

  const ledger: RunLedger<E | ServerFailure> = {
    ...previewing(connection, refusals),
    hold,
    letGo,
    stray: (key, chunkIds, sinks, how) =>
      write(key, true, (document, holder) => Operations.stray(document, holder, chunkIds, sinks, how)),
    scan: (request, expected) =>
      Effect.gen(function* () {
        const scan = yield* Scans.begin(connection, session, request, expected)
        if ("_tag" in scan) return yield* Effect.fail(refusals.clash(request, scan.path))
        // Chunks that a sink did not remove are left to a later run, of any process.
        const rest = Effect.suspend(() => Effect.forEach([...lent.values()], letGo, { discard: true }))
        return { ...scan, end: Effect.zipRight(scan.end, rest) }
      }),
    announce: (key, chunkIds, sinks, scope, how = "beside") =>
      Effect.suspend(() => {
        writing.add(key.documentId)
        return write(key, true, (document, holder) =>
          Operations.announce(document, holder, chunkIds, sinks, scope, how)
        )
      }),
    commit: (entry) =>
      Effect.tap(
        write(entry, true, (document, holder) => Operations.commit(document, holder, entry)),
        (due) =>
          Effect.sync(() => {
            writing.delete(entry.documentId)
            if (due.length === 0) ended(entry)
          })
      ),
    touch: (key, sighting, scope) =>
      writeLast(key, true, (document, holder) => Operations.touch(document, holder, sighting, scope)),
    fail: (key, failure, scope) =>
      writeLast(key, true, (document, holder) => Operations.fail(document, holder, failure, scope)),
    forgive: (key) => write(key, false, Operations.forgive),
    removals: (sinks) =>
      Reading.documents(
        connection,
        `${free} AND EXISTS (SELECT 1 FROM pending p WHERE p.document = d.id AND p.sink = ANY($2::text[]))`,
        [sinks],
        true
      ).pipe(
        Stream.filter((document) => dueFor(document, sinks).length > 0),
        Stream.mapChunksEffect((chunk) =>
          Effect.map(
            taken([...chunk], (documents) =>
              Effect.map(again(documents, "", []), (now) =>
                now.flatMap((document) => {
                  const due = dueFor(document, sinks)
                  return due.length === 0 ? [] : [[document, due] as const]
                })
              )
            ),
            (all) => Chunk.unsafeFromArray(all.flat())
          )
        )
      ),
    removed: (removal) =>
      write(removal, false, (document, holder) =>
        Operations.removed(document, holder, removal, lent.has(removal.documentId))
      ),
    unclaimed: (root, sinks) =>
      Stream.unwrap(
        Effect.map(Scans.isRootFree(connection, session.id, root), (alone) =>
          alone
            ? Reading.documents(connection, `AND r.name = $2 ${free} ${noClaim}`, [root], true).pipe(
                Stream.filter((document) => holds(document, sinks)),
                Stream.mapChunksEffect((chunk) =>
                  Effect.map(
                    taken([...chunk], (documents) =>
                      Effect.map(again(documents, noClaim, []), (now) =>
                        now
                          .filter((document) => holds(document, sinks))
                          .map((document) => [document, Reading.holdingOf(document)] as const)
                      )
                    ),
                    Chunk.unsafeFromArray
                  )
                )
              )
            : Stream.empty
        )
      ),
    forget: (key, sinks) => writeLast(key, false, (document, holder) => Operations.forget(document, holder, sinks)),
    disown: (key, sinks) => write(key, false, (document) => Operations.disown(document, sinks)),
    startRun: (startedAt, request) => Runs.startRun(connection, startedAt, request),
    finishRun: (run, finishedAt, summary, report) => Runs.finishRun(connection, run, finishedAt, summary, report)
  }
  return { ledger, letGoAgain }
}

const keyOf = ({ path, root }: Document): Key => ({ documentId: documentId(root, path), path })
