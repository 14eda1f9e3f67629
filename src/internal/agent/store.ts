import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { closing, type Migration, NewerSchema, openDatabase } from "../state/directory.ts"
import * as GroupCommit from "../state/groupCommit.ts"
import {
  checkSchema,
  close,
  corrupted,
  type Database,
  type DatabaseFailure,
  failure,
  integer,
  nullable,
  open,
  type Row,
  text
} from "../state/libsql.ts"
import { look } from "../state/looking.ts"
import type { Artifact, Event } from "./runner.ts"
import { agentOutcome, cancelled, stopped, type Verdict } from "./verdict.ts"

/** An agent as events name it. */
export interface Identity {
  readonly id: string
  readonly role: "orchestrator" | "subagent"
  readonly name: string
  readonly parentId?: string | undefined
}

/** A recorded event: one that a runner emits, or one of the beginning and the end of runs and agents. */
export type Recorded =
  | Event
  | { readonly type: "run.started" | "agent.started" }
  | { readonly type: "run.cancel_requested"; readonly reason: "user" }
  | {
      readonly type: "artifact.updated"
      readonly artifact: Omit<Artifact, "content"> & { readonly snapshotId: string }
    }

export interface NewJob {
  readonly id: string
  readonly owner: string
  readonly model: string
  readonly traced: boolean
}

export interface Job {
  readonly status: "processing" | "completed" | "failed"
  readonly model: string
  readonly traced: boolean
  /** Credits consumed, charged or not. */
  readonly consumed: number
  /** JSON text; null without a result. */
  readonly data: string | null
  readonly error: string | null
  /** Milliseconds since the epoch. */
  readonly expires: number
}

/** Answer to a cancellation. */
export type Cancellation = "accepted" | "cancelling" | "finished" | "missing"

/** Jobs, their events and their snapshots. What is written is durable when the effect succeeds. */
export interface JobStore {
  readonly insert: (job: NewJob) => Effect.Effect<void, DatabaseFailure>
  /** The owner's job; null without one, and for one that expired. */
  readonly find: (id: string, owner: string) => Effect.Effect<Job | null, DatabaseFailure>
  readonly append: (id: string, agent: Identity, event: Recorded) => Effect.Effect<void, DatabaseFailure>
  /** Records the end of a sub-agent. */
  readonly endAgent: (id: string, agentId: string, verdict: Verdict) => Effect.Effect<void, DatabaseFailure>
  /** Keeps a snapshot and its event; gives the snapshot's id. */
  readonly snapshot: (id: string, agent: Identity, artifact: Artifact) => Effect.Effect<string, DatabaseFailure>
  readonly consume: (id: string, credits: number) => Effect.Effect<void, DatabaseFailure>
  /** Marks a running job as being cancelled. From then on it can only end as cancelled. */
  readonly cancel: (id: string, owner: string, agent: Identity) => Effect.Effect<Cancellation, DatabaseFailure>
  /** Ends a job, its agents and its trace; nothing when it has ended. Gives the verdict that counts. */
  readonly finish: (id: string, agent: Identity, verdict: Verdict) => Effect.Effect<Verdict, DatabaseFailure>
  /** Events as JSON texts, in the order in which they were recorded. */
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<string>, DatabaseFailure>
  readonly readSnapshot: (id: string, snapshotId: string) => Effect.Effect<string | null, DatabaseFailure>
  /** Deletes jobs that expired. */
  readonly expire: Effect.Effect<void, DatabaseFailure>
}

/** Milliseconds that a result is kept. Source: notes on the public service, "Agent jobs". */
const lifetime = 24 * 60 * 60 * 1000

/** Texts of callers and runners are kept as JSON, since the binding cuts a text at U+0000. */
const initial: Migration = (db) => {
  db.exec(`
    CREATE TABLE job (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, status TEXT NOT NULL, cancelling INTEGER NOT NULL, model TEXT NOT NULL,
      traced INTEGER NOT NULL, consumed REAL NOT NULL, data TEXT, error TEXT, expires INTEGER NOT NULL
    );
    CREATE INDEX job_expires ON job (expires);
    CREATE TABLE event (
      id INTEGER PRIMARY KEY, job TEXT NOT NULL, agent TEXT NOT NULL, sequence INTEGER NOT NULL, type TEXT NOT NULL,
      at INTEGER NOT NULL, identity TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (job, agent, sequence)
    );
    CREATE TABLE snapshot (id TEXT PRIMARY KEY, job TEXT NOT NULL, content TEXT NOT NULL);
    CREATE INDEX snapshot_job ON snapshot (job);
  `)
}

const migrations: ReadonlyArray<Migration> = [initial]

const statusOf = (row: Row, column: number): Job["status"] => {
  const status = text(row, column)
  if (status === "processing" || status === "completed" || status === "failed") return status
  throw corrupted(`a job has the status ${JSON.stringify(status)}`)
}

