/**
 * Limits the requests to one service: how many are in flight, how often they are sent, and whether they are sent at all. One gate
 * for each key and base address in the process, shared by everybody who sends with that key.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Observation, Options, Snapshot, Target, UseOptions } from "./internal/gate/contract.ts"
import type { Gate } from "./internal/gate/gate.ts"
import * as registry from "./internal/gate/registry.ts"
import type { ServiceUnreachable } from "./service/ServiceError.ts"

export type {
  Halt,
  Observation,
  Observed,
  Options,
  Rate,
  Snapshot,
  State,
  Target,
  UseOptions
} from "./internal/gate/contract.ts"

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
     * Runs one request in a slot; first come, first served, repeated requests before new ones. The slot is given back when the
     * request succeeds, fails or is interrupted, so wait for a retry outside of `use`. `observe` is called before the slot is given
     * back, with the result of the request. Fails with `ServiceUnreachable` when no request succeeded for `outageLimit`; the
     * request was not sent then.
     */
    readonly use: <A, E, R, H = never>(
      request: Effect.Effect<A, E, R>,
      observe: (exit: Exit.Exit<A, E>) => Observation,
      options?: UseOptions<H>
    ) => Effect.Effect<A, E | H | ServiceUnreachable, R>
    readonly snapshot: () => Snapshot
    /**
     * Milliseconds up to `now`, in milliseconds since the epoch, in which the service as a whole was not asked: it wanted no request,
     * or the breaker was not closed. Only grows: a difference is the part of a span of time that was lost that way.
     */
    readonly downtime: (now: number) => number
    /** Lowers the limits for all users while the scope is open. */
    readonly within: (options: Options) => Effect.Effect<void, never, Scope.Scope>
    /** The process's gate for a service, with the options of this one. It ends with the scope of its last user. */
    readonly of: (target: Target) => Effect.Effect<RequestGate.Service, never, Scope.Scope>
  }
}

const serviceOf = (gate: Gate, options: Options): RequestGate.Service => ({
  use: gate.use,
  snapshot: gate.snapshot,
  downtime: gate.downtime,
  within: gate.join,
  of: (target) => shared(target, options)
})

/**
 * A gate of its own, shared with nobody. {@link shared} gives the one that a client uses.
 *
 * Begins with one request at a time until the first answer, so a wrong key or address costs one request. While that one goes unanswered,
 * one more goes out every two seconds, up to `concurrency`, 4 for `adaptive`. Holds one entry for each
 * waiting request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<RequestGate.Service, never, Scope.Scope> =>
  Effect.map(registry.own(options), (gate) => serviceOf(gate, options))

/**
 * The gate of a key and a base address. Everybody in the process who names the same two shares it, whatever the kind of service:
 * the parsing service, a provider of embeddings, a store. It ends with the scope of its last user.
 *
 * @since 0.1.0
 * @category constructors
 */
export const shared = (target: Target, options: Options = {}): Effect.Effect<RequestGate.Service, never, Scope.Scope> =>
  Effect.map(registry.shared(target, options), (gate) => serviceOf(gate, options))

/**
 * {@link make} as a layer. A client takes from it the options, and shares the gate of its key and address in the process.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<RequestGate> => Layer.scoped(RequestGate, make(options))
