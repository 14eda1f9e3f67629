import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { DeadLetter } from "../../DeadLetter.ts"
import type { Ledger } from "../../Ledger.ts"
import type { Parser } from "../../Parser.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { adaptiveCeiling } from "../gate/limiter.ts"
import * as DocumentRun from "../run/documentRun.ts"
import type { QueueError } from "../run/queueError.ts"
import * as Board from "./board.ts"
import * as Handle from "./handle.ts"
import { Self } from "./identity.ts"
import type { Lane, Server } from "./lane.ts"
import type { Announcement } from "./message.ts"
import { join, type Tools } from "./workRun.ts"

/** Time between two looks for runs, and between two attempts to join one, in milliseconds. */
const look = 500
const later = 15_000

/** Documents that a worker holds at a time where the parser has no gate and no number is given. */
const few = 8

/** Documents in the stages of a worker, at most. */
const together = 128

/** Services of a worker's memory, the same for all runs. */
export type Services = DeadLetter | Ledger

/** Means of a worker for one run: its tools, where its files are, and what parses and counts. */
export interface Equipped<E> {
  readonly tools: Tools
  readonly find: Handle.Find<E>
  readonly services: Context.Context<Parser | Tokenizer>
}

/**
 * Equips the worker for a run; fails, with the remedy, where it lacks something or must not take part. Null: the run does not concern this worker.
 * Nothing is claimed before.
 */
export type Equip<E, E2> = (announcement: Announcement) => Effect.Effect<Equipped<E> | null, E2, Scope.Scope>

type Told = { readonly _tag: string; readonly message: string }

/**
 * Number of documents in hand: as many as may be asked for at a time, two more, and those that are not at the gate, since they are read here,
 * wait for a retry or are being stored. Never more than three for each request, as on one machine.
 */
const holding = (tools: Tools, { context }: Handle.Part, inHand: () => number): (() => number) => {
  const { gate } = context.parser
  const { concurrency = "adaptive" } = tools
  const most = 3 * (concurrency === "adaptive" ? adaptiveCeiling : Math.max(1, concurrency))
  return () => {
    if (gate === undefined) return typeof tools.concurrency === "number" ? Math.max(1, tools.concurrency) : few
    const { inFlight, limit, waiting } = gate.snapshot()
    return Math.min(most, limit + 2 + Math.max(0, inHand() - inFlight - waiting))
  }
}

/** Takes part in one run until the scope closes: then the documents in hand are finished. */
const partake = <E extends Told>(
  server: Server,
  announcement: Announcement,
  { name: worker, state }: { readonly name: string; readonly state: string },
  { find, services, tools }: Equipped<E>
) =>
  Effect.gen(function* () {
    const context = yield* Effect.provide(join(server.shown, announcement, state, tools), services)
    const walk = DocumentRun.make(context, tools.embedder, together)
    const part: Handle.Part = { run: announcement.run, worker, context, walk }
    const handle = Handle.make(part, find)
    const lane = yield* server.lane(announcement.lane)
    let inHand = 0
    const counted = (job: Parameters<typeof handle>[0]) =>
      Effect.suspend(() => {
        inHand += 1
        return Effect.ensuring(
          Effect.provide(handle(job), services),
          Effect.sync(() => {
            inHand -= 1
          })
        )
      })
    const working = yield* lane.work(worker, counted)
    const most = holding(tools, part, () => inHand)
    yield* Effect.forkScoped(
      Effect.interruptible(
        Effect.forever(
          Effect.zipRight(
            Effect.sync(() => working.hold(most())),
            Effect.sleep(100)
          )
        )
      )
    )
  })

/** See `Queue.RunEvent`. */
export interface RunEvent {
  readonly _tag: "Joined" | "Refused" | "Left"
  readonly root: string
  /** Host and process of the run's coordinator. */
  readonly coordinator: string
  /** Why the worker cannot join the run, with the remedy; empty for the other events. */
  readonly problem: string
}

/** Settings of a worker. */
export interface Options<E, E2> {
  /** Default: host and process. */
  readonly name?: string | undefined
  readonly state: string
  readonly equip: Equip<E, E2>
  /** Completes when nothing more may be claimed. */
  readonly stop: Effect.Effect<void>
  readonly onRun: (event: RunEvent) => Effect.Effect<void>
}

/** This worker's part in a run. */
interface Member {
  readonly run: string
  /** Completed when the run is over, with an empty text, or when this worker is put aside, with the reason. */
  readonly leave: Deferred.Deferred<string>
  /** Ends when everything in hand is finished. */
  readonly fiber: Fiber.Fiber<void>
}

