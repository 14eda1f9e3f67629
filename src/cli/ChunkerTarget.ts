/** `--chunker` and the flags next to it: how documents are split, and what the metadata of every chunk holds. */
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Chunker } from "../Chunker.ts"
import type { OptionError } from "../internal/base/optionError.ts"
import { defaultMaxTokens } from "../internal/chunking/Settings.ts"
import * as Targets from "../internal/target/chunkerTarget.ts"
import type { RunFlags } from "./RunFlags.ts"

type Given = Pick<RunFlags, "chunker" | "maxTokens" | "metadata" | "minTokens" | "overlap" | "pageBoundaries">

/** What was given; the rest is as the root of the run was split before, or has its default. */
export const settings = (given: Given): Targets.Settings => ({
  kind: Option.getOrUndefined(given.chunker),
  maxTokens: Option.getOrUndefined(given.maxTokens),
  overlap: Option.getOrUndefined(given.overlap),
  minTokens: Option.getOrUndefined(given.minTokens),
  pageBoundaries: Option.getOrUndefined(given.pageBoundaries),
  metadata: given.metadata
})

/** The settings of a document that is split by itself, as its page shows them. */
export const terms = ({ chunker, maxTokens, overlap, tokenizer }: Given & Pick<RunFlags, "tokenizer">) => ({
  chunker: Option.getOrElse(chunker, () => Targets.defaultName),
  maxTokens: Option.getOrElse(maxTokens, () => defaultMaxTokens),
  overlap: Option.getOrElse(overlap, () => 0),
  tokenizer
})

/** Refuses an overlap that leaves a chunk no room for text of its own, and a least size above the greatest. */
export const make = (given: Given): Either.Either<Chunker, OptionError> => Targets.make(settings(given))
