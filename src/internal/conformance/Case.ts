import type * as Effect from "effect/Effect"
import type { ConformanceFailure, NotVerifiable } from "./Verdict.ts"
import type { World } from "./World.ts"

/** One requirement on every sink. */
export interface Case {
  readonly name: string
  /** True when a sink conforms only if this case passes, not merely if it does not fail; default false. */
  readonly core?: true | undefined
  /** Description of the missing capability or hook without which the case cannot run; null when none is missing. */
  readonly lacking?: ((world: World) => string | null) | undefined
  /**
   * Part of the stored chunks that `expect` must have verified for the case to pass: the `ids`, or the whole `content`. Default:
   * the case verifies by itself.
   */
  readonly looks?: "ids" | "content" | undefined
  readonly run: (world: World) => Effect.Effect<unknown, ConformanceFailure | NotVerifiable>
}

/** Fits `lacking`: the sink must claim the capability. */
export const claiming =
  (capability: Exclude<keyof World["can"], "filter">) =>
  ({ can }: World): string | null =>
    can[capability] ? null : `the sink does not claim \`${capability}\``

/** Fits `lacking`: the target must have the hook. */
export const hooked =
  (hook: "read" | "destroy" | "engine" | "kill" | "neighbour") =>
  ({ target }: World): string | null =>
    target[hook] === undefined ? `the target has no hook \`${hook}\`` : null

/** Fits `lacking`: the sink must have `clear`, which is not a capability. */
export const clearable = ({ clears }: World): string | null => (clears ? null : "the sink has no `clear`")

/** Fits `lacking`: the target must have an embedding space. */
export const embedded = ({ space }: World): string | null =>
  space === null ? "the target has no `space`, so no chunk has a vector" : null

/** Combines requirements; reports the first that is missing. */
export const all =
  (...needs: ReadonlyArray<(world: World) => string | null>) =>
  (world: World): string | null => {
    for (const need of needs) {
      const reason = need(world)
      if (reason !== null) return reason
    }
    return null
  }
