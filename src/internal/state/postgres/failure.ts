import { DatabaseFailure } from "../libsql.ts"
import { failed, ServerFailure, type ServerReason } from "../serverFailure.ts"

interface Meaning {
  /** Beginning of the SQLSTATE. */
  readonly state: string
  readonly reason: ServerReason
  /** True when the same transaction may succeed in a moment. */
  readonly passing?: boolean
}

/** The first that fits. */
const meanings: ReadonlyArray<Meaning> = [
  { state: "08P01", reason: "Unreachable" },
  { state: "08", reason: "Unreachable", passing: true },
  { state: "57014", reason: "TimedOut" },
  { state: "57", reason: "Unreachable", passing: true },
  { state: "53100", reason: "Full" },
  { state: "53", reason: "Unreachable", passing: true },
  { state: "40", reason: "Locked", passing: true },
  { state: "55P03", reason: "TimedOut", passing: true },
  { state: "25006", reason: "ReadOnly" },
  { state: "25", reason: "Unreachable", passing: true },
  { state: "26", reason: "Unreachable", passing: true },
  { state: "28", reason: "Denied" },
  { state: "42501", reason: "Denied" },
  { state: "3D000", reason: "Missing" },
  { state: "3F000", reason: "Missing" },
  { state: "42P01", reason: "Missing" },
  { state: "42703", reason: "Missing" },
  { state: "XX001", reason: "Corrupted" },
  { state: "XX002", reason: "Corrupted" }
]

const propertyOf = (thrown: unknown, name: "code" | "message"): string => {
  const value: unknown = typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, name) : undefined
  return typeof value === "string" ? value : ""
}

/**
 * The driver's words for a statement that did not end in time; its connection is given up, and another one may get an answer: the server's
 * machine may be gone, or the connection lost on the way.
 */
const tooSlow = "Query read timeout"

/** A statement that was prepared before a table was changed; another connection prepares it anew. */
const outdated = /^cached plan must not change/u

/** Errors of the driver that trying again does not help. */
const lasting = /certificate|self.signed|does not support SSL|ENOTFOUND/iu

/** The driver cannot answer the server's demand for a password. */
const noPassword = /SASL|password must be a string/iu

/**
 * Converts what the driver threw. Only its message is kept: the rest may hold the connection and with it the password. An error without
 * a SQLSTATE is of the driver itself and about the connection.
 */
export const failure = (thrown: unknown): ServerFailure => {
  if (thrown instanceof ServerFailure) return thrown
  if (thrown instanceof DatabaseFailure) return failed("Corrupted", thrown.message)
  const code = propertyOf(thrown, "code")
  const said = propertyOf(thrown, "message") || code || "the connection failed"
  if (said === tooSlow) {
    return new ServerFailure({
      reason: "TimedOut",
      said: "the server did not answer a statement in time",
      passing: true
    })
  }
  if (!/^(?=.*\d)[0-9A-Z]{5}$/u.test(code)) {
    return noPassword.test(said)
      ? failed("Denied", said)
      : new ServerFailure({ reason: "Unreachable", said, passing: !lasting.test(`${said} ${code}`) })
  }
  if (outdated.test(said)) return new ServerFailure({ reason: "Io", said, passing: true })
  const known = meanings.find((meaning) => code.startsWith(meaning.state))
  return new ServerFailure({ reason: known?.reason ?? "Io", said, passing: known?.passing === true })
}
