import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Chunker } from "../../Chunker.ts"
import type { EmbeddingSpace } from "../../ChunkSink.ts"
import { DeadLetter } from "../../DeadLetter.ts"
import { type Parser, serving, type Terms } from "../../Parser.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import { requiredTerms } from "../plan/requiredTerms.ts"
import { ByteBudget } from "./byteBudget.ts"
import type { RunMemory } from "./memory.ts"
import type { RunOptions } from "./options.ts"
import type { Truncated } from "./outcome.ts"
import type { Paying } from "./paying.ts"
import type { Session } from "./session.ts"
import type { SinkWriter } from "./sinkWriter.ts"
import type { Trace } from "./trace.ts"

/** Services of a run, within the limits of its options. */
export interface RunServices {
  /** Asked for what the chunker needs. */
  readonly parser: Parser.Service
  /** Null for a parser without terms. */
  readonly terms: Terms | null
  readonly tokenizer: Tokenizer.Service
  readonly deadLetter: DeadLetter.Service
  /** Space of the chunks' vectors; null: they have none. */
  readonly space: EmbeddingSpace | null
}

/** Services and settings that all documents of a run share. */
export interface RunContext extends Pick<RunServices, "parser" | "deadLetter"> {
  readonly session: Session
  /** Name of the source's root; null where the source names none. */
  readonly root: string | null
  readonly chunker: Chunker
  readonly writers: ReadonlyArray<SinkWriter>
  readonly budget: ByteBudget
  readonly paying: Paying
  readonly truncated: Truncated
  /** True when answers of the parser cost nothing. */
  readonly free: boolean
  readonly onFailure: "dead-letter" | "fail"
  /** Bytes of the vector that a chunk will get; 0 without an embedder. */
  readonly vectorBytes: number
  /** Null without a ledger. */
  readonly memory: RunMemory | null
  readonly trace: Trace
}

/** Refuses what the parser cannot do, limits the gates of parser and embedder, and asks the embedder for its space. */
export const openServices = ({
  budget,
  chunker,
  concurrency,
  embedder,
  outageLimit,
  space = null
}: Pick<RunOptions, "budget" | "chunker" | "concurrency" | "embedder" | "outageLimit" | "space">): Effect.Effect<
  RunServices,
  EmbeddingError | InvalidOptions,
  Parser | Tokenizer | DeadLetter | Scope.Scope
> =>
  Effect.gen(function* () {
    const parser = yield* serving(chunker)
    const limited = budget?.pages !== undefined || budget?.credits !== undefined
    const terms = yield* limited ? requiredTerms(parser) : Effect.map(parser.terms({}), Option.getOrNull)
    yield* parser.gate?.within({ concurrency, outageLimit }) ?? Effect.void
    yield* embedder?.gate?.within({ outageLimit }) ?? Effect.void
    return {
      parser,
      terms,
      tokenizer: yield* Tokenizer,
      deadLetter: yield* DeadLetter,
      space: embedder === undefined ? space : yield* embedder.space
    }
  })

const maxBytesInFlight = 67_108_864

export const make = (
  options: Pick<RunOptions, "chunker" | "embedder" | "maxBytesInFlight" | "onFailure" | "truncated">,
  { deadLetter, parser, space, terms }: RunServices,
  run: Pick<RunContext, "session" | "root" | "writers" | "paying" | "memory" | "trace">
): RunContext => ({
  ...run,
  parser,
  deadLetter,
  chunker: options.chunker,
  budget: new ByteBudget(options.maxBytesInFlight ?? maxBytesInFlight),
  truncated: options.truncated ?? "warn",
  free: terms?.free === true,
  onFailure: options.onFailure ?? "dead-letter",
  vectorBytes: options.embedder === undefined || space === null ? 0 : 4 * space.dimensions
})
