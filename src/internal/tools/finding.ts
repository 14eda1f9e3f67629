/** The tools `search` and `verify`. */
import * as Effect from "effect/Effect"
import { citation, type DocumentChunk } from "../../DocumentChunk.ts"
import * as Filter from "../../Filter.ts"
import * as Verification from "../../Verification.ts"
import { shortened } from "../chunking/tokens/cluster.ts"
import type { CitedHit } from "../target/storeSearch.ts"
import { most } from "./contract.ts"
import * as Fence from "./fence.ts"
import type { Settings } from "./settings.ts"
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

/** Characters for a token, where a text has to be cut. */
const charactersPerToken = 4

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
    return {
      text: fence.around(shortened(chunk.text, longest)),
      cut,
      label: Fence.named(citation(chunk)),
      source: chunk.source,
      chunk: chunk.id,
      pages: chunk.pages,
      boxes: chunk.boxes.slice(0, most.boxes),
      headings: chunk.headingPath.map(({ text }) => Fence.named(text)),
      kinds: chunk.kinds,
      tokens: chunk.tokens,
      relevance: relevance ?? null,
      similarity: similarity ?? null
    }
  }

export const search =
  ({ corpus, scope }: Settings) =>
  (asked: Asked) =>
    Effect.gen(function* () {
      const { limit = defaults.hits, mode, offset = 0, query } = asked
      const filter = yield* within(scope.filter, asked)
      const options = { limit, offset, ...(mode && { mode }), ...(filter && { filter }) }
      const { tenant } = scope
      const hits = yield* ToolErrors.ofCorpus(
        corpus.search(query, { ...options, ...(tenant !== undefined && { tenant }) })
      )
      const fence = Fence.make()
      const next = offset + limit
      return { notice: fence.notice, hits: hits.map(hitOf(fence)), next: hits.length < limit ? null : next }
    })

/** The search of the corpus; chunks around a hit are limited as hits are. */
const searched = ({ corpus, scope: { condition } }: Settings): Pick<Settings["corpus"], "search"> => {
  if (condition === undefined) return corpus
  const visible = (chunks: ReadonlyArray<DocumentChunk> = []) => chunks.filter((one) => Filter.matches(condition, one))
  return {
    search: (query, options) =>
      Effect.map(corpus.search(query, options), (hits) =>
        hits.map(({ after, before, chunk, citation: cited, score }) => ({
          chunk,
          citation: cited,
          score,
          after: visible(after),
          before: visible(before)
        }))
      )
  }
}

export const verify =
  (settings: Settings) =>
  ({ quote, source }: { readonly quote: string; readonly source?: string | undefined }) =>
    Effect.gen(function* () {
      const { documents, scope } = settings
      const { filter, tenant } = scope
      const document = source === undefined ? undefined : yield* documents.find(source)
      const { places, stands } = yield* ToolErrors.ofCorpus(
        Verification.verify(quote, searched(settings), {
          filter,
          tenant,
          source: document?.documentId,
          places: most.places
        })
      )
      const fence = Fence.make()
      return {
        notice: fence.notice,
        stands,
        places: places.slice(0, most.places).map((place) => ({
          source: place.source,
          label: Fence.named(place.label),
          chunks: place.chunkIds,
          pages: place.pages,
          boxes: place.boxes.slice(0, most.boxes),
          text: fence.around(place.text),
          differences: place.differences.map((one) => ({ quote: one.quote, document: one.document }))
        }))
      }
    })
