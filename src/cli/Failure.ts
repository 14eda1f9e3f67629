/** What a failure of a command says, and the exit status that it means. */
import * as Effect from "effect/Effect"
import type { ChunkingError } from "../Chunker.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { RunStopped } from "../RunState.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import type { ServiceError } from "../service/ServiceError.ts"
import type { FileError } from "../SourceFile.ts"
import type { Status } from "./ExitStatus.ts"
import { Terminal } from "./Terminal.ts"
import type { UsageError } from "./UsageError.ts"

/** Everything that a command about one document can fail with. */
export type DocumentFailure = UsageError | FileError | ServiceError | InvalidOptions | ChunkingError | RunStopped

/** One line: what happened, and to what. */
export const report = (error: {
  readonly _tag: string
  readonly message: string
}): Effect.Effect<void, never, Terminal> =>
  Effect.flatMap(Terminal, (terminal) =>
    terminal.note(error._tag === "UsageError" ? error.message : `${error._tag}: ${error.message}`)
  )

/** The status of `parse` and `chunks`. */
export const ofDocument = (error: DocumentFailure): Status => {
  switch (error._tag) {
    case "UsageError":
    case "InvalidOptions":
      return 64
    case "FileChanged":
    case "FileTooLarge":
    case "FileUnreadable":
    case "UnsupportedFile":
    case "ChunkingError":
      return 1
    case "RunStopped":
      return 2
    default:
      return ofService(error)
  }
}

/** A document's own answer, or one that any document would have met. */
const ofService = (error: ServiceError): Status => (RetryPolicy.ruleOf(error) === "document" ? 1 : 2)
