import * as Effect from "effect/Effect"
import type { ChunkSink, SinkError } from "../../../ChunkSink.ts"
import type { DocumentChunk } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { all, type Case, checks, claiming, hooked } from "../Case.ts"
import { queryOf, turned } from "../samples.ts"
import type { World } from "../World.ts"

/** Runs the body with the sink and its neighbour, both prepared. */
const both = (
  world: World,
  body: (mine: access.Session, theirs: access.Session) => Effect.Effect<void, unknown>
): ReturnType<Case["run"]> =>
  world.session((mine) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { neighbour } = world.target
        if (neighbour === undefined) return
        const theirs = yield* access.prepare(yield* access.open({ layer: neighbour }), world.space)
        yield* Effect.ensuring(body(mine, theirs), Effect.ignore(theirs.clear ?? Effect.void))
      })
    )
  )

const counted = (sink: ChunkSink.Service): Effect.Effect<number | null, SinkError> => sink.count ?? Effect.succeed(null)

/** Runs the body with the sink and its neighbour, both filled, and a reader that is opened for none of them. */
const choosing = (
  world: World,
  body: (
    reader: ChunkSink.Service,
    tenants: NonNullable<World["target"]["tenants"]>,
    chunks: readonly [ReadonlyArray<DocumentChunk>, ReadonlyArray<DocumentChunk>]
  ) => Effect.Effect<void, unknown>
): ReturnType<Case["run"]> =>
  both(
    world,
    Effect.fnUntraced(function* (mine, theirs) {
      const { tenants } = world.target
      if (tenants === undefined) return undefined
      const [own, foreign] = [world.document("a.pdf", 3), world.document("a.pdf", 3, "theirs")]
      yield* mine.write(own)
      yield* theirs.write(foreign)
      yield* mine.finish
      yield* theirs.finish
      return yield* Effect.scoped(
        Effect.flatMap(access.open(tenants), (reader) => body(reader, tenants, [own, foreign]))
      )
    })
  )

export const tenants: ReadonlyArray<Case> = [
  ...checks("itself", all(claiming("list"), hooked("neighbour")), {
    *"keeps the same ids of two tenants apart, in lists, counts, removals and replacements"(world) {
      return yield* both(
        world,
        Effect.fnUntraced(function* (mine, theirs) {
          const chunks = world.document("a.pdf", 4)
          const others = [...chunks, ...world.document("b.pdf", 3)]
          yield* mine.write(chunks)
          yield* world.listed(theirs, [])
          yield* theirs.write(others)
          yield* world.listed(mine, chunks)
          yield* world.listed(theirs, others)
          const counts = [yield* counted(mine), yield* counted(theirs)]
          if (counts.some((count, at) => count !== null && count !== [4, 7][at])) {
            return yield* world.fail(`the tenants hold 4 and 7 chunks, and count ${counts.join(" and ")}`)
          }
          if (!world.can.remove) return undefined
          yield* access.remove(theirs, chunks.slice(0, 2))
          yield* world.listed(mine, chunks)
          yield* world.listed(theirs, others.slice(2))
          const [first] = chunks
          if (world.can.replace && first !== undefined) yield* access.replace(theirs, first.documentId, [first])
          yield* world.listed(mine, chunks)
          if (theirs.clear !== undefined) yield* theirs.clear
          return yield* world.listed(mine, chunks)
        })
      )
    }
  }),
  ...checks("itself", all(claiming("search"), hooked("neighbour")), {
    *"finds nothing of another tenant, and gives it nothing"(world) {
      return yield* both(
        world,
        Effect.fnUntraced(function* (mine, theirs) {
          const [own, foreign] = [world.document("a.pdf", 3), world.document("a.pdf", 3, "theirs")]
          yield* mine.write(own)
          yield* theirs.write(foreign)
          for (const [sink, kept] of [
            [mine, own],
            [theirs, foreign]
          ] as const) {
            const [first] = kept
            if (first === undefined) continue
            const hits = yield* world.search(sink, queryOf(first, 20))
            const stranger = hits.find(
              ({ chunk }) => !kept.some(({ id, text }) => id === chunk.id && text === chunk.text)
            )
            if (stranger !== undefined) return yield* world.fail(`a tenant finds another's ${stranger.chunk.id}`)
            if (!hits.some(({ chunk }) => chunk.id === first.id)) {
              return yield* world.fail(`a tenant does not find its own ${first.id} next to another's`)
            }
          }
          return undefined
        })
      )
    },
    *"finds as many chunks of a tenant as the limit, however many of another's are nearer"(world) {
      return yield* both(
        world,
        Effect.fnUntraced(function* (mine, theirs) {
          const { space } = world
          const made = (document: string, count: number, angle: (at: number) => number) =>
            Array.from({ length: count }, (_, at) =>
              world.chunk(document, at, {
                text: `lantern number ${at}`,
                ...(space && { embedding: turned(space, angle(at)) })
              })
            )
          const own = made("mine.md", 12, (at) => 0.6 + at / 100)
          yield* mine.write(own)
          yield* theirs.write(made("theirs.md", 500, (at) => at / 1000))
          yield* theirs.finish
          yield* mine.finish
          const vector = space === null ? {} : { vector: turned(space, 0) }
          const hits = yield* world.search(mine, { text: space === null ? "lantern" : "", ...vector, limit: 10 })
          if (hits.length !== 10) {
            return yield* world.fail(`of 12 chunks of a tenant, a search for 10 finds ${hits.length}`)
          }
          return undefined
        })
      )
    }
  }),
  ...checks("itself", all(claiming("search"), hooked("neighbour"), hooked("tenants")), {
    *"finds the chunks of the tenant that a query chooses, with one reader for all"(world) {
      return yield* choosing(
        world,
        Effect.fnUntraced(function* (reader, { mine, theirs }, [own, foreign]) {
          for (const [tenant, kept] of [
            [mine, own],
            [theirs, foreign],
            [mine, own]
          ] as const) {
            const [first] = kept
            if (first === undefined) continue
            const hits = yield* world.search(reader, { ...queryOf(first, 20), tenant })
            if (!hits.some(({ chunk }) => chunk.id === first.id && chunk.text === first.text)) {
              return yield* world.fail(`a query for the tenant ${tenant} does not find its chunk ${first.id}`)
            }
            if (hits.some(({ chunk }) => !kept.some(({ id, text }) => id === chunk.id && text === chunk.text))) {
              return yield* world.fail(`a query for the tenant ${tenant} finds a chunk of another one`)
            }
          }
          return undefined
        })
      )
    },
    *"refuses a query for no tenant, and that of a tenant's sink for another one"(world) {
      return yield* choosing(
        world,
        Effect.fnUntraced(function* (reader, { mine, theirs }, [[first]]) {
          if (first === undefined) return undefined
          const own = yield* access.open(world.target)
          const query = queryOf(first, 5)
          for (const [what, search] of [
            ["for no tenant", access.search(reader, query)],
            [`for ${theirs} of the sink of ${mine}`, access.search(own, { ...query, tenant: theirs })]
          ] as const) {
            const found = yield* Effect.either(search)
            if (found._tag === "Right" || found.left.reason !== "Rejected") {
              return yield* world.fail(`a query ${what} is ${found._tag === "Right" ? "answered" : found.left.reason}`)
            }
          }
          return undefined
        }, Effect.scoped)
      )
    }
  })
]
