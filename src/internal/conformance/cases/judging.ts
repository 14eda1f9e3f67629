import * as Effect from "effect/Effect"
import type { Hit, Query } from "../../../ChunkSink.ts"
import type { DocumentChunk } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { all, type Case, checks, claiming, embedded } from "../Case.ts"
import { near } from "../rank.ts"
import { turned } from "../samples.ts"
import { asking, idsOf, stored, texts } from "./searching.ts"

/** The problem of spans that are not in order, apart from each other and within the text. */
const highlightProblem = (text: string, spans: NonNullable<Hit["highlights"]>): string | null => {
  let last = -1
  for (const { end, start } of spans) {
    if (start <= last || end <= start || end > text.length) return `a highlight is at ${start} to ${end}`
    last = end
  }
  return null
}

export const judging: ReadonlyArray<Case> = [
  ...checks("itself", claiming("search"), {
    *"says of each hit how much of the query it holds, from nothing to all"(world) {
      const chunks = yield* stored(world)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const { id, text } of chunks) {
            const hits = yield* world.search(sink, { ...asking(world, text, 5) })
            for (const { chunk, highlights, matched } of hits) {
              if (matched === undefined) return yield* world.notVerifiable("its hits have no `matched`")
              if (matched === null || !(matched >= 0 && matched <= 1)) {
                return yield* world.fail(`the share of matched words is ${String(matched)}, which is not from 0 to 1`)
              }
              if (chunk.id === id && matched < 0.999) {
                return yield* world.fail(`a chunk that holds all words of the query matches ${matched} of them`)
              }
              if (chunk.id !== id && matched > 0.5) {
                return yield* world.fail(`a chunk that holds one word of five matches ${matched} of them`)
              }
              const problem = highlightProblem(chunk.text, highlights ?? [])
              if (problem !== null) return yield* world.fail(problem)
            }
          }
          return undefined
        })
      )
    },
    *"gives the chunks before and after a hit in its document, and its section"(world) {
      const path = (text: string) => [{ depth: 1, text }]
      const parts = texts.map((text, index) =>
        world.chunk("birds.md", index, { text, embedText: text, headingPath: path(index < 3 ? "Marsh" : "Home") })
      )
      const others = parts.map(({ headingPath, index }) => world.chunk("boats.md", index, { headingPath }))
      yield* world.session((sink) => sink.write([...parts, ...others]))
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const third = parts[2]
          if (third === undefined) return undefined
          const query = { ...asking(world, third.text, parts.length + others.length), neighbours: 1, parent: true }
          const hit = (yield* world.search(sink, query)).find(({ chunk }) => chunk.id === third.id)
          if (hit === undefined) return yield* world.fail("it is not found")
          if (hit.before === undefined) return yield* world.notVerifiable("its hits have no neighbours")
          const names = (chunks: ReadonlyArray<DocumentChunk> = []) => chunks.map(({ id }) => id).join(", ")
          const wanted = [parts.slice(1, 2), parts.slice(3, 4), parts.slice(0, 3)].map(names)
          const given = [hit.before, hit.after, hit.parent].map(names)
          if (given.join(" | ") !== wanted.join(" | ")) {
            return yield* world.fail(
              `before, after and section should be ${wanted.join(" | ")}; it gives ${given.join(" | ")}`
            )
          }
          return undefined
        })
      )
    },
    *"leaves out hits below the lowest relevance, and takes the order of a reranker"(world) {
      const chunks = yield* stored(world)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const query: Query = { text: texts[0] ?? "", limit: 5 }
          const all = yield* world.search(sink, query)
          if (all.some(({ relevance }) => relevance === undefined)) {
            return yield* world.notVerifiable("its hits have no `relevance`")
          }
          const fitting = yield* world.search(sink, { ...query, minScore: 0.99 })
          if (idsOf(fitting) !== (chunks[0]?.id ?? "")) {
            return yield* world.fail(
              `only ${chunks[0]?.id} holds the query; with minScore 0.99 it gives ${idsOf(fitting)}`
            )
          }
          const turnedAround = yield* world.search(sink, {
            ...query,
            rerank: (_, hits) => hits.map((_hit, at) => at)
          })
          const wanted = idsOf(all.toReversed())
          return idsOf(turnedAround) === wanted
            ? undefined
            : yield* world.fail(`the reranker gives the order ${wanted}; the sink gives ${idsOf(turnedAround)}`)
        })
      )
    },
    *"gives the pages of one list, in the order of the sink and in that of a reranker"(world) {
      yield* stored(world)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const query = asking(world, "field heron kettle", texts.length)
          for (const rerank of [undefined, (_: string, hits: ReadonlyArray<Hit>) => hits.map((_hit, at) => at)]) {
            const whole = yield* world.search(sink, { ...query, rerank })
            const pages = yield* Effect.forEach([0, 2, 4], (offset) =>
              world.search(sink, { ...query, rerank, offset, limit: 2 })
            )
            if (idsOf(pages.flat()) !== idsOf(whole)) {
              return yield* world.fail(`its hits are ${idsOf(whole)}; in pages of two they are ${idsOf(pages.flat())}`)
            }
          }
          return undefined
        })
      )
    },
    *"gives at most as many hits of one document as are asked for, the best of them"(world) {
      const parts = ["birds.md", "boats.md"].flatMap((source) =>
        texts.map((text, index) =>
          world.chunk(source, index, {
            text: `${text} ${source}`,
            embedText: `${text} ${source}`,
            ...(world.space && { embedding: turned(world.space, index / 5) })
          })
        )
      )
      yield* world.session((sink) => sink.write(parts))
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const query = asking(world, "field heron", parts.length)
          const whole = yield* world.search(sink, query)
          const counts = new Map<string, number>()
          const wanted = whole.filter(({ chunk }) => {
            const count = (counts.get(chunk.documentId) ?? 0) + 1
            counts.set(chunk.documentId, count)
            return count <= 2
          })
          const given = yield* world.search(sink, { ...query, perDocument: 2 })
          return idsOf(given) === idsOf(wanted)
            ? undefined
            : yield* world.fail(`two hits of each document are ${idsOf(wanted)}; it gives ${idsOf(given)}`)
        })
      )
    },
    *"searches without being prepared, and changes nothing by it"(world) {
      const chunks = yield* stored(world)
      const hits = yield* world.unprepared((sink) =>
        Effect.either(access.search(sink, asking(world, texts[0] ?? "", 3)))
      )
      if (hits._tag === "Left") {
        return yield* hits.left.reason === "Rejected" || hits.left.reason === "Unsupported"
          ? world.notVerifiable(`it cannot search unprepared: ${hits.left.problem}`)
          : world.fail(hits.left.problem, hits.left)
      }
      if (hits.right[0]?.chunk.id !== chunks[0]?.id) return yield* world.fail(`it finds ${idsOf(hits.right)}`)
      return yield* world.expect(chunks)
    }
  }),
  ...checks("itself", all(claiming("search"), embedded), {
    *"says of each hit how near its vector is, from 0 to 1"(world) {
      const chunks = yield* stored(world)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const { embedding, text } of chunks) {
            if (embedding === undefined) continue
            const hits = yield* world.search(sink, { text, vector: Array.from(embedding), limit: 5 })
            for (const { chunk, similarity } of hits) {
              if (similarity === undefined || similarity === null) {
                return yield* world.notVerifiable("its hits have no `similarity`")
              }
              if (!(similarity >= 0 && similarity <= 1)) {
                return yield* world.fail(`the similarity is ${similarity}, which is not from 0 to 1`)
              }
              const stored = chunks.find(({ id }) => id === chunk.id)?.embedding ?? []
              // `make` clamps an engine's value to 0 to 1, so a value out of range shows as a wrong one.
              const wanted = near.cosine(embedding, stored)
              if (Math.abs(similarity - Math.max(0, wanted)) > 0.01) {
                return yield* world.fail(
                  `the cosine of the vectors of the query and of ${chunk.id} is ${wanted.toFixed(3)}; the similarity is ${similarity}`
                )
              }
            }
          }
          return undefined
        })
      )
    }
  })
]
