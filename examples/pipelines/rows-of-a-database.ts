// Rows of a database as documents, a page of rows at a time.
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Chunker, ChunkSink, MarkdownChunker, Parser, SourceFile, Tokenizer } from "docsluice"
import * as LibSql from "docsluice/sinks/LibSql"
import { Chunk, Console, Effect, Layer, Option, Schema, Stream } from "effect"
import Database from "libsql"

const Rows = Schema.Array(Schema.Struct({ path: Schema.String, text: Schema.String }))
const page = "SELECT path, text FROM articles WHERE path > ? ORDER BY path LIMIT 50"

const fileOf = ({ path, text }: { readonly path: string; readonly text: string }) =>
  SourceFile.fromBytes({ root: "articles", path, bytes: new TextEncoder().encode(text) })

/** At most one page of rows is held. */
export const articles = (database: Database.Database) =>
  Stream.paginateChunkEffect("", (after) =>
    Effect.try(() => database.prepare(page).all(after)).pipe(
      Effect.flatMap(Schema.decodeUnknown(Rows)),
      Effect.map((rows) => [Chunk.map(Chunk.fromIterable(rows), fileOf), Option.fromNullable(rows.at(-1)?.path)])
    )
  )

/** Holds at most 12 documents, next to what its source holds. */
export const pipeline = <E, R>(files: Stream.Stream<SourceFile.SourceFile, E, R>, sink: ChunkSink.ChunkSink.Service) =>
  files.pipe(
    Parser.parseAll({ concurrency: 4 }),
    Chunker.chunkAll({ chunker: MarkdownChunker.make() }),
    ChunkSink.store(sink, { concurrency: 4 })
  )

const program = Effect.gen(function* () {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new Database(":memory:")),
    (open) => Effect.sync(() => open.close())
  )
  database.exec("CREATE TABLE articles (path TEXT PRIMARY KEY, text TEXT)")
  database.exec("INSERT INTO articles VALUES ('quay.md', '# North Quay'), ('fell.md', '# West Fell')")
  const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
  const stored = pipeline(articles(database), yield* LibSql.make({ file: `${folder}/articles.db` }))
  yield* Stream.runForEach(stored, ({ chunks, documentId }) => Console.log(`${documentId}: ${chunks.length} chunk`))
})

const live = Layer.merge(Layer.succeed(Parser.Parser, Parser.texts()), Tokenizer.layer("o200k_base"))

if (process.argv[1] === import.meta.filename)
  NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(live), Effect.provide(NodeContext.layer)))
