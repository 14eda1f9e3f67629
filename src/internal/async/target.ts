import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChunkSink } from "../../ChunkSink.ts"
import type { Open } from "../corpus/means.ts"
import type { Target } from "./options.ts"
import * as AsyncSinks from "./sink.ts"

/** A spelling as it is, and any other target as what opens it. */
export const target = (given: Target): string | Open<unknown> => {
  if (typeof given === "string") return given
  return "id" in given
    ? Effect.succeed("capabilities" in given ? given : AsyncSinks.sink(given))
    : Effect.map(Layer.build(given), (context) => Context.get(context, ChunkSink))
}
