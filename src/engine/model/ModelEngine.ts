/**
 * The formats `summary` and `json`, over an engine that has neither: by a language model, or, without one, a summary of the document's
 * own sentences.
 *
 * Source: interface document, "Formats", general error rows 403 and 422.
 */
import type * as Prompt from "@effect/ai/Prompt"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Mismatch } from "../../Extraction.ts"
import type { ParseData, ParseResponse } from "../../internal/base/parseResponse.ts"
import { isRecord } from "../../internal/base/rules.ts"
import type { Engine, EngineError } from "../../service/Engine.ts"
import type { Format, JsonFormat, Resolved } from "../../service/ParseOptions.ts"
import {
  BadRequest,
  type InternalServerError,
  PromptInjectionDetected,
  UnprocessableEntity
} from "../../service/ServiceError.ts"
import * as Failure from "../Failure.ts"
import type { SchemaCheck } from "../SchemaCheck.ts"
import * as Conversation from "./Conversation.ts"
import * as ExtractiveSummary from "./ExtractiveSummary.ts"
import * as Model from "./Model.ts"
import * as PromptInjection from "./PromptInjection.ts"

/** Raised with every change of the instructions, the heuristics and the summaries. */
const revision = 2

/** Most rounds in which partial results are merged. */
const mostRounds = 8

const configure = "start the service with a model (`docsluice serve --model openai:NAME@BASE`), or leave the format out"

const jsonFormatOf = (formats: ReadonlyArray<Format>): typeof JsonFormat.Type | undefined =>
  formats.find((format): format is typeof JsonFormat.Type => format.type === "json")

const isOurs = ({ type }: Format): boolean => type === "summary" || type === "json"

const noModel = (): BadRequest => {
  const error = `formats: "json" needs a language model, which this service does not have; ${configure}`
  return new BadRequest({ status: 400, code: "PARSE_UNSUPPORTED_OPTIONS", error, details: [error] })
}

/** A language model, and the checks of what it answers. */
export interface Served {
  readonly model: Model.Model
  readonly schemas: SchemaCheck
}

/** Answers to the parts of a text, merged until one is left; a text that fits is asked about as a whole. */
const mapped = Effect.fnUntraced(function* (
  model: Model.Model,
  text: string,
  prompts: {
    readonly whole: (text: string) => Prompt.RawInput
    readonly part: (text: string, part: number, parts: number) => Prompt.RawInput
    readonly merge: (answers: ReadonlyArray<string>) => Prompt.RawInput
  }
) {
  const size = Model.partSize(model)
  const parts = Conversation.partsOf(text, size)
  if (parts.length === 1) return yield* Model.ask(model, prompts.whole(text))
  let answers = yield* Effect.forEach(parts, (part, at) => Model.ask(model, prompts.part(part, at + 1, parts.length)), {
    concurrency: Model.concurrency
  })
  for (let round = 0; answers.length > 1 && round < mostRounds; round++) {
    answers = yield* Effect.forEach(groups(answers, size), (group) => Model.ask(model, prompts.merge(group)), {
      concurrency: Model.concurrency
    })
  }
  return answers.join("\n\n")
})

/** Neighbours that fit into one request together, at least two. */
const groups = (answers: ReadonlyArray<string>, size: number): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<Array<string>> = []
  let length = 0
  for (const answer of answers) {
    const last = found.at(-1)
    if (last !== undefined && (last.length < 2 || length + answer.length <= size)) {
      last.push(answer)
      length += answer.length
    } else {
      found.push([answer])
      length = answer.length
    }
  }
  return found
}

const summaryBy = (model: Model.Model, markdown: string): Effect.Effect<string, InternalServerError> =>
  mapped(model, markdown, {
    whole: Conversation.summarize,
    part: Conversation.summarize,
    merge: Conversation.mergeSummaries
  })

const mismatchesOf = (
  schemas: SchemaCheck,
  { schema }: Conversation.Wanted,
  value: unknown
): Effect.Effect<ReadonlyArray<Mismatch>, EngineError> => {
  if (value === undefined) return Effect.succeed([{ path: "", message: "the answer is not JSON" }])
  return schema === undefined ? Effect.succeed([]) : schemas.mismatches(schema, value)
}

const jsonBy = Effect.fnUntraced(function* ({ model, schemas }: Served, wanted: Conversation.Wanted, markdown: string) {
  const answer = yield* mapped(model, markdown, {
    whole: (text) => Conversation.extract(wanted, text),
    part: (text, part, parts) => Conversation.extractPart(wanted, text, part, parts),
    merge: (results) => Conversation.mergeParts(wanted, results)
  })
  const value = Conversation.jsonOf(answer)
  const mismatches = yield* mismatchesOf(schemas, wanted, value)
  if (mismatches.length === 0) return value
  const repaired = Conversation.jsonOf(yield* Model.ask(model, Conversation.repair(wanted, answer, mismatches)))
  const left = yield* mismatchesOf(schemas, wanted, repaired)
  if (left.length === 0) return repaired
  const places = left.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
  return yield* new UnprocessableEntity({
    status: 422,
    error: `Unprocessable Entity: the model's result does not conform to the schema: ${places.slice(0, 5).join("; ")}`,
    details: left
  })
})

