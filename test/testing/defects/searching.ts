import { type Hit, type Query, SinkError } from "docsluice/ChunkSink"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Terms from "docsluice/Terms"
import { Effect, Stream } from "effect"
import { calls, type Defect } from "./Defect.ts"
import { completed, dot, type Parts, type Plant, ranked } from "./honest.ts"

const byText = "finds a text by its own words, before all others"
const byVector = "finds the nearest vector first, then the next, however near they are"
const limit = "returns as many hits as the limit and the matches allow"
const current = "finds the chunks written last, and none that was removed"
const whole = "returns whole chunks"
const listed = "lists in the session that writes, before it is finished"

const sentences = "finds a word inside a sentence of a script without blanks"
const inflected = "finds a word by another of its forms"

const refused = new SinkError({ sink: "memory:", reason: "Rejected", problem: "the engine refused the query" })

/** Searches as an honest sink does, but for one thing. */
export const searching = (search: (query: Query, parts: Parts) => ReadonlyArray<Hit>): Plant =>
  calls((parts) => ({ search: (query) => Effect.sync(() => search(query, parts)) }))

export const all = ({ store }: Parts) => [...store.chunks.values()]

/** Changes the hits of an honest sink. */
const changing = (change: (hits: ReadonlyArray<Hit>, query: Query) => ReadonlyArray<Hit>): Plant =>
  searching((query, parts) => change(ranked(all(parts), query).slice(0, query.limit), query))

/** Changes what an honest sink says of its hits. */
const saying = (change: (hit: Hit) => Hit): Plant =>
  calls(({ sink }) => ({
    search: (query) => Effect.map(sink.search?.(query) ?? Effect.succeed([]), (hits) => hits.map(change))
  }))

/** Compares words in a way of its own; an honest search does the rest. */
const comparing = (wordsOf: (text: string) => ReadonlyArray<string>): Plant =>
  calls(({ sink, store }) => ({
    search: (query) =>
      completed(sink.id, store, query, (chunks, asked) =>
        ranked(chunks, asked, (wanted, text) => {
          const held = new Set(wordsOf(text))
          return wordsOf(wanted).filter((word) => held.has(word)).length
        })
      )
  }))

