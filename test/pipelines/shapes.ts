/** The pipelines of `examples/pipelines` over stores of their own, with counted documents. */
import { createServer } from "node:http"
import { HttpServer } from "@effect/platform"
import { NodeContext, NodeHttpServer } from "@effect/platform-node"
import * as ChunkSink from "docsluice/ChunkSink"
import type * as Discovery from "docsluice/Discovery"
import * as Parser from "docsluice/Parser"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import type { InvalidOptions } from "docsluice/service/ParseOptions"
import * as Server from "docsluice/service/Server"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import type { SourceFile } from "docsluice/SourceFile"
import * as Stage from "docsluice/Stage"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as Tokenizer from "docsluice/Tokenizer"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Chunk, Effect, Layer, type Scope, Stream } from "effect"
import Database from "libsql"
import * as chunksOnly from "../../examples/pipelines/chunks-only.ts"
import * as errors from "../../examples/pipelines/errors-apart.ts"
import * as ownParser from "../../examples/pipelines/own-parser.ts"
import * as rows from "../../examples/pipelines/rows-of-a-database.ts"
import * as slowStore from "../../examples/pipelines/slow-store.ts"
import * as twoStores from "../../examples/pipelines/two-stores.ts"
import * as uploadOnly from "../../examples/pipelines/upload-only.ts"

/** What a pipeline is given, and told by. */
export interface World {
  /** Of the stores that are files. */
  readonly folder: string
  /** Files with this extension. */
  readonly files: (extension: string) => Stream.Stream<SourceFile, Discovery.DiscoveryError>
  /** A document, or a page of rows, has come to the pipeline. */
  readonly came: (count: number) => void
  /** A document has left the pipeline. */
  readonly gone: (value: object) => Effect.Effect<void>
}

export interface Shape {
  readonly name: string
  /** The most documents that the pipeline and its source hold. */
  readonly most: number
  /** The share of documents that are refused by their type, and so never opened; default 0. */
  readonly refused?: number
  /** Its stores wait for the disk. */
  readonly durable?: boolean
  /** Opens what is there before the pipeline and outlives it; gives the pipeline, with all that it opens itself. */
  readonly make: (world: World) => Effect.Effect<Effect.Effect<void, unknown>, never, Scope.Scope>
}

/** Counts cheaply: 20 KB are some chunks. */
const tokenizer = Layer.succeed(
  Tokenizer.Tokenizer,
  Tokenizer.make("test", (text) => Math.ceil(text.length / 64))
)
const texts = Layer.merge(Layer.succeed(Parser.Parser, Parser.texts()), tokenizer)

const counted = <A, E, R>(files: Stream.Stream<A, E, R>, { came }: World) =>
  files.pipe(
    Stream.rechunk(1),
    Stream.tap(() => Effect.sync(() => came(1)))
  )

const drained = <A extends object, E, R>(documents: Stream.Stream<A, E, R>, { gone }: World) =>
  Stream.runForEach(documents, gone)

/** The rows of a table with the texts of the files. */
const filled = ({ files }: World): Effect.Effect<Database.Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => new Database(":memory:")),
      (opened) => Effect.sync(() => opened.close())
    )
    database.exec("CREATE TABLE articles (path TEXT PRIMARY KEY, text TEXT)")
    const insert = database.prepare("INSERT INTO articles VALUES (?, ?)")
    yield* Stream.runForEach(files("md"), ({ open, path }) =>
      Effect.map(Stream.runCollect(open), (parts) => insert.run(path, Buffer.concat([...parts]).toString()))
    ).pipe(Effect.orDie)
    return database
  })

const rowsOfADatabase: Shape = {
  name: "rows of a database",
  most: 50 + 12,
  durable: true,
  make: (world) =>
    Effect.map(filled(world), (database) => {
      const articles = rows.articles(database).pipe(
        Stream.chunks,
        Stream.tap((page) => Effect.sync(() => world.came(Chunk.size(page)))),
        Stream.flattenChunks
      )
      return LibSql.make({ file: `${world.folder}/rows.db` }).pipe(
        Effect.flatMap((sink) => drained(rows.pipeline(articles, sink), world)),
        Effect.scoped,
        Effect.provide([texts, NodeContext.layer])
      )
    })
}

const aParserOfOnesOwn: Shape = {
  name: "a parser of one's own",
  most: 6,
  make: (world) =>
    Effect.succeed(
      drained(ownParser.pipeline(counted(world.files("csv"), world)), world).pipe(
        Effect.provide(Layer.merge(ownParser.tables, tokenizer))
      )
    )
}