const jsonText = (row: Row, column: number): string => {
  const value: unknown = JSON.parse(text(row, column))
  if (typeof value === "string") return value
  throw corrupted(`column ${column} is not the JSON of a text`)
}

const jobOf = (row: Row): Job => ({
  status: statusOf(row, 0),
  model: jsonText(row, 1),
  traced: integer(row, 2) === 1,
  consumed: integer(row, 3),
  data: nullable(row, 4, text),
  error: nullable(row, 5, jsonText),
  expires: integer(row, 6)
})

type Typed = Readonly<Record<string, unknown>> & { readonly type: string }

/** The rows of a store, written within one transaction. `now`: milliseconds since the epoch. */
class Rows {
  private readonly db: Database

  constructor(db: Database) {
    this.db = db
  }

  /** `identity`: of the agent, as JSON text. */
  private add(
    job: string,
    agent: Pick<Identity, "id"> & { readonly identity: string },
    event: Typed,
    now: number
  ): void {
    const { id, identity } = agent
    const next = this.db.sql("SELECT ifnull(max(sequence), 0) + 1 FROM event WHERE job = ? AND agent = ?")
    const sequence = integer(next.first(job, id) ?? [], 0)
    const { type, ...members } = event
    const base = `"schemaVersion":1,"eventId":"${randomUUID()}","runId":"${job}","occurredAt":"${new Date(now).toISOString()}"`
    const rest = JSON.stringify({ type, ...members }).slice(1)
    const body = `{${base},"producerSequence":${sequence},"agent":${identity},${rest}`
    this.db
      .sql("INSERT INTO event (job, agent, sequence, type, at, identity, body) VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(job, id, sequence, type, now, identity, body)
  }

  append(job: string, agent: Identity, event: Typed, now: number): void {
    this.add(job, { id: agent.id, identity: JSON.stringify(agent) }, event, now)
  }

  /** Ends the agents that began and did not end, the last one first. */
  endAgents(job: string, only: string | null, verdict: Verdict, now: number): void {
    const rows = this.db
      .sql(
        `SELECT agent, identity, at FROM event AS begun WHERE job = ? AND type = 'agent.started' AND agent = ifnull(?, agent)
           AND NOT EXISTS (SELECT 1 FROM event WHERE job = begun.job AND agent = begun.agent AND type = 'agent.finished')
         ORDER BY id DESC`
      )
      .all(job, only)
    for (const row of rows) {
      const ended = { outcome: agentOutcome(verdict), durationMs: now - integer(row, 2), error: verdict.error }
      this.add(job, { id: text(row, 0), identity: text(row, 1) }, { type: "agent.finished", ...ended }, now)
    }
  }

  finish(job: string, agent: Identity, given: Verdict, now: number): Verdict {
    const { db } = this
    const row = db.sql("SELECT cancelling FROM job WHERE id = ? AND status = 'processing'").first(job)
    if (row === undefined) return given
    const verdict = integer(row, 0) === 1 ? cancelled : given
    const { error, outcome } = verdict
    this.endAgents(job, null, verdict, now)
    this.append(job, agent, { type: "run.finished", outcome, error }, now)
    db.sql("UPDATE job SET status = ?, data = ?, error = ?, expires = ? WHERE id = ?").run(
      outcome === "succeeded" ? "completed" : "failed",
      outcome === "succeeded" ? verdict.data : null,
      error === null ? null : JSON.stringify(error.message),
      now + lifetime,
      job
    )
    return verdict
  }

  /** Ends the jobs that ran when the process that had the store ended. */
  recover(now: number): void {
    for (const row of this.db.sql("SELECT id FROM job WHERE status = 'processing'").all()) {
      const id = text(row, 0)
      this.finish(id, orchestrator(id), stopped, now)
    }
  }

  insert({ id, model, owner, traced }: NewJob, now: number): void {
    this.db
      .sql(
        "INSERT INTO job (id, owner, status, cancelling, model, traced, consumed, expires) VALUES (?, ?, 'processing', 0, ?, ?, 0, ?)"
      )
      .run(id, owner, JSON.stringify(model), traced ? 1 : 0, now + lifetime)
  }

  /** The owner's row, unless it has expired. */
  find(id: string, owner: string, now: number): Row | undefined {
    return this.db
      .sql(
        "SELECT status, model, traced, consumed, data, error, expires, cancelling FROM job WHERE id = ? AND owner = ? AND (status = 'processing' OR expires > ?)"
      )
      .first(id, owner, now)
  }

  snapshot(id: string, agent: Identity, { content, ...artifact }: Artifact, now: number): string {
    const snapshotId = randomUUID()
    const sql = "INSERT INTO snapshot (id, job, content) VALUES (?, ?, ?)"
    this.db.sql(sql).run(snapshotId, id, JSON.stringify(content))
    this.append(id, agent, { type: "artifact.updated", artifact: { ...artifact, snapshotId } }, now)
    return snapshotId
  }

  cancel(id: string, owner: string, agent: Identity, now: number): Cancellation {
    const row = this.find(id, owner, now)
    if (row === undefined) return "missing"
    if (statusOf(row, 0) !== "processing") return "finished"
    if (integer(row, 7) === 1) return "cancelling"
    this.db.sql("UPDATE job SET cancelling = 1 WHERE id = ?").run(id)
    this.append(id, agent, { type: "run.cancel_requested", reason: "user" }, now)
    return "accepted"
  }

  expire(now: number): void {
    const { db } = this
    for (const row of db.sql("SELECT id FROM job WHERE status <> 'processing' AND expires <= ?").all(now)) {
      const id = text(row, 0)
      db.sql("DELETE FROM event WHERE job = ?").run(id)
      db.sql("DELETE FROM snapshot WHERE job = ?").run(id)
      db.sql("DELETE FROM job WHERE id = ?").run(id)
    }
  }
}

/** `opened`: the time, for the process that runs jobs; null where jobs are read only, which may be running. */
const make = (db: Database, opened: number | null): { readonly store: JobStore; readonly close: () => void } => {
  const group = GroupCommit.make(db, 64, () => {})
  const rows = new Rows(db)
  const write = <A>(body: (now: number) => A) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => group.write(() => body(now)))
  const read = <A>(body: (now: number) => A): Effect.Effect<A, DatabaseFailure> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.try({ try: () => body(now), catch: failure }))

  if (opened !== null) db.transaction(() => rows.recover(opened))

  const store: JobStore = {
    insert: (job) => write((now) => rows.insert(job, now)),
    find: (id, owner) =>
      read((now) => {
        const row = rows.find(id, owner, now)
        return row === undefined ? null : jobOf(row)
      }),
    append: (id, agent, event) => write((now) => rows.append(id, agent, event, now)),
    endAgent: (id, agentId, verdict) => write((now) => rows.endAgents(id, agentId, verdict, now)),
    snapshot: (id, agent, artifact) => write((now) => rows.snapshot(id, agent, artifact, now)),
    consume: (id, credits) =>
      write(() => {
        db.sql("UPDATE job SET consumed = consumed + ? WHERE id = ?").run(credits, id)
      }),
    cancel: (id, owner, agent) => write((now) => rows.cancel(id, owner, agent, now)),
    finish: (id, agent, verdict) => write((now) => rows.finish(id, agent, verdict, now)),
    events: (id) =>
      read(() =>
        db
          .sql("SELECT body FROM event WHERE job = ? ORDER BY id")
          .all(id)
          .map((row) => text(row, 0))
      ),
    readSnapshot: (id, snapshotId) =>
      read(() => {
        const row = db.sql("SELECT content FROM snapshot WHERE id = ? AND job = ?").first(snapshotId, id)
        return row === undefined ? null : jsonText(row, 0)
      }),
    expire: write((now) => rows.expire(now))
  }
  return {
    store,
    close: () => {
      group.flush()
      close(db)
    }
  }
}

