import { SinkError } from "docsluice/ChunkSink"
import * as RequestGate from "docsluice/RequestGate"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"

/** A failed call: what it means for the server, and for the sink. */
export interface Failure {
  readonly state: RequestGate.State
  /** Milliseconds for which the server wants no call. */
  readonly closeFor?: number | undefined
  readonly error: SinkError
}

/** Calls of a store's server, through the gate that everybody in the process shares who uses its address and key. */
export interface StoreGate {
  readonly sink: string
  /**
   * Makes a call, when the server is to be asked: after the wait that it named, and after a pause when calls failed again and again.
   * `Unavailable`, without a call, when such a wait is above two minutes, or no call succeeded for that long.
   */
  readonly send: <A>(call: Effect.Effect<A, Failure>) => Effect.Effect<A, SinkError>
}

const outageLimit = "2 minutes"

const observe = (exit: Exit.Exit<unknown, Failure>): RequestGate.Observation => {
  if (exit._tag === "Success") return "answered"
  return Option.match(Cause.failureOption(exit.cause), {
    onNone: () => "unsent",
    onSome: ({ closeFor, error, state }) => ({ state, closeFor, problem: error.problem })
  })
}

/** `address` is without credentials; it ends with the scope of its last user. */
export const make = (
  sink: string,
  address: string,
  key: Redacted.Redacted | undefined
): Effect.Effect<StoreGate, never, Scope.Scope> =>
  Effect.map(RequestGate.shared({ address, key }, { outageLimit }), (gate) => ({
    sink,
    send: (call) =>
      Effect.mapError(gate.use(call, observe), (failure) =>
        "_tag" in failure ? new SinkError({ sink, reason: "Unavailable", problem: failure.error }) : failure.error
      )
  }))