const intoTwoStores: Shape = {
  name: "into two stores",
  most: 10,
  durable: true,
  make: (world) =>
    Effect.succeed(
      Effect.gen(function* () {
        const database = yield* LibSql.make({ file: `${world.folder}/two.db` })
        const lines = yield* Jsonl.make({ file: `${world.folder}/two.jsonl` })
        yield* drained(twoStores.pipeline(counted(world.files("md"), world), ChunkSink.tee(database, lines)), world)
      }).pipe(Effect.scoped, Effect.provide([texts, NodeContext.layer]))
    )
}

/** Every fourth file is of a type that no parser takes. */
const mixed = (files: ReturnType<World["files"]>) =>
  Stream.map(Stream.zipWithIndex(files), ([file, at]) => (at % 4 === 3 ? { ...file, path: "a.psd" } : file))

const apart = (name: string, extension: string, parser: Layer.Layer<Parser.Parser, InvalidOptions>): Shape => ({
  name,
  most: 10 + 2 * 16 + 2,
  refused: 1 / 4,
  make: (world) =>
    Effect.succeed(
      Effect.gen(function* () {
        const found = counted(mixed(world.files(extension)), world)
        const [stored, rejected] = yield* errors.pipeline(found, yield* MemorySink.make())
        yield* Effect.zip(drained(stored, world), drained(rejected, world), { concurrent: true })
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(parser, tokenizer)))
    )
})

const errorsApart = apart("errors apart", "md", Layer.succeed(Parser.Parser, Parser.texts()))

/** The same, with the processes of the engine. */
export const withProcesses: Shape = apart(
  "a parser in processes",
  "html",
  Layer.provide(Parser.layer(), Embedded.layer())
)

/** A note comes out as its chunks: it has gone with the first of them. */
const onlyChunks: Shape = {
  name: "chunks only",
  most: 1,
  make: (world) =>
    Effect.sync(() => {
      const markdown = Stream.mapEffect(world.files("md"), ({ open, path }) =>
        Effect.map(Stream.runCollect(open), (parts) => ({ path, markdown: Buffer.concat([...parts]).toString() }))
      )
      const chunks = chunksOnly.pipeline(counted(markdown, world))
      return drained(
        Stream.filter(chunks, ({ index }) => index === 0),
        world
      ).pipe(Effect.provide(texts))
    })
}

const intoASlowStore: Shape = {
  name: "into a slow store",
  most: 10,
  make: (world) =>
    Effect.sync(() => {
      const stored = new Set<string>()
      const run = Effect.gen(function* () {
        const flight = { now: 0, most: 0 }
        const pipeline = slowStore.pipeline(counted(world.files("md"), world), yield* slowStore.slow(stored, 1), flight)
        yield* drained(pipeline, world)
      })
      return Effect.provide(run, texts)
    })
}

/** A server on a free port that knows how many requests are open. */
export const service: Effect.Effect<{ readonly baseUrl: string; readonly requests: () => number }, never, Scope.Scope> =
  Effect.gen(function* () {
    let requests = 0
    const counting = () =>
      createServer().on("request", (_, response) => {
        requests += 1
        response.on("close", () => {
          requests -= 1
        })
      })
    const context = yield* Server.layer().pipe(
      Layer.provide(ScriptedEngine.layer()),
      Layer.provideMerge(NodeHttpServer.layer(counting, { port: 0, host: "127.0.0.1" })),
      Layer.build,
      Effect.orDie
    )
    const baseUrl = yield* Effect.provide(HttpServer.addressFormattedWith(Effect.succeed), context)
    return { baseUrl, requests: () => requests }
  })

/** A parser over HTTP; its sockets are closed with it. */
const uploading = (baseUrl: string) =>
  Layer.provide(
    Parser.layer(),
    Client.layer({ baseUrl }).pipe(Layer.provide([UndiciHttpClient.layer(), RequestGate.layer()]))
  )

export const uploadsOnly: Shape = {
  name: "uploads only",
  most: 4,
  make: (world) =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* service
      yield* Effect.addFinalizer(() =>
        requests() === 0 ? Effect.void : Effect.dieMessage(`${requests()} requests are open at the service`)
      )
      const answers = uploadOnly.pipeline(counted(world.files("pdf"), world))
      const run = Stream.runForEach(answers, (one) =>
        Stage.isRejected(one) ? Effect.fail(one.error) : world.gone(one)
      )
      return Effect.provide(run, uploading(baseUrl))
    })
}

/** Those that hold whole documents. */
export const shapes: ReadonlyArray<Shape> = [
  rowsOfADatabase,
  aParserOfOnesOwn,
  intoTwoStores,
  errorsApart,
  onlyChunks,
  intoASlowStore
]
