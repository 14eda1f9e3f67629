/** Embeds as `hash` does, over a socket, and remembers what it was asked. Imports modules: children load a part of it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Embedder from "docsluice/Embedder"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"

export const dimensions = 1024

export interface EmbeddingServer {
  readonly address: string
  /** The texts of each request that was answered, in order of arrival. */
  readonly log: ReadonlyArray<ReadonlyArray<string>>
}

/** `hash` has no way to fail. */
export const vectorOf = (text: string): Effect.Effect<Float32Array> =>
  Effect.map(Effect.orDie(Embedder.hash.embedQuery(text)), (vector) =>
    Float32Array.from(Option.getOrElse(vector, () => []))
  )

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((text) => typeof text === "string")

/** A JSON list of texts is answered with their vectors, 32-bit floats one after another. */
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<ReadonlyArray<string>> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  const texts: unknown = JSON.parse(Buffer.concat(parts).toString())
  if (!isTexts(texts)) throw new Error("not a list of texts")
  const vectors = texts.map((text) => Effect.runSync(vectorOf(text)))
  response.end(Buffer.concat(vectors.map(({ buffer }) => Buffer.from(buffer))))
  return texts
}

export const start: Effect.Effect<EmbeddingServer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.async<{ readonly server: EmbeddingServer; readonly close: () => void }>((resume) => {
    const log: Array<ReadonlyArray<string>> = []
    const server = createServer((request, response) => {
      answer(request, response).then(
        (texts) => log.push(texts),
        () => response.writeHead(400).end()
      )
    })
    server.listen(0, "127.0.0.1", () => {
      const bound = server.address()
      const port = typeof bound === "object" && bound !== null ? bound.port : 0
      const close = (): void => {
        server.close()
        server.closeAllConnections()
      }
      resume(Effect.succeed({ server: { address: `http://127.0.0.1:${port}/`, log }, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ server }) => server))

/** Asks the server, as a program would ask a model's. */
export const ask =
  (address: string): Embedder.EmbedTexts =>
  async (texts, signal) => {
    const response = await fetch(address, { method: "POST", body: JSON.stringify(texts), signal })
    if (!response.ok) throw Object.assign(new Error("refused"), { status: response.status })
    const floats = new Float32Array(await response.arrayBuffer())
    return texts.map((_, at) => floats.subarray(at * dimensions, (at + 1) * dimensions))
  }
