/** A server of queues with the promises of BullMQ and no others. */
import * as Effect from "effect/Effect"
import type { Claimed, Done, Ended, Lane, Server } from "../../src/internal/queue/lane.ts"
import { patient } from "../../src/internal/queue/server.ts"
import { QueueError } from "../../src/internal/run/queueError.ts"
import { type Chance, chance } from "./Kernel.ts"
import type { Network } from "./Network.ts"
import type { Process } from "./Process.ts"

const address = "queue.test"

const lost = new QueueError({ queue: address, reason: "Unreachable", problem: "the connection broke" })

/** Milliseconds for which a claim lasts that its worker does not renew; and the longest time until somebody sees that it has ended. */
const lock = 6000
const looks = 4000

/** A job whose claim was lost more often fails. */
const losses = 3

/** Longest wait for a job, in milliseconds. */
const drain = 2000

interface Job extends Claimed {
  data: unknown
  state: "wait" | "active" | "ended"
  /** The claim of one worker. */
  claim: object | null
  until: number
  lost: number
  result: unknown
  failure: string | null
  readonly lines: Array<string>
}

/** A claim, as its worker has it. */
interface Claim {
  readonly job: Claimed
  readonly token: object
}

/** The jobs of one queue, in the order of their arrival. */
interface Rows {
  readonly name: string
  readonly jobs: Map<string, Job>
  /** Processes that look for lost claims. */
  readonly tenders: Set<Process>
  /** Workers that wait for a job. */
  readonly wanting: Array<(claim: Claim | null) => void>
}

const claimedOf = ({ data, id }: Job): Claimed => ({ id, data })

const endedOf = ({ data, failure, id, result }: Job): Ended => ({ id, data, result, failure })

export class Jobs {
  private readonly lanes = new Map<string, Rows>()
  private readonly network: Network
  private readonly draw: Chance

  constructor(network: Network) {
    this.network = network
    this.draw = chance(`${network.kernel.seed} queue`)
  }

  /** The server loses what it has: it was begun again without its memory. */
  empty(): void {
    for (const { jobs } of this.lanes.values()) jobs.clear()
  }

  server(process: Process): Server {
    return {
      shown: address,
      warning: null,
      lane: (name) => {
        const rows = this.rows(name)
        return Effect.as(
          patient(
            address,
            this.asked(process, `${rows.name} is opened`, () => {})
          ),
          this.lane(process, rows)
        )
      }
    }
  }

  private rows(name: string): Rows {
    const before = this.lanes.get(name)
    if (before !== undefined) return before
    // Names hold the id of the state, which is another one each time.
    const made: Rows = { name: `queue ${this.lanes.size}`, jobs: new Map(), tenders: new Set(), wanting: [] }
    this.lanes.set(name, made)
    return made
  }

  private asked<A>(process: Process, what: string, work: () => A): Effect.Effect<A, QueueError> {
    return this.network.ask<A, QueueError>(process, { server: "queue", what, lost }, (answer) =>
      answer(Effect.succeed(work()))
    )
  }

  private lane(process: Process, rows: Rows): Lane {
    const { jobs, name } = rows
    const ask = <A>(what: string, work: () => A) => patient(address, this.asked(process, `${name} ${what}`, work))
    const some = (...states: ReadonlyArray<Job["state"]>) =>
      [...jobs.values()].filter(({ state }) => states.includes(state))
    const tending = Effect.acquireRelease(
      Effect.sync(() => void rows.tenders.add(process)),
      () => Effect.sync(() => void rows.tenders.delete(process))
    )
    return {
      add: (all) => (all.length === 0 ? Effect.void : ask(`gets ${all.length} jobs`, () => this.add(rows, all))),
      ended: (most) => ask("tells what ended", () => some("ended").slice(0, most).map(endedOf)),
      waiting: ask("tells what waits", () => some("wait").map(claimedOf)),
      one: (id) =>
        ask("tells of one", () => {
          const job = jobs.get(id)
          return job === undefined ? null : claimedOf(job)
        }),
      remove: (ids) =>
        ids.length === 0
          ? Effect.void
          : ask(`removes ${ids.length}`, () => {
              for (const id of ids) if (jobs.get(id)?.state !== "active") jobs.delete(id)
            }),
      counts: ask("counts", () => ({
        waiting: some("wait").length,
        active: some("active").length,
        ended: some("ended").length
      })),
      present: (ids) => ask("tells what is there", () => new Set(ids.filter((id) => jobs.has(id)))),
      begun: ask("tells what has begun", () => new Set(some("active", "ended").map(({ id }) => id))),
      update: (id, data) =>
        ask("updates one", () => {
          const job = jobs.get(id)
          if (job !== undefined) job.data = data
          return job !== undefined
        }),
      log: (id, line) => ask("notes a line", () => void jobs.get(id)?.lines.push(line)),
      logs: (id) => ask("tells lines", () => jobs.get(id)?.lines.slice(-20) ?? []),
      drain: ask("is drained", () => {
        for (const { id } of some("wait")) jobs.delete(id)
      }),
      obliterate: ask("is deleted", () => jobs.clear()),
      limit: () => ask("is limited", () => {}),
      tend: tending,
      work: (_, handle) => Effect.zipRight(tending, this.working(process, rows, handle))
    }
  }

