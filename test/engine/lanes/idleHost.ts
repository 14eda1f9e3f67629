import { Duration, Effect, Scope } from "effect"
import * as LanePool from "../../../src/engine/lanes/LanePool.ts"
import * as Transport from "../../../src/engine/lanes/Transport.ts"

/** A host that runs a job on a lane of each kind and never closes their scope. */
const starts = [
  Transport.worker(new URL("misbehaveWorker.ts", import.meta.url)),
  Transport.child(new URL("misbehaveChild.ts", import.meta.url))
]

const job = { kind: "print", bytes: new Uint8Array(1) }

const program = Effect.gen(function* () {
  const scope = yield* Scope.make()
  for (const start of starts) {
    const pool = yield* LanePool.make({ start, size: 1 }).pipe(Scope.extend(scope))
    yield* pool.run(job, Duration.minutes(1))
  }
})

await Effect.runPromise(program)
console.log("done")
