import * as Effect from "effect/Effect"
import { type ChunkSink, EmbeddingSpace, type Generations } from "../../../ChunkSink.ts"
import type { DocumentChunk } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { all, type Case, checks, claiming, type Need } from "../Case.ts"
import * as samples from "../samples.ts"
import type { World } from "../World.ts"

const holding: Need = ({ holdsGenerations }) => (holdsGenerations ? null : "the sink holds one generation")

const generationsOf = (world: World, { generations }: ChunkSink.Service) =>
  generations === undefined ? world.fail("the sink has no generations any more") : Effect.succeed(generations)

/** A space of another model, with vectors of another length. */
const otherOf = ({ space }: World): EmbeddingSpace | null =>
  space === null
    ? null
    : EmbeddingSpace.make({ ...space, model: `${space.model}-next`, dimensions: space.dimensions + 1 })

/** Chunks of the other generation. */
const next = (world: World, documents: ReadonlyArray<string>): ReadonlyArray<DocumentChunk> => {
  const { document } = samples.make(otherOf(world))
  return documents.flatMap((name) => document(name, 3, "next"))
}

/** Fills the other generation. */
const fill = (world: World, generations: Generations, chunks: ReadonlyArray<DocumentChunk>, whole: boolean) =>
  Effect.gen(function* () {
    const { filled, sink } = yield* generations.fill
    const prepared = yield* sink.prepare(otherOf(world))
    yield* prepared.write(chunks)
    yield* prepared.finish
    if (whole) yield* filled
  })

/** Fails unless the sink lists, counts and finds exactly these chunks. */
const serves = (world: World, sink: ChunkSink.Service, chunks: ReadonlyArray<DocumentChunk>) =>
  Effect.gen(function* () {
    yield* world.listed(sink, chunks)
    const count = yield* sink.count ?? Effect.succeed(chunks.length)
    if (count !== chunks.length) return yield* world.fail(`${chunks.length} chunks serve, and ${count} are counted`)
    const [first] = chunks
    if (!world.can.search || first === undefined) return undefined
    const hits = yield* world.search(sink, samples.queryOf(first, 20))
    const strangers = hits.filter(({ chunk }) => !chunks.some(({ id }) => id === chunk.id))
    if (strangers.length > 0) return yield* world.fail(`search finds ${strangers[0]?.chunk.id} of another generation`)
    if (!hits.some(({ chunk }) => chunk.id === first.id)) return yield* world.fail(`search does not find ${first.id}`)
    return undefined
  })

/** Runs the body with the sink, which serves these chunks, and with a reader of the same target. */
const filledOnce = (
  world: World,
  body: (
    sink: access.Session,
    reader: ChunkSink.Service,
    chunks: ReadonlyArray<DocumentChunk>
  ) => Effect.Effect<unknown, unknown>
): ReturnType<Case["run"]> =>
  world.unfinished((sink) =>
    world.unprepared((reader) =>
      Effect.gen(function* () {
        const chunks = [...world.document("a.pdf", 3), ...world.document("b.pdf", 3)]
        yield* sink.write(chunks)
        yield* sink.finish
        yield* body(sink, reader, chunks)
      })
    )
  )

const refusal = (world: World, what: string, change: Effect.Effect<unknown, unknown>) =>
  Effect.flatMap(Effect.either(change), (result) =>
    result._tag === "Left" ? Effect.void : world.fail(`${what} was not refused`)
  )

export const generations: ReadonlyArray<Case> = checks("itself", all(holding, claiming("list"), claiming("remove")), {
  *"reads one generation while another is filled, then the other one, for every reader at once"(world) {
    return yield* filledOnce(world, (sink, reader, chunks) =>
      Effect.gen(function* () {
        const held = yield* generationsOf(world, sink)
        const others = next(world, ["a.pdf", "b.pdf"])
        yield* serves(world, reader, chunks)
        yield* fill(world, held, others, true)
        yield* serves(world, reader, chunks)
        yield* held.switch
        yield* serves(world, sink, others)
        yield* serves(world, reader, others)
        yield* held.rollback
        yield* serves(world, reader, chunks)
        yield* held.switch
        yield* serves(world, reader, others)
        yield* held.drop()
        yield* serves(world, reader, others)
        const left = yield* held.list
        if (left.length !== 1 || left[0].number !== 2) return yield* world.fail("the dropped generation is there still")
        yield* fill(
          world,
          held,
          chunks.map((_, at) => others[at] ?? world.chunk("c.pdf", at)),
          true
        )
        yield* held.switch
        return yield* serves(world, reader, others)
      })
    )
  },
  *"does not switch to a generation that was not filled to its end, or that lacks a document"(world) {
    return yield* filledOnce(world, (sink, reader, chunks) =>
      Effect.gen(function* () {
        const held = yield* generationsOf(world, sink)
        yield* refusal(world, "a switch of a store with one generation", held.switch)
        yield* refusal(world, "a drop of the only generation", held.drop())
        yield* fill(world, held, next(world, ["a.pdf", "b.pdf"]), false)
        yield* refusal(world, "a switch to a generation that is being filled", held.switch)
        yield* refusal(world, "a rollback before a switch", held.rollback)
        yield* held.drop()
        yield* fill(world, held, next(world, ["a.pdf"]), true)
        yield* refusal(world, "a switch to a generation without b.pdf", held.switch)
        return yield* serves(world, reader, chunks)
      })
    )
  },
  *"writes to the generation that serves, and leaves the other one as it is"(world) {
    return yield* filledOnce(world, (sink, reader, chunks) =>
      Effect.gen(function* () {
        const held = yield* generationsOf(world, sink)
        const others = next(world, ["a.pdf", "b.pdf"])
        yield* fill(world, held, others, true)
        yield* held.switch
        const added = next(world, ["c.pdf"])
        const prepared = yield* sink.prepare(otherOf(world))
        yield* prepared.write(added)
        yield* prepared.finish
        yield* serves(world, reader, [...others, ...added])
        yield* held.rollback
        return yield* serves(world, reader, chunks)
      })
    )
  },
  *"has no generation left after clear"(world) {
    return yield* filledOnce(world, (sink) =>
      Effect.gen(function* () {
        const held = yield* generationsOf(world, sink)
        yield* fill(world, held, next(world, ["a.pdf", "b.pdf"]), true)
        yield* held.switch
        yield* sink.clear ?? Effect.void
        const left = yield* held.list
        if (left.length !== 1 || left[0].number !== 1) return yield* world.fail("clear left a generation")
        const prepared = yield* access.prepare(sink, world.space)
        return yield* world.listed(prepared, [])
      })
    )
  }
})