  /** Claims jobs until the scope ends; then those in hand are brought to their ends. */
  private working(process: Process, rows: Rows, handle: (job: Claimed) => Effect.Effect<Done>) {
    return Effect.gen(this, function* () {
      let most = 2
      let inHand = 0
      let closing = false
      const one = ({ job, token }: Claim) =>
        Effect.gen(this, function* () {
          const told = <A>(what: string, work: () => A) => this.asked(process, `${rows.name} ${what} ${job.id}`, work)
          const held = Effect.iterate(true, {
            while: (kept) => kept,
            body: () => {
              const renewed = told("renews", () => this.renew(rows, job.id, token))
              return Effect.zipRight(
                Effect.sleep(lock / 2),
                Effect.orElseSucceed(renewed, () => true)
              )
            }
          })
          const done = yield* Effect.raceFirst(handle(job), Effect.as(held, null))
          if (done === null) return
          yield* Effect.ignore(
            Effect.retry(
              told("ends", () => this.end(rows, { job, token }, done)),
              { times: 1 }
            )
          )
        }).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              inHand -= 1
            })
          )
        )
      const next = Effect.gen(this, function* () {
        const after = (milliseconds: number) => Effect.as(Effect.sleep(milliseconds), null)
        const isFull = closing || inHand >= most
        const claim = yield* isFull ? after(200) : Effect.orElse(this.claim(process, rows), () => after(500))
        if (claim === null) return
        inHand += 1
        yield* Effect.fork(one(claim))
      })
      yield* Effect.forkScoped(Effect.interruptible(Effect.forever(next)))
      yield* Effect.addFinalizer(() =>
        Effect.iterate(true, {
          while: () => {
            closing = true
            return inHand > 0
          },
          body: () => Effect.as(Effect.sleep(50), true)
        })
      )
      return {
        hold: (count: number) => {
          most = Math.max(1, count)
        }
      }
    })
  }

  private claim(process: Process, rows: Rows): Effect.Effect<Claim | null, QueueError> {
    const request = { server: "queue", what: `${rows.name} is asked for a job`, lost } as const
    return this.network.ask<Claim | null, QueueError>(process, request, (answer) => {
      const take = (claim: Claim | null) => answer(Effect.succeed(claim))
      rows.wanting.push(take)
      this.hand(rows)
      this.network.kernel.after(drain, null, () => {
        const at = rows.wanting.indexOf(take)
        if (at < 0) return
        rows.wanting.splice(at, 1)
        take(null)
      })
    })
  }

  private add(rows: Rows, all: ReadonlyArray<Claimed>): void {
    for (const { data, id } of all) {
      if (rows.jobs.has(id)) continue
      const job: Job = {
        id,
        data,
        state: "wait",
        claim: null,
        until: 0,
        lost: 0,
        result: null,
        failure: null,
        lines: []
      }
      rows.jobs.set(id, job)
    }
    this.hand(rows)
  }

  /** Gives waiting jobs to the workers that want some; one that has gone since loses its claim after a while. */
  private hand(rows: Rows): void {
    for (const job of rows.jobs.values()) {
      if (job.state !== "wait") continue
      const take = rows.wanting.shift()
      if (take === undefined) return
      const token = {}
      job.state = "active"
      job.claim = token
      job.until = this.network.kernel.now + lock
      this.watch(rows, job, token)
      take({ job: claimedOf(job), token })
    }
  }

  private watch(rows: Rows, job: Job, token: object): void {
    const { kernel } = this.network
    kernel.after(job.until - kernel.now + looks * this.draw(), null, () => {
      if (job.claim !== token || rows.jobs.get(job.id) !== job) return
      const isTended = [...rows.tenders].some(({ alive, frozen }) => alive && frozen === null)
      if (kernel.now < job.until || !isTended) {
        job.until = Math.max(job.until, kernel.now + 1)
        this.watch(rows, job, token)
        return
      }
      job.claim = null
      job.lost += 1
      job.state = job.lost > losses ? "ended" : "wait"
      if (job.lost > losses) job.failure = "job stalled more than allowable limit"
      this.hand(rows)
    })
  }

  /** False when another worker may have the job by now. */
  private renew({ jobs }: Rows, id: string, token: object): boolean {
    const job = jobs.get(id)
    if (job?.claim !== token) return false
    job.until = this.network.kernel.now + lock
    return true
  }

  private end(rows: Rows, { job: { id }, token }: Claim, done: Done): void {
    const job = rows.jobs.get(id)
    if (job?.claim !== token) return
    job.claim = null
    job.state = done._tag === "Back" ? "wait" : "ended"
    if (done._tag === "Result") job.result = done.value
    if (done._tag === "Broken") job.failure = done.problem
    this.hand(rows)
  }
}
