import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import { assert, describe, it } from "@effect/vitest"
import { fromData } from "docsluice/ParsedDocument"
import * as Agent from "docsluice/service/Agent"
import { AgentClient } from "docsluice/service/AgentClient"
import * as AgentJobs from "docsluice/service/AgentJobs"
import * as Embedded from "docsluice/service/Embedded"
import { DocumentId } from "docsluice/SourceFile"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"

const documentOf = (path: string, markdown: string) =>
  fromData({ documentId: DocumentId.make(`docs/${path}`), path }, "00", { markdown, metadata: {} })

const documents = [
  documentOf("rain.md", "# Rain\n\nIn 1998 the station of Brno measured 612 millimetres."),
  documentOf("wind.md", "# Wind\n\nThe wind at Znojmo reached 31 metres per second."),
  documentOf("水.md", "# 水\n\n水位は三メートルに達した。")
]

const answering = (turn: (asked: string) => Effect.Effect<Array<Response.PartEncoded>>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) => turn(JSON.stringify(prompt.content)),
      streamText: () => Stream.empty
    })
  )

const clientOf = (turn: (asked: string) => Effect.Effect<Array<Response.PartEncoded>>) =>
  Embedded.layerAgentClient().pipe(
    Layer.provide(AgentJobs.layerMemory()),
    Layer.provide(Embedded.layerAgentRunner({ documents, identity: "scripted" })),
    Layer.provide(answering(turn))
  )

const fast = { firstPause: "5 millis" } as const

const call = (name: string, params: unknown): Array<Response.PartEncoded> => [
  { type: "tool-call", id: "1", name, params }
]

/** Asks the tool, and answers with the last line of the first text that it gives. */
const first = (name: string, params: unknown) =>
  clientOf((asked) => {
    const [, , text] = /<(untrusted-\w+)>\\n(.+?)\\n<\/\1>/u.exec(asked) ?? []
    const [, chunk] = /"chunks?":\[?"([^"]+)/u.exec(asked) ?? []
    if (text === undefined || chunk === undefined) return Effect.succeed(call(name, params))
    const quote = text.split("\\n").at(-1)
    return Effect.succeed([{ type: "text", text: JSON.stringify({ answer: quote, citations: [{ chunk, quote }] }) }])
  })

const prompt = "What was measured?"

describe("an agent over documents given directly", () => {
  for (const { document, name, params, tool } of [
    {
      name: "finds the passage with the words of a query",
      tool: "search",
      params: { query: "BRNO rain?" },
      document: "rain.md"
    },
    {
      name: "weighs rare words above frequent ones",
      tool: "search",
      params: { query: "the the Znojmo" },
      document: "wind.md"
    },
    { name: "finds words of a script without spaces", tool: "search", params: { query: "水位" }, document: "水.md" },
    {
      name: "reads a document by its path",
      tool: "read",
      params: { source: "wind.md" },
      document: "wind.md"
    }
  ]) {
    it.scopedLive(name, () =>
      Effect.gen(function* () {
        const { data } = yield* Agent.result({ prompt }, fast)
        assert.nestedPropertyVal(data, "citations[0].document", document)
        assert.nestedPropertyVal(data, "citations[0].documentId", `docs/${document}`)
      }).pipe(Effect.provide(first(tool, params)))
    )
  }

  it.scopedLive("checks a request as the client over HTTP does, and knows no other job", () =>
    Effect.gen(function* () {
      const client = yield* AgentClient
      const empty = yield* Effect.flip(client.submit({ prompt: "" }))
      assert.strictEqual(empty._tag, "InvalidOptions")
      const urls = yield* Effect.flip(client.submit({ prompt, urls: ["https://example.org"] }))
      assert.deepInclude(urls, { _tag: "BadRequest", status: 400 })
      const missing = yield* Effect.flip(client.status("3f0d8a52-6d3c-4a0b-9d0a-0d3c6c1f7e55"))
      assert.strictEqual(missing._tag, "AgentJobNotFound")
      assert.strictEqual((yield* Effect.flip(client.trace("x")))._tag, "InvalidJobId")
    }).pipe(Effect.provide(first("search", { query: "Brno" })))
  )

  it.scopedLive("cancels the job when its stream is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        let id = ""
        const running = Agent.run({ prompt }, fast).pipe(
          Stream.runForEach(({ jobId }) =>
            Effect.sync(() => {
              id = jobId
            })
          )
        )
        const fiber = yield* Effect.fork(running)
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        const failed = yield* Effect.flip(Stream.runDrain(Agent.follow(id, fast)))
        assert.deepInclude(failed, { _tag: "AgentRunFailed", code: "cancelled", creditsUsed: 0 })
      }).pipe(Effect.provide(clientOf(() => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))))
    })
  )
})
