import { join } from "node:path"
import * as Discovery from "docsluice/Discovery"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import type { SourceFile } from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

interface Folder {
  readonly base: string
  readonly folder: string
  readonly state: string
  readonly concurrency: number
}

const files = (folder: string): Promise<ReadonlyArray<SourceFile>> =>
  Discovery.folder({ root: folder }).files.pipe(
    Stream.filter((found) => found._tag === "SourceFile"),
    Stream.runCollect,
    Effect.map((found) => [...found]),
    Effect.runPromise
  )

/** Finds the files, and returns the work to measure: to parse each of them once, through the client alone or the parser with its cache. */
export const parseFolder = async (kind: "client" | "parser", given: Folder): Promise<() => Promise<number>> => {
  const found = await files(given.folder)
  const client = Client.layer({ baseUrl: given.base, apiKey: Redacted.make("bench") }).pipe(
    Layer.provide([RequestGate.layer({ concurrency: given.concurrency }), UndiciHttpClient.layer()])
  )
  const options = { concurrency: given.concurrency, discard: true } as const
  const cached = Layer.provide(Parser.layer(), ParseCache.layer({ directory: join(given.state, "cache") }))
  const work =
    kind === "client"
      ? Effect.flatMap(Client.Client, (client) =>
          Effect.forEach(found, (file) => client.parse(file, {}), options)
        ).pipe(Effect.provide(client))
      : Effect.flatMap(Parser.Parser, (parser) =>
          Effect.forEach(found, (file) => parser.parse(file, {}), options)
        ).pipe(Effect.provide(Layer.provide(cached, client)))
  return () => Effect.runPromise(Effect.as(work, found.length))
}
