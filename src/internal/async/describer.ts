import * as Effect from "effect/Effect"
import type { Description, Figure, FigureDescriber } from "../../Parser.ts"

/** What describes figures, in a program without Effect: a spelling, a function of your own, or a describer of this package. */
export type AsyncDescriber = string | OwnDescriber | FigureDescriber

/** A function that describes figures. */
export interface OwnDescriber extends Pick<FigureDescriber, "credits" | "name"> {
  /** Gives the text; a rejection leaves the figure without a description. */
  readonly write: (figure: Figure, signal: AbortSignal) => Promise<string | Description>
}

/** Converts a function to a describer. */
export const describer = (given: AsyncDescriber | undefined): string | FigureDescriber | undefined =>
  typeof given === "object" && "write" in given
    ? {
        name: given.name,
        credits: given.credits,
        describe: (figure) =>
          Effect.tryPromise({ try: (signal) => given.write(figure, signal), catch: (cause) => cause })
      }
    : given
