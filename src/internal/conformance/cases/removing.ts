import * as Effect from "effect/Effect"
import { ChunkId } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { type Case, claiming } from "../Case.ts"

export const removing: ReadonlyArray<Case> = [
  {
    name: "removes chunks by id, and ignores ids that are not stored",
    lacking: claiming("remove"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const chunks = world.document("a.pdf", 6)
        const [kept, gone] = [chunks.slice(0, 2), chunks.slice(2)]
        yield* world.session((sink) =>
          Effect.zipRight(
            sink.write(chunks),
            access.remove(sink, [...gone.map(({ id }) => id), ChunkId.make("nowhere")])
          )
        )
        yield* world.expect(kept)
        yield* world.session((sink) =>
          access.remove(
            sink,
            gone.map(({ id }) => id)
          )
        )
        yield* world.expect(kept)
        yield* world.session((sink) => sink.write(gone))
        yield* world.expect(chunks)
        yield* world.session((sink) =>
          access.remove(
            sink,
            chunks.map(({ id }) => id)
          )
        )
        yield* world.expect([])
      })
  },
  {
    name: "removes nothing when it is given no id",
    lacking: claiming("remove"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const chunks = world.document("a.pdf", 3)
        yield* world.session((sink) => Effect.zipRight(sink.write(chunks), access.remove(sink, [])))
        yield* world.expect(chunks)
      })
  },
  {
    name: "removes more ids than one call may hold, some of them twice",
    lacking: claiming("remove"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const gone = world.document("gone.md", Math.min(world.limits.maxCount, 1000) + 1)
        const kept = world.document("kept.md", 2)
        const ids = gone.map(({ id }) => id)
        yield* world.session((sink) => sink.write([...gone, ...kept]))
        yield* world.session((sink) => access.remove(sink, [...ids, ...ids.slice(0, 5)]))
        yield* world.expect(kept)
      })
  },
  {
    name: "removes chunks of several documents, and leaves their other chunks",
    lacking: claiming("remove"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const all = [...world.document("a.pdf", 4), ...world.document("b.pdf", 4)]
        const gone = [all[1], all[6]].flatMap((chunk) => (chunk === undefined ? [] : [chunk.id]))
        yield* world.session((sink) => Effect.zipRight(sink.write(all), access.remove(sink, gone)))
        yield* world.expect(all.filter(({ id }) => !gone.includes(id)))
      })
  },
  {
    name: "converges when it is closed between any two steps of the write order",
    lacking: claiming("remove"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const old = world.document("a.pdf", 4, "old")
        const next = world.document("a.pdf", 3, "next")
        const remove = world.session((sink) =>
          access.remove(
            sink,
            old.map(({ id }) => id)
          )
        )
        yield* world.session((sink) => sink.write(old))
        yield* world.expect(old)
        yield* world.session((sink) => sink.write(next.slice(0, 1)))
        yield* world.expect([...old, ...next.slice(0, 1)])
        yield* world.session((sink) => sink.write(next))
        yield* world.expect([...old, ...next])
        yield* remove
        yield* world.expect(next)
        yield* remove
        yield* world.session((sink) => sink.write(next))
        yield* world.expect(next)
      })
  }
]
