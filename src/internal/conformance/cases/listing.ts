import * as Effect from "effect/Effect"
import type { ChunkSink } from "../../../ChunkSink.ts"
import * as access from "../access.ts"
import { type Case, checks, claiming } from "../Case.ts"
import * as difference from "../difference.ts"

export const listing: ReadonlyArray<Case> = checks("itself", claiming("list"), {
  *"lists in the session that writes, before it is finished"(world) {
    return yield* world.session(
      Effect.fnUntraced(function* (sink) {
        const [a, b] = [world.document("a.pdf", 4), world.document("b.pdf", 3)]
        yield* world.listed(sink, [])
        yield* sink.write(a)
        yield* world.listed(sink, a)
        yield* sink.write(b)
        yield* world.listed(sink, [...a, ...b])
        if (!world.can.remove) return
        yield* access.remove(sink, b)
        yield* world.listed(sink, a)
      })
    )
  },
  *"lists the same when it is asked again, and when two ask at the same time"(world) {
    return yield* world.session(
      Effect.fnUntraced(function* (sink) {
        const chunks = world.document("a.pdf", 5)
        yield* sink.write(chunks)
        yield* world.listed(sink, chunks)
        yield* world.listed(sink, chunks)
        yield* Effect.all([world.listed(sink, chunks), world.listed(sink, chunks)], { concurrency: 2 })
      })
    )
  },
  *"reads a part of a document in its order, in a session and before it is prepared"(world) {
    const [a, b] = [world.document("a.pdf", 5), world.document("b.pdf", 4)]
    const read = Effect.fnUntraced(function* (sink: ChunkSink.Service) {
      const { range } = sink
      const [first] = a
      if (range === undefined || first === undefined) return yield* world.notVerifiable("the sink has no `range`")
      for (const [from, to] of [
        [1, 3],
        [4, 1000]
      ] as const) {
        const given = yield* range({ documentId: first.documentId, from, to })
        const wanted = a.slice(from, to + 1)
        const problems = wanted.flatMap((chunk, at) => {
          const found = given[at]
          return (found === undefined ? "it is not given" : difference.ofContent(chunk, found)) ?? []
        })
        if (given.length !== wanted.length || problems.length > 0) {
          return yield* world.fail(
            `of a document, \`range\` gives ${given.length} chunks from ${from} to ${to} instead of ${wanted.length}: ${problems.join("; ")}`
          )
        }
      }
      return undefined
    })
    yield* world.session((sink) => Effect.zipRight(sink.write([...b, ...a]), read(sink)))
    if (world.can.stamp) yield* world.unprepared(read)
  }
})
