/**
 * The agent runner that ships: answers a prompt from documents, with a language model and the tools of any agent that give texts (*search*,
 * *outline*, *list*, *read* and *verify*), *write artifact*, and *ask documents* (one sub-agent for each document).
 *
 * An answer counts only with citations: quotes that stand word for word in passages that the run has seen; others are left out. A tool
 * reads documents or writes an artifact of the run and nothing else, so that no text of a document can do more than be wrong. The model is
 * asked at most 24 times by the main agent, and twice more for an answer that cannot be taken.
 */
import type * as Prompt from "@effect/ai/Prompt"
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import {
  type Agent,
  AgentFailed,
  AgentRefused,
  type AgentRunner,
  type RunError,
  type Task
} from "../../internal/agent/runner.ts"
import { isRecord } from "../../internal/base/rules.ts"
import { AgentPassthroughFailed, catalogue } from "../../internal/client/agentError.ts"
import type { ReadOnlyCorpus } from "../../internal/target/readOnlyCorpus.ts"
import * as Library from "../../internal/tools/library.ts"
import type { EngineError } from "../../service/Engine.ts"
import { BadRequest, type UnprocessableEntity } from "../../service/ServiceError.ts"
import * as Conversation from "../model/Conversation.ts"
import * as Model from "../model/Model.ts"
import type { SchemaCheck } from "../SchemaCheck.ts"
import { type Citation, cite } from "./citations.ts"
import * as Dialogue from "./Dialogue.ts"
import * as Requests from "./requests.ts"
import * as Tools from "./tools.ts"

/** The interface's name for the model of all new runs; our model's name may hold an address. */
const alias = "spark-2"

/** Requests of the main agent to the model, answers that cannot be taken, and calls of tools in one reply. */
const most = { turns: 24, repairs: 2, calls: 16 } as const

/** Characters of a tool's result that its event has. */
const told = 2000

interface Run extends Tools.Run {
  readonly schemas: SchemaCheck
  /** Passages that were shown to the model, by id: only these can be cited. */
  readonly seen: ReadonlyMap<string, DocumentChunk>
}

/** A run over documents, whose results take at most two thirds of the text that the model takes at once. */
const begun = (model: Model.Model, library: Library.Library, schemas: SchemaCheck): Run => {
  const seen = new Map<string, DocumentChunk>()
  return {
    model,
    schemas,
    seen,
    library: {
      ...library,
      room: Math.floor((2 * Model.partSize(model)) / 3),
      onShown: (passages) => {
        for (const passage of passages) seen.set(passage.id, passage)
      }
    }
  }
}

/** Carries out a call and tells of it; an error that its maker can mend is a result. */
const traced = Effect.fnUntraced(function* (
  tools: Tools.Tools,
  agent: Agent,
  { id, name, params }: Requests.Call
): Effect.fn.Return<Prompt.ToolResultPartEncoded, RunError> {
  yield* agent.emit({ type: "tool_call.started", toolCallId: id, toolName: name, parameters: params })
  const { isFailure, result } = yield* Effect.tapError(tools.call(name, params), ({ error }) =>
    agent.emit({
      type: "error.occurred",
      error: { code: "internal", source: "tool", retryable: false, message: error }
    })
  )
  const text = JSON.stringify(result).slice(0, told)
  yield* agent.emit({ type: "tool_call.finished", toolCallId: id, toolName: name, result: text })
  return { type: "tool-result" as const, id, name, isFailure, result, providerExecuted: false }
})

interface Answer {
  readonly answer: unknown
  readonly citations: ReadonlyArray<Citation>
}

/** A check that came to no end; the schema is at fault when it is a 422. */
const unchecked = (cause: EngineError) =>
  new AgentFailed({ error: cause.error, retryable: cause._tag !== "UnprocessableEntity" })

/** An answer whose citations have not been checked. */
interface Claimed {
  readonly answer: unknown
  readonly claims: ReadonlyArray<{ readonly id: string; readonly quote: string }>
}

/** The answer that a text holds, or its problems; neither the schema nor the documents are looked at. */
const claimedIn = (text: string): Claimed | AgentRefused | ReadonlyArray<string> => {
  const value = Conversation.jsonOf(text)
  if (!isRecord(value)) return ["it is not a JSON object"]
  if (typeof value["refused"] === "string") return new AgentRefused({ error: value["refused"].slice(0, 500) })
  if (!("answer" in value)) return ['it has no member "answer"']
  const { answer } = value
  const given: ReadonlyArray<unknown> = Array.isArray(value["citations"]) ? value["citations"] : []
  if (answer === null) return { answer, claims: [] }
  if (given.length === 0) return ["it cites no passage"]
  return {
    answer,
    claims: given.map((citation) =>
      isRecord(citation) ? { id: String(citation["chunk"]), quote: String(citation["quote"]) } : { id: "", quote: "" }
    )
  }
}

/**
 * The answer with the citations that stand in the passages which were shown; the others are left out, and an event says so. Without any
 * that stands it has problems.
 */
