/** Writes of many documents at a time: those that come in while a transaction runs are the next one. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { rootOf } from "../../../SourceFile.ts"
import * as Batches from "../../base/batches.ts"
import * as EventLoop from "../../base/eventLoop.ts"
import { absent, type Document, isBare } from "../ledger/document.ts"
import type { Key } from "../ledger/entry.ts"
import { type Held, type Holder, isRefused } from "../ledger/operations.ts"
import { rootRow } from "../ledger/places.ts"
import type { Change } from "../ledger/rowStore.ts"
import { failed, ServerFailure } from "../serverFailure.ts"
import type { Connection, Transaction } from "./connection.ts"
import { failure } from "./failure.ts"
import { keyOf, keyOfDocument } from "./key.ts"
import { documentOf, save, select } from "./rows.ts"
import { renewal, type Session } from "./session.ts"

interface Job {
  readonly key: Key
  readonly id: string
  readonly creates: boolean
  /** Keeps the result, to be told after the commit; throws what fails this write alone. */
  readonly apply: (document: Document, holder: Holder) => void
  readonly settle: (failed: ServerFailure | null) => void
}

export interface Writer {
  /** Fails with `Superseded` when another process took the document over. */
  readonly write: <A>(change: Change<A>) => Effect.Effect<A, ServerFailure>
  /** Documents that this process holds, by id. */
  readonly held: Map<string, Held>
}

/** Most writes of one transaction. */
const limit = 256

const superseded = ({ path }: Key): ServerFailure => failed("Superseded", `${path} is in other hands`)

/** Ends with the scope, after the writes that wait. */
export const make = (connection: Connection, session: Session): Effect.Effect<Writer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queue = new Queue(connection, session)
    yield* Effect.forkScoped(Effect.interruptible(queue.run))
    yield* Effect.addFinalizer(() => queue.rest)
    return queue
  })

class Queue implements Writer {
  readonly held = new Map<string, Held>()
  private waiting: Array<Job> = []
  private wake: (() => void) | null = null
  /** Ids of the roots by name. */
  private roots: ReadonlyMap<string, number> = new Map()
  /** Settings and acknowledgements that are in their tables. */
  private texts: ReadonlySet<string> = new Set()
  /** True after a row was not there: then those of held documents are made again too. */
  private emptied = false
  private readonly connection: Connection
  private readonly session: Session

  constructor(connection: Connection, session: Session) {
    this.connection = connection
    this.session = session
  }

