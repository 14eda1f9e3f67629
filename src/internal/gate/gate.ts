/** Limits of the requests to one service: how many at a time, how often, and whether it is asked at all. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { ServiceUnreachable } from "../../service/ServiceError.ts"
import { sleepUntil } from "../base/sleepUntil.ts"
import { Breaker } from "./breaker.ts"
import type { Observation, Observed, Options, Snapshot, UseOptions } from "./contract.ts"
import { Limiter } from "./limiter.ts"
import { Outage } from "./outage.ts"
import { Pacer } from "./pacer.ts"
import { type Place, Queue } from "./queue.ts"
import { Users } from "./users.ts"

/** A request in flight. */
interface Slot {
  /** Time of its sending, in milliseconds since the epoch. */
  readonly at: number
  readonly bytes: number
  /** Requests in flight when it was sent, itself included. */
  readonly inFlight: number
  /** Its number among all requests. */
  readonly number: number
  /** Epoch of the limit. */
  readonly epoch: number
  readonly probe: boolean
}

/** A request that waits for its slot. */
interface Waiter {
  readonly bytes: number
  readonly grant: (slot: Slot) => void
  readonly refuse: (error: ServiceUnreachable) => void
}

/** Milliseconds without a request after which an outage that went before is forgotten: nobody has asked the service meanwhile. */
const forgottenAfter = 180_000

const never = Number.POSITIVE_INFINITY

/**
 * The gate of one service, in plain state: while nobody waits, a request costs a slot and no fiber. Those who wait share one timer,
 * which runs in the gate's scope. Every change is one synchronous step, so that interruption never comes in between.
 */
export class Gate {
  private readonly users = new Users()
  private readonly queue = new Queue<Waiter>()
  private readonly limiter = new Limiter()
  private readonly pacer = new Pacer()
  private readonly breaker = new Breaker()
  private readonly outage = new Outage()
  private readonly address: string
  private readonly scope: Scope.Scope
  private inFlight = 0
  private bytes = 0
  private lastUsed = 0
  private servedAt: number | null = null
  /** Time of the timer that runs; Infinity without one. */
  private timer = never

  constructor(address: string, scope: Scope.Scope) {
    this.address = address
    this.scope = scope
  }

  /** Runs a request in a slot. See `RequestGate.Service`. */
  readonly use = <A, E, R, H = never>(
    request: Effect.Effect<A, E, R>,
    observe: (exit: Exit.Exit<A, E>) => Observation,
    options: UseOptions<H> = {}
  ): Effect.Effect<A, E | H | ServiceUnreachable, R> =>
    Effect.uninterruptibleMask((restore) => {
      const sent = (slot: Slot): Effect.Effect<A, E, R> =>
        Effect.onExit(restore(request), (exit) =>
          Effect.clockWith((clock) => this.leave(slot, clock.unsafeCurrentTimeMillis(), exit, observe))
        )
      return Effect.clockWith((clock) => {
        const slot = this.enter(clock.unsafeCurrentTimeMillis(), options.bytes ?? 0)
        return slot === null ? this.turn(restore, options, sent) : sent(slot)
      })
    })

