import * as Effect from "effect/Effect"
import type { ChunkSink, Hit, Query } from "../../../ChunkSink.ts"
import { ChunkId, type DocumentChunk } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { all, type Case, checks, claiming, embedded } from "../Case.ts"
import * as difference from "../difference.ts"
import { write } from "../filterRows.ts"
import { documentId, queryOf, turned } from "../samples.ts"
import type { World } from "../World.ts"

/** Texts of five words, one of them common to all; also of different letters, for a store that embeds by itself. */
export const texts = [
  "heron marsh reeds fog field",
  "granite quarry iron dust field",
  "violin string bow rosin field",
  "kettle teapot teacup steam field",
  "sail harbor anchor buoy field"
]

/** Searches like the command line: with words, and with a vector when chunks have them. */
export const asking = (world: World, text: string, limit: number, more: Partial<Query> = {}): Query => ({
  text,
  ...(world.space && { vector: turned(world.space, 0) }),
  limit,
  ...more
})

export const idsOf = (hits: ReadonlyArray<Hit>): string => hits.map(({ chunk }) => chunk.id).join(", ")

/** Fails unless scores are finite numbers, the greatest first, and no chunk is found twice. */
const checkHits = (world: World, hits: ReadonlyArray<Hit>) => {
  const scores = hits.map(({ score }) => score)
  if (!scores.every(Number.isFinite)) return world.fail(`the scores are ${scores.join(", ")}`)
  if (scores.some((score, at) => score > (scores[at - 1] ?? Number.POSITIVE_INFINITY))) {
    return world.fail(`the greatest score does not come first: ${scores.join(", ")}`)
  }
  return new Set(hits.map(({ chunk }) => chunk.id)).size === hits.length
    ? Effect.void
    : world.fail(`a chunk comes twice: ${idsOf(hits)}`)
}

/** One chunk per text, with vectors a fifth of a radian apart. */
const store = (world: World): ReadonlyArray<DocumentChunk> =>
  texts.map((text, index) =>
    world.chunk(`${text.slice(0, 5).trim()}.md`, 0, {
      text,
      ...(world.space && { embedding: turned(world.space, index / 5) })
    })
  )

/** Writes these chunks. */
export const stored = (world: World) => {
  const chunks = store(world)
  return Effect.as(
    world.session((sink) => sink.write(chunks)),
    chunks
  )
}

/** The chunks found for a chunk's text, and for its vector where chunks have them. */
const found = (world: World, sink: ChunkSink.Service, chunk: DocumentChunk) =>
  Effect.map(world.search(sink, queryOf(chunk, 10)), (hits) => hits.map((hit) => hit.chunk))

/** A word, and the one text that holds it inside a sentence. */
const sentences = [
  ["首都", "中华人民共和国的首都是北京,人口约为两千万。"],
  ["天気予報", "明日の東京都の天気予報は晴れのち曇りです。"],
  ["도서관", "우리는 어제 도서관에서 책을 빌렸습니다."],
  ["ห้องสมุด", "พวกเขายืมหนังสือจากห้องสมุดเมื่อวานนี้"]
] as const

/** A form of a word, and the one text that holds another form. */
const inflected = [
  ["libraries", "We borrowed the book from the library in the old town."],
  ["Häuser", "Das Haus steht an der Straße und ist mit Schiefer gedeckt."],
  ["chevaux", "Le cheval est dans la cour et il attend son maître."],
  ["книгами", "На столе лежит новая книга, и она очень интересная."]
] as const

/** Fails unless each word finds its text first, among the others. */
const findsEach = Effect.fnUntraced(function* (
  world: World,
  pairs: ReadonlyArray<readonly [word: string, text: string]>
) {
  const chunks = pairs.map(([, text], index) =>
    world.chunk(`text-${index}.md`, 0, {
      text,
      embedText: text,
      ...(world.space && { embedding: turned(world.space, 1) })
    })
  )
  yield* world.session((sink) => sink.write([...chunks, ...store(world)]))
  yield* world.session(
    Effect.fnUntraced(function* (sink) {
      for (const [at, [text]] of pairs.entries()) {
        const hits = yield* world.search(sink, { text, limit: 3 })
        if (hits[0]?.chunk.id !== chunks[at]?.id) {
          return yield* world.fail(
            `for ${JSON.stringify(text)} it gives ${idsOf(hits) || "nothing"}, not ${chunks[at]?.id}`
          )
        }
      }
      return undefined
    })
  )
})

