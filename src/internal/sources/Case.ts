import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { YieldWrap } from "effect/Utils"
import type { Violation } from "./Replica.ts"
import type { Ability } from "./Target.ts"
import type { World } from "./World.ts"

/** One requirement of every source. */
export interface Case {
  readonly name: string
  /** True when a source conforms only if this case passes, not merely if it does not fail. */
  readonly core: boolean
  /** Faults that the double must be able to show. */
  readonly needs: ReadonlyArray<Ability>
  readonly run: (world: World) => Effect.Effect<unknown, Violation, Scope.Scope>
}

/** Steps of a case. */
type Script = (world: World) => Generator<YieldWrap<Effect.Effect<unknown, Violation, Scope.Scope>>, unknown, never>

/** Cases that need the same faults, by name. */
export const checks = (
  needs: ReadonlyArray<Ability>,
  scripts: Readonly<Record<string, Script>>,
  core = false
): ReadonlyArray<Case> =>
  Object.entries(scripts).map(([name, script]) => ({
    name,
    core,
    needs,
    run: (world) => Effect.gen(() => script(world))
  }))
