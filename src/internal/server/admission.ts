/** Requests that a server takes: each caller within its plan, all of them within what the server can hold. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { EngineError } from "../../service/Engine.ts"
import {
  catalogue,
  type InternalServerError,
  type PaymentRequired,
  RequestTimeout
} from "../../service/ServiceError.ts"
import type { ParseResponse } from "../base/parseResponse.ts"
import type { Account, Refusal } from "./account.ts"
import { leastRate, stalled, tooSlow, type Watch } from "./bodyPieces.ts"
import * as turnstiles from "./turnstile.ts"
import { unexpected } from "./unexpected.ts"

export interface Options {
  /** Requests that the server holds at a time, waiting ones included. */
  readonly capacity: number
  /** Documents that the engine parses at a time; undefined for one that takes any number. */
  readonly parsers: number | undefined
  /** Longest wait for a place of the plan, in milliseconds. */
  readonly wait: number
  /** A body of which less than 10 KB a second arrive over this time ends with a 408. */
  readonly idleTimeout: Duration.DurationInput
  /** True while there is no memory for another request. */
  readonly short: () => boolean
}

export interface Admission {
  /**
   * Runs one request of the account: `receive` gets its body, `self` answers it in a place of the account's plan, for which it waits once
   * the body is there. Refuses at once: what the plan does not allow, more requests than the account's share of the server, and while
   * memory is short all but a single one. The server is shared equally among the accounts with requests; one that comes later still gets
   * its share.
   *
   * Instead of a refusal for want of room, the account's slowest body gives way with a 408, if it has arrived for a second at less than
   * 10 KB a second.
   */
  readonly admitted: <A, B, E, R, E2, R2>(
    account: Account,
    receive: (watch: Watch) => Effect.Effect<A, E, R>,
    self: (body: A, waited: turnstiles.Waited) => Effect.Effect<B, E2, R2>
  ) => Effect.Effect<B, E | E2 | Refusal | RequestTimeout, R | R2>
  /**
   * Runs a parse when a parser is free, in turns with the other accounts, for at most `within` milliseconds in all. `long` marks work
   * that needs a parser for a part of its time only.
   */
  readonly parsing: <A, E, R>(
    account: Account,
    options: { readonly within: number; readonly long: boolean },
    self: (left: number) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | RequestTimeout, R>
}

const queueTimeout =
  (account: Account) =>
  (waited: number): RequestTimeout =>
    new RequestTimeout({
      status: 408,
      code: "CONCURRENCY_QUEUE_TIMEOUT",
      error: `${catalogue.RequestTimeout.error}: in the queue for ${waited} ms; send fewer at a time`,
      retryAfter: account.pause()
    })

/** Requests of `long` work for each parser. */
const longPerParser = 4

/** A body that is being received. */
interface Reception {
  readonly account: Account
  readonly begun: number
  readonly received: () => number
  /** Ends it with a 408. */
  readonly drop: () => void
}

/** Milliseconds before a body counts as slow. */
const patience = 1000

/** Ends the account's slowest body, if one is slow; false when none is. */
const makesRoom = (receptions: ReadonlySet<Reception>, account: Account, now: number): boolean => {
  let [slowest, least]: [Reception | undefined, number] = [undefined, leastRate]
  for (const reception of receptions) {
    const age = now - reception.begun
    const rate = reception.received() / age
    if (reception.account !== account || age < patience || rate >= least) continue
    slowest = reception
    least = rate
  }
  slowest?.drop()
  return slowest !== undefined
}

export const make = (options: Options): Admission => {
  const { capacity, idleTimeout, parsers = Number.POSITIVE_INFINITY, short: isShort, wait } = options
  const active = new Set<Account>()
  const receptions = new Set<Reception>()
  const short = turnstiles.make(parsers)
  const long = turnstiles.make(longPerParser * parsers)

  /** Requests that the account may hold: all of the capacity while it is alone. */
  const shareOf = (account: Account): number => {
    const sharing = active.size + (active.has(account) ? 0 : 1)
    return Math.max(1, Math.floor(capacity / sharing))
  }

  const refusal = (account: Account, now: number): Refusal | null =>
    account.refusal(now, shareOf(account)) ?? (active.size > 0 && isShort() ? account.full() : null)

  const watched =
    (account: Account, begun: number): Watch =>
    (received) => {
      const dropped = Effect.async<never, RequestTimeout>((resume) => {
        const drop = () => {
          receptions.delete(reception)
          resume(tooSlow(account.pause()))
        }
        const reception: Reception = { account, begun, received, drop }
        receptions.add(reception)
        return Effect.sync(() => receptions.delete(reception))
      })
      return Effect.raceFirst(stalled(idleTimeout)(received), dropped)
    }

  const enter = (account: Account, now: number): void => {
    account.enter(now)
    active.add(account)
  }

  const leave = (account: Account, took: number): void => {
    account.leave(took)
    if (account.held() === 0) active.delete(account)
  }

  return {
    admitted: (account, receive, self) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const begun = yield* Clock.currentTimeMillis
          const refused = refusal(account, begun)
          if (
            refused !== null &&
            (refused._tag !== "ConcurrencyLimitReached" || !makesRoom(receptions, account, begun))
          ) {
            return yield* refused
          }
          enter(account, begun)
          const passed = Effect.flatMap(receive(watched(account, begun)), (body) =>
            account.places.pass(account.name, { within: wait, late: queueTimeout(account) }, (waited) =>
              self(body, waited)
            )
          )
          return yield* Effect.ensuring(
            restore(passed),
            Effect.map(Clock.currentTimeMillis, (now) => leave(account, now - begun))
          )
        })
      ),
    parsing: (account, { long: isLong, within }, self) =>
      (isLong ? long : short).pass(account.name, { within, late: queueTimeout(account) }, (waited = 0) =>
        self(within - waited)
      )
  }
}

/** Records the credits of an answer for good. */
export type Recorded = (credits: number) => Effect.Effect<void, { readonly message: string }>

/**
 * Runs a parse for credits: `price` is reserved while it runs, its real cost is recorded before the answer, and a parse that fails or is
 * interrupted costs nothing. An answer that costs more than is left is withheld.
 */
export const charged = (
  account: Account,
  price: number,
  recorded: Recorded,
  self: Effect.Effect<ParseResponse, EngineError>
): Effect.Effect<ParseResponse, EngineError | PaymentRequired> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.suspend((): Effect.Effect<ParseResponse, EngineError | PaymentRequired> => {
      const refused = account.reserve(price)
      if (refused !== null) return refused
      let reserved = price
      const settled = (
        response: ParseResponse
      ): Effect.Effect<ParseResponse, PaymentRequired | InternalServerError> => {
        const cost = response.data.metadata.creditsUsed ?? 0
        const lacking = cost > reserved ? account.reserve(cost - reserved) : null
        if (lacking !== null) return lacking
        reserved = Math.max(reserved, cost)
        return recorded(cost).pipe(
          Effect.catchAll(({ message }) => unexpected("a parse could not be recorded", message)),
          Effect.map(() => {
            account.spend(cost)
            return response
          })
        )
      }
      return Effect.ensuring(
        Effect.flatMap(restore(self), settled),
        Effect.sync(() => account.release(reserved))
      )
    })
  )
