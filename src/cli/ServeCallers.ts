/** Flags of `serve` that say who may call, and with which limits. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ApiKey from "../internal/server/apiKey.ts"
import * as KeyFile from "../internal/server/keyFile.ts"
import * as Secret from "../internal/target/secret.ts"
import type * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import type { Callers } from "./listen.ts"
import { type Refused, UsageError } from "./UsageError.ts"

export const takes = {
  apiKeys: flags.apiKeys,
  keys: flags.keys,
  rate: flags.rate,
  concurrency: flags.served,
  credits: flags.credits
}

export type Given = Command.Given<typeof takes>

const decodeRate = Schema.decodeSync(ApiKey.Rate)

/** Limits of the flags; `adaptive`, from a config file for all commands, is none. */
export const limits = ({ concurrency, credits, rate }: Given) => {
  const places = Option.getOrUndefined(concurrency)
  return {
    rate: Option.getOrUndefined(Option.map(rate, decodeRate)),
    concurrency: places === "adaptive" ? undefined : places,
    credits: Option.getOrUndefined(credits)
  }
}

/** Flags that say the same as the file of keys. */
const besides = (given: Given): ReadonlyArray<string> => [
  ...(given.apiKeys.length > 0 ? ["--api-key"] : []),
  ...(["rate", "concurrency", "credits"] as const).flatMap((name) =>
    limits(given)[name] === undefined ? [] : [`--${name}`]
  )
]

/** Reads the file of keys, or the keys themselves. */
export const read = (
  given: Given
): Effect.Effect<Callers, Refused | KeyFile.KeyFileError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (Option.isNone(given.keys)) {
      const keys = yield* Effect.forEach(given.apiKeys, (key) => Secret.read("apiKey", key))
      return { keys, ...limits(given) }
    }
    const others = besides(given)
    if (others.length > 0) {
      const problem = `${others.join(" and ")} cannot be given with --keys; each key of the file has limits of its own`
      return yield* new UsageError({ problem })
    }
    return yield* KeyFile.read(given.keys.value)
  })
