import * as Effect from "effect/Effect"
import type { YieldWrap } from "effect/Utils"
import type { ConformanceFailure, NotVerifiable } from "./Verdict.ts"
import type { World } from "./World.ts"

/** One requirement on every sink. */
export interface Case {
  readonly name: string
  /** True when a sink conforms only if this case passes, not merely if it does not fail. */
  readonly core: boolean
  readonly lacking: Need
  /** Part of the stored chunks that `expect` must have verified for the case to pass; `itself`: the case verifies what it says. */
  readonly looks: "ids" | "content" | "itself"
  readonly run: (world: World) => Effect.Effect<unknown, ConformanceFailure | NotVerifiable>
}

/** Describes the missing capability or hook without which a case cannot run; null when none is missing. */
export type Need = (world: World) => string | null

/** Steps of a case. */
type Script = (
  world: World
) => Generator<YieldWrap<Effect.Effect<unknown, ConformanceFailure | NotVerifiable>>, unknown, never>

/** Cases with the same requirements, by name. */
export const checks = (
  looks: Case["looks"],
  lacking: Need,
  scripts: Readonly<Record<string, Script>>,
  core = false
): ReadonlyArray<Case> =>
  Object.entries(scripts).map(([name, script]) => ({
    name,
    core,
    looks,
    lacking,
    run: (world) => Effect.gen(() => script(world))
  }))

/** Every sink can run the case. */
export const always: Need = () => null

/** The sink must claim the capability. */
export const claiming =
  (capability: Exclude<keyof World["can"], "filter">): Need =>
  ({ can }) =>
    can[capability] ? null : `the sink does not claim \`${capability}\``

/** The target must have the hook. */
export const hooked =
  (hook: "read" | "destroy" | "engine" | "kill" | "neighbour" | "tenants"): Need =>
  ({ target }) =>
    target[hook] === undefined ? `the target has no hook \`${hook}\`` : null

/** The sink must have `clear`, which is not a capability. */
export const clearable: Need = ({ clears }) => (clears ? null : "the sink has no `clear`")

/** The target must have an embedding space. */
export const embedded: Need = ({ space }) =>
  space === null ? "the target has no `space`, so no chunk has a vector" : null

/** Reports the first requirement that is not met. */
export const all =
  (...needs: ReadonlyArray<Need>): Need =>
  (world) =>
    needs.reduce<string | null>((reason, need) => reason ?? need(world), null)
