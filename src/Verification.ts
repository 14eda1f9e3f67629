/**
 * Checks quotations against the documents of a store: a quote stands there word for word, with small differences, or nowhere.
 *
 * Quote and document are compared without regard to line ends, hyphens that a line end put into a word, ligatures, forms of quotation marks
 * and dashes, white space, forms of Unicode, and the markup of Markdown. Any other difference, such as a number, a sign, a raised digit, a
 * name, a negation or a capital letter, is reported with its words, and the quote is then not `exact`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Hit } from "./ChunkSink.ts"
import { Box, ChunkId } from "./DocumentChunk.ts"
import type { SearchOptions } from "./internal/target/storeSearch.ts"
import { DocumentId } from "./SourceFile.ts"

/**
 * Words that differ between a quote and a place where it stands nearly.
 *
 * @since 0.1.0
 * @category models
 */
export class Difference extends Schema.Class<Difference>("docsluice/Verification/Difference")({
  /** Words of the quote; empty where the document has more. */
  quote: Schema.String,
  /** Words of the document instead; empty where the quote has more. */
  document: Schema.String
}) {}

/**
 * A place where a quote stands, in one chunk or in several that follow one another.
 *
 * @since 0.1.0
 * @category models
 */
export class Place extends Schema.Class<Place>("docsluice/Verification/Place")({
  /** Path of the document. */
  source: Schema.String,
  documentId: DocumentId,
  /** The chunks over which the words run, in order. */
  chunkIds: Schema.NonEmptyArray(ChunkId),
  /** 1-based physical pages of these chunks, ascending; `[]` where the format has none. */
  pages: Schema.Array(Schema.Int.pipe(Schema.positive())),
  /** Boxes of these chunks, in reading order. */
  boxes: Schema.Array(Box),
  /** Document and place in one line, as `DocumentChunk.citation` writes it. */
  label: Schema.String,
  /** The words of the document, as they are compared. */
  text: Schema.String,
  /** `[]` where the quote stands word for word. */
  differences: Schema.Array(Difference)
}) {}

/**
 * The result of a check.
 *
 * @since 0.1.0
 * @category models
 */
export class Verdict extends Schema.Class<Verdict>("docsluice/Verification/Verdict")({
  quote: Schema.String,
  /** `exact`: word for word. `close`: with the differences of each place, so that it must not be accepted. `absent`: nowhere. */
  stands: Schema.Literal("exact", "close", "absent"),
  /** The best first; empty if absent. */
  places: Schema.Array(Place)
}) {}

/**
 * Anything that searches chunks as a corpus does, such as `Corpus.Service`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Searching<E, R = never> {
  readonly search: (query: string, options?: SearchOptions) => Effect.Effect<ReadonlyArray<Hit>, E, R>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Pick<SearchOptions, "filter" | "tenant"> {
  /** Path or id of the document in which the quote is to stand; default: any. */
  readonly source?: string | undefined
  /** Most places of a verdict; default 8. */
  readonly places?: number | undefined
}

/**
 * Checks one quote.
 *
 * @since 0.1.0
 * @category checking
 */
export const verify = <E, R>(
  quote: string,
  corpus: Searching<E, R>,
  options: Options = {}
): Effect.Effect<Verdict, E, R> =>
  Effect.map(corpus.search(quote, { mode: "words", filter: options.filter, tenant: options.tenant, minScore: 0 }), () =>
    Verdict.make({ quote, stands: "absent", places: [] })
  )

/**
 * Checks each sentence of a text, such as an answer, in order.
 *
 * @since 0.1.0
 * @category checking
 */
export const verifySentences = <E, R>(
  text: string,
  corpus: Searching<E, R>,
  options: Options = {}
): Effect.Effect<ReadonlyArray<Verdict>, E, R> =>
  Effect.forEach([text], (sentence) => verify(sentence, corpus, options))
