/** Messages of failures, and the exit statuses that they mean. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChunkingError } from "../Chunker.ts"
import type { Worded } from "../internal/base/message.ts"
import * as Total from "../internal/run/total.ts"
import { Summary } from "../Outcome.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { RunStopped } from "../RunState.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import type { ServiceError } from "../service/ServiceError.ts"
import type { FileError } from "../SourceFile.ts"
import { type ExitStatus, set, type Status } from "./ExitStatus.ts"
import { Terminal } from "./Terminal.ts"
import type { UsageError } from "./UsageError.ts"
import * as Words from "./Words.ts"

/** Every error that a command about one document can fail with. */
export type DocumentFailure = UsageError | FileError | ServiceError | InvalidOptions | ChunkingError | RunStopped

interface Failed extends Worded {
  readonly _tag: string
}

/** Message of a failure in one line: the event and its subject. */
export const report = (error: Failed): Effect.Effect<void, never, Terminal> =>
  Effect.flatMap(Terminal, (terminal) =>
    terminal.failure(error._tag === "UsageError" ? error.message : `${error._tag}: ${Words.of(error)}`)
  )

/**
 * Reports a run, or a pass of one, that failed as a whole. With `--json` this prints a summary without documents, for the reader of the
 * results; wrong usage is reported to the person only.
 */
export const ofRun = (error: Failed, status: Status, json: boolean): Effect.Effect<void, never, Terminal> =>
  !json || status !== 2
    ? Effect.void
    : Effect.flatMap(Terminal, (terminal) =>
        terminal.result(JSON.stringify(Schema.encodeSync(Summary)(outright(error))))
      )

/**
 * Reports the failure of a command as a whole and sets its exit status. With `--json` the result is an object with the error; wrong usage
 * is reported to the person only.
 */
export const withJson = (
  error: Failed,
  status: Status,
  json: boolean
): Effect.Effect<void, never, Terminal | ExitStatus> =>
  Effect.gen(function* () {
    yield* report(error)
    const { message, tag } = Words.ofStop(error)
    if (json && status !== 64)
      yield* Effect.flatMap(Terminal, ({ result }) => result(JSON.stringify({ error: { tag, message } })))
    yield* set(status)
  })

const outright = (error: Failed): Summary => Summary.make({ ...Total.nothing, exit: 2, stopped: Words.ofStop(error) })

/** Exit status of `parse` and `chunks`. */
export const ofDocument = (error: DocumentFailure): Status => {
  switch (error._tag) {
    case "UsageError":
    case "InvalidOptions":
      return 64
    case "FileChanged":
    case "FileTooLarge":
    case "FileUnreadable":
    case "UnsupportedFile":
    case "TextUnreadable":
    case "ChunkingError":
      return 1
    case "RunStopped":
      return 2
    default:
      return ofService(error)
  }
}

/** 1 if the answer concerns this document, 2 if it would concern any document. */
const ofService = (error: ServiceError): Status => (RetryPolicy.ruleOf(error) === "document" ? 1 : 2)
