// A folder of documents through the embedded service in this process and over a socket: the answers have to be the same.
//
//   npm run bench -- same FOLDER
import { createServer } from "node:http"
import { isDeepStrictEqual } from "node:util"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import * as Discovery from "docsluice/Discovery"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import * as Server from "docsluice/service/Server"
import type { SourceFile } from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Context, Effect, Either, Layer, Stream } from "effect"

const root = process.argv[2]
if (root === undefined) throw new Error("usage: npm run bench -- same FOLDER")

/** Every format that needs no model, and every part of a PDF. */
const options: ParseOptions = {
  formats: [
    { type: "markdown" },
    { type: "summary" },
    { type: "html" },
    { type: "rawHtml" },
    { type: "links" },
    { type: "images" }
  ],
  parsers: [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }],
  timeout: 300_000
}

const listening = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  return address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : address.path
})

const clients = Effect.gen(function* () {
  const engine = Layer.succeed(Engine, Context.get(yield* Layer.build(Embedded.layerNative), Engine))
  const inProcess = yield* Layer.build(Layer.provide(Embedded.layerEngine(), engine))
  const http = yield* Server.layer().pipe(
    Layer.provide(engine),
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
    Layer.build
  )
  const baseUrl = yield* Effect.provide(listening, http)
  const overHttp = yield* Client.layer({ baseUrl, retry: { attempts: 1 } }).pipe(
    Layer.provide([RequestGate.layer({ concurrency: 2 }), UndiciHttpClient.layer()]),
    Layer.build
  )
  return [Context.get(inProcess, Client.Client), Context.get(overHttp, Client.Client)] as const
})

const isFile = (found: Discovery.Found): found is SourceFile => found._tag === "SourceFile"

/** Names of the members that differ, or of the two endings. */
const difference = (own: object, far: object): ReadonlyArray<string> =>
  [...new Set([...Object.keys(own), ...Object.keys(far)])].filter(
    (name) => !isDeepStrictEqual(Reflect.get(own, name), Reflect.get(far, name))
  )

const ended = (client: Client.Client.Service, file: SourceFile) =>
  Effect.map(
    Effect.either(client.parse(file, options)),
    Either.match({
      onRight: ({ contentHash, data }): object => ({ ending: "answer", contentHash, ...data }),
      onLeft: (error): object => ({ ending: error._tag, ...error, message: error.message })
    })
  )

const program = Effect.gen(function* () {
  const [inProcess, overHttp] = yield* clients
  const counts = { files: 0, answers: 0, errors: 0, different: 0 }
  const differing: Array<{ readonly file: string; readonly members: ReadonlyArray<string> }> = []
  const compared = (file: SourceFile) =>
    Effect.map(Effect.all([ended(inProcess, file), ended(overHttp, file)]), ([own, far]) => {
      const members = difference(own, far)
      counts.files += 1
      counts[Reflect.get(own, "ending") === "answer" ? "answers" : "errors"] += 1
      counts.different += members.length === 0 ? 0 : 1
      if (members.length > 0 && differing.length < 50) differing.push({ file: file.path, members })
    })
  yield* Discovery.discover({ root }).pipe(
    Stream.filter(isFile),
    Stream.mapEffect(compared, { concurrency: 2, unordered: true }),
    Stream.runDrain
  )
  const machine = { node: process.version, peakRssMB: Math.round(process.resourceUsage().maxRSS / 1024) }
  console.log(JSON.stringify({ bench: "same", ours: counts, peers: null, ratio: null, differing, machine }))
  if (counts.different > 0) process.exitCode = 1
})

await Effect.runPromise(Effect.scoped(program))
