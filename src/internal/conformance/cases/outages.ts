import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import type { SinkError } from "../../../ChunkSink.ts"
import * as access from "../access.ts"
import { type Case, checks, hooked } from "../Case.ts"
import { documentId, turned } from "../samples.ts"
import type { World } from "../World.ts"

/** An engine may need some time to answer after it returns. */
const patience = Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(200))

const again = <A>(call: Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
  Effect.retry(call, { schedule: patience, while: ({ reason }) => reason === "Unavailable" })

/** Runs the work while the engine is stopped, and always starts it again. */
const away = <A, E>(world: World, work: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    world.hook(world.target.engine?.stop),
    () => work,
    () => Effect.ignore(world.hook(world.target.engine?.start))
  )

const unavailable = (world: World, call: string, result: Either.Either<unknown, SinkError>) =>
  result._tag === "Right"
    ? world.fail(`\`${call}\` succeeded while the engine was away`)
    : result.left.reason === "Unavailable"
      ? Effect.void
      : world.fail(`\`${call}\` failed as ${result.left.reason}, which no run tries again: ${result.left.message}`)

export const outages: ReadonlyArray<Case> = [
  ...checks("ids", hooked("engine"), {
    *"fails as Unavailable in every call while its engine is down, and works again afterwards"(world) {
      const [before, during] = [world.document("a.md", 3), world.document("b.md", 3)]
      yield* world.session(
        Effect.fnUntraced(function* (sink) {
          yield* sink.write(before)
          yield* away(
            world,
            Effect.forEach(
              callsOf(sink, world),
              ([name, call]) => Effect.flatMap(Effect.either(call), (result) => unavailable(world, name, result)),
              { discard: true }
            )
          )
          yield* again(sink.write(during))
        })
      )
      yield* world.expect([...before, ...during])
    },
    *"fails as Unavailable when prepared while its engine is down, and can be prepared afterwards"(world) {
      const chunks = world.document("a.md", 3)
      yield* world.session((sink) => sink.write(chunks))
      yield* world.unprepared(
        Effect.fnUntraced(function* (sink) {
          const result = yield* away(world, Effect.either(access.prepare(sink, world.space)))
          yield* unavailable(world, "prepare", result)
          yield* again(access.prepare(sink, world.space))
        })
      )
      yield* world.expect(chunks)
    }
  }),
  ...checks("ids", hooked("kill"), {
    *"keeps acknowledged documents when its process is killed in mid-write, and accepts the rest later"(world) {
      const documents = Array.from({ length: 120 }, (_, at) => world.document(`killed/${at}.md`, 8))
      const acknowledged = yield* world.hook(world.target.kill?.(documents))
      if (acknowledged === undefined || acknowledged === 0) {
        return yield* world.notVerifiable("the process was killed before it had acknowledged anything")
      }
      const names = new Set((yield* world.stored).map(({ id }) => id))
      const lost = documents.slice(0, acknowledged).filter((chunks) => !chunks.every(({ id }) => names.has(id)))
      if (lost.length > 0) {
        return yield* world.fail(`${lost.length} of ${acknowledged} acknowledged documents are not there, or not whole`)
      }
      return yield* world.keeps(documents.flat())
    }
  })
]

type Call = readonly [name: string, call: Effect.Effect<unknown, SinkError>]

const callsOf = (sink: access.Session, { can, document, space }: World): ReadonlyArray<Call> => [
  ["write", sink.write(document("b.md", 3))],
  ...(can.remove ? [["remove", access.remove(sink, document("b.md", 3))] as const] : []),
  ...(can.replace ? [["replace", access.replace(sink, documentId("b.md"), document("b.md", 2))] as const] : []),
  ...(can.list ? [["list", access.list(sink)] as const] : []),
  ...(can.search && space !== null
    ? [["search", access.search(sink, { text: "text", vector: turned(space, 0), limit: 3 })] as const]
    : [])
]
