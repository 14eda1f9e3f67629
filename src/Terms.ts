/**
 * Words as a full-text search compares them: folded, cut by dictionary where a script has no blanks, and stemmed by language.
 *
 * @since 0.1.0
 */
import type { DocumentChunk } from "./DocumentChunk.ts"
import * as internal from "./internal/terms/terms.ts"
import { words } from "./internal/terms/words.ts"

/**
 * A version of the terms, increased with every change of them. An index of one version is written and searched with the terms of that
 * version: it stays as good as it was, without being built again.
 *
 * @since 0.1.0
 * @category models
 */
export type Version = internal.Version

/**
 * The latest version, which new stores take.
 *
 * @since 0.1.0
 * @category constants
 */
export const version = 2 satisfies Version

/**
 * Every version that this package writes and searches, the oldest first.
 *
 * @since 0.1.0
 * @category constants
 */
export const versions: ReadonlyArray<Version> = [1, version]

/**
 * A word of a text. `start` and `end` are UTF-16 offsets in the text; `terms` are the word itself, folded, and what else it is found by:
 * stems, each followed by `¦` and the code of its language, and from version 2 on other spellings (`haeuser` for `Häuser`).
 *
 * @since 0.1.0
 * @category models
 */
export type Place = internal.Place

/**
 * A word of a query: a text holds it if it holds any of `terms`. The exponent of a power (`10^6`) has the folded `10⁶` among them.
 *
 * @since 0.1.0
 * @category models
 */
export type Sought = internal.Sought

/**
 * Words of a text in order, with their places. The language is found by its function words; `language` (a BCP 47 tag) is the one
 * declared, used where these do not contradict.
 *
 * Words are cut at blanks and punctuation, in Chinese, Japanese, Thai, Lao, Khmer and Burmese by dictionary (`Intl.Segmenter`);
 * Chinese, Japanese and Korean add each pair of neighbouring characters, and words joined by punctuation (`E-PRTR`, `1.2.3`) the
 * whole. Case, compatibility forms and diacritics do not count. Linear; pure.
 *
 * @since 0.1.0
 * @category constructors
 */
export const places = (text: string, language?: string, of: Version = version): ReadonlyArray<Place> => {
  const all = words(text, of)
  return internal.places(all, internal.languages(all, language, of), of)
}

/**
 * Words of a query, each once, 64 at most. A word has its stem in each language that the query may be of: by its function words, or
 * every language of its script.
 *
 * @example
 * ```ts
 * import * as Terms from "docsluice/Terms"
 *
 * Terms.sought("the houses").map(({ terms }) => terms)
 * // [["the", "the¦en"], ["houses", "hous¦en"]]
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const sought = (query: string, of: Version = version): ReadonlyArray<Sought> => internal.sought(query, of)

/**
 * Fields of a chunk as terms.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fields {
  readonly text: ReadonlyArray<string>
  readonly headings: ReadonlyArray<string>
  readonly source: ReadonlyArray<string>
}

/**
 * Terms of a chunk's text, headings and source, in order, for an index of them. The language is that of the text; the member
 * `language` of the chunk's metadata is the one declared. From version 2 on, headings begin with the words of the document's title, the
 * member `title`, unless a heading is the title.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fields = (
  chunk: Pick<DocumentChunk, "text" | "source"> & {
    readonly headingPath: ReadonlyArray<{ readonly text: string }>
    readonly metadata: Readonly<Record<string, unknown>>
  },
  of: Version = version
): Fields => {
  const { headings, source, text } = internal.fields(chunk, of)
  return { text: termsOf(text), headings: termsOf(headings), source: termsOf(source) }
}

/**
 * The same as {@link fields} with a blank between the terms, for an engine that indexes what stands between blanks; in a fraction of the time.
 *
 * @since 0.1.0
 * @category constructors
 */
export const texts = (
  chunk: Parameters<typeof fields>[0],
  of: Version = version
): { readonly [Field in keyof Fields]: string } => internal.texts(chunk, of)

/** In a loop: `flatMap` takes longer than all that makes the terms. */
const termsOf = (all: ReadonlyArray<Place>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const { terms } of all) for (const term of terms) found.push(term)
  return found
}
