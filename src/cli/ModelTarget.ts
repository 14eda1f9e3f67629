/** The value of `serve --model`: the language model of the embedded service. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Layer from "effect/Layer"
import * as Targets from "../internal/target/modelTarget.ts"
import type { Engine } from "../service/Engine.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

/** The engine with the model; fails before any request when the address or the key cannot be used. */
export const engine = (
  spelling: string,
  options: Targets.Options
): Layer.Layer<Engine, UsageError, FileSystem.FileSystem> => Layer.mapError(Targets.engine(spelling, options), ofOption)
