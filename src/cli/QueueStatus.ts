/** `status --queue`: the runs in a queue. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { lasted } from "../internal/base/figures.ts"
import type { RunStatus } from "../Queue.ts"
import * as Columns from "./Columns.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as QueueAddress from "./QueueAddress.ts"
import { Terminal } from "./Terminal.ts"

/** Writes the runs of a queue; exit status 1 when there is none. */
export const show = Effect.fnUntraced(function* (address: string, json: boolean) {
  const terminal = yield* Terminal
  const queue = yield* QueueAddress.open(address)
  const runs = yield* queue.runs
  const now = yield* Clock.currentTimeMillis
  yield* terminal.result(
    json
      ? JSON.stringify({ queue: queue.address, runs })
      : runs.length === 0
        ? `no run in ${queue.address}`
        : runs.flatMap((run) => text(run, now)).flatMap((line) => Columns.wrap(line, terminal.width, 2))
  )
  yield* ExitStatus.set(runs.length === 0 ? 1 : 0)
})

const text = (run: RunStatus, now: number): ReadonlyArray<string> => {
  const { active, complete, coordinator, discovered, failed, finished, problems, root, startedAt, status, waiting } =
    run
  const found = `${discovered}${complete ? "" : "+"} found`
  return [
    `${root}: ${status}, ${found}, ${finished} finished by workers, ${failed} failed, ${waiting} waiting, ${active} in hand`,
    `  coordinated by ${coordinator} for ${lasted(Math.max(0, now - startedAt) / 1000)}`,
    ...problems.map((problem) => `  ${problem}`)
  ]
}
