/** The database of a state, opened for writing or for reading. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { NewerSchema } from "../directory.ts"
import { failed, type ServerFailure } from "../serverFailure.ts"
import * as Address from "./address.ts"
import * as Connection from "./connection.ts"
import { look, migrate } from "./migrate.ts"

/** Under this key the parts of a state pass their connections on. */
export const shared: unique symbol = Symbol.for("docsluice/State/connection")

/** Where a state lies on a server, and how it is used. */
export interface Options {
  /** `postgres://user:password@host:port/database`, `?schema=` for the schema, and the driver's parameters. */
  readonly url: string | Redacted.Redacted
  /**
   * Time for which this process's documents are its own after it was last heard of: once it was stopped or cut off for longer, others may
   * take them over. Default 30 seconds.
   */
  readonly lease?: Duration.DurationInput | undefined
  /** Longest time in which a server that cannot be reached is asked again; default 30 seconds. */
  readonly patience?: Duration.DurationInput | undefined
  /** Connections at the same time; default 4. */
  readonly maxConnections?: number | undefined
  /** The connections of another part of the same state. */
  readonly [shared]?: Connection.Connection | undefined
}

/** Options by which the parts of a state use the same connections. */
export type Connected = Required<Pick<Options, typeof shared>>

const defaults = { lease: "30 seconds", patience: "30 seconds", maxConnections: 4 } as const

export const leaseOf = ({ lease }: Options): Duration.Duration =>
  Duration.max(Duration.decode(lease ?? defaults.lease), Duration.millis(100))

const connected = (
  options: Options,
  readOnly: boolean
): Effect.Effect<Connection.Connection, ServerFailure, Scope.Scope> =>
  Effect.suspend(() => {
    const address = Address.parse(options.url)
    if (typeof address === "string") return failed("Missing", address)
    return Connection.make({
      address,
      readOnly,
      maxConnections: Math.max(1, options.maxConnections ?? defaults.maxConnections),
      lease: leaseOf(options),
      patience: Duration.decode(options.patience ?? defaults.patience)
    })
  })

/** Creates the tables when they are missing, and migrates those of an earlier version. */
export const writing = (
  options: Options
): Effect.Effect<Connection.Connection | NewerSchema, ServerFailure, Scope.Scope> =>
  options[shared] === undefined
    ? Effect.flatMap(connected(options, false), (connection) =>
        Effect.map(migrate(connection), (newer) => newer ?? connection)
      )
    : Effect.succeed(options[shared])

/** Null where there are no tables. Nothing is written or locked. */
export const reading = (
  options: Options
): Effect.Effect<Connection.Connection | NewerSchema | null, ServerFailure, Scope.Scope> =>
  Effect.flatMap(connected(options, true), (connection) =>
    Effect.map(look(connection), (found) => (found === true ? connection : found === false ? null : found))
  )

/** The address for messages. */
export const shownOf = (options: Options): string => {
  const address = Address.parse(options.url)
  return typeof address === "string" ? "postgres://" : address.shown
}
