import { hostname } from "node:os"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { integer } from "../columns.ts"
import type { ServerFailure } from "../serverFailure.ts"
import type { Connection, Query } from "./connection.ts"

/**
 * This process in the eyes of the others. Its documents are its own as long as it renews the session, which is by the clock of the
 * server; after that another session may take each of them, and their fencing numbers tell.
 */
export interface Session {
  readonly id: number
  /** Seconds. */
  readonly lease: number
}

/** Sessions that ended without saying so, and are of no use to anyone. */
const old = "1 day"

/** SQL that renews a session; `lapses` counts the times that it had run out before. Parameters: id, seconds. */
export const renewal = `UPDATE session SET lapses = lapses + CASE WHEN until < clock_timestamp() THEN 1 ELSE 0 END,
  until = clock_timestamp() + $2 * interval '1 second' WHERE id = $1`

/** Condition that another session that is alive holds the document `d`; `session`: the own one in SQL. */
export const heldByAnother = (session: string): string =>
  `(d.holder <> ${session} AND EXISTS (SELECT 1 FROM session s WHERE s.id = d.holder AND s.until >= clock_timestamp()))`

/** Begins the session, and ends it with the scope, when its documents are free at once. */
export const make = (
  connection: Connection,
  lease: Duration.Duration
): Effect.Effect<Session, ServerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const seconds = Duration.toSeconds(lease)
    const session = yield* Effect.acquireRelease(begun(connection, seconds), ({ id }) =>
      Effect.catchAll(ended(connection, id), (failed) =>
        Effect.logWarning(`the session on the state ends by itself in ${seconds} seconds: ${failed.message}`)
      )
    )
    const renew = connection.transaction(({ query }) => query(renewal, [session.id, seconds]))
    // A server that is away is tried again with the next renewal.
    yield* withRenewals(session, Effect.ignore(renew))
    return session
  })

/** Does something as often as the session is renewed, until the scope ends. */
export const withRenewals = ({ lease }: Session, act: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  act.pipe(
    Effect.delay(Duration.seconds(lease / 3)),
    Effect.forever,
    Effect.interruptible,
    Effect.forkScoped,
    Effect.asVoid
  )

const begun = (connection: Connection, seconds: number): Effect.Effect<Session, ServerFailure> =>
  connection.transaction(({ query, rows }) =>
    Effect.gen(function* () {
      yield* query(`DELETE FROM session WHERE until < clock_timestamp() - interval '${old}'`)
      const [id = 0] = yield* rows(
        "INSERT INTO session (name, until) VALUES ($1, clock_timestamp() + $2 * interval '1 second') RETURNING id",
        [`${hostname()}:${process.pid}`, seconds],
        (row) => integer(row, 0)
      )
      return { id, lease: seconds }
    })
  )

const ended = (connection: Connection, id: number): Effect.Effect<void, ServerFailure> =>
  Effect.asVoid(
    connection.transaction(({ query }) =>
      Effect.zipRight(endScans(query, id), query("DELETE FROM session WHERE id = $1", [id]))
    )
  )

/** Ends the scans of the session that did not come to their end, which then protect no document. */
export const endScans = (query: Query, session: number): Effect.Effect<unknown, ServerFailure> =>
  Effect.zipRight(
    query("DELETE FROM sight WHERE scan IN (SELECT id FROM scan WHERE session = $1 AND ended IS NULL)", [session]),
    query("DELETE FROM scan WHERE session = $1 AND ended IS NULL", [session])
  )
