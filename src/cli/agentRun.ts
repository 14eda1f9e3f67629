/** `docsluice agent run PROMPT`: a job from its submission to its result. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { ChunkingError } from "../Chunker.ts"
import type { AgentRequest } from "../internal/client/agentJob.ts"
import * as Agent from "../service/Agent.ts"
import { AgentClient } from "../service/AgentClient.ts"
import type { AgentJobsError } from "../service/AgentJobs.ts"
import * as Embedded from "../service/Embedded.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import * as AgentDocuments from "./AgentDocuments.ts"
import * as AgentReport from "./AgentReport.ts"
import * as AgentTarget from "./AgentTarget.ts"
import type * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import * as ModelTarget from "./ModelTarget.ts"
import * as SearchedStore from "./SearchedStore.ts"
import { Signals } from "./Signals.ts"
import { Terminal } from "./Terminal.ts"
import { type Refused, UsageError } from "./UsageError.ts"

/** Flags of all operations on jobs. */
export const takes = {
  over: flags.over,
  to: flags.store,
  embedder: flags.queryEmbedder,
  rerank: flags.rerank,
  model: flags.model,
  modelContext: flags.modelContext,
  maxCredits: flags.maxCredits,
  schema: flags.schema,
  follow: flags.follow,
  service: flags.agentService,
  apiKey: flags.apiKey,
  state: flags.agentState,
  json: flags.json,
  quiet: flags.quiet
}

export type Given = Command.Given<typeof takes>

const usage = (problem: string): UsageError => new UsageError({ problem })

const parseJson = Schema.decode(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })))

const schemaOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
    Effect.mapError(() => usage(`--schema: the file ${file} cannot be read`)),
    Effect.flatMap((text) =>
      Effect.mapError(parseJson(text), () => usage(`--schema ${file}: expected a JSON Schema, an object`))
    )
  )

const requestOf = Effect.fnUntraced(function* (prompt: string, { maxCredits, schema }: Given) {
  if (prompt.trim() === "") return yield* usage("agent run: the prompt is empty")
  const request: AgentRequest = {
    prompt,
    ...(Option.isSome(maxCredits) && { maxCredits: maxCredits.value }),
    ...(Option.isSome(schema) && { schema: yield* schemaOf(schema.value) })
  }
  return request
})

const storeOf = Effect.fnUntraced(function* ({ embedder, rerank, to }: Given) {
  if (to.length === 0) return yield* usage("agent run: name documents (--over PATH) or a store (--to libsql:FILE)")
  const { spelling } = yield* SearchedStore.read(to)
  const AgentStore = yield* Effect.promise(() => import("./AgentStore.ts"))
  return yield* AgentStore.open({ flag: "to", spelling, embedder, rerank, environment: process.env })
})

const runnerOf = Effect.fnUntraced(function* (given: Given) {
  if (given.over.length > 0 && given.to.length > 0) {
    return yield* usage("--over and --to: give one of them (a config file or DOCSLUICE_TO may have given --to)")
  }
  if (Option.isNone(given.model)) {
    return yield* usage("agent run: give a language model (--model openai:MODEL[@BASE]), or a --service that has one")
  }
  const contextTokens = Option.getOrUndefined(given.modelContext)
  const model = yield* ModelTarget.read(given.model.value, { contextTokens, environment: process.env })
  if (given.over.length === 0) {
    return Layer.provide(Embedded.layerAgentRunner({ ...model, corpus: yield* storeOf(given) }), model.layer)
  }
  const documents = yield* Effect.provide(AgentDocuments.parse(given.over, [given.state]), Embedded.layer())
  return Layer.provide(Embedded.layerAgentRunner({ ...model, documents }), model.layer)
})

type Client = Layer.Layer<AgentClient, Refused | InvalidOptions | ChunkingError | AgentJobsError, FileSystem.FileSystem>

const clientOf = Effect.fnUntraced(function* (given: Given) {
  if (given.service === "embedded") {
    const embedded: Client = AgentTarget.running(given.state, yield* runnerOf(given))
    return embedded
  }
  if (given.over.length > 0 || given.to.length > 0) {
    const flag = given.over.length > 0 ? "--over" : "--to"
    return yield* usage(`${flag} is for the embedded service; a service reads the documents that it was started with`)
  }
  const remote: Client = AgentTarget.remote(given)
  return remote
})

