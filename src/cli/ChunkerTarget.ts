/** `--chunker` and the flags next to it: how documents are split, and what the metadata of every chunk holds. */
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Chunker } from "../Chunker.ts"
import type { OptionError } from "../internal/base/optionError.ts"
import * as Targets from "../internal/target/chunkerTarget.ts"
import type { RunFlags } from "./RunFlags.ts"

type Given = Pick<RunFlags, "chunker" | "maxTokens" | "metadata" | "minTokens" | "overlap" | "pageBoundaries">

export const settings = ({ chunker, pageBoundaries, ...given }: Given): Targets.Settings => ({
  kind: chunker,
  maxTokens: given.maxTokens,
  overlap: given.overlap,
  minTokens: given.minTokens,
  pageBoundaries: Option.getOrUndefined(pageBoundaries),
  metadata: given.metadata
})

/** Refuses an overlap that leaves a chunk no room for text of its own, and a least size above the greatest. */
export const make = (given: Given): Either.Either<Chunker, OptionError> => Targets.make(settings(given))
