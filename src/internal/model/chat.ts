/** Language models: requests to servers that speak OpenAI's protocol, and their answers as parts. */
import type * as AiError from "@effect/ai/AiError"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import type * as Response from "@effect/ai/Response"
import * as Tool from "@effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parseJson } from "../base/json.ts"
import * as openAi from "../client/openAiExchange.ts"

export interface Settings extends openAi.Settings {
  readonly model: string
  readonly temperature: number
}

const place: openAi.Place = { module: "OpenAiLanguageModel", method: "generateText", path: "/chat/completions" }

const { member } = openAi

const textOf = (content: string | ReadonlyArray<Prompt.Part>): string =>
  typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("")

const pictureOf = ({ data, mediaType }: Prompt.FilePart) => {
  if (data instanceof URL) return data.href
  if (typeof data === "string" && /^(?:data|https?):/u.test(data)) return data
  return `data:${mediaType};base64,${typeof data === "string" ? data : Buffer.from(data).toString("base64")}`
}

/** A text, or the parts of one with pictures; files of other kinds are left out. */
const contentOf = (content: string | ReadonlyArray<Prompt.Part>): unknown => {
  const isPicture = (part: Prompt.Part): boolean => part.type === "file" && part.mediaType.startsWith("image/")
  if (typeof content === "string" || !content.some(isPicture)) return textOf(content)
  return content.flatMap((part): ReadonlyArray<unknown> => {
    if (part.type === "text") return [{ type: "text", text: part.text }]
    return part.type === "file" && isPicture(part) ? [{ type: "image_url", image_url: { url: pictureOf(part) } }] : []
  })
}

const callOf = ({ id, name, params }: Prompt.ToolCallPart) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(params) }
})

/** A message of the prompt as the protocol writes it; the results of several tools are a message each. */
const messagesOf = (message: Prompt.Message): ReadonlyArray<unknown> => {
  switch (message.role) {
    case "tool":
      return message.content.map(({ id, result }) => ({
        role: "tool",
        tool_call_id: id,
        content: typeof result === "string" ? result : JSON.stringify(result)
      }))
    case "assistant": {
      const calls = message.content.filter((part) => part.type === "tool-call").map(callOf)
      const content = textOf(message.content)
      return [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) }]
    }
    default:
      return [{ role: message.role, content: contentOf(message.content) }]
  }
}

const toolOf = (tool: Tool.Any) => ({
  type: "function",
  function: {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: Tool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast)
  }
})

const choiceOf = (choice: LanguageModel.ProviderOptions["toolChoice"]): unknown => {
  if (typeof choice === "string") return choice
  return "tool" in choice ? { type: "function", function: { name: choice.tool } } : (choice.mode ?? "auto")
}

const bodyOf = (settings: Settings, { prompt, toolChoice, tools }: LanguageModel.ProviderOptions): object => ({
  model: settings.model,
  temperature: settings.temperature,
  messages: prompt.content.flatMap(messagesOf),
  ...(tools.length > 0 && { tools: tools.map(toolOf), tool_choice: choiceOf(toolChoice) })
})

const reasons: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls"
}

const count = (usage: unknown, key: string): number | undefined => {
  const value = member(usage, key)
  return typeof value === "number" ? value : undefined
}

const finishOf = (body: unknown, choice: unknown): Response.FinishPartEncoded => {
  const usage = member(body, "usage")
  return {
    type: "finish",
    reason: reasons[String(member(choice, "finish_reason"))] ?? "unknown",
    usage: {
      inputTokens: count(usage, "prompt_tokens"),
      outputTokens: count(usage, "completion_tokens"),
      totalTokens: count(usage, "total_tokens")
    }
  }
}

const toolCallOf = (call: unknown, at: number): Either.Either<Response.ToolCallPartEncoded, string> => {
  const named = member(call, "function")
  const name = member(named, "name")
  const given = member(named, "arguments")
  const id = member(call, "id")
  if (typeof name !== "string") return Either.left("a call of a tool names none")
  const params = typeof given === "string" && given.trim() !== "" ? parseJson(given) : Either.right(given ?? {})
  return Either.mapBoth(params, {
    onLeft: () => `the arguments of ${name} are not JSON`,
    onRight: (value) => ({ type: "tool-call", id: typeof id === "string" ? id : `call_${at}`, name, params: value })
  })
}

const partsOf = (text: string): Either.Either<Array<Response.PartEncoded>, string> =>
  Either.gen(function* () {
    const body = yield* Either.mapLeft(parseJson(text), () => "the answer is not JSON")
    const choices = member(body, "choices")
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    const message = member(choice, "message")
    if (message === undefined) return yield* Either.left("the answer holds no message")
    const content = member(message, "content")
    const given = member(message, "tool_calls")
    const calls = yield* Either.all((Array.isArray(given) ? given : []).map(toolCallOf))
    const written: Array<Response.PartEncoded> = typeof content === "string" ? [{ type: "text", text: content }] : []
    return [...written, ...calls, finishOf(body, choice)]
  })

/** One request; the parts of its answer. */
export const complete = (
  settings: Settings,
  asked: LanguageModel.ProviderOptions
): Effect.Effect<Array<Response.PartEncoded>, AiError.AiError> =>
  Effect.flatMap(openAi.post(settings, place, bodyOf(settings, asked)), (answer) =>
    openAi.isSuccess(answer)
      ? Either.mapLeft(partsOf(answer.text), (problem) => openAi.unusable(place, problem))
      : openAi.refused(settings, place, answer)
  )

/** The parts of a whole answer as those of a stream. */
export const asStream = (parts: ReadonlyArray<Response.PartEncoded>): ReadonlyArray<Response.StreamPartEncoded> =>
  parts.flatMap((part, at): ReadonlyArray<Response.StreamPartEncoded> => {
    if (part.type === "text") {
      const id = String(at)
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: part.text },
        { type: "text-end", id }
      ]
    }
    return part.type === "tool-call" || part.type === "finish" ? [part] : []
  })
