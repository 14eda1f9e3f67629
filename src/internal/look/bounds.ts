/** Bounds of what a server holds for its page. */
export const bounds = {
  /** Bytes of all files together. */
  bytes: 500 * 1024 * 1024,
  /** Files, each of which is an open one. */
  files: 200,
  /** Milliseconds after its last use that a file is kept. */
  keptFor: 600_000,
  /** Milliseconds that the answer to a document without retention is kept. */
  unretainedFor: 60_000,
  /** Bytes of all documents that can be split without another parse, as estimated. */
  documents: 200 * 1024 * 1024,
  /** Bytes of all pictures that are kept. */
  pictures: 64 * 1024 * 1024
} as const