  readonly write = <A>({ apply, creates, key }: Change<A>): Effect.Effect<A, ServerFailure> =>
    Effect.uninterruptible(
      Effect.async<A, ServerFailure>((resume) => {
        let result: { readonly value: A } | null = null
        this.waiting.push({
          key,
          id: keyOfDocument(key),
          creates,
          apply: (document, holder) => {
            const value = apply(document, holder)
            result = isRefused(value) ? null : { value }
          },
          settle: (failed) => {
            if (failed !== null) resume(Effect.fail(failed))
            else resume(result === null ? Effect.fail(superseded(key)) : Effect.succeed(result.value))
          }
        })
        const wake = this.wake
        this.wake = null
        wake?.()
      })
    )

  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => (this.waiting.length > 0 ? this.flush : this.untilWritten))
  )

  readonly rest: Effect.Effect<void> = Effect.suspend(() =>
    this.waiting.length === 0 ? Effect.void : Effect.zipRight(this.flush, this.rest)
  )

  /** The writes of one turn of the event loop go together. */
  private readonly untilWritten = Effect.zipRight(
    Effect.async<void>((resume) => {
      this.wake = () => resume(Effect.void)
    }),
    EventLoop.after(0)
  )

  private readonly flush: Effect.Effect<void> = Effect.uninterruptible(
    Effect.flatMap(Batches.next(limit), (size) => {
      const jobs = this.waiting.splice(0, size)
      return Effect.flatMap(Effect.exit(this.commit(jobs)), (exit) => {
        if (Exit.isSuccess(exit)) {
          for (const job of jobs) job.settle(exit.value.get(job) ?? null)
          return Effect.void
        }
        const failed = failureOf(exit)
        // One failing write must not fail the others: each is tried alone.
        if (failed.reason === "Io" && jobs.length > 1) {
          return Effect.forEach(jobs, (job) => this.alone(job), { discard: true })
        }
        for (const job of jobs) job.settle(failed)
        return Effect.void
      })
    })
  )

  private alone(job: Job): Effect.Effect<void> {
    return Effect.map(Effect.exit(this.commit([job])), (exit) =>
      job.settle(Exit.isSuccess(exit) ? (exit.value.get(job) ?? null) : failureOf(exit))
    )
  }

  /** Runs the writes in one transaction; returns those that failed by themselves. */
  private commit(jobs: ReadonlyArray<Job>): Effect.Effect<ReadonlyMap<Job, ServerFailure>, ServerFailure> {
    // Roots and texts of a transaction that is rolled back are none.
    let roots = new Map(this.roots)
    let texts = new Set(this.texts)
    const done = this.connection.transaction((transaction) =>
      Effect.gen(this, function* () {
        roots = new Map(this.roots)
        texts = new Set(this.texts)
        yield* create(
          transaction,
          roots,
          // A document that is held has a row.
          jobs.filter(({ creates, key }) => creates && (this.emptied || !this.held.has(key.documentId)))
        )
        const documents = yield* this.load(transaction, jobs)
        const failures = new Map<Job, ServerFailure>()
        for (const job of jobs) {
          const document = documents.get(job.id)
          // Another process deleted it after it was found, or somebody emptied the tables.
          if (document === undefined && job.creates) return yield* gone(job.key)
          try {
            job.apply(document ?? absent(job.key), {
              session: this.session.id,
              held: this.held.get(job.key.documentId)
            })
          } catch (thrown) {
            failures.set(job, failure(thrown))
          }
        }
        for (const document of documents.values()) {
          if (isBare(document)) document.change = "dropped"
        }
        yield* save(transaction, [...documents.values()], texts)
        return failures
      }).pipe(
        Effect.tapError(({ reason }) =>
          Effect.sync(() => {
            if (reason !== "Missing") return
            this.roots = new Map()
            this.texts = new Set()
            this.emptied = true
          })
        )
      )
    )
    return Effect.tap(done, () => {
      this.roots = roots
      this.texts = texts
      this.emptied = false
    })
  }

  /** Locks the documents in the order of their keys, as every writer does, and renews the session. */
  private load(
    transaction: Transaction,
    jobs: ReadonlyArray<Job>
  ): Effect.Effect<ReadonlyMap<string, Document>, ServerFailure> {
    const keys = [...new Set(jobs.map(({ id }) => id))]
    return Effect.gen(this, function* () {
      yield* transaction.query(
        `WITH renewed AS (${renewal}), locked AS (SELECT id FROM document WHERE key = ANY($3::uuid[]) ORDER BY key FOR UPDATE)
         SELECT count(*) FROM locked`,
        [this.session.id, this.session.lease, keys]
      )
      // A statement of its own: it sees what others committed while this one waited for their locks.
      const documents = yield* transaction.rows(
        select("d.key = ANY($2::uuid[])", "$1", true),
        [this.session.id, keys],
        documentOf
      )
      const byKey = new Map<string, Document>()
      for (const document of documents) byKey.set(keyOf(document.root, document.path), document)
      return byKey
    })
  }
}

/** Adds the rows of documents, and of their roots, that are not there yet. */
const create = (
  transaction: Transaction,
  roots: Map<string, number>,
  jobs: ReadonlyArray<Job>
): Effect.Effect<void, ServerFailure> => {
  if (jobs.length === 0) return Effect.void
  const wanted = new Map(jobs.map(({ id, key }) => [id, { root: rootOf(key), path: key.path }]))
  return Effect.gen(function* () {
    for (const name of new Set([...wanted.values()].map(({ root }) => root))) {
      if (!roots.has(name)) roots.set(name, yield* transaction.script(() => rootRow(name)))
    }
    const all = [...wanted]
    yield* transaction.query(
      `INSERT INTO document (key, root, path)
       SELECT u.key, u.root, u.path FROM unnest($1::uuid[], $2::bigint[], $3::text[]) WITH ORDINALITY AS u (key, root, path, place)
       WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.key = u.key) ORDER BY u.place ON CONFLICT DO NOTHING`,
      [all.map(([id]) => id), all.map(([, { root }]) => roots.get(root) ?? 0), all.map(([, { path }]) => path)]
    )
  })
}

/** The transaction is run again, and makes the row again. */
const gone = ({ path }: Key): ServerFailure =>
  new ServerFailure({ reason: "Missing", said: `the row of ${path} is gone`, passing: true })

const failureOf = (exit: Exit.Failure<unknown, ServerFailure>): ServerFailure =>
  exit.cause._tag === "Fail" ? exit.cause.error : failed("Io", String(exit.cause))
