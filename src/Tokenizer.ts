/**
 * Counts tokens, which limit the length of a chunk.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as encoding from "./internal/bpe/encoding.ts"
import { readAs } from "./internal/bpe/reading.ts"

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
    /** Part of a chunk's configuration digest; tokenizers that count differently need different names. */
    readonly name: string
    /**
     * Tokens of `text.slice(start, end)`; never fails, 0 for the empty string. Pure and synchronous: it is called for every
     * line. `start` defaults to 0, `end` to the length, both in UTF-16 code units.
     */
    readonly count: (text: string, start?: number, end?: number) => number
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
 * A tokenizer from a function of your own. `name` is part of the chunks' configuration digest: change it with the function.
 *
 * `count` gets whole texts, and its result must depend on the text alone. Each chunk is counted about three times.
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
  count: (text, start = 0, end = text.length) => end - start
}

const bytePair = (name: encoding.Name): Layer.Layer<Tokenizer> =>
  Layer.effect(
    Tokenizer,
    Effect.map(
      Effect.promise(() => encoding.load(name)),
      ({ count, read }) => readAs({ name, count }, read)
    )
  )

/**
 * OpenAI's `o200k_base` (GPT-4o and later), exactly as tiktoken counts plain text; special tokens such as `<|endoftext|>` are
 * counted as text. Takes n log n time on any text. The ranks are loaded with the layer and indexed by
 * the first count, once per process (about 0.1 s).
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
 * One token for every UTF-16 code unit, the unit of a chunk's `start` and `end`. Constant time.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCharacters: Layer.Layer<Tokenizer> = Layer.succeed(Tokenizer, readAs(characters, "codeUnits"))

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
