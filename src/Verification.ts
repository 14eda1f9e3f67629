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
import { Box, ChunkId, citation } from "./DocumentChunk.ts"
import type { Filter } from "./Filter.ts"
import { shown } from "./internal/quotation/form.ts"
import { type Found, Passages } from "./internal/quotation/passages.ts"
import * as Quotation from "./internal/quotation/quotation.ts"
import * as Sentences from "./internal/quotation/sentences.ts"
import * as Telling from "./internal/quotation/telling.ts"
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
  readonly search: (
    query: string,
    options?: SearchOptions
  ) => Effect.Effect<ReadonlyArray<Pick<Hit, "after" | "before" | "chunk">>, E, R>
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

const defaults = { places: 8 } as const

/** A search for the chunks in which a quote may stand. */
interface Ask extends Pick<SearchOptions, "limit" | "neighbours"> {
  readonly words: ReadonlyArray<string>
}

/** Words of a part of a quote that is searched alone, since it may run over several chunks; most parts. */
const part = { words: 40, most: 6 } as const

/** Words of a search: a store reads every chunk that has any of them. */
const most = { whole: 4, part: 3, rare: 2, deep: 12 } as const

const whole = (telling: ReadonlyArray<string>): Ask => ({
  words: telling.slice(0, most.whole),
  limit: 4,
  neighbours: 1
})

/** For each part of a quote, which may stand in another chunk. */
const inParts = (words: ReadonlyArray<string>): ReadonlyArray<Ask> => {
  const count = Math.min(part.most, Math.max(2, Math.ceil(words.length / part.words)))
  const size = Math.ceil(words.length / count)
  return Array.from({ length: words.length < count * most.part ? 0 : count }, (_, at) => {
    const own = Telling.of(words.slice(at * size, (at + 1) * size))
    return { words: own.slice(0, most.part), limit: 3, neighbours: 1 }
  })
}

/** Words that fewest of the chunks found so far have: a ranking by the others may put the one that has them low. */
const rarest = (telling: ReadonlyArray<string>, passages: Passages): Ask => {
  const counts = new Map(telling.map((word) => [word, passages.count(word)]))
  const sorted = telling.toSorted((left, right) => (counts.get(left) ?? 0) - (counts.get(right) ?? 0))
  return { words: sorted.slice(0, most.rare), limit: 12 }
}

const deep = (telling: ReadonlyArray<string>): Ask => ({ words: telling.slice(0, most.deep), limit: 40 })

const filterOf = ({ filter, source }: Options): Filter | undefined => {
  if (source === undefined) return filter
  const own: Filter = { $or: [{ source }, { documentId: source }] }
  return filter === undefined ? own : { $and: [filter, own] }
}

const placeOf = ({ chunks, differences, words }: Found): Place => {
  const [first] = chunks
  const [id, ...ids] = [first.id, ...chunks.slice(1).map((chunk) => chunk.id)]
  const pages = [...new Set(chunks.flatMap((chunk) => chunk.pages))].toSorted((left, right) => left - right)
  return Place.make({
    source: first.source,
    documentId: first.documentId,
    chunkIds: [id, ...ids],
    pages,
    boxes: chunks.flatMap(({ boxes }) => boxes),
    label: citation({ ...first, pages }),
    text: shown(words),
    differences: differences.map(({ quote, text }) => Difference.make({ quote: shown(quote), document: shown(text) }))
  })
}

/**
 * Checks one quote. It may run over several chunks, and be copied with its markup. The store is searched by words, at most nine times; a
 * quote that stands word for word in a chunk is found by the first search as a rule.
 *
 * @since 0.1.0
 * @category checking
 */
export const verify = <E, R>(
  quote: string,
  corpus: Searching<E, R>,
  options: Options = {}
): Effect.Effect<Verdict, E, R> =>
  Effect.gen(function* () {
    const { places = defaults.places, tenant } = options
    const verdict = (stands: Verdict["stands"], there: ReadonlyArray<Found>) =>
      Verdict.make({ quote, stands, places: there.map(placeOf) })
    const readings = Quotation.ofQuote(quote)
    const [words] = readings
    if (words === undefined) return verdict("absent", [])
    const telling = Telling.of(words)
    const passages = new Passages(words)
    let near: ReadonlyArray<Found> = []
    const stages: ReadonlyArray<() => ReadonlyArray<Ask>> = [
      () => [whole(telling)],
      () => (near.length > 0 ? [] : inParts(words)),
      () => [rarest(telling, passages)],
      () => (near.length > 0 ? [] : [deep(telling)])
    ]
    const query = { filter: filterOf(options), tenant, mode: "words", minScore: 0, rerank: "none" } as const
    for (const stage of stages) {
      const asks = stage()
      for (const { words: sought, ...how } of asks) {
        for (const { after = [], before = [], chunk } of yield* corpus.search(sought.join(" "), { ...query, ...how })) {
          for (const each of [chunk, ...before, ...after]) passages.add(each)
        }
      }
      if (asks.length === 0) continue
      const exact = passages.exact(readings, places)
      if (exact.length > 0) return verdict("exact", exact)
      near = passages.near(words, places)
    }
    return near.length === 0 ? verdict("absent", []) : verdict("close", near)
  })

/**
 * Checks each sentence of a text, such as an answer of a model, in order. References at the end of a sentence, such as `[1]`, are left out
 * unless they are the document's own.
 *
 * @since 0.1.0
 * @category checking
 */
export const verifySentences = <E, R>(
  text: string,
  corpus: Searching<E, R>,
  options: Options = {}
): Effect.Effect<ReadonlyArray<Verdict>, E, R> =>
  Effect.forEach(Sentences.of(text), (sentence) =>
    Effect.gen(function* () {
      const verdict = yield* verify(sentence, corpus, options)
      const without = Sentences.withoutReferences(sentence)
      if (verdict.stands === "exact" || without === undefined) return verdict
      const { places, stands } = yield* verify(without, corpus, options)
      return Verdict.make({ quote: sentence, stands, places })
    })
  )
