import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Sql from "docsluice/source/Sql"
import { bytes } from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { shared } from "../fixtures/shared.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Drift from "./drift.ts"
import * as Rows from "./rows.ts"

const server = shared(
  Effect.acquireRelease(
    Effect.promise(() => Postgres.start()),
    ({ stop }) => Effect.promise(stop)
  )
)

const query = "SELECT path AS key, version, content FROM page"

const refusal = (database: string) =>
  Effect.map(
    Effect.flip(Effect.scoped(Stream.runDrain(Sql.make({ name: "pages", query, database }).files))),
    ({ problem, reason }) => `${reason}: ${problem}`
  )

/** A table of documents. Statements of the source are counted by the log that the server keeps of them. */
const table = Effect.gen(function* () {
  const { url } = yield* server
  const run = yield* Rows.onServer(url)
  yield* Effect.promise(() => run("DROP TABLE IF EXISTS page"))
  yield* Effect.promise(() => run("CREATE TABLE page (path text PRIMARY KEY, version int, content text)"))
  return { url, run }
})