/** An id for a job. */
export const newId = (): string => randomUUID()

/** The agent that a job begins with; its id is the job's. */
export const orchestrator = (jobId: string): Identity => ({ id: jobId, role: "orchestrator", name: "orchestrator" })

const openMemory = (): Database => {
  const db = open(":memory:")
  checkSchema(db)
  db.transaction(() => initial(db))
  return db
}

/**
 * The store `agent.db` of a directory that exists and is locked by the caller, or one in memory. Jobs that were running when it was
 * last used have failed when it is opened.
 */
export const scoped = (directory: string | null): Effect.Effect<JobStore | NewerSchema, DatabaseFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const acquire = Effect.try({
      try: () => {
        const db = directory === null ? openMemory() : openDatabase(directory, "agent.db", migrations)
        if (db instanceof NewerSchema) return db
        try {
          return make(db, now)
        } catch (thrown) {
          db.close()
          throw failure(thrown)
        }
      },
      catch: failure
    })
    const opened = yield* Effect.acquireRelease(acquire, (opened) =>
      opened instanceof NewerSchema ? Effect.void : closing(directory ?? "agent jobs in memory", opened.close)
    )
    return opened instanceof NewerSchema ? opened : opened.store
  })

/** The reads of a store, also while another process runs its jobs. */
export type Looked = Pick<JobStore, "find" | "events" | "readSnapshot">

/** The store of a directory to be read only: writes and locks nothing. Null when there is none. */
export const looked = (directory: string): Effect.Effect<Looked | NewerSchema | null, DatabaseFailure, Scope.Scope> =>
  Effect.acquireRelease(Effect.try({ try: () => look(directory, "agent.db", migrations), catch: failure }), (db) =>
    db === null || db instanceof NewerSchema ? Effect.void : closing(directory, db.close)
  ).pipe(Effect.map((db) => (db === null || db instanceof NewerSchema ? db : make(db, null).store)))