/** The part of one worker in all runs. */
class Membership<E extends Told, E2 extends Told> {
  private readonly members = new Map<string, Member>()
  private readonly server: Server
  private readonly board: Lane
  private readonly options: Options<E, E2>
  private readonly name: string

  constructor(server: Server, board: Lane, options: Options<E, E2>, name: string) {
    this.server = server
    this.board = board
    this.options = options
    this.name = name
  }

  /** Takes part in these runs and in no others, and in none that has put this worker aside. */
  readonly follow = (runs: ReadonlyArray<Announcement>): Effect.Effect<void, never, Services | Scope.Scope> =>
    Effect.gen(this, function* () {
      const aside = (run: Announcement | undefined) => run?.aside.find(({ worker }) => worker === this.name)
      for (const [lane, member] of this.members) {
        const announced = runs.find(({ run }) => run === member.run)
        const problem = aside(announced)?.problem ?? ""
        if (announced !== undefined && problem === "") continue
        this.members.delete(lane)
        yield* Deferred.succeed(member.leave, problem)
      }
      for (const announcement of runs) {
        if (this.members.has(announcement.lane) || aside(announcement) !== undefined) continue
        const leave = yield* Deferred.make<string>()
        const fiber = yield* Effect.forkScoped(this.member(announcement, leave))
        this.members.set(announcement.lane, { run: announcement.run, leave, fiber })
      }
    })

  /** Ends all parts; what is in hand is finished. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    const all = [...this.members.values()]
    return Effect.zipRight(
      Effect.forEach(all, ({ leave }) => Deferred.succeed(leave, ""), { discard: true }),
      Effect.forEach(all, ({ fiber }) => Fiber.await(fiber), { discard: true })
    )
  })

  /** Joins a run, again and again where it cannot, and leaves it in the end. */
  private readonly member = (
    announcement: Announcement,
    leave: Deferred.Deferred<string>
  ): Effect.Effect<void, never, Services> =>
    Effect.gen(this, function* () {
      const { coordinator, lane, root } = announcement
      const { equip, onRun, state } = this.options
      const { name } = this
      const tell = (_tag: RunEvent["_tag"], problem: string = "") => onRun({ _tag, root, coordinator, problem })
      const part = Effect.gen(this, function* () {
        const taking = Effect.flatMap(equip(announcement), (equipped) =>
          equipped === null
            ? Effect.succeed(false)
            : Effect.as(partake(this.server, announcement, { name, state }, equipped), true)
        )
        // An embedder or a store may let it wait for minutes before it takes part.
        const took = yield* Effect.raceFirst(taking, Effect.as(Deferred.await(leave), false))
        if (took) yield* tell("Joined")
        const problem = yield* Deferred.await(leave)
        return { problem, took }
      })
      let said = ""
      while (!(yield* Deferred.isDone(leave))) {
        const ended = yield* Effect.either(Effect.scoped(part))
        if (Either.isRight(ended)) {
          const { problem, took } = ended.right
          if (took) yield* problem === "" ? tell("Left") : tell("Refused", problem)
          return
        }
        const problem = ended.left.message
        if (problem !== said) {
          said = problem
          yield* Effect.ignore(this.board.log(lane, `worker ${name} cannot join: ${problem}`))
          yield* tell("Refused", problem)
        }
        yield* Effect.raceFirst(Effect.sleep(later), Deferred.await(leave))
      }
    })
}

/**
 * Takes part in every run that is announced, until `stop` completes: then nothing more is claimed, and what is in hand is finished. A run
 * that it cannot join is told so, and asked for again after a while; the others go on.
 */
export const serve = <E extends Told, E2 extends Told>(
  server: Server,
  options: Options<E, E2>
): Effect.Effect<void, QueueError, Services> =>
  Effect.scoped(
    Effect.gen(function* () {
      const board = yield* server.lane(Board.name)
      const stopped = yield* Effect.forkScoped(options.stop)
      const { name } = yield* Self
      const membership = new Membership(server, board, options, options.name ?? name)
      while (Option.isNone(yield* Fiber.poll(stopped))) {
        const runs = yield* Board.runs(board)
        yield* membership.follow(runs.filter(({ status }) => status === "open"))
        yield* Effect.raceFirst(Effect.sleep(look), Fiber.await(stopped))
      }
      yield* membership.end
    })
  )
