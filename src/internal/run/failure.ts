import type { ChunkingError } from "../../Chunker.ts"
import type { SinkError } from "../../ChunkSink.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { FileError } from "../../SourceFile.ts"

/** Errors of one document. */
export type DocumentError = ServiceError | FileError | ChunkingError | SinkError

/** Reasons that last until the file changes. */
const lasting: ReadonlySet<string> = new Set(["Empty", "Name", "NotAFile", "Encrypted", "Invalid"])

/** True when the same file may succeed in a later run, after time has passed or the file was corrected. */
export const isRetryable = (error: DocumentError): boolean => {
  switch (error._tag) {
    case "FileUnreadable":
      return !lasting.has(error.reason)
    case "FileChanged":
      return true
    case "SinkError":
      return error.reason === "Unavailable"
    case "FileTooLarge":
    case "UnsupportedFile":
    case "TextUnreadable":
    case "ChunkingError":
      return false
    default:
      return RetryPolicy.retryable(error)
  }
}
