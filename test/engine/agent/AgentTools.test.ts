import type * as Prompt from "@effect/ai/Prompt"
import * as Tool from "@effect/ai/Tool"
import { assert, describe, it } from "@effect/vitest"
import { SinkError } from "docsluice/ChunkSink"
import * as Tools from "docsluice/Tools"
import { Effect, Schema } from "effect"
import { ended, submitted, traceOf } from "../../service/agentFixture.ts"
import { call, corpus, type Part, resultsOf, say, server } from "./scriptedModel.ts"

describe("the tools of the agent over documents", () => {
  it.scopedLive("are those of any agent, with their descriptions and schemas, and two of its own", () =>
    Effect.gen(function* () {
      const told: Array<Tool.Any> = []
      const base = yield* server([
        (_, tools) => {
          told.push(...tools)
          return say({ answer: null })
        }
      ])
      yield* ended(base, yield* submitted(base, "rain?"))
      const { list, outline, read, search, verify } = Tools.reading.tools
      const schemaOf = ({ parametersSchema: { ast } }: Tool.Any) => Tool.getJsonSchemaFromSchemaAst(ast)
      assert.deepEqual(
        told.slice(0, -2).map((tool) => [tool.name, tool.description, schemaOf(tool)]),
        [search, outline, list, read, verify].map((tool) => [tool.name, tool.description, schemaOf(tool)])
      )
      assert.deepEqual(
        told.slice(-2).map(({ name }) => name),
        ["write_artifact", "ask_documents"]
      )
    })
  )

  it.scopedLive("answer as they answer any agent, with an error and its remedy too", () =>
    Effect.gen(function* () {
      const calls = [
        ["search", { query: "Brno", limit: 1, offset: null }],
        ["outline", { source: "rain.pdf" }],
        ["list", { pattern: "*.pdf", limit: 2 }],
        ["read", { source: "rain.pdf", chunk: "rain-pdf-1" }],
        ["verify", { quote: "612 millimetres of rain", source: "rain.pdf" }],
        ["read", { source: "snow.pdf" }],
        ["search", { query: "Brno", limit: 500 }],
        ["read", { source: "rain.pdf", cursor: "nowhere" }]
      ] as const
      const results: Array<unknown> = []
      const base = yield* server([
        () => calls.flatMap(([name, params], at) => call(name, params, String(at))),
        (prompt) => {
          results.push(...resultsOf(prompt))
          return say({ answer: null })
        }
      ])
      yield* ended(base, yield* submitted(base, "rain?"))
      const values = yield* Tools.make(yield* corpus)
      const expected = yield* Effect.forEach(calls, ([name, params]) =>
        Effect.match(values.find((tool) => tool.name === name)?.call(params) ?? Effect.dieMessage(name), {
          onSuccess: (result): unknown => result,
          onFailure: ({ next, problem, reason }) => ({ error: { reason, problem, next } })
        })
      )
      // The marks are new for each result.
      const plain = (all: unknown) => JSON.stringify(all, undefined, 1).replaceAll(/untrusted-[0-9a-f]{12}/gu, "mark")
      assert.strictEqual(plain(results), plain(expected))
      assert.match(plain(results), /UnknownDocument[\s\S]*Arguments[\s\S]*Arguments/u)
    })
  )

  it.scopedLive("give a model no more at once than it takes, and where to go on", () =>
    Effect.gen(function* () {
      const results: Array<unknown> = []
      const keep = (then: Array<Part>) => (prompt: Prompt.Prompt) => {
        results.push(...resultsOf(prompt).slice(-1))
        return then
      }
      const small = [() => call("search", { query: "Brno" }), keep(call("list", {})), keep(say({ answer: null }))]
      const base = yield* server(small, [], 300)
      yield* ended(base, yield* submitted(base, "rain?"))
      const Search = Schema.Struct({ hits: Schema.Array(Schema.Unknown), next: Schema.Number })
      const List = Schema.Struct({ documents: Schema.Array(Schema.Unknown), next: Schema.String })
      const [found, listed] = Schema.decodeUnknownSync(Schema.Tuple(Search, List))(results)
      assert.strictEqual(found.next, 1)
      assert.lengthOf(found.hits, 1)
      assert.isBelow(listed.documents.length, 3)
    })
  )

  it.scopedLive("let it cite what only verify has shown", () =>
    Effect.gen(function* () {
      const quote = "612 millimetres of rain"
      const base = yield* server([
        () => call("verify", { quote }),
        () => say({ answer: "612", citations: [{ chunk: "rain-pdf-1", quote }] })
      ])
      const { data } = yield* ended(base, yield* submitted(base, "rain?"))
      assert.nestedPropertyVal(data, "citations[0].chunkId", "rain-pdf-1")
      assert.nestedPropertyVal(data, "citations[0].quote", quote)
    })
  )

  it.scopedLive("end the job where the store fails, as retryable only where it may be there again", () =>
    Effect.gen(function* () {
      for (const [reason, retryable] of [
        ["Unavailable", true],
        ["Mismatch", false]
      ] as const) {
        const failure = new SinkError({ sink: "libsql:x", reason, problem: "at 10.0.0.7" })
        const broken = { ...(yield* corpus), search: () => failure }
        const base = yield* server(
          [() => call("search", { query: "Brno" }), () => say({ answer: null })],
          [],
          undefined,
          broken
        )
        const id = yield* submitted(base, "rain?")
        const job = yield* ended(base, id)
        assert.strictEqual(job.error, "the documents cannot be searched; the service has logged why")
        const { events } = yield* traceOf(base, id)
        assert.deepInclude(events.at(-1)?.error, { code: "internal", retryable })
      }
    })
  )
})
