import * as Effect from "effect/Effect"
import { ChunkId } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { type Case, checks, claiming } from "../Case.ts"

export const removing: ReadonlyArray<Case> = checks("ids", claiming("remove"), {
  *"removes chunks by id, and ignores ids that are not stored"(world) {
    const chunks = world.document("a.pdf", 6)
    const [kept, gone] = [chunks.slice(0, 2), chunks.slice(2)]
    yield* world.session((sink) =>
      Effect.zipRight(sink.write(chunks), access.remove(sink, [...gone, { id: ChunkId.make("nowhere") }]))
    )
    yield* world.expect(kept)
    yield* world.session((sink) => access.remove(sink, gone))
    yield* world.expect(kept)
    yield* world.session((sink) => sink.write(gone))
    yield* world.expect(chunks)
    yield* world.session((sink) => access.remove(sink, chunks))
    yield* world.expect([])
  },
  *"removes nothing when it is given no id"(world) {
    const chunks = world.document("a.pdf", 3)
    yield* world.session((sink) => Effect.zipRight(sink.write(chunks), access.remove(sink, [])))
    yield* world.expect(chunks)
  },
  *"removes more ids than one call may hold, some of them twice"(world) {
    const gone = world.document("gone.md", Math.min(world.limits.maxCount, 1000) + 1)
    const kept = world.document("kept.md", 2)
    yield* world.session((sink) => sink.write([...gone, ...kept]))
    yield* world.session((sink) => access.remove(sink, [...gone, ...gone.slice(0, 5)]))
    yield* world.expect(kept)
  },
  *"removes chunks of several documents, and leaves their other chunks"(world) {
    const all = [...world.document("a.pdf", 4), ...world.document("b.pdf", 4)]
    const gone = [all[1], all[6]].flatMap((chunk) => (chunk === undefined ? [] : [chunk]))
    yield* world.session((sink) => Effect.zipRight(sink.write(all), access.remove(sink, gone)))
    yield* world.expect(all.filter(({ id }) => !gone.some((one) => one.id === id)))
  },
  *"converges when it is closed between any two steps of the write order"(world) {
    const old = world.document("a.pdf", 4, "old")
    const next = world.document("a.pdf", 3, "next")
    const remove = world.session((sink) => access.remove(sink, old))
    yield* world.keeps(old)
    yield* world.session((sink) => sink.write(next.slice(0, 1)))
    yield* world.expect([...old, ...next.slice(0, 1)])
    yield* world.session((sink) => sink.write(next))
    yield* world.expect([...old, ...next])
    yield* remove
    yield* world.expect(next)
    yield* remove
    yield* world.keeps(next)
  }
})