/** Members that the schema names and the result does not have. */
const missing = (schema: Conversation.Wanted["schema"], value: unknown): ReadonlyArray<string> => {
  const properties = schema?.["properties"]
  if (!isRecord(properties) || !isRecord(value)) return []
  return Object.keys(properties).filter((name) => value[name] === undefined || value[name] === null)
}

interface Written {
  readonly summary?: string
  readonly json?: unknown
  readonly warnings: ReadonlyArray<string>
}

const extractive = "The summary consists of the document's own sentences: this service has no language model."

const written = Effect.fnUntraced(function* (
  served: Served | undefined,
  formats: ReadonlyArray<Format>,
  markdown: string
): Effect.fn.Return<Written, EngineError> {
  const json = jsonFormatOf(formats)
  if (json?.checkPromptInjection === true) {
    const phrase = PromptInjection.find(markdown)
    if (phrase !== undefined) {
      return yield* new PromptInjectionDetected({
        status: 403,
        code: "SCRAPE_PROMPT_INJECTION_DETECTED",
        error: `SCRAPE_PROMPT_INJECTION_DETECTED: the document speaks to the model ("${phrase.slice(0, 80)}"); nothing was extracted`
      })
    }
  }
  const wantsSummary = formats.some(({ type }) => type === "summary")
  const empty = markdown.trim() === ""
  const warnings: Array<string> = []
  let summary: string | undefined
  if (wantsSummary) {
    summary = empty || served === undefined ? ExtractiveSummary.of(markdown) : yield* summaryBy(served.model, markdown)
    if (served === undefined) warnings.push(extractive)
  }
  if (json === undefined || served === undefined) return { ...(summary !== undefined && { summary }), warnings }
  if (empty) warnings.push("Nothing was extracted: the document has no text.")
  const wanted = { schema: json.schema, prompt: json.prompt }
  const value: unknown = empty ? null : yield* jsonBy(served, wanted, markdown)
  const absent = missing(json.schema, value)
  if (absent.length > 0) warnings.push(`Nothing was found for ${absent.join(", ")}.`)
  return { ...(summary !== undefined && { summary }), json: value, warnings }
})

const withMembers = (data: ParseData, { warnings, ...members }: Written, keepMarkdown: boolean): ParseResponse => {
  const { markdown, ...rest } = data
  const warning = [data.warning ?? "", ...warnings].filter((text) => text !== "").join(" ")
  return {
    success: true,
    data: {
      ...rest,
      ...(keepMarkdown && markdown !== undefined && { markdown }),
      ...members,
      ...(warning !== "" && { warning })
    }
  }
}

/** A parse of one document by the engine below. */
type Parse = (options: Resolved) => Effect.Effect<ParseResponse, EngineError>

const parsed = Effect.fnUntraced(function* (
  base: Parse,
  served: Served | undefined,
  options: Resolved
): Effect.fn.Return<ParseResponse, EngineError> {
  const json = jsonFormatOf(options.formats)
  if (json !== undefined && served === undefined) return yield* noModel()
  if (served !== undefined) yield* Model.admit(served.model, options.zeroDataRetention)
  if (json?.schema !== undefined) yield* served?.schemas.valid(json.schema) ?? Effect.void
  const others = options.formats.filter((format) => !isOurs(format))
  const keepMarkdown = others.some(({ type }) => type === "markdown")
  const formats: ReadonlyArray<Format> = keepMarkdown ? others : [...others, { type: "markdown" }]
  const { data } = yield* base({ ...options, formats })
  const members = yield* bounded(written(served, options.formats, data.markdown ?? ""), options.timeout)
  return withMembers(data, members, keepMarkdown)
})

const bounded = <A>(work: Effect.Effect<A, EngineError>, timeout: number): Effect.Effect<A, EngineError> =>
  Effect.timeoutFail(work, { duration: Duration.millis(timeout), onTimeout: () => Failure.tooSlow(timeout) })

/** The time of the model and of the schema counts towards the `timeout`; where that is one of parts, the work of the model is one. */
const asked = (base: Parse, served: Served | undefined, options: Resolved) => {
  if (!options.formats.some(isOurs)) return base(options)
  return options.inParts === true
    ? parsed(base, served, options)
    : bounded(parsed(base, served, options), options.timeout)
}

/** The engine with `summary`, and with a model `json`. */
export const make = (base: Engine.Service, served: Served | undefined): Engine.Service => {
  const { parse, parseFile } = base
  return {
    ...base,
    version: `${base.version} formats@${revision}${served === undefined ? "" : ` ${served.model.identity}`}`,
    parse: (input, options) => asked((inner) => parse(input, inner), served, options),
    ...(parseFile && {
      parseFile: (input, options) => asked((inner) => parseFile(input, inner), served, options)
    })
  }
}
