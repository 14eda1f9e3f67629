/** Vectors of a model that runs in this process, by transformers.js. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { EmbeddingError } from "./embeddingError.ts"
import type { Components } from "./provider.ts"

export interface Settings {
  readonly model: string
  readonly pooling: "mean" | "cls" | "last_token"
  readonly dtype: string | undefined
}

/** The part of the package that is used. */
interface Module {
  readonly pipeline: (task: string, model: string, options: Readonly<Record<string, unknown>>) => Promise<unknown>
}

type Extract = (texts: ReadonlyArray<string>, options: Readonly<Record<string, unknown>>) => Promise<unknown>

const isModule = (value: unknown): value is Module =>
  Predicate.hasProperty(value, "pipeline") && typeof value.pipeline === "function"

const isExtract = (value: unknown): value is Extract => typeof value === "function"

/** A tensor of one row per text. */
interface Rows {
  readonly dims: readonly [number, number]
  readonly data: Float32Array
}

const isRows = (value: unknown, count: number): value is Rows =>
  Predicate.hasProperty(value, "dims") &&
  Predicate.hasProperty(value, "data") &&
  Array.isArray(value.dims) &&
  value.dims.length === 2 &&
  value.dims[0] === count &&
  value.data instanceof Float32Array &&
  value.data.length === count * value.dims[1]

const name: string = "@huggingface/transformers"

const isMissing = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && (cause.code === "ERR_MODULE_NOT_FOUND" || cause.code === "MODULE_NOT_FOUND")

const refused = (model: string, problem: string): EmbeddingError =>
  new EmbeddingError({ reason: "Failed", model, chunks: [], problem, retryable: false, severity: "run" })

const load = (model: string): Effect.Effect<Module, EmbeddingError> =>
  Effect.tryPromise({
    // A name that bundlers cannot follow: the package is optional.
    try: (): Promise<unknown> => import(name),
    catch: (cause) =>
      refused(
        model,
        isMissing(cause)
          ? `it needs the package ${name}, which is not installed; run: npm install ${name}`
          : `${name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`
      )
  }).pipe(
    Effect.filterOrFail(isModule, () =>
      refused(model, `this version of ${name} has no \`pipeline\`; run: npm install ${name}`)
    )
  )

/**
 * A function that embeds texts. Fails when the package is not installed; the model itself is loaded, and downloaded where it is not kept, by
 * the first call, and released with the scope.
 */
export const make = ({
  dtype,
  model,
  pooling
}: Settings): Effect.Effect<
  (texts: ReadonlyArray<string>) => Promise<ReadonlyArray<Components>>,
  EmbeddingError,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const { pipeline } = yield* load(model)
    let opened: Promise<unknown> | null = null
    const open = (): Promise<unknown> => {
      // A model that could not be loaded, for want of a network for instance, is loaded by the next call.
      opened ??= pipeline("feature-extraction", model, dtype === undefined ? {} : { dtype }).catch((cause: unknown) => {
        opened = null
        throw cause
      })
      return opened
    }
    yield* Effect.addFinalizer(() =>
      Effect.ignore(
        Effect.tryPromise(async () => {
          const extract = await opened
          if (Predicate.hasProperty(extract, "dispose") && typeof extract.dispose === "function")
            await extract.dispose()
        })
      )
    )
    return async (texts) => {
      const extract = await open()
      if (!isExtract(extract)) throw new Error(`${name} gave no feature extraction for ${model}`)
      const output = await extract(texts, { pooling, normalize: false })
      if (!isRows(output, texts.length)) throw new Error(`${model} gave no vector of 32-bit numbers for each text`)
      const length = output.dims[1]
      return texts.map((_, at) => output.data.subarray(at * length, (at + 1) * length))
    }
  })
