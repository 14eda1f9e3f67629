/** A stand-in for a server of embeddings on a real socket; one function decides each answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"

/** One request, as it came. */
export interface Asked {
  readonly input: ReadonlyArray<string>
  readonly body: Readonly<Record<string, unknown>>
  readonly authorization: string | undefined
  readonly path: string
  /** Time of arrival in milliseconds. */
  readonly at: number
  /** 0 for the first request. */
  readonly number: number
}

/** Reaction of the server: an answer; `reset`, which cuts the connection; `cut`, which does so within the body; `hang`: none. */
export type Reaction =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "reset"
  | "cut"
  | "hang"

export interface EmbeddingServer {
  /** Ends in `/v1`. */
  readonly base: string
  /** Without a path. */
  readonly origin: string
  readonly asked: ReadonlyArray<Asked>
  /** Requests that went on at the same time, at most. */
  readonly most: () => number
  /** Requests whose client went away before the answer. */
  readonly aborted: () => number
}

export const dimensions = 8

/** A vector of length 1 that tells its text from others. */
export const vectorOf = (text: string, length = dimensions): Array<number> => {
  let state = 1
  for (let index = 0; index < text.length; index++) state = (state * 31 + text.charCodeAt(index)) % 1_000_003
  const numbers = Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  })
  const size = Math.hypot(...numbers)
  return numbers.map((number) => Math.fround(number / size))
}

export const base64 = (vector: ReadonlyArray<number>): string => {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((number, index) => bytes.writeFloatLE(number, index * 4))
  return bytes.toString("base64")
}

export const ok = (data: ReadonlyArray<unknown>, more: object = {}): Reaction => ({
  status: 200,
  body: { data, ...more }
})

/** As Cohere answers. */
export const cohere = (vectors: ReadonlyArray<unknown>): Reaction => ({
  status: 200,
  body: { id: "1", embeddings: { float: vectors }, response_type: "embeddings_by_type" }
})

/** Of OpenAI and Voyage, Cohere, Google and Azure; of rerankers. */
const paths = new Set([
  "/v1/rerank",
  "/v2/rerank",
  "/rerank",
  "/v1/embeddings",
  "/v2/embed",
  "/v1beta/openai/embeddings",
  "/openai/v1/embeddings"
])

/** As OpenAI answers, or as Cohere does where its path is asked. */
export const complete = ({ body, input, path }: Asked): Reaction =>
  path === "/v2/embed"
    ? cohere(input.map((text) => vectorOf(text)))
    : ok(
        input.map((text, index) => ({
          object: "embedding",
          index,
          embedding: body["encoding_format"] === "base64" ? base64(vectorOf(text)) : vectorOf(text)
        })),
        { object: "list", model: body["model"], usage: { prompt_tokens: 1, total_tokens: 1 } }
      )

export const error = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {}
): Reaction => ({ status, headers, body: { error: { message, type: "invalid_request_error", ...more } } })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const read = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const parts: Array<Buffer> = []
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part)
  const body: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"))
  return isRecord(body) ? body : {}
}

const reply = (response: ServerResponse, reaction: Reaction): void => {
  if (reaction === "reset") response.socket?.resetAndDestroy()
  if (reaction === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
    response.write('{"results":[')
    setTimeout(() => response.socket?.resetAndDestroy(), 20)
  }
  if (typeof reaction === "string") return
  const { body, headers = {}, status } = reaction
  const text = typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(text)
}

const listen = (server: Server) =>
  Effect.async<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** `delay` in milliseconds, before each answer. */
export const start = (
  react: (asked: Asked) => Reaction,
  delay = 0
): Effect.Effect<EmbeddingServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    let now = 0
    let most = 0
    let aborted = 0
    const server = createServer((request, response) => {
      now += 1
      most = Math.max(most, now)
      response.on("close", () => {
        now -= 1
        if (!response.writableFinished) aborted += 1
      })
      void read(request).then((body) => {
        const texts = body["input"] ?? body["texts"]
        const input = Array.isArray(texts) ? texts.map(String) : typeof texts === "string" ? [texts] : []
        const path = request.url ?? ""
        const one = {
          input,
          body,
          authorization: request.headers.authorization,
          path,
          at: performance.now(),
          number: asked.length
        }
        asked.push(one)
        setTimeout(() => {
          if (paths.has(path)) reply(response, react(one))
          else reply(response, error(404, `no such path: ${request.url}`))
        }, delay)
      })
    })
    const port = yield* listen(server)
    yield* Effect.addFinalizer(() =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
    )
    const origin = `http://127.0.0.1:${port}`
    return { base: `${origin}/v1`, origin, asked, most: () => most, aborted: () => aborted }
  })
