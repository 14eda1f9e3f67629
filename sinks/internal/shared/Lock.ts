import { SinkError } from "docsluice/ChunkSink"
import * as FileLock from "docsluice/FileLock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

const reasons = { Locked: "Unavailable", Full: "Unavailable", Io: "Unavailable", ReadOnly: "Rejected" } as const

const refused = (sink: string, error: FileLock.FileLockError): SinkError =>
  new SinkError({
    sink,
    reason: reasons[error.reason],
    problem: error.reason === "Locked" ? `${error.problem} open; wait for it` : `cannot take the lock ${error.message}`,
    cause: error
  })

/**
 * Holds a lock file until the scope ends. Fails with `Unavailable` while another sink, of this process or of any other that
 * lives, holds it. The lock ends with its process: a file that a killed process, another container or another machine left is
 * taken over.
 */
export const acquire = (sink: string, path: string): Effect.Effect<void, SinkError, Scope.Scope> =>
  Effect.mapError(FileLock.acquire(path), (error) => refused(sink, error))
