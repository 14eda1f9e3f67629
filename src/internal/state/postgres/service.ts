/** A ledger on a server with the error of the public module. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { NewerSchema } from "../directory.ts"
import { type RunLedger, runLedger } from "../ledger/runLedger.ts"
import { ServerFailure } from "../serverFailure.ts"
import * as Ledgers from "./ledger.ts"
import { leaseOf, type Options, reading, shared, shownOf, writing } from "./open.ts"
import * as Session from "./session.ts"
import * as Typed from "./typed.ts"
import * as Writer from "./writer.ts"

export { type Options, shownOf }

/** What the public module makes of failures. */
export interface Errors<E> extends Ledgers.Refusals<E> {
  /** The address for messages. */
  readonly directory: string
  readonly failed: (failed: ServerFailure) => E
  readonly newer: (newer: NewerSchema) => E
}

/** As `Ledger.Service`, whose module this one serves. */
export interface Made<E> extends Ledgers.Service<E> {
  readonly directory: string
  readonly checkpoint: Effect.Effect<void, E>
  readonly [runLedger]: RunLedger<E>
}

const ofError =
  <E>(errors: Errors<E>) =>
  (error: E | ServerFailure): E =>
    error instanceof ServerFailure ? errors.failed(error) : error

/** Options by which the parts of a state use the same connections. */
export type Connected = Required<Pick<Options, typeof shared>>

/** Connects, and creates or migrates the tables. */
export const connect = <E>(options: Options, errors: Errors<E>): Effect.Effect<Connected, E, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* Effect.mapError(writing(options), errors.failed)
    if (connection instanceof NewerSchema) return yield* Effect.fail(errors.newer(connection))
    return { [shared]: connection }
  })

/** Opens the ledger for any number of processes. */
export const make = <E>(options: Options, errors: Errors<E>): Effect.Effect<Made<E>, E, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* Effect.mapError(writing(options), errors.failed)
    if (connection instanceof NewerSchema) return yield* Effect.fail(errors.newer(connection))
    const session = yield* Effect.mapError(Session.make(connection, leaseOf(options)), errors.failed)
    const writer = yield* Writer.make(connection, session)
    const { ledger, letGoAgain } = Ledgers.running(connection, session, writer, errors)
    yield* Session.withRenewals(session, letGoAgain)
    return {
      directory: errors.directory,
      ...Typed.service(Ledgers.reading(connection), errors.failed),
      // Each write is as durable as the server makes it.
      checkpoint: Effect.void,
      [runLedger]: Typed.run(ledger, ofError(errors))
    }
  })

/** Null where there is no ledger. */
export const makeReadOnly = <E>(options: Options, errors: Errors<E>): Effect.Effect<Made<E> | null, E, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* Effect.mapError(reading(options), errors.failed)
    if (connection === null) return null
    if (connection instanceof NewerSchema) return yield* Effect.fail(errors.newer(connection))
    return {
      directory: errors.directory,
      ...Typed.service(Ledgers.reading(connection), errors.failed),
      checkpoint: Effect.fail(errors.failed(Ledgers.readOnly)),
      [runLedger]: Typed.run(Ledgers.readOnlyRun(connection, errors), ofError(errors))
    }
  })
