/** A language model as the engine uses it: one question, one text. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import * as Effect from "effect/Effect"
import { DocumentUnparsable, InternalServerError } from "../../service/ServiceError.ts"

/** A language model, and what an engine has to know of it. */
export interface Model {
  readonly service: LanguageModel.Service
  /** Name and address; part of the engine's version, so that no cache mixes the answers of two models. Holds no credentials. */
  readonly identity: string
  /** Tokens that a request and its answer may hold together. */
  readonly contextTokens: number
  /** True when documents with `zeroDataRetention` may be sent to it, as to a model on this machine. */
  readonly zeroDataRetention: boolean
}

/** Characters for a token, on the safe side for text without spaces. */
const charactersPerToken = 2

/** Share of the context for the text; the rest is for instructions, schema and answer. */
const textShare = 0.6

/** Requests to the model in flight for one document. */
export const concurrency = 4

/** Fails when the text may not be sent to this model. */
export const admit = (model: Model, zeroDataRetention: boolean): Effect.Effect<void, DocumentUnparsable> =>
  zeroDataRetention && !model.zeroDataRetention
    ? new DocumentUnparsable({
        status: 500,
        code: "SCRAPE_ZDR_VIOLATION_ERROR",
        error: "zeroDataRetention: the language model is not on this machine, so no text may be sent to it"
      })
    : Effect.void

/** The caller's message when the model does not answer. The cause, which names the address of the model's server, is for the log. */
export const unanswered = (cause: { readonly message: string }): Effect.Effect<string> =>
  Effect.as(
    Effect.logError("the language model did not answer", cause.message),
    "the language model did not answer; the service has logged why"
  )

/** Asks the model once. Its own failures are faults of the service: the document is not to blame. */
export const ask = ({ service }: Model, prompt: Prompt.RawInput): Effect.Effect<string, InternalServerError> =>
  service.generateText({ prompt }).pipe(
    Effect.map(({ text }) => text.trim()),
    Effect.catchAll((cause) =>
      Effect.flatMap(unanswered(cause), (error) => new InternalServerError({ status: 500, error }))
    )
  )

/** Characters of a text that fit into one request. */
export const partSize = ({ contextTokens }: Model): number =>
  Math.max(500, Math.floor(contextTokens * charactersPerToken * textShare))
