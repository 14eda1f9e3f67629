/**
 * Counts tokens; decides how long a chunk may be.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as encoding from "./internal/bpe/encoding.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Tokenizer extends Context.Tag("docsluice/Tokenizer")<Tokenizer, Tokenizer.Service>() {}

export declare namespace Tokenizer {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Part of a chunk's configuration digest; two tokenizers that count differently have two names. */
    readonly name: string
    /**
     * Tokens of `text.slice(start, end)`; never fails, 0 for the empty string. Pure and synchronous: it is called for every
     * line. `start` defaults to 0, `end` to the length, both in UTF-16 code units.
     */
    readonly count: (text: string, start?: number, end?: number) => number
    /** How a text falls into pieces that are counted one by one; without it, chunks are counted anew as they are made. */
    readonly pieces?: ((text: string) => Pieces) | undefined
    /** Every UTF-16 code unit is one token, so that nothing has to be counted; default false. */
    readonly perUnit?: boolean | undefined
  }

  /**
   * Pieces that follow each other: plain memory, written by the tokenizer, since a call for every piece takes longer than most
   * pieces take to be counted.
   *
   * @since 0.1.0
   * @category models
   */
  export interface Log {
    /** Where each piece ends. There is room for as many as the two arrays are long. */
    readonly ends: Int32Array
    /** Tokens from the first piece to the end of each. */
    readonly sums: Int32Array
    /** Pieces so far. */
    length: number
    /** A piece of more characters is not wanted. */
    readonly longest: number
  }

  /**
   * The pieces of one text. `count` of a part of it is the sum over the part's pieces, and stays so when the part is cut
   * between two of them: what lies before and what lies behind fall into the same pieces on their own.
   *
   * A part is `text.slice(start, end)`, counted as if nothing stood around it.
   *
   * @since 0.1.0
   * @category services
   */
  export interface Pieces {
    /** End of the first piece of the part; greater than `start`. Needs `start < end`. */
    readonly next: (start: number, end: number) => number
    /** Tokens of a part. */
    readonly count: (start: number, end: number) => number
    /**
     * Puts the pieces of a part behind those that are in the log, until it is full or the next one is not wanted; gives the end of
     * the last, `start` when there is none.
     */
    readonly log: (start: number, end: number, log: Log) => number
    /**
     * Where each token of a part that is one piece, or lies in one, ends, counted from `start`; `-(4 * at + bytes)` where the piece
     * cannot be cut, behind so many bytes (0 to 3) of the code point at `at`. The last is the end of the part.
     *
     * Tokens are local: where two parts of one piece have one token in common, what stands before it in the one and behind it in the
     * other are together the tokens of what lies between. So a piece that has to be cut is not counted again.
     */
    readonly tokens: (start: number, end: number) => Int32Array
    /**
     * A place in `[start, at]` between two pieces of a part that starts at `start`, whatever follows `at`; the nearer to `at`,
     * the less is counted again. `start` is always right.
     */
    readonly cut: (start: number, at: number) => number
  }
}

/**
 * The tokenizers that come with the package.
 *
 * @since 0.1.0
 * @category models
 */
export type Name = "o200k_base" | "cl100k_base" | "chars"

/**
 * A tokenizer from a function of your own. `name` stands in the chunks' configuration digest: change it with the function.
 *
 * `count` is given whole texts and must be a function of the text alone. Every chunk is then counted about three times.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (name: string, count: (text: string) => number): Tokenizer.Service => ({
  name,
  count: (text, start = 0, end = text.length) =>
    count(start === 0 && end === text.length ? text : text.slice(start, end))
})

const characters: Tokenizer.Service = {
  name: "chars",
  count: (text, start = 0, end = text.length) => end - start,
  perUnit: true
}

const bytePair = (name: encoding.Name): Layer.Layer<Tokenizer> =>
  Layer.effect(
    Tokenizer,
    Effect.map(
      Effect.promise(() => encoding.load(name)),
      ({ count, pieces }) => ({ name, count, pieces })
    )
  )

/**
 * OpenAI's `o200k_base` (GPT-4o and later), exactly as tiktoken counts plain text; special tokens such as
 * `<|endoftext|>` are counted as text. Linear but for a logarithm, on any text. The ranks are loaded with the layer, once
 * per process (about 0.3 s).
 *
 * @since 0.1.0
 * @category layers
 */
export const layerO200k: Layer.Layer<Tokenizer> = bytePair("o200k_base")

/**
 * OpenAI's `cl100k_base` (GPT-4, text-embedding-3), as {@link layerO200k}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCl100k: Layer.Layer<Tokenizer> = bytePair("cl100k_base")

/**
 * One token for every UTF-16 code unit, the unit of a chunk's `start` and `end`. Takes no time.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCharacters: Layer.Layer<Tokenizer> = Layer.succeed(Tokenizer, characters)

/**
 * The tokenizer of that name.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (name: Name): Layer.Layer<Tokenizer> => layers[name]

const layers: Readonly<Record<Name, Layer.Layer<Tokenizer>>> = {
  o200k_base: layerO200k,
  cl100k_base: layerCl100k,
  chars: layerCharacters
}