const answerOf = Effect.fnUntraced(function* ({ seen }: Run, agent: Agent, text: string) {
  const found = claimedIn(text)
  if (!("claims" in found)) return found
  const { answer, claims } = found
  const checked = yield* Effect.forEach(claims, ({ id, quote }) =>
    Effect.map(cite(seen, id, quote), (citation) => ({ id, citation }))
  )
  const citations = checked.flatMap(({ citation }) => citation ?? [])
  const problems = checked.flatMap(({ citation, id }) =>
    citation === undefined
      ? [`what was read of the document of the passage ${JSON.stringify(id.slice(0, 80))} does not contain its quote`]
      : []
  )
  if (claims.length > 0 && citations.length === 0) return problems
  for (const problem of problems) {
    yield* agent.emit({ type: "progress.reported", phase: "working", message: `a citation was left out: ${problem}` })
  }
  return { answer, citations }
})

/** The answer that a text holds and that conforms to the schema, or its problems. */
const conforming = Effect.fnUntraced(function* (run: Run, { schema }: Task, agent: Agent, text: string) {
  const found = yield* answerOf(run, agent, text)
  if (!("answer" in found) || found.answer === null || schema === undefined) return found
  const mismatches = yield* Effect.mapError(run.schemas.mismatches(schema, found.answer), unchecked)
  return mismatches.length === 0
    ? found
    : mismatches.map(({ message, path }) => `answer${path === "" ? "" : `.${path}`} ${message}`)
})

const worked = Effect.fnUntraced(function* (run: Run, task: Task, agent: Agent): Effect.fn.Return<unknown, RunError> {
  const tools = Tools.make(run, agent)
  const messages: Array<Prompt.MessageEncoded> = [...Dialogue.begin(task)]
  let problems: ReadonlyArray<string> = []
  let repairs = 0
  yield* agent.emit({ type: "progress.reported", phase: "working", message: "looking for passages" })
  for (let turn = 0; turn < most.turns && repairs <= most.repairs; turn++) {
    const { calls, text } = yield* Requests.ask(run.model, agent, tools.offer, messages)
    if (calls.length > 0) {
      const made = calls.slice(0, most.calls)
      const requested = made.map(({ id, name, params }) => ({ type: "tool-call" as const, id, name, params }))
      messages.push({
        role: "assistant",
        content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...requested]
      })
      messages.push({ role: "tool", content: yield* Effect.forEach(made, (call) => traced(tools, agent, call)) })
      continue
    }
    const found = yield* conforming(run, task, agent, text)
    if ("_tag" in found) return yield* found
    if ("citations" in found) return yield* delivered(task, agent, found)
    problems = found
    repairs += 1
    messages.push({ role: "assistant", content: [{ type: "text", text }] }, Dialogue.again(problems))
  }
  const error =
    repairs > most.repairs
      ? `the model's answer cannot be taken: ${problems.join("; ")}`
      : `the run did not come to an answer in ${most.turns} requests to the model`
  return yield* new AgentFailed({ error: error.slice(0, 1000), retryable: false })
})

/** Keeps the citations as an artifact; a result that follows a schema has no room for them. */
const delivered = (task: Task, agent: Agent, { answer, citations }: Answer): Effect.Effect<unknown> =>
  Effect.as(
    agent.write({
      artifactId: "citations",
      kind: "json",
      change: "init",
      path: "citations.json",
      content: JSON.stringify(citations)
    }),
    task.schema === undefined ? { answer, citations } : answer
  )

/** A schema that is at fault is the caller's; a check that did not come to an end is a fault of the service. */
const notAccepted = (cause: EngineError): Effect.Effect<never, UnprocessableEntity | AgentPassthroughFailed> =>
  cause._tag === "UnprocessableEntity"
    ? Effect.fail(cause)
    : Effect.zipRight(
        Effect.logError("the schema of an agent job could not be checked", cause.error),
        new AgentPassthroughFailed({ status: 500, error: catalogue.AgentPassthroughFailed.error })
      )

const everything = { filter: undefined, condition: undefined, tenant: undefined } as const

/**
 * Makes the runner. Without a schema the result is `{ answer, citations }`; with one it is what the schema describes, or null, and the
 * citations are the artifact `citations`.
 *
 * Credits: one for a thousand tokens of a request and its answer, as the model counts them (4 characters for a token where it does not),
 * rounded up for each request.
 */
export const make = (
  model: Model.Model,
  corpus: ReadOnlyCorpus,
  schemas: SchemaCheck
): Effect.Effect<AgentRunner.Service> =>
  Effect.map(Library.make(corpus, everything), (library) => ({
    accept: (task) =>
      Effect.gen(function* () {
        if (task.model !== undefined && task.model !== alias) {
          const error = `model is ${JSON.stringify(task.model.slice(0, 80))}; this service runs every job on its own model, called ${alias}`
          return yield* new BadRequest({
            status: 400,
            code: "BAD_REQUEST",
            error,
            details: [{ field: "model", message: error }]
          })
        }
        if (task.schema !== undefined) yield* Effect.catchAll(schemas.valid(task.schema), notAccepted)
        return { model: alias, traced: true }
      }),
    run: (task, agent) => worked(begun(model, library, schemas), task, agent)
  }))
