import * as Effect from "effect/Effect"
import * as access from "../access.ts"
import { type Case, checks, claiming } from "../Case.ts"

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
  }
})
