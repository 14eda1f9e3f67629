// Uploads only: files are streamed to a parsing service over HTTP, and its answers are looked at. Nothing is stored.
import { createServer } from "node:http"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Client, Discovery, Embedded, Parser, RequestGate, Stage, UndiciHttpClient } from "docsluice"
import * as Server from "docsluice/service/Server"
import { Console, Effect, Layer, Stream } from "effect"

/** At most two uploads at a time, each of which holds at most 1 MiB of its file, and two answers that wait for their turn. */
export const pipeline = <E, R>(found: Stream.Stream<Discovery.Found, E, R>) =>
  found.pipe(Parser.parseAll({ concurrency: 2, failures: "keep" }))

const program = pipeline(Discovery.discover({ root: "examples/documents", patterns: ["*.{docx,epub}"] })).pipe(
  Stream.runForEach((one) => {
    if (Stage.isParsed(one)) return Console.log(`${one.source}: ${one.markdown.length} characters of Markdown`)
    return Console.log(Stage.isFailure(one) ? one.error.message : `${one.path}: left out`)
  })
)

/** Stands in for a service elsewhere: the same server as of `docsluice serve`, on a free port of this machine. */
const server = Server.layer().pipe(
  Layer.provide(Embedded.layerNative),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
)
const client = HttpServer.addressFormattedWith((baseUrl) => Effect.succeed(Client.layer({ baseUrl }))).pipe(
  Layer.unwrapEffect,
  Layer.provide([UndiciHttpClient.layer(), RequestGate.layer(), server])
)

if (process.argv[1] === import.meta.filename)
  NodeRuntime.runMain(Effect.provide(program, Layer.provide(Parser.layer(), client)))
