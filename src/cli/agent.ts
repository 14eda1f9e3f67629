/** `docsluice agent`: questions to documents, as jobs. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { AgentClient } from "../service/AgentClient.ts"
import type { AgentJobsError } from "../service/AgentJobs.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import * as AgentReport from "./AgentReport.ts"
import { type Given, run } from "./agentRun.ts"
import * as AgentTarget from "./AgentTarget.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as Run from "./Run.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const usage = (problem: string): UsageError => new UsageError({ problem })

const forms = {
  status: "agent status ID",
  trace: "agent trace ID",
  snapshot: "agent snapshot ID SNAPSHOT",
  cancel: "agent cancel ID"
} as const

const takes = {
  words: Command.any("run PROMPT", ["run", ...Object.keys(forms)]),
  over: flags.over,
  to: flags.store,
  embedder: flags.queryEmbedder,
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

type Operation = keyof typeof forms

const isOperation = (word: string): word is Operation => Object.hasOwn(forms, word)

const status = (jobId: string, json: boolean) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const job = yield* Effect.flatMap(AgentClient, (client) => client.status(jobId))
    yield* terminal.result(json ? AgentReport.withId(jobId, job.record) : AgentReport.state(job))
    if (!json && job.status === "completed") yield* terminal.document(AgentReport.result(job.data))
    yield* ExitStatus.set(job.status === "failed" || job.status === "cancelled" ? 1 : 0)
  })

const trace = (jobId: string, json: boolean) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const { events, record } = yield* Effect.flatMap(AgentClient, (client) => client.trace(jobId))
    yield* terminal.result(json ? JSON.stringify(record) : events.map(AgentReport.event))
  })

const snapshot = (jobId: string, snapshotId: string, json: boolean) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const { record, snapshot } = yield* Effect.flatMap(AgentClient, (client) => client.snapshot(jobId, snapshotId))
    yield* json ? terminal.result(JSON.stringify(record)) : terminal.document(snapshot)
  })

const cancel = (jobId: string, json: boolean) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    yield* Effect.flatMap(AgentClient, (client) => client.cancel(jobId))
    yield* terminal.result(
      json ? AgentReport.withId(jobId, { success: true }) : `agent job ${jobId} is being cancelled`
    )
  })

const operated = (operation: Operation, [jobId = "", snapshotId = ""]: ReadonlyArray<string>, json: boolean) => {
  switch (operation) {
    case "status":
      return status(jobId, json)
    case "trace":
      return trace(jobId, json)
    case "snapshot":
      return snapshot(jobId, snapshotId, json)
    default:
      return cancel(jobId, json)
  }
}

interface Refused {
  readonly _tag: string
  readonly message: string
}

/** Reports a failure with the id of its job; with `--json` also as an object on stdout. */
const refused = (error: Refused, status: ExitStatus.Status, jobId: string | undefined, json: boolean) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const { _tag, message } = error
    const subject = jobId === undefined || message.includes(jobId) ? "" : `agent job ${jobId}: `
    yield* Failure.report({ _tag, message: `${subject}${message}` })
    if (json && status !== 64) {
      const body = { success: false, error: message, tag: _tag }
      yield* terminal.result(jobId === undefined ? JSON.stringify(body) : AgentReport.withId(jobId, body))
    }
    yield* ExitStatus.set(status)
  })

const managed = (operation: Operation, ids: ReadonlyArray<string>, given: Given) => {
  const expected = operation === "snapshot" ? 2 : 1
  if (ids.length !== expected) {
    return Failure.report(usage(`expected docsluice ${forms[operation]}`)).pipe(Effect.zipRight(ExitStatus.set(64)))
  }
  const client: Layer.Layer<AgentClient, UsageError | InvalidOptions | AgentJobsError, FileSystem.FileSystem> =
    given.service === "embedded" ? AgentTarget.kept(given.state, operation) : AgentTarget.remote(given)
  return operated(operation, ids, given.json).pipe(
    Effect.provide(client),
    Effect.catchAll((error) => refused(error, error._tag === "UsageError" ? 64 : 2, ids[0], given.json))
  )
}

const asked = (prompt: string, given: Given) =>
  Effect.scoped(run(prompt, given)).pipe(
    Effect.catchAll((error) => {
      switch (error._tag) {
        case "UsageError":
        case "InvalidOptions":
          return refused(error, 64, undefined, given.json)
        case "DiscoveryError":
          return refused(error, Run.status(error), undefined, given.json)
        case "SinkError":
          return refused(error, Run.statusOfSink(error), undefined, given.json)
        case "AgentFollowFailed":
          return refused(error, 2, error.jobId, given.json)
        default:
          return refused(error, 2, undefined, given.json)
      }
    })
  )

const about: Command.Description = {
  name: "agent",
  summary: "answer a question from documents, with their passages",
  description:
    "Answers a question from documents with a language model, citing their passages: run reads documents (--over) or a store (--to) here and keeps the job for 24 hours in --state, or submits it to a --service. status, trace, snapshot and cancel are for a job of that state or service. An interrupt cancels the run.",
  exits:
    "0 succeeded, 1 failed, cancelled or refused, or a document could not be read, 2 the service refused or was not there, 64 wrong usage, 130 interrupted, job cancelled",
  examples: ["docsluice agent run 'Which invoices are overdue?' --over invoices --model openai:gpt-5-mini"]
}

export const command = Command.make(about, takes, ({ words, ...given }) => {
  const [operation = "", ...rest] = words
  if (operation === "run") return asked(rest.join(" "), given)
  if (isOperation(operation)) return managed(operation, rest, given)
  const got = operation === "" ? "" : `; got ${JSON.stringify(operation)}`
  return Failure.report(usage(`expected docsluice agent run PROMPT, or ${Object.values(forms).join(", ")}${got}`)).pipe(
    Effect.zipRight(ExitStatus.set(64))
  )
})
