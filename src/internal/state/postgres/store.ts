/** The rows of a ledger on PostgreSQL, which many processes may use at once. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Document } from "../ledger/document.ts"
import type { RowStore } from "../ledger/rowStore.ts"
import { failed, type ServerFailure } from "../serverFailure.ts"
import { type Connection, mapped } from "./connection.ts"
import { dialect } from "./dialect.ts"
import * as Holds from "./holds.ts"
import { keyOfDocument } from "./key.ts"
import { documentOf, select } from "./rows.ts"
import * as Scans from "./scan.ts"
import type { Session } from "./session.ts"
import type { Writer } from "./writer.ts"

const readOnly = failed("ReadOnly", "it is opened for reading only")

type Reading<E> = Pick<RowStore<E>, "checkpoint" | "dialect" | "documents" | "find" | "lasting" | "preview" | "read">

/** `session`: as {@link select} takes it. */
const reading = <E>(
  connection: Connection,
  failed: (failure: ServerFailure) => E,
  session: number | null
): Reading<E> => {
  const tables = mapped(connection, failed)
  const selected = (where: string, pending: boolean) => select(where, session === null ? null : `${session}`, pending)
  return {
    lasting: true,
    dialect,
    read: (script) => tables.transaction((transaction) => transaction.script(script)),
    documents: (condition, values, { limit, pending }) =>
      tables.rows(`${selected(condition, pending)} ORDER BY d.id LIMIT ${limit}`, values, documentOf),
    find: (key, pending) =>
      Effect.map(
        tables.rows(selected("d.key = $1", pending), [keyOfDocument(key)], documentOf),
        ([document]) => document ?? null
      ),
    preview: (place, { root }, expected) => Scans.preview(tables, place, { root, expected }),
    // Each write is as durable as the server makes it.
    checkpoint: Effect.void
  }
}

/** The rows of a session, and what has to be done with each of its renewals. */
export const writing = <E>(
  connection: Connection,
  { session, writer }: { readonly session: Session; readonly writer: Writer },
  failed: (failure: ServerFailure) => E
): { readonly store: RowStore<E>; readonly letGoAgain: Effect.Effect<void> } => {
  const tables = mapped(connection, failed)
  const rows = reading(connection, failed, session.id)
  const { change, holds, letGoAgain } = Holds.make(writer, failed, (documents, { condition, holds, values }) => {
    const ids = documents.map(({ id }) => id)
    return Effect.map(
      rows.documents(
        `d.id > $1 AND ${dialect.isIn("d.id", `$${values.length + 2}`, "bigint")} AND ${condition}`,
        [Math.min(...ids) - 1, ...values, ids],
        { pending: true, limit: ids.length }
      ),
      (now: ReadonlyArray<Document>) => now.filter(holds)
    )
  })
  const scanning: Scans.Scanning = { session: session.id, over: new Set() }
  const store: RowStore<E> = {
    ...rows,
    write: rows.read,
    change,
    holds: { ...holds, isRootFree: (root) => Scans.isRootFree(tables, scanning, root) },
    scan: (bound, { root }, expected) => Scans.begin(tables, scanning, bound, { root, expected })
  }
  return { store, letGoAgain }
}

/** The rows of a ledger that is read only: every write fails. */
export const looking = <E>(connection: Connection, failed: (failure: ServerFailure) => E): RowStore<E> => {
  const refuse = () => Effect.fail(failed(readOnly))
  return {
    ...reading(connection, failed, null),
    write: refuse,
    change: refuse,
    scan: refuse,
    checkpoint: refuse(),
    holds: {
      hold: refuse,
      letGo: refuse,
      taken: () => Stream.fail(failed(readOnly)),
      isLent: () => false,
      ended: () => {},
      rest: refuse(),
      isRootFree: refuse
    }
  }
}
