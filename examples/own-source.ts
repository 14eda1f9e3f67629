// A source of one's own: documents out of rows, as from a database or an object store; opened only when their turn comes.
import { NodeRuntime } from "@effect/platform-node"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import { Console, Context, Data, Effect, Layer, Stream } from "effect"

class DatabaseError extends Data.TaggedError("DatabaseError")<{ readonly message: string }> {}

/** Stands in for the client of a database. */
class Database extends Context.Tag("Database")<
  Database,
  {
    readonly rows: Stream.Stream<{ readonly key: string; readonly version: string }, DatabaseError>
    readonly body: (key: string) => Effect.Effect<string, DatabaseError>
  }
>() {}

const table = new Map([
  ["north/quay.html", "<h1>North Quay</h1><p>Under repair since the storm of 9 February.</p>"],
  ["west/fell.html", "<h1>West Fell</h1><p>Out of service.</p>"]
])

const database = Layer.succeed(Database, {
  rows: Stream.map(Stream.fromIterable(table.keys()), (key) => ({ key, version: "7" })),
  body: (key) =>
    Effect.mapError(Effect.fromNullable(table.get(key)), () => new DatabaseError({ message: `no row ${key}` }))
})

const article = ({ key, version }: { readonly key: string; readonly version: string }) =>
  SourceFile.fromStream({
    root: "articles",
    path: key,
    fingerprint: { _tag: "Etag", value: version },
    open: Stream.fromEffect(
      Effect.flatMap(Database, ({ body }) => Effect.map(body(key), (html) => new TextEncoder().encode(html)))
    )
  })

const articles = Stream.mapEffect(Stream.unwrap(Effect.map(Database, ({ rows }) => rows)), article)

/** The `source` of a `Pipeline.run`; in mode `sync` an article whose row is gone leaves the store. */
export const source = Source.make({ name: "articles", files: articles })

const program = Stream.runForEach(Parser.parseAll({ concurrency: 4 })(articles), (document) =>
  Console.log(document.documentId, JSON.stringify(document.markdown))
)

const live = Layer.merge(database, Layer.provide(Parser.layer(), Embedded.layer()))
NodeRuntime.runMain(Effect.provide(program, live))
