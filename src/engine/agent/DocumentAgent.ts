/**
 * The agent runner that ships: answers a prompt from the documents of a store, with a language model and the tools *search*, *read*,
 * *write artifact* and *ask documents* (one sub-agent for each document).
 *
 * An answer counts only with citations: quotes that stand word for word in passages that the run has seen; others are left out. A tool
 * reads the store or writes an artifact of the run and nothing else, so that no text of a document can do more than be wrong. The model is
 * asked at most 24 times by the main agent, and twice more for an answer that cannot be taken.
 */
import type * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import * as Tool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type { SinkError } from "../../ChunkSink.ts"
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
import type { EngineError } from "../../service/Engine.ts"
import { BadRequest, type UnprocessableEntity } from "../../service/ServiceError.ts"
import * as Conversation from "../model/Conversation.ts"
import * as Model from "../model/Model.ts"
import type { SchemaCheck } from "../SchemaCheck.ts"
import * as Dialogue from "./Dialogue.ts"
import { type Citation, cite, type Documents } from "./passages.ts"

/** The interface's name for the model of all new runs; our model's name may hold an address. */
const alias = "spark-2"

/** Requests of the main agent to the model, answers that cannot be taken, passages of a search, documents asked at a time. */
const most = { turns: 24, repairs: 2, passages: 8, documents: 8, calls: 16 } as const

/** Tokens for one credit; a request costs at least one. */
const tokensPerCredit = 1000

/** Characters for a token where the model does not tell. */
const charactersPerToken = 4

const tools = Toolkit.make(
  Tool.make("search", {
    description: "Finds the passages of the documents that fit a query best.",
    parameters: { query: Schema.String },
    success: Schema.String
  }),
  Tool.make("read", {
    description: "Gives the passages of one document in order, beginning with the passage of that number.",
    parameters: { document: Schema.String, from: Schema.Number },
    success: Schema.String
  }),
  Tool.make("write_artifact", {
    description: "Keeps a text of yours, for instance a table or a report, under a file name.",
    parameters: { name: Schema.String, content: Schema.String },
    success: Schema.String
  }),
  Tool.make("ask_documents", {
    description: `Asks a question of up to ${most.documents} documents, each read by an agent of its own, and gives their notes.`,
    parameters: { question: Schema.String, documents: Schema.Array(Schema.String) },
    success: Schema.String
  })
).tools

/** Calls are carried out by the run, never by the model's service. */
const toolkit = { tools, handle: () => Effect.dieMessage("tools are called by the run") }

type Call =
  | { readonly name: "search"; readonly params: { readonly query: string } }
  | { readonly name: "read"; readonly params: { readonly document: string; readonly from: number } }
  | { readonly name: "write_artifact"; readonly params: { readonly name: string; readonly content: string } }
  | {
      readonly name: "ask_documents"
      readonly params: { readonly question: string; readonly documents: ReadonlyArray<string> }
    }

interface Run {
  readonly model: Model.Model
  readonly documents: Documents
  readonly schemas: SchemaCheck
  /** Passages that were shown to the model, by id: only these can be cited. */
  readonly seen: Map<string, DocumentChunk>
}

const lengthOf = (messages: ReadonlyArray<Prompt.MessageEncoded>): number => JSON.stringify(messages).length

/** Credits of a request: its tokens and those of its answer, a thousand for a credit, rounded up. */
const creditsOf = (tokens: number | undefined, characters: number): number =>
  Math.max(1, Math.ceil((tokens ?? characters / charactersPerToken) / tokensPerCredit))

const unanswered = (cause: { readonly message: string }): Effect.Effect<never, AgentFailed> =>
  Effect.flatMap(Model.unanswered(cause), (error) => new AgentFailed({ error, retryable: true }))

/** The cause, which names the store, is for the log. */
const unreadable = (cause: SinkError): Effect.Effect<never, AgentFailed> =>
  Effect.zipRight(
    Effect.logError("the documents of an agent job cannot be searched", cause.message),
    new AgentFailed({
      error: "the documents cannot be searched; the service has logged why",
      retryable: cause.reason === "Unavailable"
    })
  )

const emptied = ({ id, isFailure, name, providerExecuted }: Prompt.ToolResultPartEncoded) => ({
  type: "tool-result" as const,
  id,
  name,
  isFailure,
  providerExecuted,
  result: "(left out)"
})

/** The last messages that fit: results of tools that are too old give way, the task never does. */
const fitting = (
  messages: ReadonlyArray<Prompt.MessageEncoded>,
  characters: number
): ReadonlyArray<Prompt.MessageEncoded> => {
  const kept = [...messages]
  for (let at = 2; at < kept.length - 1 && lengthOf(kept) > characters; at++) {
    const message = kept[at]
    if (message?.role !== "tool") continue
    kept[at] = { ...message, content: message.content.map(emptied) }
  }
  return kept
}

interface Reply {
  readonly text: string
  readonly calls: ReadonlyArray<Call & { readonly id: string }>
}

/** Counts a request and its answer. */
const paid = (
  agent: Agent,
  prompt: ReadonlyArray<Prompt.MessageEncoded>,
  { inputTokens, outputTokens, totalTokens }: Response.Usage,
  { calls, text }: Reply
): Effect.Effect<void> => {
  const told = totalTokens ?? (inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0))
  const written = text.length + JSON.stringify(calls.map(({ params }) => params)).length
  return agent.spend(creditsOf(told, lengthOf(prompt) + written))
}

/** A reply that the protocol or a tool does not allow; the model is asked again. */
const malformed: Reply = { text: "(a reply that could not be read)", calls: [] }

