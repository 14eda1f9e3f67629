import { existsSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { SinkError } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import type { Summary } from "docsluice/Outcome"
import * as Queue from "docsluice/Queue"
import { BadRequest, InternalServerError, Unauthorized } from "docsluice/service/ServiceError"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as SourceFile from "docsluice/SourceFile"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Deferred, Effect, Stream } from "effect"
import * as Servers from "../fixtures/servers.ts"
import { shared } from "../fixtures/shared.ts"
import { balance, parsed } from "../pipeline/fakes.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Redis from "./redis.ts"
import * as Stand from "./stand.ts"

const letters = Effect.flatMap(DeadLetter.DeadLetter, ({ entries }) =>
  Effect.map(entries, (all) => all.map(({ source }) => source))
)

const sourcesOf = ({ chunks }: MemorySink.Store): ReadonlyArray<string> =>
  [...new Set([...chunks.values()].map(({ source }) => source))].toSorted()

const world = (runner: Effect.Effect<Stand.Runner>, count: number) =>
  Effect.gen(function* () {
    const store = MemorySink.emptyStore()
    return { run: yield* runner, folder: yield* Stand.folder(count), store }
  })

/** The cases that hold for every way to make a run. `some`: those in which most goes over the server. */
const suite = (
  name: string,
  skip: string | null,
  runner: Effect.Effect<Stand.Runner>,
  cases: "all" | "some" = "all"
) => {
  const fact = (
    title: string,
    test: (made: Effect.Effect.Success<ReturnType<typeof world>>) => Effect.Effect<void, unknown, Stand.Services>,
    count = 12
  ) =>
    (skip === null ? it.live : it.live.skip)(title, () =>
      Effect.flatMap(world(runner, count), test).pipe(Effect.scoped, Effect.provide(Stand.memory))
    )

  const rest: typeof fact = (...given) => {
    if (cases === "all") fact(...given)
  }

  describe(`${name}${skip === null ? "" : ` (skipped: ${skip})`}`, () => {
    fact(
      "stores every document once, and a second run stores none",
      ({ folder, run, store }) =>
        Effect.gen(function* () {
          const first = yield* run(folder, { store })
          assert.deepInclude(first, { discovered: 60, stored: 60, failed: 0, exit: 0, parsed: 60, credits: 60 })
          assert.strictEqual(store.chunks.size, 60)
          const second = yield* run(folder, { store })
          assert.deepInclude(second, { discovered: 60, unchanged: 60, stored: 0, parsed: 0, exit: 0 })
        }),
      60
    )

    rest("replaces a changed document, stores a new one, and removes one that is gone", ({ folder, run, store }) =>
      Effect.gen(function* () {
        yield* run(folder, { store })
        folder.write("3.pdf", "another text of another length")
        folder.write("new/12.pdf", "a new document")
        folder.remove("5.pdf")
        yield* Effect.sleep("40 millis")
        const summary = yield* run(folder, { store })
        assert.deepInclude(summary, { discovered: 12, stored: 2, unchanged: 10, removed: 1, exit: 0 })
        assert.notInclude(sourcesOf(store), "5.pdf")
        assert.include(sourcesOf(store), "new/12.pdf")
        assert.strictEqual(store.chunks.size, 12)
      })
    )

    fact(
      "goes on without a target that was away as the run began, which the next run fills",
      ({ folder, run, store }) =>
        Effect.gen(function* () {
          const directory = join(folder.root, "../chunks")
          const sink = yield* Effect.provide(Filesystem.make({ directory }), NodeContext.layer)
          const away = {
            ...sink,
            prepare: () =>
              new SinkError({ sink: sink.id, reason: "Unavailable", problem: "the connection was refused" })
          }
          const first = yield* run(folder, { store, second: (whose) => (whose === "run" ? away : sink) })
          assert.deepInclude(first, { discovered: 12, failed: 12, exit: 1 })
          assert.deepStrictEqual([store.chunks.size, existsSync(directory)], [12, false])
          assert.deepInclude(yield* run(folder, { store, second: () => sink }), { stored: 12, failed: 0, exit: 0 })
          assert.deepStrictEqual([store.chunks.size, yield* Stream.runCount(sink.list ?? Stream.empty)], [12, 12])
        }).pipe(Effect.scoped)
    )

    rest("a document that fails is recorded once, counts as present, and is sent again", ({ folder, run, store }) =>
      Effect.gen(function* () {
        yield* run(folder, { store })
        folder.write("7.pdf", "a text that fails")
        yield* Effect.sleep("40 millis")
        let fails = true
        const parse: Stand.Given["parse"] = (source) =>
          fails && source.path === "7.pdf"
            ? Effect.fail(new InternalServerError({ status: 500, error: "no" }))
            : Effect.succeed(parsed(source))
        const failed = yield* run(folder, { store, parse })
        assert.deepInclude(failed, { failed: 1, unchanged: 11, removed: 0, exit: 1 })
        assert.deepStrictEqual(yield* letters, ["7.pdf"])
        assert.include(sourcesOf(store), "7.pdf")
        fails = false
        assert.deepInclude(yield* run(folder, { store, parse }), { stored: 1, unchanged: 11, failed: 0, exit: 0 })
        assert.deepStrictEqual(yield* letters, [])
      })
    )

    fact("the second of two files of one name fails, and the first is stored and stays", ({ folder, run, store }) =>
      Effect.gen(function* () {
        const other = (path: string) =>
          SourceFile.fromBytes({ root: "docs", path, bytes: new TextEncoder().encode("quite another text") })
        const also = [other("3.pdf"), other("7.pdf")]
        const tags = ({ failures }: Summary) => failures.map(({ source, tag }) => `${source} ${tag}`).toSorted()
        const both = ["3.pdf DuplicateDocument", "7.pdf DuplicateDocument"]
        const first = yield* run(folder, { store, also })
        assert.deepInclude(first, { discovered: 14, stored: 12, parsed: 12, failed: 2, exit: 1 })
        assert.deepStrictEqual(tags(first), both)
        const before = [...store.chunks.values()].map(({ text }) => text)
        const second = yield* run(folder, { store, also })
        assert.deepInclude(second, { unchanged: 12, stored: 0, failed: 2, removed: 0, requests: 0, exit: 1 })
        assert.deepStrictEqual(
          [...store.chunks.values()].map(({ text }) => text),
          before
        )
        assert.deepStrictEqual(yield* letters, [])
        folder.write("7.pdf", "a text that fails")
        const parse: Stand.Given["parse"] = () => Effect.fail(new InternalServerError({ status: 500, error: "no" }))
        yield* Effect.sleep("40 millis")
        const third = yield* run(folder, { store, also, parse })
        assert.deepStrictEqual(tags(third), [...both, "7.pdf InternalServerError"])
        const { entries } = yield* DeadLetter.DeadLetter
        assert.deepStrictEqual(
          (yield* entries).map(({ source, tag }) => `${source} ${tag}`),
          ["7.pdf InternalServerError"]
        )
        assert.deepInclude(yield* run(folder, { store, also, onFailure: "fail" }), { exit: 2, removed: 0 })
      })
    )

    fact(
      "a reason that concerns every document stops the run with its remedy, and removes nothing",
      ({ folder, run, store }) =>
        Effect.gen(function* () {
          yield* run(folder, { store })
          for (let index = 0; index < 10; index += 1) folder.write(`${index}.pdf`, `changed ${index}`)
          folder.remove("11.pdf")
          yield* Effect.sleep("40 millis")
          const summary = yield* run(folder, {
            store,
            parse: () => Effect.fail(new Unauthorized({ status: 401, error: "Unauthorized: Invalid token" }))
          })
          assert.deepInclude(summary, { stored: 0, failed: 0, removed: 0, exit: 2 })
          assert.strictEqual(summary.stopped?.tag, "Unauthorized")
          assert.strictEqual(balance(summary), summary.discovered)
          assert.include(sourcesOf(store), "11.pdf")
          assert.deepStrictEqual(yield* letters, [])
        })
    )

    fact("the same refusal from the start is about the run, and fails no document", ({ folder, run, store }) =>
      Effect.gen(function* () {
        const summary = yield* run(folder, {
          store,
          parse: () => Effect.fail(new BadRequest({ status: 400, error: "no such option" }))
        })
        assert.deepInclude(summary, { stored: 0, failed: 0, notAttempted: 12, exit: 2 })
        assert.strictEqual(summary.stopped?.tag, "BadRequest")
        assert.deepStrictEqual(yield* letters, [])
      })
    )

    rest("a refusal after a success is the document's own", ({ folder, run, store }) =>
      Effect.gen(function* () {
        const summary = yield* run(folder, {
          store,
          parse: (source) =>
            Number.parseInt(source.path) % 3 === 0
              ? Effect.fail(new BadRequest({ status: 400, error: "not this one" }))
              : Effect.succeed(parsed(source))
        })
        assert.deepInclude(summary, { stored: 8, failed: 4, exit: 1 })
        assert.strictEqual((yield* letters).length, 4)
      })
    )

    rest("with onFailure fail the first failed document stops the run", ({ folder, run, store }) =>
      Effect.gen(function* () {
        const summary = yield* run(folder, {
          store,
          onFailure: "fail",
          parse: () => Effect.fail(new InternalServerError({ status: 500, error: "no" }))
        })
        assert.strictEqual(summary.exit, 2)
        assert.strictEqual(summary.stopped?.tag, "InternalServerError")
        assert.strictEqual(balance(summary), 12)
      })
    )

    fact(
      "a run that is asked to end finishes what is in hand and leaves the rest",
      ({ folder, run, store }) =>
        Effect.gen(function* () {
          const asked = yield* Deferred.make<void>()
          const summary = yield* run(folder, {
            store,
            stop: Deferred.await(asked),
            parse: (source) =>
              Effect.delay(Effect.succeed(parsed(source)), "30 millis").pipe(
                Effect.zipLeft(Deferred.succeed(asked, undefined))
              )
          })
          assert.strictEqual(summary.exit, 130)
          assert.isAbove(summary.stored, 0)
          assert.isAbove(summary.notAttempted, 0)
          assert.strictEqual(balance(summary), 60)
          assert.strictEqual(sourcesOf(store).length, summary.stored)
          assert.deepInclude(yield* run(folder, { store }), { exit: 0, unchanged: summary.stored, failed: 0 })
        }),
      60
    )
  })
}

const redis = shared(
  Effect.acquireRelease(
    Effect.promise(() => Servers.redis()),
    ({ stop }) => Effect.promise(stop)
  )
)
const postgres = shared(
  Effect.acquireRelease(
    Effect.promise(() => Servers.postgres()),
    ({ stop }) => Effect.promise(stop)
  )
)

suite("alone", null, Effect.succeed(Stand.alone))
suite(
  "over Redis",
  Redis.missing(),
  Effect.map(redis, ({ url }) => Stand.queued(Queue.layer({ address: url })))
)
suite(
  "over PostgreSQL",
  Postgres.missing(),
  Effect.map(postgres, ({ url }) => Stand.queued(Queue.layer({ address: url }))),
  "some"
)
