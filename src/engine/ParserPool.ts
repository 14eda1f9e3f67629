/** Pools of the package's own lanes, whose processes run its parsers. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Entry from "#entry"
import * as LanePool from "./lanes/LanePool.ts"
import * as Transport from "./lanes/Transport.ts"

/** A pool of `size` lanes, each with these bounds of memory; default those of a document. */
export const make = (size: number, bounds?: Transport.Bounds): Effect.Effect<LanePool.LanePool, never, Scope.Scope> =>
  Effect.suspend(() =>
    LanePool.make({ start: Transport.child(Entry.entryBeside("laneEntry", import.meta.url), bounds), size })
  )
