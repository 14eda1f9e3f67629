/** The spelling of a model that describes figures, `openai:MODEL[@BASE]`, as that of the embedded service's language model. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import { OptionError } from "../base/optionError.ts"
import * as Describe from "../figures/describe.ts"
import * as ServiceTarget from "./serviceTarget.ts"

/** Opens the model; its connections end with the scope. */
export type Opening = Effect.Effect<Describe.FigureDescriber, never, Scope.Scope>

const named = ({ message, ...error }: { readonly message: string; readonly problem?: string }): OptionError =>
  new OptionError({ option: "describe", problem: error.problem ?? message })

/** Reads the model and its key, and checks them; sends nothing. */
export const read = (
  spelling: string,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<Opening, OptionError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { identity, layer } = yield* ServiceTarget.spelled(spelling, dispatcher)
    yield* Effect.scoped(Layer.build(layer))
    const opened = Effect.flatMap(Layer.build(layer), (services) =>
      Effect.provide(Describe.ofModel({ model: identity }), services)
    )
    return Effect.orDie(opened)
  }).pipe(Effect.mapError(named))
