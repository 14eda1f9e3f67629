/**
 * Lets requests through: one gate per key and base address, shared by all workers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

/**
 * What a request told of the service's state. `answered`: an answer of any kind that says nothing more; `rateLimited`,
 * `concurrencyLimited`: the service asks for less; `unhealthy`: a fault of the service; `unreachable`: no answer at all;
 * `unsent`: nothing was asked.
 *
 * @since 0.1.0
 * @category models
 */
export type Observation = "answered" | "rateLimited" | "concurrencyLimited" | "unhealthy" | "unreachable" | "unsent"

/**
 * @since 0.1.0
 * @category services
 */
export class RequestGate extends Context.Tag("docsluice/RequestGate")<RequestGate, RequestGate.Service>() {}

export declare namespace RequestGate {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /**
     * Runs one request in a slot, in the order of asking. The slot is given back when the request has ended, been
     * interrupted, or failed; so a wait for a retry belongs outside. `observe` is asked before the slot is free again.
     */
    readonly use: <A, E, R>(
      request: Effect.Effect<A, E, R>,
      observe: (exit: Exit.Exit<A, E>) => Observation
    ) => Effect.Effect<A, E, R>
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Requests in flight at most; default 8. */
  readonly concurrency?: number | undefined
}

const defaults = { concurrency: 8 } as const

/**
 * A gate with a fixed limit and a slow start: one request at a time until the first answer, so a wrong key or address costs
 * one request. Holds one queue entry a waiting request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Effect.Effect<RequestGate.Service> = Effect.fnUntraced(function* (
  options = {}
) {
  const held = Math.max(1, Math.floor(options.concurrency ?? defaults.concurrency)) - 1
  const slots = yield* Effect.makeSemaphore(held + 1)
  yield* slots.take(held)
  let slow = true
  const open = Effect.suspend(() => {
    slow = false
    return slots.release(held)
  })
  return RequestGate.of({
    use: (request, observe) =>
      slots.withPermits(1)(
        Effect.onExit(request, (exit) => {
          const observation = observe(exit)
          return slow && observation !== "unreachable" && observation !== "unsent" ? open : Effect.void
        })
      )
  })
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<RequestGate> => Layer.effect(RequestGate, make(options))