  /** Counts a user, whose options hold for all others while the scope is open. */
  readonly join = (options: Options): Effect.Effect<void, never, Scope.Scope> =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          const name = this.users.add(options)
          this.bound()
          return name
        }),
        (name) =>
          this.settling(() => {
            this.users.remove(name)
            this.bound()
          })
      )
    )

  /** See `RequestGate.Service`. */
  readonly downtime = (now: number): number => this.outage.closedTime(now) + this.breaker.openTime(now)

  readonly snapshot = (): Snapshot => ({
    limit: this.limiter.limit,
    inFlight: this.inFlight,
    waiting: this.queue.size,
    ratePerSecond: this.pacer.rate === null ? null : this.pacer.rate * 1000,
    breaker: this.breaker.state,
    closedUntil: this.outage.closedUntil === 0 ? null : this.outage.closedUntil,
    servedAt: this.servedAt
  })

  private bound(): void {
    this.limiter.bound(this.users.bounds.concurrency)
    this.pacer.bound(this.users.bounds.rate)
  }

  /** A slot without a wait; null when the request has to wait. */
  private enter(now: number, bytes: number): Slot | null {
    if (this.inFlight === 0 && this.queue.size === 0 && now - this.lastUsed > forgottenAfter) this.outage.end()
    if (this.outage.closed(now)) this.outage.begin(now, null)
    this.lastUsed = now
    const free = this.queue.size === 0 && this.opensAt(now) <= now && now < this.givesUpAt(now) && this.fits(bytes)
    return free ? this.take(now, bytes) : null
  }

  /** Waits for a slot, then runs the request in it. Whatever ends the wait, a slot that was granted is given back. */
  private turn<A, E, R, H>(
    restore: <A2, E2, R2>(self: Effect.Effect<A2, E2, R2>) => Effect.Effect<A2, E2, R2>,
    { again, bytes, halt }: UseOptions<H>,
    sent: (slot: Slot) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | H | ServiceUnreachable, R> {
    type Outcome = Effect.Effect<Slot, H | ServiceUnreachable>
    let granted: Slot | null = null
    let outcome: Outcome | null = null
    let resume: ((outcome: Outcome) => void) | null = null
    const end = (ended: Outcome): void => {
      outcome ??= ended
      resume?.(outcome)
    }
    const place = this.queue.enter(
      {
        bytes: bytes ?? 0,
        grant: (slot) => {
          granted = slot
          end(Effect.succeed(slot))
        },
        refuse: (error) => end(Effect.fail(error))
      },
      again === true ? "again" : "first"
    )
    const unlisten = halt?.onStop(() => {
      const reason = halt.stopped()
      if (reason === null || !place.waiting) return
      this.queue.leave(place)
      end(Effect.fail(reason))
    })
    const left = this.settling(() => {
      unlisten?.()
      this.queue.leave(place)
      if (granted !== null) this.give(granted)
    })
    const wait = Effect.async<Slot, H | ServiceUnreachable>((resumed) => {
      if (outcome === null) resume = resumed
      else resumed(outcome)
    })
    return Effect.matchCauseEffect(Effect.zipRight(this.settling(), restore(wait)), {
      onFailure: (cause) => Effect.zipRight(left, Effect.failCause(cause)),
      onSuccess: (slot) => {
        unlisten?.()
        return sent(slot)
      }
    })
  }

  /** The end of a request: learns from it, gives its slot back and admits those who wait. */
  private leave<A, E>(
    slot: Slot,
    now: number,
    exit: Exit.Exit<A, E>,
    observe: (exit: Exit.Exit<A, E>) => Observation
  ): Effect.Effect<void> {
    try {
      const observation = observe(exit)
      this.give(slot)
      this.learn(now, slot, typeof observation === "string" ? { state: observation } : observation)
      return this.settle(now)
    } catch (defect) {
      // A function of somebody else: its slot must come back whatever it does.
      this.give(slot)
      return Effect.zipRight(this.settle(now), Effect.die(defect))
    }
  }

  private learn(now: number, slot: Slot, { closeFor, problem, retryAfter, state }: Observed): void {
    switch (state) {
      case "answered":
      case "queued":
        this.served(now, slot, state)
        break
      case "rateLimited":
        this.revive(now)
        this.pacer.refused(now, slot.number, slot.at, retryAfter)
        break
      case "concurrencyLimited":
        this.revive(now)
        this.limiter.limited(now, slot.inFlight)
        break
      case "unhealthy":
      case "unreachable":
        this.limiter.failed(now)
        // A request that was sent before the breaker opened says nothing new.
        if (this.breaker.state === "closed" || slot.probe) this.breaker.failed(now)
        break
      case "unsent":
        if (slot.probe) this.breaker.undecided()
        return
    }
    if (closeFor !== undefined) this.outage.close(now, closeFor)
    if (closeFor !== undefined || (state !== "answered" && state !== "queued")) this.outage.begin(now, problem ?? null)
  }

  private served(now: number, slot: Slot, state: "answered" | "queued"): void {
    this.servedAt = Math.max(this.servedAt ?? 0, slot.at)
    this.revive(now)
    // A wait that the service asked for stands, whoever is still served.
    if (!this.outage.closed(now)) this.outage.end()
    this.pacer.answered(now, slot.number, slot.at)
    if (state === "queued") this.limiter.limited(now, slot.inFlight)
    else this.limiter.answered(now, slot.epoch, slot.inFlight)
  }

  /** The service is at work: after an outage it gets one request first, as in the beginning. */
  private revive(now: number): void {
    if (this.breaker.healthy(now)) this.limiter.restart()
  }

  /** The earliest time for the next request; Infinity while only the end of another request can make room. */
  private opensAt(now: number): number {
    const room = this.limiter.opensAt(this.inFlight)
    if (room === never) return never
    if (!this.breaker.admits(now)) return this.breaker.state === "open" ? this.breaker.until : never
    return Math.max(this.outage.closedUntil, room, this.pacer.readyAt)
  }

  private fits(bytes: number): boolean {
    return this.inFlight === 0 || this.bytes + bytes <= this.users.bounds.bytes
  }

  private take(now: number, bytes: number): Slot {
    this.inFlight += 1
    this.bytes += bytes
    this.limiter.sent(now, this.inFlight)
    return {
      at: now,
      bytes,
      inFlight: this.inFlight,
      number: this.pacer.sent(now),
      epoch: this.limiter.epoch,
      probe: this.breaker.sent()
    }
  }

  private give(slot: Slot): void {
    this.inFlight -= 1
    this.bytes -= slot.bytes
  }

  /** Admits all who may go, and sets the timer for the others. */
  private settle(now: number): Effect.Effect<void> {
    for (let place = this.next(); place !== null; place = this.next()) {
      const end = this.givesUpAt(now)
      if (now >= end) {
        this.giveUp(now)
        return Effect.void
      }
      const opens = this.opensAt(now)
      if (opens > now) return this.wakeAt(Math.min(opens, end))
      if (!this.fits(place.value.bytes)) return this.wakeAt(end)
      this.queue.leave(place)
      place.value.grant(this.take(now, place.value.bytes))
    }
    return Effect.void
  }

  private settling(first?: () => void): Effect.Effect<void> {
    return Effect.clockWith((clock) => {
      first?.()
      return this.settle(clock.unsafeCurrentTimeMillis())
    })
  }

  /** The place that is served next. Probes come from both lanes, so that one document that breaks the service cannot take them all. */
  private next(): Place<Waiter> | null {
    return (this.breaker.probed ? this.queue.headOf("first") : null) ?? this.queue.head
  }

  /** The time at which the waiting requests are given up: at once when the service wants a longer wait than the outage may last. */
  private givesUpAt(now: number): number {
    const end = this.outage.reaches(this.users.bounds.outageLimit)
    return this.outage.closed(now) && this.outage.closedUntil > end ? now : end
  }

  private giveUp(now: number): void {
    const error = this.unreachable(now)
    this.outage.giveUp()
    this.breaker.relent(now)
    for (let place = this.queue.head; place !== null; place = this.queue.head) {
      this.queue.leave(place)
      place.value.refuse(error)
    }
  }

  private unreachable(now: number): ServiceUnreachable {
    const { closedUntil, problem } = this.outage
    const limit = seconds(this.users.bounds.outageLimit)
    const last = problem === null ? "" : `; the last answer was: ${problem}`
    const error = this.outage.closed(now)
      ? `${this.address} wants no request for another ${seconds(closedUntil - now)}, longer than the outage limit of ${limit}${last}`
      : `no request to ${this.address} succeeded for ${limit}, the outage limit${last}`
    return new ServiceUnreachable({ address: this.address, error })
  }

  /** Admits those who wait again at a time, unless a timer does so before. */
  private wakeAt(time: number): Effect.Effect<void> {
    // Clocks count whole milliseconds.
    const at = Math.ceil(time)
    if (at >= this.timer) return Effect.void
    this.timer = at
    const rung = this.settling(() => {
      if (this.timer === at) this.timer = never
    })
    return Effect.asVoid(Effect.forkIn(Effect.interruptible(Effect.zipRight(sleepUntil(at), rung)), this.scope))
  }
}

const seconds = (millis: number): string => `${Math.ceil(millis / 1000)} seconds`
