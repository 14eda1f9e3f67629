import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Foreign } from "../../Outcome.ts"
import type { Metadata } from "../base/parseResponse.ts"
import { RunStopped } from "./runState.ts"

/** The metadata of an answer by which it is charged. */
export type Charged = Pick<Metadata, "numPages" | "creditsUsed">

/** The most that a request may cost. */
export interface Most {
  readonly pages: number
  readonly credits: number
}

/**
 * Wraps a request so that it is charged to the budget of a run; an answer that was paid for before is not charged. `most`: default that of
 * the parse of the file.
 */
export type Charge = <A, E>(
  ask: Effect.Effect<A, E>,
  metadataOf: (answer: A) => Charged,
  most?: Most
) => Effect.Effect<A, E | RunStopped>

/** Facts about a file that a run or a plan knows before it is parsed. */
export interface Known {
  /** SHA-256 of the bytes, lower-case hexadecimal; when absent, the bytes are read to compute it if it is needed. */
  readonly contentHash?: string | undefined
  /** Identity of the service that parsed these bytes before, when it is not the present one. */
  readonly identity?: string | undefined
  /** Cached answers older than this are ignored, in milliseconds since the epoch. */
  readonly since?: number | undefined
  readonly paying?: Charge | undefined
  /** Called with an answer before a step changes its document, which may fail: it was paid for all the same. */
  readonly answered?: ((answer: Answered) => void) | undefined
}

/** What is counted of an answer. */
export interface Answered {
  readonly metadata: Charged
  readonly origin: "service" | "cache" | "local"
}

/** The facts about the file that is parsed: from whoever asks past all parsers that wrap another to the one that answers. */
export class CurrentFile extends Context.Reference<CurrentFile>()("docsluice/CurrentFile", {
  defaultValue: (): Known => ({})
}) {}

/** Applies a step to an answer, which is counted before. */
export const stepping =
  <A extends Answered, B, E>(step: (answer: A) => Effect.Effect<B, E>) =>
  (answer: A): Effect.Effect<B, E> =>
    Effect.flatMap(CurrentFile, ({ answered }) => {
      answered?.(answer)
      return step(answer)
    })

/** Charges a request to the budget, where there is one. */
export const charged = <A, E>(
  { paying }: Known,
  ask: Effect.Effect<A, E>,
  metadataOf: (answer: A) => Charged,
  most?: Most
): Effect.Effect<A, E | RunStopped> => (paying === undefined ? ask : paying(ask, metadataOf, most))

const uncached = new RunStopped({
  cause: new Foreign({ tag: "NotCached", message: "the answer is not in the cache" })
})

/** In place of a charge: ends a parse that is not worth a request. */
export const notCached: Charge = () => Effect.fail(uncached)

export const isNotCached = (error: unknown): boolean => error === uncached
