import { Duration, Effect } from "effect"
import * as LanePool from "../../../src/engine/lanes/LanePool.ts"
import * as Transport from "../../../src/engine/lanes/Transport.ts"

/** A host that prints the process of its lane, gives it a job that never ends, and waits. */
const start = Transport.child(new URL("misbehaveLane.ts", import.meta.url))

const minute = Duration.minutes(1)

const program = Effect.gen(function* () {
  const pool = yield* LanePool.make({ start, size: 1 })
  const bytes = new Uint8Array(1)
  const reply = yield* pool.run({ kind: "process", bytes }, minute)
  yield* Effect.fork(pool.run({ kind: "loop", bytes }, minute))
  yield* Effect.sleep("200 millis")
  console.log(reply._tag === "Done" ? reply.value : reply.error)
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
