import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { canonicalJson } from "../base/canonicalJson.ts"
import { sha256 } from "../base/sha256.ts"
import type { Compared } from "../run/compare.ts"
import type { RunContext } from "../run/context.ts"
import { inThisProcess, type Workplace } from "../run/documentRun.ts"
import type { RunMemory } from "../run/memory.ts"
import { QueueError } from "../run/queueError.ts"
import * as Board from "./board.ts"
import { Self } from "./identity.ts"
import type { Lane, Server } from "./lane.ts"
import { Announcement, version } from "./message.ts"
import { Pending } from "./pending.ts"
import { Road } from "./road.ts"

/** Place of one run in the queue, of which this process is the coordinator. */
export interface Place {
  readonly server: Server
  readonly board: Lane
  /** The run as it is announced now. */
  mine: Announcement
}

/** Documents that are sent ahead of the workers, at most. */
export const defaultDepth = 10_000

/** Time after which a run without a sign of a worker says so, in milliseconds. */
const patience = 10_000

/** Time after which a run ends in which no worker gets at a file; longer than one is put aside, so that it tries twice. */
const blindness = 20_000

export interface Asked {
  /** Id of the state; a nonce of this process for one in memory. */
  readonly state: string
  readonly root: string
  readonly path: string | null
  readonly patterns: string
  readonly request: string
}

const unknown = { optionsHash: "", configuration: "", embedder: null, sinks: [] } as const

/** Takes the place of a root's coordinator until the scope closes. Fails when another process has it. */
export const place = (server: Server, asked: Asked): Effect.Effect<Place, QueueError, Scope.Scope> =>
  Effect.gen(function* () {
    const board = yield* server.lane(Board.name)
    const startedAt = yield* Clock.currentTimeMillis
    const { name } = yield* Self
    const mine = Announcement.make({
      v: version,
      run: randomUUID(),
      status: "opening",
      coordinator: name,
      beat: 0,
      lane: Board.idOf(asked.state, asked.root),
      ...asked,
      scope: 0,
      startedAt,
      mode: "upsert",
      redo: "nothing",
      verify: false,
      claim: "own",
      truncated: "warn",
      expected: unknown,
      discovered: 0,
      complete: false,
      finished: 0,
      failed: 0,
      aside: []
    })
    const taken: Place = { server, board, mine }
    yield* Effect.acquireRelease(Board.take(server, board, mine), () => vacate(taken))
    yield* Effect.forkScoped(Effect.interruptible(pulsing(taken)))
    return taken
  })

/** Leaves the place, unless another coordinator has it by now. */
const vacate = ({ board, mine, server }: Place): Effect.Effect<void> =>
  Effect.ignore(Effect.zipRight(Board.renew(server, board, mine), board.remove([mine.lane])))

/** Signs of life until the run is open, and after it: while sinks are prepared, and documents removed. */
const pulsing = (place: Place): Effect.Effect<void> =>
  Effect.forever(Effect.zipRight(Effect.sleep(Board.pulse), Effect.ignore(Effect.suspend(() => beat(place, {})))))

/** A sign of life with the current counts. */
const beat = (place: Place, change: Partial<ConstructorParameters<typeof Announcement>[0]>) =>
  Effect.suspend(() => {
    place.mine = Announcement.make({ ...place.mine, ...change, beat: place.mine.beat + 1 })
    return Board.renew(place.server, place.board, place.mine)
  })

const digestOf = ({ expected, mode }: RunMemory): string => {
  const { configuration, embedder, optionsHash, redo, sinks, verify } = expected
  return sha256(canonicalJson({ configuration, embedder, optionsHash, redo, sinks, verify, mode }))
}

/**
 * The workplace behind a queue: workers in other processes. A store that holds chunks of which the state does not know, because it was adopted, is compared by this process
 * alone, so such a run goes through this process.
 */
