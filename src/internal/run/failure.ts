import * as RetryPolicy from "../../RetryPolicy.ts"
import type { DocumentError } from "./documentError.ts"

/** Reasons that last until the file changes. */
const lasting: ReadonlySet<string> = new Set(["Empty", "Name", "NotAFile", "Encrypted", "Invalid"])

/** True when the same file may succeed in a later run, after time has passed or the file was corrected. */
export const isRetryable = (error: DocumentError): boolean => {
  switch (error._tag) {
    case "FileUnreadable":
      return !lasting.has(error.reason)
    case "FileChanged":
    case "TakenOver":
    case "WorkerLost":
      return true
    case "EmbeddingError":
      return error.retryable
    case "SinkError":
      return error.reason === "Unavailable"
    case "FileTooLarge":
    case "UnsupportedFile":
    case "TextUnreadable":
    case "ChunkingError":
    case "DuplicateDocument":
    case "DocumentTruncated":
    case "Foreign":
      return false
    default:
      return RetryPolicy.retryable(error)
  }
}
