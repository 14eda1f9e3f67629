import { mkdirSync, readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Discovery from "docsluice/Discovery"
import { Deferred, Effect, Exit, FastCheck, Fiber, Stream, Supervisor } from "effect"
import { tree } from "../fixtures/discovered.ts"
import { leftovers, open } from "./leftovers.ts"
import { type Shape, shapes, uploadsOnly, withProcesses, type World } from "./shapes.ts"

/** The time of an interruption: when so many documents have come out, or so many milliseconds after the start. */
type Moment = { readonly documents: number } | { readonly millis: number }

const moments = FastCheck.oneof(
  FastCheck.record({ documents: FastCheck.integer({ min: 1, max: 11 }) }),
  FastCheck.record({ millis: FastCheck.integer({ min: 0, max: 60 }) })
)

const text = "# Gauges\n\nCalibrated in May, cleaned every two weeks.\n\n"

/** Twelve texts of 20 KB, tables, pages, and documents that are larger than what an upload reads in one call. */
const documents = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    [`${at}.md`, text.repeat(400)],
    [`${at}.csv`, "station,code\nLarkfield,LF-1\n".repeat(700)],
    [`${at}.html`, `<h1>Gauges</h1><p>Calibrated in May ${at}.</p>`],
    [`${at}.pdf`, `%PDF-1.4 ${at} ${text.repeat(22_000)}`]
  ]).flat()
)

/** Every run ends its streams once, whenever it ends. */
interface Run {
  out: number
  begun: number
  ended: number
}

const worldOf = (
  root: string,
  folder: string,
  run: Run,
  moment: Moment | null,
  now: Effect.Effect<unknown>
): World => ({
  folder,
  files: (extension) =>
    Discovery.discover({ root, patterns: [`*.${extension}`] }).pipe(
      Stream.filter((found) => found._tag === "SourceFile"),
      Stream.onStart(Effect.sync(() => (run.begun += 1))),
      Stream.ensuring(Effect.sync(() => (run.ended += 1)))
    ),
  came: () => undefined,
  gone: () =>
    Effect.suspend(() => {
      run.out += 1
      return moment !== null && "documents" in moment && run.out === moment.documents
        ? Effect.zipRight(now, Effect.never)
        : Effect.void
    })
})

/** Interrupts one run at the moment, and looks at what it left; then a second run goes to its end. */
const interrupted = (shape: Shape, root: string, moment: Moment) =>
  Effect.gen(function* () {
    const folder = `${root}/stores`
    mkdirSync(folder, { recursive: true })
    const [run, again]: readonly [Run, Run] = [
      { out: 0, begun: 0, ended: 0 },
      { out: 0, begun: 0, ended: 0 }
    ]
    const now = yield* Deferred.make<void>()
    const first = yield* shape.make(worldOf(root, folder, run, moment, Deferred.succeed(now, void 0)))
    const second = yield* shape.make(worldOf(root, folder, again, null, Effect.void))

    const before = open()
    const supervisor = yield* Supervisor.track
    const fiber = yield* Effect.fork(Effect.supervised(first, supervisor))
    yield* "documents" in moment ? Deferred.await(now) : Effect.sleep(moment.millis)
    const exit = yield* Fiber.interrupt(fiber)
    const fibers = yield* supervisor.value
    const left = yield* leftovers(before)

    yield* second
    assert.deepStrictEqual(left, [], JSON.stringify(moment))
    assert.deepStrictEqual(fibers, [], JSON.stringify(moment))
    assert.isTrue(Exit.isInterrupted(exit) || (Exit.isSuccess(exit) && "millis" in moment))
    assert.strictEqual(run.ended, run.begun)
    assert.strictEqual(again.out, 12)
    return readdirSync(folder)
  }).pipe(Effect.scoped)

const suite = (shape: Shape, times: number) =>
  it.scopedLive(
    `${shape.name}: nothing is open or runs afterwards, and a second run over the same store succeeds`,
    () =>
      Effect.gen(function* () {
        const root = yield* tree(documents)
        // The first run loads what stays with the process.
        const files = yield* interrupted(shape, root, { documents: 11 })
        for (const moment of FastCheck.sample(moments, times)) {
          const found = yield* interrupted(shape, root, moment)
          assert.sameMembers(found, files, JSON.stringify(moment))
        }
      })
  )

describe("the pipelines of the examples, interrupted", () => {
  for (const shape of [...shapes, uploadsOnly]) suite(shape, 5)
  suite(withProcesses, 1)
})
