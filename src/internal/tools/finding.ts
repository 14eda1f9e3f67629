/** The tools `search` and `verify`. */
import * as Effect from "effect/Effect"
import { citation, type DocumentChunk, figures } from "../../DocumentChunk.ts"
import * as Filter from "../../Filter.ts"
import * as Verification from "../../Verification.ts"
import { shortened } from "../chunking/tokens/cluster.ts"
import type { Failure } from "../target/readOnlyCorpus.ts"
import type { CitedHit } from "../target/storeSearch.ts"
import { most } from "./contract.ts"
import * as Fence from "./fence.ts"
import { charactersPerToken, fitting, type Library } from "./library.ts"
import * as ToolErrors from "./toolError.ts"

export interface Asked {
  readonly query: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly kinds?: ReadonlyArray<string> | undefined
  readonly source?: string | undefined
  readonly filter?: Readonly<Record<string, unknown>> | undefined
  readonly mode?: "hybrid" | "words" | "vectors" | undefined
}

const defaults = { hits: 8 } as const

const isFilter = (form: unknown): form is Filter.Filter => Filter.parse(form)._tag === "Right"

/** The filter of the server and that of the call: both must hold. */
const within = (
  own: Filter.Filter | undefined,
  { filter, kinds, source }: Asked
): Effect.Effect<Filter.Filter | undefined, ToolErrors.ToolError> =>
  Effect.gen(function* () {
    const all: Array<Filter.Filter> = own === undefined ? [] : [own]
    if (kinds !== undefined && kinds.length > 0) all.push({ kind: { $in: kinds } })
    if (source !== undefined) all.push({ $or: [{ source }, { documentId: source }] })
    if (filter !== undefined) {
      const parsed = Filter.parse(filter)
      if (parsed._tag === "Left" || !isFilter(filter)) {
        const problem = parsed._tag === "Left" ? parsed.left.message : "it cannot be read"
        return yield* ToolErrors.make("Arguments", `The filter: ${problem}.`, "Change the filter, or leave it out.")
      }
      all.push(filter)
    }
    return all.length === 0 ? undefined : all.length === 1 ? all[0] : { $and: all }
  })

const hitOf =
  (fence: Fence.Fence) =>
  ({ chunk, relevance, similarity }: CitedHit) => {
    const longest = most.hit * charactersPerToken
    const cut = chunk.text.length > longest
    const found = figures(chunk)
    return {
      text: fence.around(shortened(chunk.text, longest)),
      cut,
      label: Fence.named(citation(chunk)),
      source: chunk.source,
      chunk: chunk.id,
      pages: chunk.pages,
      boxes: chunk.boxes.slice(0, most.boxes),
      ...(found.length > 0 && { figures: found.slice(0, most.boxes) }),
      headings: chunk.headingPath.map(({ text }) => Fence.named(text)),
      kinds: chunk.kinds,
      tokens: chunk.tokens,
      relevance: relevance ?? null,
      similarity: similarity ?? null
    }
  }

export const search = (library: Library) => (asked: Asked) =>
  Effect.gen(function* () {
    const { limit = defaults.hits, mode, offset = 0, query } = asked
    const { corpus, onShown, scope } = library
    const filter = yield* within(scope.filter, asked)
    const options = { limit, offset, ...(mode && { mode }), ...(filter && { filter }) }
    const { tenant } = scope
    const hits = yield* ToolErrors.ofCorpus(
      corpus.search(query, { ...options, ...(tenant !== undefined && { tenant }) })
    )
    const fence = Fence.make()
    const given = fitting(library, hits.map(hitOf(fence)))
    onShown(hits.slice(0, given.length).map(({ chunk }) => chunk))
    const isLast = given.length === hits.length && hits.length < limit
    return { notice: fence.notice, hits: given, next: isLast ? null : offset + given.length }
  })

/** The search of the corpus; chunks around a hit are limited as hits are. Puts all that it gives into `found`, by id. */
const searched = (
  { corpus, scope: { condition } }: Library,
  found: Map<string, DocumentChunk>
): Verification.Searching<Failure> => {
  const visible = (chunks: ReadonlyArray<DocumentChunk> = []) =>
    condition === undefined ? chunks : chunks.filter((one) => Filter.matches(condition, one))
  return {
    search: (query, options) =>
      Effect.map(corpus.search(query, options), (hits) =>
        hits.map((hit) => {
          const { chunk } = hit
          const [after, before] = [visible(hit.after), visible(hit.before)]
          for (const one of [chunk, ...before, ...after]) found.set(one.id, one)
          return { chunk, after, before }
        })
      )
  }
}

export const verify =
  (library: Library) =>
  ({ quote, source }: { readonly quote: string; readonly source?: string | undefined }) =>
    Effect.gen(function* () {
      const { documents, onShown, scope } = library
      const { filter, tenant } = scope
      const document = source === undefined ? undefined : yield* documents.find(source)
      const found = new Map<string, DocumentChunk>()
      const { places, stands } = yield* ToolErrors.ofCorpus(
        Verification.verify(quote, searched(library, found), {
          filter,
          tenant,
          source: document?.documentId,
          places: most.places
        })
      )
      const fence = Fence.make()
      const shown = places.slice(0, most.places).map((place) => ({
        source: place.source,
        label: Fence.named(place.label),
        chunks: place.chunkIds,
        pages: place.pages,
        boxes: place.boxes.slice(0, most.boxes),
        text: fence.around(place.text),
        differences: place.differences.map((one) => ({ quote: one.quote, document: one.document }))
      }))
      const given = fitting(library, shown)
      onShown(given.flatMap(({ chunks }) => chunks.flatMap((id) => found.get(id) ?? [])))
      return { notice: fence.notice, stands, places: given }
    })
