/** The cases of `SourceConformance`: a source over the model of a store, and a replica that is kept in step through it. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ConformanceFailure, type Verdict } from "../conformance/Verdict.ts"
import type { Case } from "./Case.ts"
import { changes } from "./cases/changes.ts"
import { listing } from "./cases/listing.ts"
import { reading } from "./cases/reading.ts"
import { requests } from "./cases/requests.ts"
import { whole } from "./cases/whole.ts"
import type { Ability, Target } from "./Target.ts"
import * as World from "./World.ts"

export const cases: ReadonlyArray<Case> = [...whole, ...changes, ...listing, ...reading, ...requests]

const words: Readonly<Record<Ability, string>> = {
  pages: "lists in pages",
  status: "refuses requests",
  break: "breaks answers off",
  blank: "answers without a body",
  unversioned: "tells no versions"
}

/** Runs one case over an empty store. */
export const run = <E>(
  { name, needs, run: script }: Case,
  target: Target<E>
): Effect.Effect<Verdict, ConformanceFailure | E, Scope.Scope> => {
  const lacking = needs.find((need) => target.abilities?.includes(need) !== true)
  if (lacking !== undefined) {
    return Effect.succeed({
      result: "not verifiable",
      reason: `the double of the store never ${words[lacking]} (\`${lacking}\`)`
    })
  }
  return Effect.flatMap(World.make(target), (world) =>
    Effect.matchEffect(script(world), {
      onFailure: ({ problem }) => Effect.fail(new ConformanceFailure({ case: name, problem })),
      onSuccess: () => Effect.succeed<Verdict>({ result: "passed" })
    })
  )
}
