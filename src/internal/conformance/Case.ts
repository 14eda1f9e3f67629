import type * as Effect from "effect/Effect"
import type { ConformanceFailure, NotVerifiable } from "./Verdict.ts"
import type { World } from "./World.ts"

/** One thing that every sink must do. */
export interface Case {
  readonly name: string
  /** A sink conforms only when this case passed, not merely when it did not fail; default false. */
  readonly core?: true | undefined
  /** The capability or hook without which the case cannot be run, in words; null when nothing is missing. */
  readonly lacking?: ((world: World) => string | null) | undefined
  /**
   * Part of what is stored that a look must have reached for the case to pass: the `ids`, or the whole `content`. Default:
   * the case looks for itself.
   */
  readonly looks?: "ids" | "content" | undefined
  readonly run: (world: World) => Effect.Effect<unknown, ConformanceFailure | NotVerifiable>
}

/** Fits `lacking`: the sink must claim the capability. */
export const claiming =
  (capability: keyof World["can"]) =>
  ({ can }: World): string | null =>
    can[capability] ? null : `the sink does not claim \`${capability}\``

/** Fits `lacking`: the target must have the hook. */
export const hooked =
  (hook: "read" | "destroy" | "engine" | "kill") =>
  ({ target }: World): string | null =>
    target[hook] === undefined ? `the target has no hook \`${hook}\`` : null

/** Fits `lacking`: the sink must have `clear`, which is no capability. */
export const clearable = ({ clears }: World): string | null => (clears ? null : "the sink has no `clear`")

/** Fits `lacking`: the target must say an embedding space. */
export const embedded = ({ space }: World): string | null =>
  space === null ? "the target says no `space`, so no chunk has a vector" : null

/** The first that is missing. */
export const all =
  (...needs: ReadonlyArray<(world: World) => string | null>) =>
  (world: World): string | null => {
    for (const need of needs) {
      const reason = need(world)
      if (reason !== null) return reason
    }
    return null
  }
