import * as Effect from "effect/Effect"
import type { EmbeddingSpace } from "../../../ChunkSink.ts"
import * as access from "../access.ts"
import { all, always, type Case, checks, claiming, clearable, hooked } from "../Case.ts"

const other = { model: "another-model", dimensions: 7, normalized: true, metric: "cosine" } as const

/** Spaces that differ from this one in one property each. */
const others = (space: EmbeddingSpace | null): ReadonlyArray<EmbeddingSpace | null> =>
  space === null
    ? [other]
    : [
        { ...space, model: `${space.model}-2` },
        { ...space, dimensions: space.dimensions + 1 },
        { ...space, metric: space.metric === "dot" ? "cosine" : "dot" },
        { ...space, normalized: !space.normalized },
        null
      ]

export const preparing: ReadonlyArray<Case> = [
  ...checks("itself", always, {
    *"has the calls that it claims, limits that can be kept, and one id"(world) {
      const [first, second] = [yield* world.unfinished(Effect.succeed), yield* world.unfinished(Effect.succeed)]
      const { capabilities: can, id, limits, name } = first
      for (const call of ["remove", "replace", "list", "search"] as const) {
        if (can[call] && first[call] === undefined)
          return yield* world.fail(`it claims \`${call}\` and has no such call`)
      }
      if (can.filter.length > 0 && !can.search) return yield* world.fail("it claims `filter`, and cannot search")
      if (!(limits.maxCount >= 1 && limits.maxBytes >= 1)) {
        return yield* world.fail(`its limits are ${limits.maxCount} chunks and ${limits.maxBytes} bytes`)
      }
      if (id === "" || name === "") return yield* world.fail("its id or its name is empty")
      return id === second.id
        ? undefined
        : yield* world.fail(`its id is ${id}, then ${second.id}: a run would not know it again`)
    }
  }),
  ...checks("itself", claiming("stamp"), {
    *"gives the same stamp each time it is opened"(world) {
      const first = yield* world.session((sink) => Effect.as(sink.write(world.document("a.md", 2)), sink.storeId))
      const second = yield* world.session((sink) => Effect.succeed(sink.storeId))
      const third = yield* world.session((sink) =>
        Effect.map(access.prepare(sink, world.space), ({ storeId }) => storeId)
      )
      if (first === null) return yield* world.fail("the first stamp is null")
      return first === second && second === third
        ? undefined
        : yield* world.fail(`it gave ${first}, then ${second}, then ${third}`)
    }
  }),
  ...checks("itself", all(claiming("stamp"), hooked("destroy")), {
    *"gives another stamp once the store was deleted"(world) {
      const before = yield* world.session((sink) => Effect.as(sink.write(world.document("a.md", 2)), sink.storeId))
      yield* world.hook(world.target.destroy)
      const after = yield* world.session((sink) => Effect.succeed(sink.storeId))
      if (before === after) return yield* world.fail(`it is still ${before}`)
      return yield* world.expect([])
    }
  }),
  ...checks("ids", always, {
    *"keeps what it holds when it is prepared again in one session"(world) {
      const [first, second] = [world.document("a.md", 3), world.document("b.md", 2)]
      yield* world.unfinished(
        Effect.fnUntraced(function* (sink) {
          yield* sink.write(first)
          const again = yield* access.prepare(sink, world.space)
          yield* world.listed(again, first)
          yield* again.write(second)
          yield* again.finish
        })
      )
      yield* world.expect([...first, ...second])
    }
  }),
  ...checks("ids", claiming("stamp"), {
    *"refuses another embedding space and keeps what it holds"(world) {
      const chunks = world.document("a.md", 2)
      yield* world.session((sink) => sink.write(chunks))
      const error = yield* world.unprepared((sink) => Effect.either(access.prepare(sink, other)))
      if (error._tag === "Right") return yield* world.fail("it was accepted")
      if (error.left.reason !== "Mismatch" || !error.left.message.includes("another-model")) {
        return yield* world.fail(`the error should be a Mismatch that names the spaces: ${error.left.message}`)
      }
      return yield* world.expect(chunks)
    },
    *"refuses a space that differs in model, dimensions, metric, normalization or having vectors alone"(world) {
      const chunks = world.document("a.md", 2)
      yield* world.session((sink) => sink.write(chunks))
      for (const space of others(world.space)) {
        const result = yield* world.unprepared((sink) => Effect.either(access.prepare(sink, space)))
        if (result._tag === "Right") return yield* world.fail(`${JSON.stringify(space)} was accepted`)
        // A store that always has vectors cannot hold chunks without them.
        const refused = space === null ? ["Mismatch", "Unsupported"] : ["Mismatch"]
        if (!refused.includes(result.left.reason)) {
          return yield* world.fail(`${JSON.stringify(space)} is ${result.left.reason} and no Mismatch`)
        }
      }
      return yield* world.expect(chunks)
    }
  }),
  ...checks("ids", clearable, {
    *"is empty after it was cleared, and takes another embedding space"(world) {
      yield* world.session((sink) => sink.write(world.document("a.md", 3)))
      yield* world.unprepared(
        Effect.fnUntraced(function* (sink) {
          yield* sink.clear ?? Effect.void
          yield* access.prepare(sink, other)
          yield* sink.clear ?? Effect.void
        })
      )
      yield* world.expect([])
    },
    *"takes chunks after it was cleared in one session, and gives another stamp"(world) {
      const next = world.document("b.md", 2)
      const stamps = yield* world.unfinished(
        Effect.fnUntraced(function* (sink) {
          yield* sink.write(world.document("a.md", 3))
          yield* sink.clear ?? Effect.void
          const again = yield* access.prepare(sink, world.space)
          yield* world.listed(again, [])
          yield* again.write(next)
          yield* again.finish
          return [sink.storeId, again.storeId]
        })
      )
      if (world.can.stamp && stamps[0] === stamps[1]) {
        return yield* world.fail(`the stamp is still ${stamps[0]}, so a run would take its chunks for stored`)
      }
      return yield* world.expect(next)
    }
  })
]
