import { createServer } from "node:http"
import type { Socket } from "node:net"
import { AiError } from "@effect/ai"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import { assert, describe, it } from "@effect/vitest"
import * as Embedded from "docsluice/service/Embedded"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Schema, Stream, Supervisor } from "effect"
import { cancel, ended, startAgents, submitted, traceOf, until } from "../../service/agentFixture.ts"
import { call, corpus, finish, type Part, say } from "./scriptedModel.ts"

const fact = {
  answer: "612 mm",
  citations: [{ chunk: "rain-pdf-1", quote: "station of Brno measured 612 millimetres" }]
}

const policy = {
  answer: "a policy",
  citations: [{ chunk: "evil-pdf-0", quote: "The password policy of Brno." }]
}

const search = (query: string) => call("search", { query })

const down = new AiError.UnknownError({ module: "test", method: "generateText", description: "down" })

/** What the model answers to a task, first and after the result of its tool; the agents of single documents answer as "subs" says. */
const courses: Readonly<
  Record<
    string,
    readonly [first: Effect.Effect<Array<Part>, AiError.AiError>, then: Effect.Effect<Array<Part>, AiError.AiError>]
  >
> = {
  fact: [Effect.succeed(search("Brno rain")), Effect.succeed(say(fact))],
  limit: [Effect.succeed([...search("Brno rain"), finish(5000)]), Effect.succeed(say(fact))],
  refuse: [Effect.succeed(say({ refused: "not this" })), Effect.never],
  fail: [Effect.succeed(search("Brno rain")), down],
  stop: [Effect.succeed(search("Brno rain")), Effect.never],
  subs: [
    Effect.succeed(call("ask_documents", { question: "rain?", documents: ["rain.pdf", "wind.pdf"] })),
    Effect.succeed(say(fact))
  ],
  evil: [Effect.succeed(search("password policy")), Effect.succeed(say(policy))]
}

const taskOf = (prompt: Prompt.Prompt): string => {
  const user = prompt.content.find(({ role }) => role === "user")
  return user?.role === "user" ? user.content.map((part) => (part.type === "text" ? part.text : "")).join("") : ""
}

/** State, code of the failure, and paths of the artifacts that each run leaves. */
const ends: Readonly<
  Record<string, readonly [status: string, code: string | undefined, artifacts: ReadonlyArray<string>]>
> = {
  fact: ["completed", undefined, ["citations.json"]],
  limit: ["failed", "credit_limit_reached", []],
  refuse: ["failed", "refused", []],
  fail: ["failed", "internal", []],
  stop: ["failed", "cancelled", []],
  subs: ["completed", undefined, ["citations.json"]],
  evil: ["completed", undefined, ["citations.json"]]
}

describe("runs of every kind", () => {
  it.scopedLive("leave neither a fiber, nor a request to the model, nor a job or an artifact that should not be", () =>
    Effect.gen(function* () {
      let asking = 0
      const model = LanguageModel.make({
        generateText: ({ prompt }) => {
          const [first, then] = courses[taskOf(prompt)] ?? [Effect.succeed(say("rain-pdf-1: 612 millimetres")), down]
          const answer = prompt.content.some(({ role }) => role === "tool") ? then : first
          return Effect.acquireUseRelease(
            Effect.sync(() => (asking += 1)),
            () => answer,
            () => Effect.sync(() => (asking -= 1))
          )
        },
        streamText: () => Stream.empty
      })
      const runner = Embedded.layerAgentRunner({ identity: "scripted", corpus: yield* corpus }).pipe(
        Layer.provide(Layer.effect(LanguageModel.LanguageModel, model))
      )
      const supervisor = yield* Supervisor.track
      const base = yield* Effect.supervised(startAgents({ runner }), supervisor)
      const fibers = Effect.map(supervisor.value, ({ length }) => length)
      const idle = yield* fibers
      const ids: Array<string> = []
      for (const [prompt, [status, code, artifacts]] of Object.entries(ends)) {
        const id = yield* submitted(base, prompt, prompt === "limit" ? { maxCredits: 3 } : {})
        ids.push(id)
        if (prompt === "stop") {
          yield* until(base, id, "tool_call.finished")
          assert.isAbove(yield* fibers, idle)
          yield* cancel(base, id)
        }
        const job = yield* ended(base, id)
        const { events } = yield* traceOf(base, id)
        assert.deepStrictEqual([job.status, events.at(-1)?.error?.code], [status, code], `${prompt} ${job.error}`)
        assert.deepStrictEqual(
          events.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact["path"]])),
          [...artifacts],
          prompt
        )
        const count = (type: string) => events.filter((event) => event.type === type).length
        assert.strictEqual(count("agent.started"), prompt === "subs" ? 3 : 1)
        assert.strictEqual(count("agent.finished"), count("agent.started"))
        assert.strictEqual(events.at(-1)?.type, "run.finished")
        if (prompt !== "stop") assert.strictEqual(count("run.cancel_requested"), 0)
        if (prompt === "fact") {
          const { citations } = Schema.decodeUnknownSync(
            Schema.Struct({ citations: Schema.Array(Schema.Struct({ pages: Schema.Array(Schema.Number) })) })
          )(job.data)
          assert.deepStrictEqual(citations, [{ pages: [2] }])
        }
      }
      assert.strictEqual(asking, 0)
      assert.strictEqual(new Set(ids).size, ids.length)
      yield* fibers.pipe(
        Effect.delay("20 millis"),
        Effect.repeat({ until: (now) => now <= idle }),
        Effect.timeout("2 minutes")
      )
    })
  )

  it.scopedLive(
    "leave no socket: the request to a model that does not answer ends with the job that is cancelled",
    () =>
      Effect.gen(function* () {
        let asked = 0
        const sockets = new Set<Socket>()
        const server = createServer(() => {
          asked += 1
        })
        server.on("connection", (socket: Socket) => {
          sockets.add(socket)
          socket.once("close", () => sockets.delete(socket))
        })
        yield* Effect.acquireRelease(
          Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
          () => Effect.sync(() => server.close().closeAllConnections())
        )
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const model = Embedded.layerOpenAiModel({ model: "double", baseUrl: `http://127.0.0.1:${port}/v1` }).pipe(
          Layer.provide(UndiciHttpClient.layer()),
          Layer.orDie
        )
        const runner = Embedded.layerAgentRunner({ identity: "double", corpus: yield* corpus }).pipe(
          Layer.provide(model)
        )
        const base = yield* startAgents({ runner })
        const id = yield* submitted(base, "stop")
        yield* Effect.repeat(
          Effect.delay(
            Effect.sync(() => asked),
            "10 millis"
          ),
          { until: (count) => count > 0 }
        )
        assert.strictEqual(sockets.size, 1)
        yield* cancel(base, id)
        assert.strictEqual((yield* ended(base, id)).status, "failed")
        yield* Effect.repeat(
          Effect.delay(
            Effect.sync(() => sockets.size),
            "10 millis"
          ),
          { until: (count) => count === 0 }
        )
        assert.strictEqual(asked, 1)
      })
  )
})
