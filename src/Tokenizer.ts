/**
 * Counts tokens; decides how long a chunk may be.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

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
  }
}
