import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as access from "../access.ts"
import { type Case, checks, claiming } from "../Case.ts"
import * as difference from "../difference.ts"
import { documentId } from "../samples.ts"

const a = documentId("a.pdf")

export const replacing: ReadonlyArray<Case> = [
  ...checks("ids", claiming("replace"), {
    *"replaces a document with more chunks, with fewer, and with none"(world) {
      const other = world.document("other.md", 3)
      yield* world.session((sink) => sink.write(other))
      for (const [count, generation] of [
        [3, "one"],
        [7, "two"],
        [7, "two"],
        [2, "three"],
        [0, "four"],
        [4, "five"]
      ] as const) {
        const chunks = world.document("a.pdf", count, generation)
        yield* world.session((sink) => access.replace(sink, a, chunks))
        yield* world.expect([...other, ...chunks])
      }
    },
    *"replaces a document by one that shares chunks with it"(world) {
      const old = world.document("a.pdf", 5)
      const next = [
        ...world.document("a.pdf", 1, "new"),
        ...old.slice(2, 4).map(({ id, text }, at) => world.chunk("a.pdf", at + 1, { id, text }))
      ]
      yield* world.session((sink) => Effect.zipRight(sink.write(old), access.replace(sink, a, next)))
      yield* world.expect(next)
    },
    *"replaces a document by one with more chunks than a batch may hold"(world) {
      const old = world.document("a.pdf", 2, "old")
      const next = world.document("a.pdf", Math.min(world.limits.maxCount, 1000) + 1, "next")
      yield* world.session((sink) => Effect.zipRight(sink.write(old), access.replace(sink, a, next)))
      yield* world.expect(next)
    },
    *"replaces several documents in one step, new ones among them, and leaves the others"(world) {
      const [first, second, third] = ["a.pdf", "b.pdf", "c.pdf"].map((source) => world.document(source, 3))
      const other = world.document("other.pdf", 2)
      const old = [...(first ?? []), ...(second ?? []), ...other]
      const next = [
        { documentId: a, chunks: (first ?? []).slice(0, 1) },
        { documentId: documentId("b.pdf"), chunks: [] },
        { documentId: documentId("c.pdf"), chunks: third ?? [] }
      ]
      yield* world.session((sink) =>
        sink.replaceAll === undefined
          ? Effect.zipRight(
              sink.write(old),
              Effect.forEach(next, ({ chunks, documentId }) => access.replace(sink, documentId, chunks), {
                discard: true
              })
            )
          : Effect.zipRight(sink.write(old), sink.replaceAll(next))
      )
      yield* world.expect([...(first ?? []).slice(0, 1), ...(third ?? []), ...other])
    },
    *"replaces nothing when it is given no document"(world) {
      const chunks = [...world.document("a.pdf", 2), ...world.document("b.pdf", 2)]
      yield* world.session((sink) => Effect.zipRight(sink.write(chunks), sink.replaceAll?.([]) ?? Effect.void))
      yield* world.expect(chunks)
    },
    *"refuses to replace a document by another one's chunks"(world) {
      const kept = world.document("a.pdf", 2)
      const exit = yield* world.session((sink) =>
        Effect.zipRight(sink.write(kept), Effect.exit(access.replace(sink, a, world.document("b.pdf", 1))))
      )
      if (Exit.isSuccess(exit)) return yield* world.fail("it was acknowledged")
      return yield* world.expect(kept)
    },
    *"keeps a document's chunks when those that should replace them are refused"(world) {
      const [old, other] = [world.document("a.pdf", 3, "old"), world.document("b.pdf", 2, "old")]
      const bad = world.chunk("b.pdf", 9, { metadata: { ratio: Number.NaN } })
      yield* world.session((sink) => sink.write([...old, ...other]))
      const refused = Effect.fnUntraced(function* (call: (sink: access.Session) => Effect.Effect<void, unknown>) {
        const exit = yield* world.session((sink) => Effect.exit(call(sink)))
        if (Exit.isSuccess(exit)) return yield* world.fail("it was acknowledged")
        return yield* world.expect([...old, ...other])
      })
      yield* refused((sink) => access.replace(sink, bad.documentId, [...world.document("b.pdf", 2, "new"), bad]))
      yield* refused(
        (sink) =>
          sink.replaceAll?.([
            { documentId: a, chunks: world.document("a.pdf", 2, "new") },
            { documentId: bad.documentId, chunks: [bad] }
          ]) ?? Effect.fail("it replaces one document at a time")
      )
    },
    *"replaces documents at the same time, while others list"(world) {
      const sources = Array.from({ length: 6 }, (_, at) => `many/${at}.md`)
      const old = sources.map((source) => world.document(source, 4, "old"))
      const next = sources.map((source) => world.document(source, 3, "next"))
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          yield* sink.write(old.flat())
          const look = world.can.list ? Effect.asVoid(access.list(sink)) : Effect.void
          const replaced = sources.map((source, at) =>
            Effect.zipRight(look, access.replace(sink, documentId(source), next[at] ?? []))
          )
          yield* Effect.all(replaced, { concurrency: 6, discard: true })
        })
      )
      yield* world.expect(next.flat())
    }
  }),
  ...checks("itself", claiming("replace"), {
    *"holds one generation of a document, and all of it, when a replacement is interrupted"(world) {
      let former = world.document("a.pdf", 20, "g0")
      yield* world.session((sink) => sink.write(former))
      for (const yields of [0, 1, 2, 4, 8, 16]) {
        const next = world.document("a.pdf", 20, `g${yields + 1}`)
        yield* world.unfinished(
          Effect.fnUntraced(function* (sink) {
            const fiber = yield* Effect.fork(access.replace(sink, a, next))
            for (let at = 0; at < yields; at++) yield* Effect.yieldNow()
            yield* Fiber.interrupt(fiber)
          })
        )
        const found = yield* world.stored
        if (difference.ofNames(next, found) === null) former = next
        const problem = difference.ofNames(former, found)
        if (problem !== null) return yield* world.fail(`it is neither the old one nor the new one: ${problem}`)
      }
      return undefined
    }
  })
]
