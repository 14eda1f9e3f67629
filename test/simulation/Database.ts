/** A server of PostgreSQL as the state uses it: transactions one after another, with connections that break and limits of time. */
import * as Effect from "effect/Effect"
import type { Value } from "../../src/internal/state/postgres/connection.ts"
import type { Client, Driver } from "../../src/internal/state/postgres/driver.ts"
import { failed, ServerFailure } from "../../src/internal/state/serverFailure.ts"
import type { Network } from "./Network.ts"
import type { Process } from "./Process.ts"
import * as Sql from "./Sql.ts"
import { type Rows, Tables } from "./Tables.ts"

/** A connection, as the server sees it. */
interface Session {
  readonly process: Process
  open: boolean
  /** Longest time in which its transaction may be silent, in milliseconds. */
  silence: number
  /** Longest time that it waits for another's transaction. */
  patience: number
  /** Ends the wait that is under way. */
  cancel: () => void
}

const settings = (text: string, name: string): number =>
  Number(new RegExp(`set_config\\('${name}', '(\\d+)'`, "u").exec(text)?.[1] ?? Number.POSITIVE_INFINITY)

const broken = new ServerFailure({ reason: "Unreachable", said: "Connection terminated unexpectedly", passing: true })
const serialization = new ServerFailure({ reason: "Locked", said: "could not serialize access", passing: true })
const lockTimeout = new ServerFailure({
  reason: "TimedOut",
  said: "canceling statement due to lock timeout",
  passing: true
})

/** Connections of a process, as the state opens by default. */
const mostConnections = 4

/** Ids of documents that failed, that have letters, and of which chunks are still to be removed; each in order. */
export type Standing = Readonly<Record<"failures" | "letters" | "pending", ReadonlyArray<string>>>

/** What is in a state. */
export interface StateTables {
  readonly standing: () => Standing
  /** True for a document that the ledger says is in the sink. */
  readonly isStored: (sink: string, documentId: string) => boolean
  /** Changes tables behind everybody's back. */
  readonly change: (sql: string) => void
}

export class Database implements StateTables {
  readonly name = "state"
  /** Called with a statement that this model does not understand. */
  onDefect: (problem: string) => void = () => {}
  /** Called when a transaction is ended that was silent for too long. */
  onStall: () => void = () => {}
  private readonly tables = Tables.taken()
  private readonly network: Network
  /** The session whose transaction is open. */
  private writer: Session | null = null
  private readonly waiting: Array<{ readonly session: Session; readonly begin: () => void }> = []

  constructor(network: Network) {
    this.network = network
  }

  standing(): Standing {
    const ids = (sql: string) =>
      this.tables
        .rows(sql, [])
        .map(([id]) => String(id))
        .toSorted()
    const document = "SELECT r.name || '/' || d.path FROM document d JOIN root r ON r.id = d.root WHERE"
    return {
      failures: ids(`${document} d.failure IS NOT NULL`),
      letters: ids("SELECT root || '/' || source FROM letter"),
      pending: ids(`${document} d.id IN (SELECT document FROM pending)`)
    }
  }

  isStored(sink: string, documentId: string): boolean {
    const rows = this.tables.rows(
      "SELECT 1 FROM document d JOIN root r ON r.id = d.root JOIN acknowledgement a ON a.id = d.acks WHERE r.name || '/' || d.path = ? AND a.value LIKE ?",
      [documentId, `%${sink}%`]
    )
    return rows.length > 0
  }

  change(sql: string): void {
    this.tables.rows(sql, [])
  }

  close(): void {
    this.tables.giveBack()
  }

  /** A pool of connections of a process to the server. */
  driver(process: Process): Driver {
    const idle: Array<Client> = []
    const wanting: Array<() => void> = []
    let open = 0
    const released = (client: Client | null): void => {
      if (client === null) open -= 1
      else idle.push(client)
      wanting.shift()?.()
    }
    const dialled = this.network.ask<Client, ServerFailure>(
      process,
      { server: this.name, what: "connect", lost: broken },
      (answer) => {
        const session: Session = { process, open: true, silence: 0, patience: 0, cancel: () => {} }
        process.mourners.push(() => this.end(session))
        answer(Effect.succeed(this.client(session, released)))
      }
    )
    const connect: Effect.Effect<Client, ServerFailure> = Effect.suspend(() => {
      const client = idle.pop()
      if (client !== undefined) return Effect.succeed(client)
      if (open < mostConnections) {
        open += 1
        return Effect.tapError(dialled, () => Effect.sync(() => released(null)))
      }
      const freed = Effect.async<void>((resume) => {
        wanting.push(() => resume(Effect.void))
      })
      return Effect.zipRight(freed, connect)
    })
    return { connect }
  }