export const through =
  (place: Place, depth: number): Workplace<QueueError> =>
  (context, options) => {
    const { memory, writers } = context
    if (memory === null || writers.some(({ held }) => held !== null)) {
      const here = inThisProcess(context, options)
      return (items) =>
        Stream.concat(
          Stream.drain(
            Stream.fromEffect(
              Effect.logWarning("a target was adopted: this run is done by this process alone, without workers")
            )
          ),
          here(items)
        )
    }
    return <E, R>(items: Stream.Stream<Compared, E, R>) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const { claim = "own" } = memory.options
          const { configuration, embedder, optionsHash, redo, sinks, startedAt, verify } = memory.expected
          const lane = yield* place.server.lane(place.mine.lane)
          // Not the queue of a coordinator that has taken over.
          yield* Effect.addFinalizer(() => Effect.ignore(Effect.zipRight(beat(place, {}), lane.obliterate)))
          yield* cleared(lane)
          yield* lane.tend
          const road = new Road(lane, context, new Pending(place.mine.run, digestOf(memory)), depth)
          yield* beat(place, {
            status: "open",
            scope: memory.scan.scope,
            startedAt,
            mode: memory.mode,
            redo,
            verify,
            claim,
            truncated: context.truncated,
            expected: { optionsHash, configuration, embedder, sinks },
            down: writers.flatMap(({ down, sink }) => (down() === null ? [] : [sink.id]))
          })
          yield* Effect.forkScoped(Effect.interruptible(following(place, lane, road, context)))
          const feeding = yield* Effect.forkScoped(
            Effect.interruptible(
              Effect.ensuring(
                Stream.runForEachChunk(items, road.send),
                Effect.sync(() => {
                  road.ended = true
                })
              )
            )
          )
          // A failure of the source comes after the outcomes of all documents found before.
          const rest = Stream.drain(Stream.fromEffect(Fiber.join(feeding)))
          return Stream.concat(Stream.repeatEffectChunkOption(road.take), rest)
        })
      )
  }

/** Clears the queue of an earlier run of the root: waiting jobs are sent again where they are still wanted; results are in the ledger. */
const cleared = (lane: Lane): Effect.Effect<void, QueueError> =>
  Effect.gen(function* () {
    yield* lane.drain
    yield* lane.limit(null)
    for (;;) {
      const ended = yield* lane.ended(1000)
      if (ended.length === 0) return
      yield* lane.remove(ended.map(({ id }) => id))
    }
  })

/** Announces the counts, mends what the server lost, sets the limit, and repeats what workers say, until the run ends. */
const following = (place: Place, lane: Lane, road: Road, { session }: RunContext): Effect.Effect<void> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const said = new Set<string>()
    let alone = false
    const look = Effect.gen(function* () {
      yield* Effect.raceFirst(Effect.sleep(Board.pulse), road.aside.changed)
      for (const line of road.aside.news()) yield* place.board.log(place.mine.lane, line)
      const { complete, discovered } = session
      const status = session.stopped() === null ? "open" : "stopped"
      const aside = road.aside.at(yield* Clock.currentTimeMillis)
      yield* beat(place, { status, discovered, complete, finished: road.finished, failed: road.failed, aside })
      const lost = yield* road.mend
      if (lost > 0) yield* Effect.logWarning(`the queue had lost ${lost} documents; they were sent again`)
      const now = yield* Clock.currentTimeMillis
      const limit = road.pace.change(now)
      if (limit !== undefined) yield* lane.limit(limit)
      for (const line of yield* place.board.logs(place.mine.lane)) {
        if (!said.has(line)) yield* Effect.logWarning(line)
        said.add(line)
      }
      const blind = road.aside.blindFor(now) >= blindness
      if (!blind && (alone || road.finished > 0 || road.aside.all.length > 0 || now - begun < patience)) return
      if (road.pending.size === 0 || (yield* lane.counts).active > 0) return
      if (blind) {
        const workers = road.aside.all.map(({ problem, worker }) => `${worker}: ${problem}`).join("; ")
        yield* new QueueError({
          queue: place.server.shown,
          reason: "Aside",
          problem: `no worker can get at the documents: ${workers}`
        })
      }
      alone = true
      yield* Effect.logWarning(
        "no worker has taken a document yet; start some (docsluice worker), or look at their logs"
      )
    })
    yield* Effect.forever(look)
  }).pipe(Effect.catchAll((error) => Effect.sync(() => session.halt(error))))
