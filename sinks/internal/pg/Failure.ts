import { SinkError } from "docsluice/ChunkSink"
import * as Predicate from "effect/Predicate"

interface Meaning {
  /** Beginning of the SQLSTATE. */
  readonly state: string
  readonly reason: SinkError["reason"]
  readonly problem: string
}

/** The first that fits. */
const meanings: ReadonlyArray<Meaning> = [
  { state: "08", reason: "Unavailable", problem: "the connection failed" },
  { state: "57014", reason: "Unavailable", problem: "the statement took too long, or was cancelled" },
  { state: "57", reason: "Unavailable", problem: "the server ended the connection" },
  { state: "53100", reason: "Unavailable", problem: "the server's disk is full" },
  { state: "53300", reason: "Unavailable", problem: "the server takes no more connections" },
  { state: "53", reason: "Unavailable", problem: "the server is short of resources" },
  { state: "40", reason: "Unavailable", problem: "another transaction was in the way" },
  { state: "55P03", reason: "Unavailable", problem: "another transaction was in the way" },
  { state: "25006", reason: "Unavailable", problem: "the server takes no writes" },
  { state: "25P03", reason: "Unavailable", problem: "the transaction was silent for too long" },
  { state: "28", reason: "Rejected", problem: "the server refused the credentials" },
  { state: "3D000", reason: "Mismatch", problem: "there is no such database; create it" },
  { state: "42501", reason: "Rejected", problem: "permission denied" },
  { state: "42P01", reason: "Mismatch", problem: "the table is gone; run again" },
  { state: "42703", reason: "Mismatch", problem: "a column is gone; run again" }
]

const refused: Meaning = { state: "", reason: "Rejected", problem: "the server refused" }

const unreachable: Meaning = { state: "", reason: "Unavailable", problem: "the server cannot be reached" }

/**
 * The sink's error for an error that the driver threw. The cause is dropped: it may hold the connection and so the password.
 *
 * An error without a SQLSTATE comes from the driver itself and is about the connection.
 */
export const failure =
  (sink: string) =>
  (cause: unknown): SinkError => {
    const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
    const said = cause instanceof Error && cause.message !== "" ? cause.message : code
    const isState = /^(?=.*\d)[0-9A-Z]{5}$/u.test(code)
    const known = isState ? meanings.find(({ state }) => code.startsWith(state)) : unreachable
    const { reason, problem } = known ?? refused
    return new SinkError({ sink, reason, problem: `${problem} (${said})` })
  }
