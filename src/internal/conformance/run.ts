import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as access from "./access.ts"
import type { Case } from "./Case.ts"
import type { Target } from "./Target.ts"
import { type ConformanceFailure, NotVerifiable, type Verdict } from "./Verdict.ts"
import * as World from "./World.ts"

/** Runs one case over an empty target. */
export const run = <E>(row: Case, target: Target<E>): Effect.Effect<Verdict, ConformanceFailure | E, Scope.Scope> =>
  Effect.gen(function* () {
    const world = World.make(row.name, target, yield* Effect.scoped(access.open(target)))
    const reason = row.lacking(world)
    if (reason !== null) return notVerifiable(reason)
    yield* row.run(world)
    return verdictOf(row, world)
  }).pipe(
    Effect.catchIf(
      (error) => error instanceof NotVerifiable,
      ({ reason }) => Effect.succeed(notVerifiable(reason))
    )
  )

const notVerifiable = (reason: string): Verdict => ({ result: "not verifiable", reason })

const verdictOf = ({ looks }: Case, world: World.World): Verdict => {
  const looked = world.looked()
  if (looks === "itself" || looked === "content" || looked === looks) return { result: "passed" }
  return notVerifiable(
    looked === "ids"
      ? "only ids could be verified: the target has no hook `read`, and no search shows these chunks"
      : world.can.search
        ? "nothing could be verified: the sink cannot list, no search shows these chunks, and the target has no hook `read`"
        : "nothing could be verified: the sink can neither list nor search, and the target has no hook `read`"
  )
}
