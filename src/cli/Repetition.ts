/** Recorded runs to be done again; secrets are not recorded and come from the flags given now. */
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Recorded } from "../internal/corpus/description.ts"
import * as Located from "../internal/corpus/located.ts"
import * as Repeating from "../internal/corpus/repeating.ts"
import type { Batch } from "../internal/corpus/retrying.ts"
import * as OptionsText from "./OptionsText.ts"
import type { Setup } from "./Run.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import { ofOption, UsageError } from "./UsageError.ts"

/** Flags given now. */
export interface Given {
  readonly to: ReadonlyArray<string>
  readonly apiKey: Option.Option<string>
  readonly parseOptions: Option.Option<string>
  readonly state: string
}

/** The means of a recorded run, with the secrets of the flags. */
export const means = (recorded: Recorded, given: Given, concurrency?: number | "adaptive") =>
  Effect.gen(function* () {
    const { headers } = recorded.kept.secrets.headers ? yield* OptionsText.read(given.parseOptions) : {}
    const apiKey = yield* ServiceTarget.keyOf(given.apiKey)
    return yield* Repeating.make(recorded, { to: given.to, apiKey, headers }, { state: given.state, concurrency })
  }).pipe(
    Effect.catchTags({
      OptionError: ofOption,
      InvalidAddress: ServiceTarget.refused,
      InvalidProxy: ServiceTarget.refused
    })
  )

/** The run of a batch, over its documents alone. */
export const ofBatch = (batch: Batch, given: Given) =>
  Effect.map(means(batch.run.recorded, given), ({ means, types }): Setup => {
    const source = { ...batch.options, types }
    const { command } = batch.run.recorded
    const how = { command, request: batch.run.text, mayBeEmpty: true }
    return { means, source, files: Located.part(source, batch.scope, batch.sources), how }
  })

/** The runs of the batches; fails before any work with everything that is missing for any of them. */
export const ofBatches = (batches: ReadonlyArray<Batch>, given: Given) =>
  Effect.gen(function* () {
    yield* Effect.mapError(Repeating.checkService(batches.map(({ run }) => run.recorded)), ofOption)
    const [problems, all] = Array.separate(
      yield* Effect.forEach(batches, (batch) => Effect.either(ofBatch(batch, given)))
    )
    const [first] = problems
    if (first === undefined) return all
    const missing = new Set(problems.map(({ message }) => message))
    return yield* missing.size === 1 ? first : new UsageError({ problem: [...missing].join("; ") })
  })
