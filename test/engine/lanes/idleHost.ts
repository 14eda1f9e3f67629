import { Duration, Effect, Scope } from "effect"
import * as LanePool from "../../../src/engine/lanes/LanePool.ts"
import * as Transport from "../../../src/engine/lanes/Transport.ts"

/** A host that runs a job on a lane and never closes its scope. */
const start = Transport.child(new URL("misbehaveLane.ts", import.meta.url))

const job = { kind: "print", bytes: new Uint8Array(1) }

const program = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const pool = yield* LanePool.make({ start, size: 1 }).pipe(Scope.extend(scope))
  yield* pool.run(job, Duration.minutes(1))
})

await Effect.runPromise(program)
console.log("done")