export const listingAndSearching: ReadonlyArray<Defect> = [
  {
    name: "lists one page",
    caughtBy: "takes batches of none, one, the maximum and one more",
    plant: calls(({ sink }) => ({ list: Stream.take(sink.list ?? Stream.empty, 1000) }))
  },
  {
    name: "reads one chunk more of a document than it was asked for",
    caughtBy: "reads a part of a document in its order, in a session and before it is prepared",
    plant: calls(({ sink }) => ({
      range: (asked) => sink.range?.({ ...asked, to: asked.to + 1 }) ?? Effect.succeed([])
    }))
  },
  {
    name: "lists nothing when it is asked again",
    caughtBy: "lists the same when it is asked again, and when two ask at the same time",
    plant: calls(({ sink }) => {
      let asked = false
      return {
        list: Stream.suspend(() => {
          const first = !asked
          asked = true
          return first ? (sink.list ?? Stream.empty) : Stream.empty
        })
      }
    })
  },
  {
    name: "lists what was there when it was opened",
    caughtBy: listed,
    plant: calls(({ store }) => {
      const before = [...store.chunks.values()]
      return { list: Stream.fromIterable(before) }
    })
  },
  {
    name: "lists sources in the place of document ids",
    caughtBy: "stores what is written, and finds it in a new session",
    plant: calls(({ store }) => ({
      list: Stream.suspend(() =>
        Stream.fromIterable(
          [...store.chunks.values()].map(({ id, source }) => ({ id, documentId: DocumentId.make(source) }))
        )
      )
    }))
  },
  {
    name: "lists a chunk for each of its pages",
    caughtBy: "keeps metadata, lists, boxes and headings as they are",
    plant: calls(({ store }) => ({
      list: Stream.suspend(() =>
        Stream.fromIterable(
          [...store.chunks.values()].flatMap((chunk) => (chunk.pages.length > 1 ? [chunk, chunk] : [chunk]))
        )
      )
    }))
  },
  { name: "gives the worst hit first", caughtBy: byText, plant: changing((hits) => hits.toReversed()) },
  {
    name: "numbers the hits from the worst on",
    caughtBy: byVector,
    plant: changing((hits) => hits.toReversed().map(({ chunk }, at) => ({ chunk, score: -at })))
  },
  {
    name: "gives hits in the order in which they were stored",
    caughtBy: byVector,
    plant: searching((query, parts) =>
      all(parts)
        .slice(0, query.limit)
        .map((chunk) => ({ chunk, score: 1 }))
    )
  },
  {
    name: "gives distances for scores",
    caughtBy: byVector,
    plant: changing((hits) => hits.map(({ chunk, score }) => ({ chunk, score: 1 - score })))
  },
  {
    name: "compares vectors by two digits",
    caughtBy: byVector,
    plant: searching((query, parts) =>
      all(parts)
        .map((chunk) => ({
          chunk,
          score: Math.round(100 * dot(query.vector ?? [], Array.from(chunk.embedding ?? []))) / 100
        }))
        .toSorted((left, right) => right.score - left.score)
        .slice(0, query.limit)
    )
  },
  {
    name: "gives no score",
    caughtBy: byText,
    plant: changing((hits) => hits.map(({ chunk }) => ({ chunk, score: Number.NaN })))
  },
  {
    name: "gives a chunk twice, once for its words and once for its vector",
    caughtBy: byVector,
    plant: changing((hits) => hits.flatMap((hit) => [hit, hit]))
  },
  { name: "ignores the limit", caughtBy: limit, plant: searching((query, parts) => ranked(all(parts), query)) },
  {
    name: "gives one hit more",
    caughtBy: limit,
    plant: searching((query, parts) => ranked(all(parts), query).slice(0, query.limit + 1))
  },
  { name: "gives ten hits at most", caughtBy: limit, plant: changing((hits) => hits.slice(0, 10)) },
  {
    name: "finds what was there when it was opened",
    caughtBy: current,
    plant: calls(({ store }) => {
      const before = [...store.chunks.values()]
      return { search: (query) => Effect.sync(() => ranked(before, query).slice(0, query.limit)) }
    })
  },
  {
    name: "finds what was removed",
    caughtBy: current,
    plant: calls(({ sink }) => {
      const index = new Map<string, DocumentChunk>()
      return {
        write: (batch) =>
          Effect.tap(sink.write(batch), () => Effect.sync(() => batch.forEach((chunk) => index.set(chunk.id, chunk)))),
        replace: (documentId, chunks) =>
          Effect.tap(sink.replace?.(documentId, chunks) ?? Effect.void, () =>
            Effect.sync(() => chunks.forEach((chunk) => index.set(chunk.id, chunk)))
          ),
        search: (query) => Effect.sync(() => ranked([...index.values()], query).slice(0, query.limit))
      }
    })
  },
  {
    name: "finds a chunk as it was first indexed",
    caughtBy: current,
    plant: calls(({ sink, store }) => {
      const index = new Map<string, DocumentChunk>()
      return {
        search: (query) =>
          Effect.sync(() => {
            for (const [id, chunk] of store.chunks) if (!index.has(id)) index.set(id, chunk)
            return ranked([...store.chunks.values()], query)
              .map(({ chunk, score }) => ({ chunk: index.get(chunk.id) ?? chunk, score }))
              .slice(0, query.limit)
          }),
        write: sink.write
      }
    })
  },
  {
    name: "gives hits without their metadata",
    caughtBy: whole,
    plant: changing((hits) =>
      hits.map(({ chunk, score }) => ({ score, chunk: new DocumentChunk({ ...chunk, metadata: {} }, true) }))
    )
  },
  {
    name: "gives an excerpt for the text",
    caughtBy: whole,
    plant: changing((hits) =>
      hits.map(({ chunk, score }) => ({
        score,
        chunk: new DocumentChunk({ ...chunk, text: chunk.text.slice(0, 20) }, true)
      }))
    )
  },
  {
    name: "gives the engine's own ids",
    caughtBy: whole,
    plant: changing((hits) =>
      hits.map(({ chunk, score }, at) => ({
        score,
        chunk: new DocumentChunk({ ...chunk, id: ChunkId.make(`row ${at}`) }, true)
      }))
    )
  },
  {
    name: "fails where nothing is stored yet",
    caughtBy: "finds nothing while nothing is stored",
    plant: calls(({ sink, store }) => ({
      search: (query) => (store.chunks.size === 0 ? refused : (sink.search?.(query) ?? Effect.succeed([])))
    }))
  },
  {
    name: "takes a quote for syntax",
    caughtBy: "accepts any text as a query, and reads none of it as syntax",
    plant: calls(({ sink }) => ({
      search: (query) =>
        query.text.split('"').length % 2 === 0 ? refused : (sink.search?.(query) ?? Effect.succeed([]))
    }))
  },
  {
    name: "takes a star for a pattern, and dies of it",
    caughtBy: "accepts any text as a query, and reads none of it as syntax",
    plant: calls(({ sink }) => ({
      search: (query) =>
        Effect.suspend(() => {
          new RegExp(query.text).test("")
          return sink.search?.(query) ?? Effect.succeed([])
        })
    }))
  },
  {
    name: "takes what stands between blanks for a word",
    caughtBy: sentences,
    plant: comparing((text) => text.toLowerCase().split(/[\s.,。]+/u))
  },
  {
    name: "compares words as they are written",
    caughtBy: inflected,
    plant: comparing((text) => Terms.places(text).map(({ terms }) => terms[0] ?? ""))
  },
  {
    name: "counts matched words instead of giving their share",
    caughtBy: "says of each hit how much of the query it holds, from nothing to all",
    plant: saying((hit) => ({ ...hit, matched: 5 * (hit.matched ?? 0) }))
  },
  {
    name: "gives spans of characters after the end of the text",
    caughtBy: "says of each hit how much of the query it holds, from nothing to all",
    plant: saying((hit) => ({ ...hit, highlights: [{ start: 0, end: hit.chunk.text.length + 1 }] }))
  },
  {
    name: "gives a distance for the similarity",
    caughtBy: "says of each hit how near its vector is, from 0 to 1",
    plant: saying((hit) => ({ ...hit, similarity: 1 - (hit.similarity ?? 0) }))
  },
  {
    name: "gives a similarity of 5, which is cut to 1",
    caughtBy: "says of each hit how near its vector is, from 0 to 1",
    plant: calls(({ sink, store }) => ({
      search: (query) =>
        completed(sink.id, store, query, (chunks, asked) =>
          ranked(chunks, asked).map(({ chunk, score }) => ({ chunk, score, similarity: 5 }))
        )
    }))
  },
  {
    name: "takes the chunks around a hit from all documents",
    caughtBy: "gives the chunks before and after a hit in its document, and its section",
    plant: calls(({ sink, store }) => ({
      search: (query) => completed(sink.id, store, query, ranked, () => true)
    }))
  },
  {
    name: "gives what comes after a hit as what comes before",
    caughtBy: "gives the chunks before and after a hit in its document, and its section",
    plant: saying((hit) => ({ ...hit, before: hit.after, after: hit.before }))
  },
  {
    name: "ignores the lowest relevance",
    caughtBy: "leaves out hits below the lowest relevance, and takes the order of a reranker",
    plant: calls(({ sink }) => ({
      search: (query) => sink.search?.({ ...query, minScore: undefined }) ?? Effect.succeed([])
    }))
  },
  {
    name: "ignores the reranker",
    caughtBy: "leaves out hits below the lowest relevance, and takes the order of a reranker",
    plant: calls(({ sink }) => ({
      search: (query) => sink.search?.({ ...query, rerank: undefined }) ?? Effect.succeed([])
    }))
  },
  {
    name: "begins every page with the best hit",
    caughtBy: "gives the pages of one list, in the order of the sink and in that of a reranker",
    plant: calls(({ sink }) => ({
      search: (query) => sink.search?.({ ...query, offset: 0 }) ?? Effect.succeed([])
    }))
  },
  {
    name: "gives all hits of a document",
    caughtBy: "gives at most as many hits of one document as are asked for, the best of them",
    plant: calls(({ sink }) => ({
      search: (query) => sink.search?.({ ...query, perDocument: undefined }) ?? Effect.succeed([])
    }))
  },
  {
    name: "finds nothing before it is prepared",
    caughtBy: "searches without being prepared, and changes nothing by it",
    plant: calls(({ sink }) => {
      let prepared = false
      return {
        prepare: (space, claim) =>
          Effect.tap(sink.prepare(space, claim), () =>
            Effect.sync(() => {
              prepared = true
            })
          ),
        search: (query) =>
          Effect.suspend(() => (prepared ? (sink.search?.(query) ?? Effect.succeed([])) : Effect.succeed([])))
      }
    })
  }
]
