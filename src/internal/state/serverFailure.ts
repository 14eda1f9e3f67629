import * as Schema from "effect/Schema"

/** Reasons of a failure of a state on a server. */
export const ServerReason = Schema.Literal(
  "Locked",
  "Corrupted",
  "ReadOnly",
  "Full",
  "Io",
  "Unreachable",
  "TimedOut",
  "Denied",
  "Missing",
  "Unsupported",
  "Superseded"
)

export type ServerReason = typeof ServerReason.Type

/** A failure of a database on a server; mapped to the error of the store that uses it. */
export class ServerFailure extends Schema.TaggedError<ServerFailure>("docsluice/internal/ServerFailure")(
  "ServerFailure",
  {
    reason: ServerReason,
    /** Words of the server or the driver. */
    said: Schema.String,
    /** True when the same transaction may succeed in a moment. */
    passing: Schema.Boolean
  }
) {
  override get message(): string {
    return this.said
  }
}

/** A failure with words of our own, which does not pass. */
export const failed = (reason: ServerReason, said: string): ServerFailure =>
  new ServerFailure({ reason, said, passing: false })

/** True for the address of a PostgreSQL server, as against the path of a folder. */
export const isAddress = (state: string): boolean => /^postgres(?:ql)?:\/\//iu.test(state)