  private client(session: Session, released: (client: Client | null) => void): Client {
    const ask = <A>(what: string, work: (answer: (result: Effect.Effect<A, ServerFailure>) => void) => void) =>
      this.network.ask<A, ServerFailure>(session.process, { server: this.name, what, lost: broken }, (answer) => {
        if (!session.open) answer(Effect.fail(broken))
        else if (this.writer === session && this.network.strikes("serialization")) {
          this.rollback(session)
          answer(Effect.fail(serialization))
        } else work(answer)
      })
    const client: Client = {
      kept: null,
      query: (sql, values = []) =>
        ask(Sql.titleOf(sql), (answer) => {
          if (this.writer === session) answer(this.query(session, sql, values))
          // A statement of its own, between the transactions of others.
          else
            this.begin(session, () => {
              const result = this.query(session, sql, values)
              this.commit(session)
              answer(result)
            })
        }),
      simple: (text) =>
        ask(text.slice(0, 16), (answer) => {
          if (text === "COMMIT") {
            this.commit(session)
            answer(Effect.void)
            return
          }
          session.silence = settings(text, "idle_in_transaction_session_timeout")
          session.patience = settings(text, "lock_timeout")
          const stop = this.network.kernel.after(session.patience, null, () => {
            const at = this.waiting.findIndex((one) => one.session === session)
            if (at < 0) return
            this.waiting.splice(at, 1)
            answer(Effect.fail(lockTimeout))
          })
          this.begin(session, () => {
            stop()
            answer(Effect.void)
          })
        }),
      release: (isBroken) => {
        released(isBroken ? null : client)
        if (isBroken) this.network.send(session.process, () => this.end(session))
      }
    }
    return client
  }

  /** Begins a transaction once that of nobody else is open. */
  private begin(session: Session, begun: () => void): void {
    if (this.writer !== null) {
      this.waiting.push({ session, begin: begun })
      return
    }
    this.writer = session
    this.tables.rows("BEGIN", [])
    this.listen(session)
    begun()
  }

  /** Ends the session if its transaction stays silent. */
  private listen(session: Session): void {
    session.cancel()
    if (Number.isFinite(session.silence) && session.silence > 0) {
      session.cancel = this.network.kernel.after(session.silence, null, () => {
        this.onStall()
        this.end(session)
      })
    }
  }

  private query(session: Session, sql: string, values: ReadonlyArray<Value>): Effect.Effect<Rows, ServerFailure> {
    this.listen(session)
    try {
      let rows: Rows = []
      const { now } = this.network.kernel
      if (sql.startsWith("INSERT INTO scan")) this.tables.rows("UPDATE machine SET now = ?", [now])
      for (const statement of Sql.translated(sql)) {
        rows = this.tables.rows(
          statement.sql,
          statement.parameters.map((value) => value(values, now))
        )
      }
      return Effect.succeed(rows.map((row) => row.map(Sql.column)))
    } catch (thrown) {
      this.onDefect(`${String(thrown)}: ${sql}`)
      return Effect.fail(failed("Io", String(thrown)))
    }
  }

  private commit(session: Session): void {
    if (this.writer === session) this.finish(session, "COMMIT")
  }

  private rollback(session: Session): void {
    if (this.writer === session) this.finish(session, "ROLLBACK")
  }

  private finish(session: Session, how: "COMMIT" | "ROLLBACK"): void {
    session.cancel()
    this.tables.rows(how, [])
    this.writer = null
    const next = this.waiting.shift()
    if (next !== undefined) this.begin(next.session, next.begin)
  }

  /** The connection is gone. */
  private end(session: Session): void {
    session.open = false
    const at = this.waiting.findIndex((one) => one.session === session)
    if (at >= 0) this.waiting.splice(at, 1)
    this.rollback(session)
  }
}
