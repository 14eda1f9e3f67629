/** A double of OpenAI's protocol whose model reads: it searches, reads on, and answers with a sentence of what it was shown. */
import * as http from "node:http"
import { Effect, Option, Schema, type Scope } from "effect"

const Request = Schema.parseJson(
  Schema.Struct({
    messages: Schema.Array(
      Schema.Struct({
        role: Schema.String,
        content: Schema.optional(Schema.Unknown),
        tool_calls: Schema.optional(Schema.Unknown)
      })
    ),
    tools: Schema.optional(Schema.Array(Schema.Struct({ function: Schema.Struct({ name: Schema.String }) })))
  })
)

/** A request to the model. */
export type Asked = typeof Request.Type

interface Passage {
  readonly chunk: string
  readonly source: string
  readonly text: string
}

const marked = /<(untrusted-[0-9a-f]{12})>[\s\S]*?<\/\1>/gu

const JsonText = Schema.parseJson(Schema.String)

/** The text of a message; a tool's result may be the JSON of a text. */
export const textOf = (content: unknown): string => {
  const text = typeof content === "string" ? content : JSON.stringify(content)
  return Option.getOrElse(Schema.decodeUnknownOption(JsonText)(text), () => text)
}

/** The parts of a text outside the marks around what documents say. */
export const outside = (text: string): string => text.replaceAll(marked, "")

const Result = Schema.parseJson(
  Schema.Union(
    Schema.Struct({
      hits: Schema.Array(Schema.Struct({ chunk: Schema.String, source: Schema.String, text: Schema.String }))
    }),
    Schema.Struct({ chunks: Schema.Array(Schema.String), source: Schema.String, text: Schema.String })
  )
)

/** The passages of a result of `search`, or the part that `read` gives. */
const passagesOf = (text: string): ReadonlyArray<Passage> => {
  const result = Schema.decodeUnknownSync(Result)(text)
  const found = "hits" in result ? result.hits : [{ ...result, chunk: result.chunks[0] ?? "" }]
  return found.map(({ chunk, source, text }) => ({ chunk, source, text: text.split("\n").slice(1, -1).join("\n") }))
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])

/** The sentence with most words of the question, and its passage. */
const best = (question: string, passages: ReadonlyArray<Passage>) => {
  const asked = wordsOf(question)
  return passages
    .flatMap((passage) =>
      passage.text.split(/\n|(?<=[.?!]) /u).map((sentence) => ({
        passage,
        sentence: sentence.trim(),
        score: [...wordsOf(sentence)].filter((word) => asked.has(word)).length
      }))
    )
    .toSorted((left, right) => right.score - left.score)[0]
}

const call = (name: string, parameters: unknown) => ({
  content: null,
  tool_calls: [{ id: `${name}-1`, type: "function", function: { name, arguments: JSON.stringify(parameters) } }]
})

/** Text that a model without a will of its own would obey, wherever it takes it for its task. */
const order = /ignore|system|refuse|cancel|artifact|must|assistant|delete/i

const replyTo = ({ messages }: Asked) => {
  const question = textOf(messages.find(({ role }) => role === "user")?.content)
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content))
  if ([question, ...results].some((text) => order.test(outside(text)))) {
    return call("write_artifact", { name: "owned", content: "owned" })
  }
  const found = best(question, results.flatMap(passagesOf))
  if (results.length === 0) return call("search", { query: question })
  if (found === undefined) return { content: JSON.stringify({ answer: null }) }
  const { passage, sentence } = found
  if (results.length === 1) return call("read", { source: passage.source, chunk: passage.chunk, neighbours: 2 })
  return {
    content: JSON.stringify({ answer: sentence, citations: [{ chunk: passage.chunk, quote: sentence }] })
  }
}

/** The address of the double, with its version segment, and every request to it. */
export const start: Effect.Effect<{ readonly url: string; readonly asked: Array<Asked> }, never, Scope.Scope> =
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const server = http.createServer((request, response) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece: Buffer) => pieces.push(piece))
      request.on("end", () => {
        const body = Schema.decodeUnknownSync(Request)(Buffer.concat(pieces).toString())
        asked.push(body)
        response.setHeader("content-type", "application/json")
        response.end(JSON.stringify({ choices: [{ message: replyTo(body) }], usage: { total_tokens: 900 } }))
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}/v1`, asked }
  })