/** Somebody waits; a poll in this process costs nothing. */
const polling = ({ service }: Given): Agent.Polling =>
  service === "embedded"
    ? { firstPause: "50 millis", longestPause: "500 millis" }
    : { firstPause: "500 millis", longestPause: "4 seconds" }

/** Longest wait for the last events after the job has ended. */
const lastEvents = "5 seconds"

const shown = (given: Given, jobId: string) =>
  Effect.flatMap(Terminal, (terminal) =>
    Agent.events(jobId, polling(given)).pipe(
      Stream.runForEach((event) =>
        given.json ? terminal.result(JSON.stringify(event.record)) : terminal.note(AgentReport.event(event))
      ),
      Effect.catchAll((error) =>
        terminal.failure(`agent job ${jobId}: its events cannot be followed: ${error.message}`)
      )
    )
  )

const followed = (given: Given, request: AgentRequest, onSubmitted: (jobId: string) => void) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    // A fiber of the stream would end with it, before the last events.
    const scope = yield* Effect.scope
    let events: Fiber.Fiber<void> | null = null
    const last = Effect.suspend(() =>
      events === null ? Effect.void : Effect.timeoutOption(Fiber.await(events), lastEvents)
    )
    return yield* Agent.run(request, polling(given)).pipe(
      Stream.tap((update) =>
        Effect.gen(function* () {
          if (update._tag !== "Submitted") return
          onSubmitted(update.jobId)
          yield* terminal.note(`agent job ${update.jobId}`)
          if (given.follow) events = yield* Effect.forkIn(shown(given, update.jobId), scope)
        })
      ),
      Stream.runLast,
      Effect.tap(last),
      Effect.tapErrorTag("AgentRunFailed", () => last)
    )
  }).pipe(Effect.scoped)

const reported = (given: Given, request: AgentRequest, onSubmitted: (jobId: string) => void) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const update = yield* followed(given, request, onSubmitted)
    if (Option.isNone(update) || update.value._tag !== "Completed") return
    const { job } = update.value
    yield* given.json
      ? terminal.result(AgentReport.withId(job.jobId, job.record))
      : terminal.document(AgentReport.result(job.data))
    if (!given.json) yield* terminal.note(AgentReport.state(job))
  }).pipe(
    Effect.catchTag("AgentRunFailed", (error) =>
      Effect.gen(function* () {
        const terminal = yield* Terminal
        const { code, error: reason, jobId, retryable } = error
        yield* terminal.note(
          `agent job ${jobId}: ${code}: ${reason}${retryable ? "; it may succeed when run again" : ""}`
        )
        const job = yield* Effect.option(Effect.flatMap(AgentClient, (client) => client.status(jobId)))
        const record = Option.match(job, {
          onNone: () => ({ success: false, error: reason }),
          onSome: ({ record }) => record
        })
        if (given.json) yield* terminal.result(AgentReport.withId(jobId, { ...record, code, retryable }))
        yield* ExitStatus.set(1)
      })
    )
  )

/** Runs a job; the first signal cancels it. */
export const run = (prompt: string, given: Given) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const request = yield* requestOf(prompt, given)
    const signals = yield* Signals
    const submitted: { id?: string } = {}
    const client = yield* clientOf(given)
    yield* signals.handled
    const job = reported(given, request, (id) => {
      submitted.id = id
    })
    // The client is closed after the job was cancelled, which the interruption of its stream does.
    const ended = yield* Effect.raceFirst(
      Effect.as(job, "ended" as const),
      Effect.as(Deferred.await(signals.first), "interrupted" as const)
    ).pipe(Effect.provide(client))
    if (ended === "ended") return
    const { id } = submitted
    const error =
      id === undefined ? "interrupted before a job was submitted" : "interrupted, and its cancellation was requested"
    yield* terminal.note(id === undefined ? error : `agent job ${id}: ${error}`)
    if (given.json) yield* terminal.result(JSON.stringify({ ...submitted, success: false, error, code: "cancelled" }))
    yield* ExitStatus.set(130)
  })
