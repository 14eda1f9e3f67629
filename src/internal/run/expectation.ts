import type { Chunker } from "../../Chunker.ts"
import type { EmbeddingSpace } from "../../ChunkSink.ts"
import type { Terms } from "../../Parser.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { canonicalJson } from "../base/canonicalJson.ts"
import { sha256 } from "../base/sha256.ts"
import { recordDigest } from "../chunking/identity.ts"
import type { Acknowledgement } from "../state/ledger/entry.ts"
import type { Expected } from "../state/ledger/verdict.ts"

/** The record that a run with these options would write of a document, and the work that it repeats. */
export const expectation = (options: {
  readonly terms: Pick<Terms, "identity" | "optionsHash" | "means">
  /** Names of the changes that the parser makes to documents. */
  readonly steps?: ReadonlyArray<string> | undefined
  readonly chunker: Pick<Chunker, "name" | "configuration" | "annotations">
  readonly tokenizer: Pick<Tokenizer.Service, "name">
  readonly space: EmbeddingSpace | null
  /** Digest of the embedder; null when the run does not embed. */
  readonly embedder: string | null
  /** The sinks with the store ids that `prepare` found. */
  readonly sinks: ReadonlyArray<Acknowledgement>
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly verify: boolean
  readonly redo: Expected["redo"]
}): Expected => {
  const { chunker, embedder, redo, sinks, space, startedAt, steps, terms, tokenizer, verify } = options
  return {
    optionsHash: terms.optionsHash,
    identity: terms.identity,
    configuration: recordDigest(chunker, tokenizer.name, steps),
    means: terms.means ?? null,
    embedder: embedder ?? (space === null ? null : sha256(canonicalJson(space))),
    sinks,
    startedAt,
    verify,
    redo
  }
}
