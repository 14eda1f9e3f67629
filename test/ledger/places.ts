/** Where a state can lie: the same facts hold in each of these places. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Ledger from "docsluice/Ledger"
import { Effect, Layer, type Scope } from "effect"
import { Client } from "pg"
import { scratch } from "../fixtures/ledger.ts"
import * as Servers from "../fixtures/servers.ts"
import { shared } from "../fixtures/shared.ts"
import * as Postgres from "../sinks/postgres.ts"

/** One state, empty at first, which can be opened again and again. */
export interface Spot {
  readonly open: Effect.Effect<Ledger.Ledger.Service, Ledger.LedgerError, Scope.Scope>
}

export interface Place {
  readonly title: string
  /** Why it cannot be tested here; null when it can. */
  readonly missing: string | null
  /** A spot of one's own; nothing of it is left after the scope. */
  readonly spot: Effect.Effect<Spot, never, Scope.Scope>
}

/** A database for the tests of one file. */
export const server = (): Effect.Effect<Servers.Database> =>
  shared(
    Effect.acquireRelease(
      Effect.promise(() => Servers.postgres()),
      ({ stop }) => Effect.promise(() => stop())
    )
  )

/** Runs statements as the server's superuser; rows as lists. */
export const sql = (url: string, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.promise(async () => {
    const client = new Client(url)
    await client.connect()
    try {
      const { rows } = await client.query<Array<unknown>>({ text, values: [...values], rowMode: "array" })
      return rows
    } finally {
      await client.end()
    }
  })

/** The address of a state of one's own on the server, whose schema is dropped with the scope. */
export const address = (postgres: Effect.Effect<Servers.Database>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { url } = yield* postgres
    const schema = `state-${randomUUID().slice(0, 8)}`
    yield* Effect.addFinalizer(() => sql(url, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`))
    return `${url}?schema=${schema}`
  })

/** All places; to be called once by a file of tests. */
export const places = (): ReadonlyArray<Place> => {
  const postgres = server()
  return [
    {
      title: "in a folder",
      missing: null,
      spot: Effect.map(scratch, (folder) => ({ open: Ledger.make({ directory: join(folder, "deep", "state") }) }))
    },
    {
      title: "on PostgreSQL",
      missing: Postgres.missing(),
      spot: Effect.map(address(postgres), (url) => ({ open: Ledger.makePostgres({ url }) }))
    }
  ]
}

/** The ledger of a spot of one's own. */
export const ledgerOf = ({ spot }: Place): Layer.Layer<Ledger.Ledger, Ledger.LedgerError> =>
  Layer.scoped(
    Ledger.Ledger,
    Effect.flatMap(spot, ({ open }) => open)
  )

/** Where the state of a run can lie, to be called once by a file of tests: null for a folder, else the address of a new state. */
export const runPlaces = (): ReadonlyArray<{
  readonly title: string
  readonly missing: string | null
  readonly state: Effect.Effect<string | undefined, never, Scope.Scope>
}> => {
  const postgres = server()
  return [
    { title: "with a state in a folder", missing: null, state: Effect.succeed(undefined) },
    { title: "with a state on PostgreSQL", missing: Postgres.missing(), state: address(postgres) }
  ]
}
