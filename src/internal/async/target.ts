import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { ChunkSink } from "../../ChunkSink.ts"
import { OptionError } from "../../OptionError.ts"
import * as Secret from "../target/secret.ts"
import * as SinkTarget from "../target/sinkTarget.ts"
import type { Target } from "./options.ts"
import * as AsyncSinks from "./sink.ts"

/** A target, to be opened. */
export interface Opening extends Pick<SinkTarget.SinkTarget, "needsVectors" | "outputs" | "shown"> {
  readonly open: Open
  /** As `open`, for mode append: existing data stays. */
  readonly openToAppend: Open
}

type Open = Effect.Effect<ChunkSink.Service, unknown, FileSystem.FileSystem | Path.Path | Scope.Scope>

const own = { needsVectors: false, outputs: [], shown: "" }

/** Reads a spelling, or takes the sink as it is. */
export const target = (given: Target): Effect.Effect<Opening, OptionError, FileSystem.FileSystem> => {
  if (typeof given === "string") {
    return Effect.flatMap(Secret.environment, (environment) => SinkTarget.parse(given, environment))
  }
  const open =
    "id" in given
      ? Effect.succeed("capabilities" in given ? given : AsyncSinks.sink(given))
      : Effect.map(Layer.build(given), (context) => Context.get(context, ChunkSink))
  return Effect.succeed({ ...own, open, openToAppend: open })
}

/** Refuses a target in which nothing is found without vectors. */
export const checkVectors = (
  targets: ReadonlyArray<Pick<Opening, "needsVectors" | "shown">>,
  without: boolean
): Effect.Effect<void, OptionError> => {
  const bare = without ? targets.find(({ needsVectors }) => needsVectors) : undefined
  const problem = "nothing is found there without vectors; give an `embedder`"
  return bare === undefined ? Effect.void : Effect.fail(new OptionError({ option: "to", part: bare.shown, problem }))
}
