import * as Schema from "effect/Schema"

/** Why a cache cannot be used. */
export const CacheReason = Schema.Literal(
  "Locked",
  "Corrupted",
  "Newer",
  "ReadOnly",
  "Full",
  "Io",
  "Unreachable",
  "TimedOut",
  "Denied",
  "Missing",
  "Unsupported"
)
