import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { always, type Case, checks } from "../Case.ts"

export const writing: ReadonlyArray<Case> = [
  ...checks(
    "ids",
    always,
    {
      *"stores what is written, and finds it in a new session"(world) {
        const chunks = [...world.document("a.pdf", 5), ...world.document("folder/b.md", 3)]
        yield* world.keeps(chunks)
        yield* world.session(() => Effect.void)
        yield* world.expect(chunks)
      },
      *"writes the same chunk twice without storing it twice"(world) {
        const chunks = world.document("a.pdf", 4)
        yield* world.session((sink) => Effect.zipRight(sink.write(chunks), sink.write(chunks)))
        yield* world.session((sink) => sink.write([...chunks, ...chunks.slice(1, 3)]))
        yield* world.expect(chunks)
      }
    },
    true
  ),
  ...checks("content", always, {
    *"keeps what was written last under an id"(world) {
      const first = world.document("a.pdf", 3)
      const last = first.map((_, index) => world.chunk("a.pdf", index, { text: `changed ${index}`, tokens: 9 }))
      yield* world.session((sink) => Effect.zipRight(sink.write(first), sink.write(last)))
      yield* world.expect(last)
    },
    *"keeps what was written last in an earlier session, and last in one batch"(world) {
      const first = world.document("a.pdf", 3)
      const later = first.map((_, index) => world.chunk("a.pdf", index, { text: `later ${index}` }))
      const last = first.map((_, index) => world.chunk("a.pdf", index, { text: `last ${index}`, pages: [4] }))
      yield* world.session((sink) => sink.write(first))
      yield* world.session((sink) => sink.write([...later, ...last]))
      yield* world.expect(last)
    }
  }),
  ...checks("ids", always, {
    *"takes batches of none, one, the maximum and one more"(world) {
      const most = Math.min(world.limits.maxCount, 5000)
      const small = world.document("one.md", 1)
      const full = world.document("full.md", most)
      const above = world.document("above.md", most + 1)
      yield* world.session((sink) =>
        Effect.forEach([[], small, full, above], (batch) => sink.write(batch), { discard: true })
      )
      yield* world.expect([...small, ...full, ...above])
    },
    *"keeps the chunks of a document that comes in several batches"(world) {
      const [a, b] = [world.document("a.pdf", 6), world.document("b.pdf", 4)]
      const batches = [a.slice(0, 2), b.slice(0, 3), a.slice(2, 5), [...a.slice(5), ...b.slice(3)]]
      yield* world.session((sink) => Effect.forEach(batches, (batch) => sink.write(batch), { discard: true }))
      yield* world.expect([...a, ...b])
    },
    *"takes documents from several writers at the same time"(world) {
      const documents = Array.from({ length: 8 }, (_, at) => world.document(`many/${at}.md`, 1 + at * 3))
      yield* world.session((sink) =>
        Effect.forEach(documents, (one) => sink.write(one), { concurrency: 8, discard: true })
      )
      yield* world.expect(documents.flat())
    },
    *"can be interrupted in a write and written to again"(world) {
      const chunks = world.document("interrupted.md", 200)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          for (const yields of [0, 1, 3, 10]) {
            const fiber = yield* Effect.fork(sink.write(chunks))
            for (let at = 0; at < yields; at++) yield* Effect.yieldNow()
            yield* Fiber.interrupt(fiber)
          }
          yield* sink.write(chunks)
        })
      )
      yield* world.expect(chunks)
    },
    *"refuses a chunk with a number that is not finite, and stores the rest later"(world) {
      const good = world.document("a.md", 2)
      const bad = world.chunk("a.md", 2, { metadata: { ratio: Number.NaN } })
      const exit = yield* world.session((sink) =>
        Effect.zipLeft(Effect.exit(sink.write([...good, bad])), sink.write(good))
      )
      if (Exit.isSuccess(exit)) return yield* world.fail("the chunk was acknowledged")
      return yield* world.expect(good)
    },
    *"does nothing before an effect is run, and the same each time it is run"(world) {
      const [kept, other] = [world.document("a.md", 3), world.document("b.md", 2)]
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const twice = sink.write(kept)
          yield* twice
          yield* twice
          // Created but not run.
          void sink.write(other)
          void sink.remove?.(kept.map(({ id }) => id))
        })
      )
      yield* world.expect(kept)
    },
    *"has stored a batch once it has acknowledged it"(world) {
      const chunks = world.document("a.md", 4)
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          const batch = [...chunks]
          yield* sink.write(batch)
          batch.length = 0
        })
      )
      yield* world.expect(chunks)
    },
    *"keeps what it acknowledged in a run that never finishes"(world) {
      const [first, second] = [world.document("a.md", 3), world.document("b.md", 3)]
      yield* world.unfinished((sink) => sink.write(first))
      yield* world.expect(first)
      yield* world.unfinished((sink) => sink.write(second))
      yield* world.expect([...first, ...second])
    },
    *"accepts a run that writes nothing"(world) {
      yield* world.session(() => Effect.void)
      yield* world.expect([])
      const chunks = world.document("a.md", 2)
      yield* world.session((sink) => sink.write(chunks))
      yield* world.session(() => Effect.void)
      yield* world.unprepared(() => Effect.void)
      yield* world.expect(chunks)
      yield* world.session((sink) => Effect.zipRight(sink.write([]), sink.finish))
      yield* world.expect(chunks)
    }
  }),
  ...checks(
    "content",
    ({ limits }) =>
      limits.maxBytes > largestBatch ? `a batch above its limit of ${limits.maxBytes} bytes would be too large` : null,
    {
      *"takes a batch with more bytes than its limit"(world) {
        const units = Math.max(1, Math.floor(world.limits.maxBytes / 32))
        const chunks = Array.from({ length: 10 }, (_, index) =>
          world.chunk("large.md", index, { text: `${index} ${"ü".repeat(units)}` })
        )
        yield* world.keeps(chunks)
      }
    }
  ),
  ...checks("itself", always, {
    *"fails with a Rejected SinkError for a chunk that it refuses"(world) {
      const bad = world.chunk("a.md", 0, { metadata: { ratio: Number.POSITIVE_INFINITY } })
      const exit = yield* world.session((sink) => Effect.exit(sink.write([bad])))
      const failure = Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : null
      if (failure === null) return yield* world.fail(`it ended with ${exit._tag} and no SinkError`)
      return failure.reason === "Rejected"
        ? undefined
        : yield* world.fail(`the error is ${failure.reason}, so the chunk would be sent again`)
    }
  })
]

const largestBatch = 16 * 1024 * 1024
