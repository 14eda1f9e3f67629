/**
 * Tools for agents over a corpus: search, outline, list, read, look, verify and status, and where it is allowed ingest and remove.
 *
 * One definition in three forms: an `@effect/ai` toolkit ({@link reading}, {@link layer}), values with a JSON Schema ({@link make}), and the
 * tools of `docsluice mcp`. Whatever a call asks for, it finds only what the filter and the tenant of the options leave. Texts of documents
 * are fenced and named as data in every result, and all sizes are bounded; a document changes nothing that a tool does.
 *
 * @since 0.1.0
 */
import type * as Tool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Corpus from "./Corpus.ts"
import type { OptionError } from "./internal/base/optionError.ts"
import * as contract from "./internal/tools/contract.ts"
import * as settings from "./internal/tools/settings.ts"
import type { Value } from "./internal/tools/value.ts"
import * as values from "./internal/tools/values.ts"

export { ToolError } from "./internal/tools/toolError.ts"
export { type Options, Progress } from "./internal/tools/settings.ts"
export { type Value } from "./internal/tools/value.ts"

/**
 * The tools that change nothing, for a language model of `@effect/ai`; {@link layer} carries them out.
 *
 * @since 0.1.0
 * @category toolkits
 */
export const reading: typeof contract.reading = contract.reading

/**
 * The tools that change the store; {@link layerWriting} carries them out.
 *
 * @since 0.1.0
 * @category toolkits
 */
export const writing: typeof contract.writing = contract.writing

/**
 * The tools as values, those that change the store with `write`. Pages are drawn by a child process that ends with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  corpus: Corpus.Corpus.Service,
  options: settings.Options = {}
): Effect.Effect<ReadonlyArray<Value>, OptionError, Scope.Scope> =>
  Effect.map(values.make(corpus, options), ({ all }) => all)

/**
 * Carries out the tools of {@link reading} over the corpus of the context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Omit<settings.Options, "write"> = {}
): Layer.Layer<Tool.HandlersFor<Toolkit.Tools<typeof contract.reading>>, OptionError, Corpus.Corpus> =>
  contract.reading.toLayer(Effect.map(made(options), (handlers) => handlers.reading))

/**
 * Carries out the tools of {@link writing} over the corpus of the context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerWriting = (
  options: Pick<settings.Options, "roots"> = {}
): Layer.Layer<Tool.HandlersFor<Toolkit.Tools<typeof contract.writing>>, OptionError, Corpus.Corpus> =>
  contract.writing.toLayer(Effect.map(made({ ...options, write: true }), (handlers) => handlers.writing))

const made = (options: settings.Options) =>
  Effect.map(
    Effect.flatMap(Corpus.Corpus, (corpus) => settings.make(corpus, options)),
    values.handlers
  )
