/** A program and this package have to run on one version of Effect. */
import * as Effect from "effect/Effect"

/** A program runs an effect of this package on a version of Effect that is not this package's own. */
export class EffectVersionsDiffer extends Error {
  readonly _tag = "EffectVersionsDiffer"
  override readonly name = "EffectVersionsDiffer"

  /** `own`: version of Effect that this package loads; `other`: the version that runs the program. */
  constructor(own: string, other: string) {
    super(
      `docsluice loads effect ${own}, and effect ${other} runs this program. Let both use one: npm install effect@^${own} @effect/platform@0.97 @effect/platform-node@0.108`
    )
  }
}

const versionOf = (effect: Effect.Effect<unknown, unknown, unknown>): string => effect[Effect.EffectTypeId]._V

/**
 * Dies with {@link EffectVersionsDiffer} when another version of Effect runs it, which happens where npm installed one for the program and
 * one for this package. Effect itself would warn at each step of each fiber.
 */
export const oneEffect: Effect.Effect<void> = Effect.withFiberRuntime((fiber) => {
  const [own, other] = [versionOf(Effect.void), versionOf(fiber)]
  return own === other ? Effect.void : Effect.die(new EffectVersionsDiffer(own, other))
})