export const searching: ReadonlyArray<Case> = [
  ...checks("itself", claiming("search"), {
    *"finds a text by its own words, before all others"(world) {
      const chunks = yield* stored(world)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const { id, text } of chunks) {
            const hits = yield* world.search(sink, { text, limit: 3 })
            yield* checkHits(world, hits)
            if (hits[0]?.chunk.id !== id) return yield* world.fail(`for "${text}" it gives ${idsOf(hits)}`)
          }
          return undefined
        })
      )
    },
    *"returns as many hits as the limit and the matches allow"(world) {
      const chunks = yield* write(
        world,
        Array.from({ length: 60 }, () => ({}))
      )
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const limit of [1, 7, 55, 60, 100]) {
            const hits = yield* world.search(sink, asking(world, "lantern", limit))
            yield* checkHits(world, hits)
            const wanted = Math.min(limit, chunks.length)
            if (hits.length !== wanted) {
              return yield* world.fail(
                `${wanted} of ${chunks.length} chunks should be found with limit ${limit}, not ${hits.length}`
              )
            }
          }
          return undefined
        })
      )
    },
    *"returns whole chunks"(world) {
      const [plain, ...rest] = store(world)
      if (plain === undefined) return
      const rich = world.chunk(plain.source, 0, {
        ...plain,
        embedText: `Birds > Waders: ${plain.text}`,
        pages: [2, 3],
        boxes: [{ page: 2, bbox: [0, 0.5, 1, 0.75] }],
        headingPath: [{ depth: 1, text: "Birds" }],
        kinds: ["paragraph", "list"],
        blockIds: ["b7"],
        parentId: ChunkId.make("parent"),
        notes: ["low-confidence"],
        metadata: { title: "Waders", year: 2021, draft: false, tags: ["bird", "water"] }
      })
      yield* world.session((sink) => sink.write([rich, ...rest]))
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const hit = (yield* found(world, sink, rich)).find(({ id }) => id === rich.id)
          if (hit === undefined) return yield* world.fail("it is not found")
          const problem = difference.ofContent(rich, hit)
          return problem === null ? undefined : yield* world.fail(`the hit is another chunk: ${problem}`)
        })
      )
    },
    *"finds the chunks written last, and none that was removed"(world) {
      const [first, second, third] = store(world)
      if (first === undefined || second === undefined || third === undefined) return
      const changed = world.chunk(first.source, 0, { ...first, text: texts[3] ?? "", embedText: texts[3] ?? "" })
      const late = world.chunk("late.md", 0, { text: texts[4] ?? "" })
      const check = Effect.fnUntraced(function* (sink: ChunkSink.Service, asked: DocumentChunk, there: boolean) {
        const hits = yield* found(world, sink, asked)
        const hit = hits.find(({ id }) => id === asked.id)
        if (there && hit === undefined) return yield* world.fail(`${asked.id} was written, and is not found`)
        if (!there && hit !== undefined) return yield* world.fail(`${asked.id} is gone, and is found`)
        if (hits.filter(({ id }) => id === asked.id).length > 1) return yield* world.fail(`${asked.id} is found twice`)
        return hit === undefined || hit.text === asked.text
          ? undefined
          : yield* world.fail(`${asked.id} is found as it was before it was written again`)
      })
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          yield* sink.write([first, second])
          yield* check(sink, first, true)
          yield* check(sink, late, false)
          yield* sink.write([changed, late])
          yield* check(sink, changed, true)
          yield* check(sink, late, true)
          if (world.can.remove) {
            yield* access.remove(sink, [second])
            yield* check(sink, second, false)
          }
          if (world.can.replace) {
            const next = world.chunk(late.source, 1, { text: texts[2] ?? "" })
            yield* access.replace(sink, documentId(late.source), [next])
            yield* check(sink, late, false)
            yield* check(sink, next, true)
          }
        })
      )
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          yield* check(sink, changed, true)
          if (world.can.remove) yield* check(sink, second, false)
          if (world.can.replace) yield* check(sink, late, false)
        })
      )
    },
    *"finds nothing while nothing is stored"(world) {
      return yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const hits = yield* world.search(sink, asking(world, "lantern", 5))
          return hits.length === 0 ? undefined : yield* world.fail(`it finds ${idsOf(hits)}`)
        })
      )
    },
    *"accepts any text as a query, and reads none of it as syntax"(world) {
      yield* stored(world)
      const queries = [
        '"',
        "'",
        "AND OR NOT",
        'heron" OR "x',
        "NEAR(",
        "text:",
        "-",
        "*",
        "%",
        "a'b\0c",
        "& | ! <-> :*",
        "\uD800",
        "\\",
        "[",
        "heron ".repeat(500)
      ]
      yield* world.session((sink) =>
        Effect.forEach(
          queries,
          (text) => Effect.flatMap(world.search(sink, asking(world, text, 3)), (hits) => checkHits(world, hits)),
          {
            discard: true
          }
        )
      )
    }
  }),
  ...checks(
    "itself",
    all(claiming("search"), embedded, ({ space }) =>
      space !== null && space.dimensions < 2 ? "vectors of one dimension have no directions to compare" : null
    ),
    {
      *"finds the nearest vector first, then the next, however near they are"(world) {
        const { space } = world
        if (space === null) return
        const angles = [0.5, 0, 1.2, 0.04, 0.02, 0.1, 0.9]
        const chunks = angles.map((angle, index) =>
          world.chunk(`angle-${angle}.md`, 0, { id: ChunkId.make(`angle ${index}`), embedding: turned(space, angle) })
        )
        const inOrder = angles
          .map((angle, at) => ({ angle, id: chunks[at]?.id ?? "" }))
          .toSorted((left, right) => left.angle - right.angle)
          .map(({ id }) => id)
        yield* world.session((sink) => sink.write(chunks))
        yield* world.session(
          Effect.fnUntraced(function* (sink) {
            for (const [angle, wanted] of [
              [0, inOrder],
              [1.3, inOrder.toReversed()]
            ] as const) {
              const hits = yield* world.search(sink, { text: "", vector: turned(space, angle), limit: angles.length })
              yield* checkHits(world, hits)
              const expected = wanted.join(", ")
              if (idsOf(hits) !== expected) {
                return yield* world.fail(`from the nearest to the farthest it is ${expected}; it gives ${idsOf(hits)}`)
              }
            }
            return undefined
          })
        )
      }
    }
  ),
  ...checks("itself", all(claiming("search"), claiming("terms")), {
    *"finds a word inside a sentence of a script without blanks"(world) {
      return yield* findsEach(world, sentences)
    },
    *"finds a word by another of its forms"(world) {
      return yield* findsEach(world, inflected)
    }
  })
]
