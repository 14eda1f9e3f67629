/** `docsluice agent`: questions to documents, as jobs. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { AgentClient } from "../service/AgentClient.ts"
import type { AgentJobsError } from "../service/AgentJobs.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import * as AgentReport from "./AgentReport.ts"
import * as AgentRun from "./agentRun.ts"
import * as AgentTarget from "./AgentTarget.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { Terminal } from "./Terminal.ts"
import { type Refused, UsageError } from "./UsageError.ts"

const usage = (problem: string): UsageError => new UsageError({ problem })

interface Subject {
  readonly jobId: string
  readonly snapshotId: string
  readonly json: boolean
}

/** Operations on a job, each with the words that follow it. */
const operations = {
  status: {
    ids: ["ID"],
    run: ({ jobId, json }: Subject) =>
      Effect.gen(function* () {
        const terminal = yield* Terminal
        const job = yield* (yield* AgentClient).status(jobId)
        yield* terminal.result(json ? AgentReport.withId(jobId, job.record) : AgentReport.state(job))
        if (!json && job.status === "completed") yield* terminal.document(AgentReport.result(job.data))
        yield* ExitStatus.set(job.status === "failed" || job.status === "cancelled" ? 1 : 0)
      })
  },
  trace: {
    ids: ["ID"],
    run: ({ jobId, json }: Subject) =>
      Effect.gen(function* () {
        const terminal = yield* Terminal
        const { events, record } = yield* (yield* AgentClient).trace(jobId)
        yield* terminal.result(json ? JSON.stringify(record) : events.map(AgentReport.event))
      })
  },
  snapshot: {
    ids: ["ID", "SNAPSHOT"],
    run: ({ jobId, json, snapshotId }: Subject) =>
      Effect.gen(function* () {
        const terminal = yield* Terminal
        const { record, snapshot } = yield* (yield* AgentClient).snapshot(jobId, snapshotId)
        yield* json ? terminal.result(JSON.stringify(record)) : terminal.document(snapshot)
      })
  },
  cancel: {
    ids: ["ID"],
    run: ({ jobId, json }: Subject) =>
      Effect.gen(function* () {
        const terminal = yield* Terminal
        yield* (yield* AgentClient).cancel(jobId)
        yield* terminal.result(
          json ? AgentReport.withId(jobId, { success: true }) : `agent job ${jobId} is being cancelled`
        )
      })
  }
} as const

type Operation = keyof typeof operations

const names = Struct.keys(operations)

const formOf = (operation: Operation): string => ["agent", operation, ...operations[operation].ids].join(" ")

/** Reports a failure with the id of its job; with `--json` also as an object on stdout. */
const refused = (error: Failure.Failed, jobId: string | undefined, json: boolean) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const status = Failure.statusOf(error)
    const { _tag, message } = Failure.asUsage(error)
    const subject = jobId === undefined || message.includes(jobId) ? "" : `agent job ${jobId}: `
    yield* Failure.report({ _tag, message: `${subject}${message}` })
    if (json && status !== 64) {
      const body = { success: false, error: message, tag: _tag }
      yield* terminal.result(jobId === undefined ? JSON.stringify(body) : AgentReport.withId(jobId, body))
    }
    yield* ExitStatus.set(status)
  })

const managed = (operation: Operation, ids: ReadonlyArray<string>, given: AgentRun.Given) => {
  const [jobId = "", snapshotId = ""] = ids
  if (ids.length !== operations[operation].ids.length) return usage(`expected docsluice ${formOf(operation)}`)
  const client: Layer.Layer<AgentClient, Refused | InvalidOptions | AgentJobsError, FileSystem.FileSystem> =
    given.service === "embedded" ? AgentTarget.kept(given.state, operation) : AgentTarget.remote(given)
  return Effect.suspend(() => operations[operation].run({ jobId, snapshotId, json: given.json })).pipe(
    Effect.provide(client),
    Effect.catchAll((error) => refused(error, jobId, given.json))
  )
}

const asked = (prompt: string, given: AgentRun.Given) =>
  Effect.scoped(AgentRun.run(prompt, given)).pipe(
    Effect.catchAll((error) => refused(error, error._tag === "AgentFollowFailed" ? error.jobId : undefined, given.json))
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

const takes = { words: Command.any("run PROMPT", ["run", ...names]), ...AgentRun.takes }

export const command = Command.make(about, takes, ({ words, ...given }) => {
  const [word = "", ...rest] = words
  if (word === "run") return asked(rest.join(" "), given)
  const operation = names.find((name) => name === word)
  if (operation !== undefined) return managed(operation, rest, given)
  const got = word === "" ? "" : `; got ${JSON.stringify(word)}`
  return usage(`expected docsluice agent run PROMPT, or ${names.map(formOf).join(", ")}${got}`)
})