const asked = (
  model: Model.Model,
  agent: Agent,
  all: ReadonlyArray<Prompt.MessageEncoded>
): Effect.Effect<Reply, AgentFailed> => {
  const prompt = fitting(all, 2 * Model.partSize(model))
  return model.service.generateText({ prompt, toolkit, disableToolCallResolution: true }).pipe(
    Effect.flatMap(({ text, toolCalls, usage }) => {
      const reply = { text: text.trim(), calls: toolCalls }
      return Effect.as(paid(agent, prompt, usage, reply), reply)
    }),
    Effect.catchTag("MalformedOutput", () => Effect.as(agent.spend(creditsOf(undefined, lengthOf(prompt))), malformed)),
    Effect.catchAll(unanswered)
  )
}

/** Asks without tools: what a sub-agent reads can at most be noted wrongly. */
const noted = (
  model: Model.Model,
  agent: Agent,
  prompt: ReadonlyArray<Prompt.MessageEncoded>
): Effect.Effect<string, AgentFailed> =>
  model.service.generateText({ prompt }).pipe(
    Effect.catchAll(unanswered),
    Effect.flatMap(({ text, usage }) => Effect.as(paid(agent, prompt, usage, { text, calls: [] }), text.trim()))
  )

/** The first passages that fit into `characters`, at least one; from now on they can be cited. */
const taken = (
  { seen }: Run,
  chunks: ReadonlyArray<DocumentChunk>,
  characters: number
): ReadonlyArray<DocumentChunk> => {
  let length = 0
  const over = chunks.findIndex(({ text }) => (length += text.length) > characters)
  const fit = over < 0 ? chunks : chunks.slice(0, Math.max(1, over))
  for (const chunk of fit) seen.set(chunk.id, chunk)
  return fit
}

const shown = (run: Run, chunks: ReadonlyArray<DocumentChunk>): string =>
  Dialogue.framed(taken(run, chunks, Model.partSize(run.model) / 2))

/** Notes of a sub-agent on one document. */
const studied =
  (run: Run, question: string, source: string) =>
  (agent: Agent): Effect.Effect<string, RunError> =>
    Effect.gen(function* () {
      const chunks = yield* Effect.catchAll(run.documents.read(source, 0, 200), unreadable)
      if (chunks.length === 0) return "No such document."
      const fit = taken(run, chunks, Model.partSize(run.model))
      return yield* noted(run.model, agent, Dialogue.study(question, fit))
    })

const called = Effect.fnUntraced(function* (run: Run, agent: Agent, call: Call): Effect.fn.Return<string, RunError> {
  switch (call.name) {
    case "search":
      return shown(run, yield* Effect.catchAll(run.documents.search(call.params.query, most.passages), unreadable))
    case "read": {
      const { document, from } = call.params
      return shown(run, yield* Effect.catchAll(run.documents.read(document, from, most.passages), unreadable))
    }
    case "write_artifact": {
      const { content, name } = call.params
      yield* agent.write({ artifactId: name, kind: "text", change: "update", path: name, content })
      return "kept"
    }
    default: {
      const { documents, question } = call.params
      const each = [...new Set(documents)].slice(0, most.documents)
      const fibers = yield* Effect.forEach(each, (source) => agent.delegate(source, studied(run, question, source)))
      const notes = yield* Effect.forEach(fibers, Fiber.join)
      return each.map((source, at) => Dialogue.quoted(`${source}\n${notes[at] ?? ""}`)).join("\n\n")
    }
  }
})

const traced = Effect.fnUntraced(function* (run: Run, agent: Agent, { id, ...call }: Call & { readonly id: string }) {
  const { name, params } = call
  yield* agent.emit({ type: "tool_call.started", toolCallId: id, toolName: name, parameters: params })
  const result = yield* Effect.tapError(called(run, agent, call), ({ error }) =>
    agent.emit({
      type: "error.occurred",
      error: { code: "internal", source: "tool", retryable: false, message: error }
    })
  )
  yield* agent.emit({ type: "tool_call.finished", toolCallId: id, toolName: name, result: result.slice(0, 2000) })
  return { type: "tool-result" as const, id, name, isFailure: false, result, providerExecuted: false }
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
      isRecord(citation) ? { id: String(citation["passage"]), quote: String(citation["quote"]) } : { id: "", quote: "" }
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
    citation === undefined ? [`the passage ${JSON.stringify(id.slice(0, 80))} does not contain its quote`] : []
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
  const messages: Array<Prompt.MessageEncoded> = [...Dialogue.begin(task)]
  let problems: ReadonlyArray<string> = []
  let repairs = 0
  yield* agent.emit({ type: "progress.reported", phase: "working", message: "looking for passages" })
  for (let turn = 0; turn < most.turns && repairs <= most.repairs; turn++) {
    const { calls, text } = yield* asked(run.model, agent, messages)
    if (calls.length > 0) {
      const made = calls.slice(0, most.calls)
      const requested = made.map(({ id, name, params }) => ({ type: "tool-call" as const, id, name, params }))
      messages.push({
        role: "assistant",
        content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...requested]
      })
      messages.push({ role: "tool", content: yield* Effect.forEach(made, (call) => traced(run, agent, call)) })
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

/**
 * Makes the runner. Without a schema the result is `{ answer, citations }`; with one it is what the schema describes, or null, and the
 * citations are the artifact `citations`.
 *
 * Credits: one for a thousand tokens of a request and its answer, as the model counts them (4 characters for a token where it does not),
 * rounded up for each request.
 */
export const make = (model: Model.Model, documents: Documents, schemas: SchemaCheck): AgentRunner.Service => ({
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
  run: (task, agent) => worked({ model, documents, schemas, seen: new Map() }, task, agent)
})
