/**
 * Limits the requests in flight: one gate per key and base address, shared by all workers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

/**
 * The service's state as seen by one request. `answered`: an answer of any other kind; `rateLimited`, `concurrencyLimited`: the
 * service asks for fewer requests; `unhealthy`: a fault of the service; `unreachable`: no answer; `unsent`: the request was not
 * sent.
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
     * Runs one request in a slot, first come, first served. The slot is released when the request succeeds, fails or is
     * interrupted, so wait for a retry outside of `use`. `observe` is called before the slot is released.
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
  /** Most requests in flight; default 8. */
  readonly concurrency?: number | undefined
}

const defaults = { concurrency: 8 } as const

/**
 * A gate with a fixed limit and a slow start: one request at a time until the first answer, so a wrong key or address costs one
 * request. Holds one queue entry per waiting request.
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
