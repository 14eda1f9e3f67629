/** Requests of an agent to its model, each counted in credits. */
import type * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import * as Tool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Agent, AgentFailed } from "../../internal/agent/runner.ts"
import { charactersPerToken } from "../../internal/tools/library.ts"
import type { ValueOf } from "../../internal/tools/value.ts"
import * as Model from "../model/Model.ts"

/** Tokens for one credit; a request costs at least one. */
const tokensPerCredit = 1000

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** Credits of a request: its tokens and those of its answer, a thousand for a credit, rounded up. */
const creditsOf = (tokens: number | undefined, characters: number): number =>
  Math.max(1, Math.ceil((tokens ?? characters / charactersPerToken) / tokensPerCredit))

const unanswered = (cause: { readonly message: string }): Effect.Effect<never, AgentFailed> =>
  Effect.flatMap(Model.unanswered(cause), (error) => new AgentFailed({ error, retryable: true }))

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

const anything = Schema.Struct({}, Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/**
 * A tool as its model is told of it. Arguments are taken as they come, and checked by the call: those that cannot be used are an error of
 * the tool, which says what to do, not of the whole reply.
 */
const offered = ({ description, inputSchema, name }: ValueOf<unknown>) =>
  Tool.make(name, { description }).setParameters(anything.annotations({ jsonSchema: inputSchema }))

/** What a model is told of tools. */
export interface Offer {
  readonly toolkit: Toolkit.WithHandler<Record<string, ReturnType<typeof offered>>>
  /** Characters that a request has for it. */
  readonly characters: number
}

export const offer = (tools: ReadonlyArray<ValueOf<unknown>>): Offer => ({
  toolkit: {
    tools: Object.fromEntries(tools.map((tool) => [tool.name, offered(tool)])),
    handle: () => Effect.dieMessage("tools are called by the run")
  },
  characters: lengthOf(tools.map(({ description, inputSchema, name }) => [name, description, inputSchema]))
})

/** A call of a tool, as the model made it. */
export interface Call {
  readonly id: string
  readonly name: string
  readonly params: unknown
}

export interface Reply {
  readonly text: string
  readonly calls: ReadonlyArray<Call>
}

/** Counts a request and its answer. */
const paid = (
  agent: Agent,
  asked: number,
  { inputTokens, outputTokens, totalTokens }: Response.Usage,
  { calls, text }: Reply
): Effect.Effect<void> => {
  const told = totalTokens ?? (inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0))
  const written = text.length + lengthOf(calls.map(({ params }) => params))
  return agent.spend(creditsOf(told, asked + written))
}

/** A reply that the protocol does not allow, or a call of a tool that is not there; the model is asked again. */
const malformed: Reply = { text: "(a reply that could not be read)", calls: [] }

/** Asks with tools, which the model's service never carries out. */
export const ask = (
  model: Model.Model,
  agent: Agent,
  { characters, toolkit }: Offer,
  all: ReadonlyArray<Prompt.MessageEncoded>
): Effect.Effect<Reply, AgentFailed> => {
  const prompt = fitting(all, 2 * Model.partSize(model) - characters)
  const asked = characters + lengthOf(prompt)
  return model.service.generateText({ prompt, toolkit, disableToolCallResolution: true }).pipe(
    Effect.flatMap(({ text, toolCalls, usage }) => {
      const reply = { text: text.trim(), calls: toolCalls }
      return Effect.as(paid(agent, asked, usage, reply), reply)
    }),
    Effect.catchTag("MalformedOutput", () => Effect.as(agent.spend(creditsOf(undefined, asked)), malformed)),
    Effect.catchAll(unanswered)
  )
}

/** Asks without tools: what a sub-agent reads can at most be noted wrongly. */
export const note = (
  model: Model.Model,
  agent: Agent,
  prompt: ReadonlyArray<Prompt.MessageEncoded>
): Effect.Effect<string, AgentFailed> =>
  model.service.generateText({ prompt }).pipe(
    Effect.catchAll(unanswered),
    Effect.flatMap(({ text, usage }) =>
      Effect.as(paid(agent, lengthOf(prompt), usage, { text, calls: [] }), text.trim())
    )
  )
