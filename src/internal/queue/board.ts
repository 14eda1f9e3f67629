import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { sha256 } from "../base/sha256.ts"
import { QueueError } from "../run/queueError.ts"
import { Self } from "./identity.ts"
import type { Lane, Server } from "./lane.ts"
import { type Announcement, decodeAnnouncement, encodeAnnouncement, version } from "./message.ts"

/** Queue of the announcements: one job for each root with a run, which nobody claims. */
export const name = "docsluice-runs"

/** Time between two signs of life of a coordinator, and the silence after which it counts as gone, in milliseconds. */
export const pulse = 2000
const silence = 10_000

/** Id of the announcement, and name of the queue, of a root of a state. */
export const idOf = (state: string, root: string): string => `docsluice-${sha256(`${state}\n${root}`).slice(0, 24)}`

/** A message that this version does not read, with the remedy. */
const unread = (server: Server, data: unknown): QueueError => {
  const found = typeof data === "object" && data !== null && "v" in data ? data.v : undefined
  return typeof found === "number" && found > version
    ? new QueueError({
        queue: server.shown,
        reason: "Newer",
        problem: "a later version of docsluice uses this queue; use that version here too"
      })
    : new QueueError({ queue: server.shown, reason: "Failed", problem: "the queue holds what is no run of docsluice" })
}

/** The runs that are announced; what cannot be read is left out. */
export const runs = (board: Lane): Effect.Effect<ReadonlyArray<Announcement>, QueueError> =>
  Effect.map(board.waiting, (jobs) =>
    jobs.flatMap(({ data }) => Either.match(decodeAnnouncement(data), { onLeft: () => [], onRight: (one) => [one] }))
  )

const read = (server: Server, board: Lane, id: string): Effect.Effect<Announcement | null, QueueError> =>
  Effect.flatMap(board.one(id), (job) =>
    job === null ? Effect.succeed(null) : Effect.mapError(decodeAnnouncement(job.data), () => unread(server, job.data))
  )

const busy = (server: Server, { coordinator, root }: Announcement): QueueError =>
  new QueueError({
    queue: server.shown,
    reason: "Busy",
    problem: `${coordinator} has a run of the root "${root}" in this queue; wait for its end, or stop it`
  })

/** Waits until the coordinator that was there is known to be gone; fails when it gives a sign of life. */
const vacated = (server: Server, board: Lane, found: Announcement, id: string): Effect.Effect<void, QueueError> =>
  Effect.gen(function* () {
    const { hasEnded, name } = yield* Self
    if (hasEnded(found.coordinator)) return
    if (found.coordinator === name) yield* busy(server, found)
    const until = (yield* Clock.currentTimeMillis) + silence
    while ((yield* Clock.currentTimeMillis) < until) {
      yield* Effect.sleep(pulse / 4)
      const now = yield* read(server, board, id)
      if (now === null) return
      if (now.run !== found.run || now.beat !== found.beat) yield* busy(server, now)
    }
  })

/**
 * Makes this process the coordinator of a root's run. `Busy` when another one gives signs of life; one that gives none for ten seconds is
 * replaced.
 */
export const take = (server: Server, board: Lane, mine: Announcement): Effect.Effect<void, QueueError> =>
  Effect.gen(function* () {
    const id = mine.lane
    const found = yield* read(server, board, id)
    if (found !== null) {
      yield* vacated(server, board, found, id)
      yield* board.remove([id])
    }
    yield* board.add([{ id, data: encodeAnnouncement(mine) }])
    const now = yield* read(server, board, id)
    if (now !== null && now.run !== mine.run) yield* busy(server, now)
  })

/** Renews the announcement, which a server may have lost; fails when another coordinator has replaced this one. */
export const renew = (server: Server, board: Lane, mine: Announcement): Effect.Effect<void, QueueError> =>
  Effect.gen(function* () {
    const now = yield* read(server, board, mine.lane)
    if (now !== null && now.run !== mine.run) {
      yield* new QueueError({
        queue: server.shown,
        reason: "TakenOver",
        problem: `${now.coordinator} has taken over the run of the root "${mine.root}", since this process gave no sign of life`
      })
    }
    if (now === null || !(yield* board.update(mine.lane, encodeAnnouncement(mine)))) {
      yield* board.add([{ id: mine.lane, data: encodeAnnouncement(mine) }])
    }
  })
