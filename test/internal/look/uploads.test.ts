import { readdirSync, readlinkSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Readers from "docsluice/Readers"
import { Effect, Fiber, TestClock } from "effect"
import { bounds } from "../../../src/internal/look/bounds.ts"
import type { Refused } from "../../../src/internal/look/refused.ts"
import * as Uploads from "../../../src/internal/look/uploads.ts"
import { WeighedCache } from "../../../src/internal/look/weighedCache.ts"

/** Uploads of at most 1000 bytes, and the ids of those that are gone. */
const made = Effect.gen(function* () {
  const gone: Array<string> = []
  const uploads = yield* Uploads.make<null>({
    folder: undefined,
    idleTimeout: "1 second",
    most: 1000,
    readers: Readers.Readers.defaultValue(),
    attach: () => Effect.succeed(null),
    removed: ({ id }) => void gone.push(id)
  })
  const put = (bytes: number, owner = "me", stays = false) =>
    uploads.put("a.html", Buffer.alloc(bytes, "x"), owner, stays)
  return { uploads, gone, put }
})

const tagOf = <A>(effect: Effect.Effect<A, Refused>) => Effect.map(Effect.flip(effect), ({ body }) => body.error.tag)

/** Files of uploads that this process has open. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes(".upload (deleted)")
    } catch {
      return false
    }
  }).length

/** Waits until so many files are open: the system closes them when it comes to it. */
const closed = (count: number) =>
  Effect.promise(async () => {
    while (openFiles() !== count) await setTimeout(5)
  })

describe("uploads", () => {
  it.scoped("are gone ten minutes after their last use, and not before", () =>
    Effect.gen(function* () {
      const before = openFiles()
      const { gone, put, uploads } = yield* made
      const { id } = yield* put(10)
      yield* TestClock.adjust("9 minutes")
      yield* uploads.use(id, "me", ({ content }) => Effect.sync(() => content.slice(0, 10)))
      yield* TestClock.adjust("9 minutes")
      assert.isEmpty(gone)
      assert.strictEqual(openFiles(), before + 1)
      yield* TestClock.adjust("2 minutes")
      assert.deepEqual(gone, [id])
      yield* closed(before)
      assert.strictEqual(yield* tagOf(uploads.use(id, "me", () => Effect.void)), "DocumentGone")
    })
  )

  it.scoped("are refused above the bound of all together, and taken again when room was made", () =>
    Effect.gen(function* () {
      const { put, uploads } = yield* made
      const { id } = yield* put(600)
      assert.strictEqual(yield* tagOf(put(401)), "SpoolFull")
      yield* put(400)
      assert.strictEqual(yield* tagOf(put(1)), "SpoolFull")
      yield* uploads.remove(id, "me")
      yield* put(600)
    })
  )

  it.scoped("are refused above the number of files", () =>
    Effect.gen(function* () {
      const { put } = yield* made
      yield* Effect.replicateEffect(put(1), bounds.files)
      assert.strictEqual(yield* tagOf(put(1)), "SpoolFull")
    })
  )

  it.scoped("belong to their owner, and are used to the end when they are removed meanwhile", () =>
    Effect.gen(function* () {
      const { gone, put, uploads } = yield* made
      const { id } = yield* put(5)
      assert.strictEqual(yield* tagOf(uploads.remove(id, "another")), "DocumentGone")
      const reading = yield* Effect.fork(
        uploads.use(id, "me", ({ content }) => Effect.as(Effect.sleep("1 hour"), String(content.slice(0, 5))))
      )
      yield* TestClock.adjust("30 minutes")
      assert.isEmpty(gone)
      yield* uploads.remove(id, "me")
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* Fiber.join(reading), "xxxxx")
      assert.deepEqual(gone, [id])
    })
  )

  it.scoped("stay until the end where they are told to, and are kept for less where nothing is retained", () =>
    Effect.gen(function* () {
      const before = openFiles()
      const { gone, put, uploads } = yield* made
      const stays = yield* put(5, "me", true)
      const short = yield* put(5)
      yield* uploads.use(short.id, "me", (held) =>
        Effect.zipRight(
          Effect.sync(() => held.discard()),
          held.shorten(bounds.unretainedFor)
        )
      )
      yield* closed(before + 1)
      yield* TestClock.adjust("1 minute")
      assert.deepEqual(gone, [short.id])
      yield* TestClock.adjust("10 hours")
      assert.deepEqual(
        uploads.staying().map(({ id }) => id),
        [stays.id]
      )
    })
  )

  it.effect("leave no open file when their scope closes", () =>
    Effect.gen(function* () {
      const before = openFiles()
      yield* Effect.scoped(Effect.flatMap(made, ({ put }) => Effect.replicateEffect(put(5), 5)))
      assert.strictEqual(openFiles(), before)
    })
  )
})

describe("WeighedCache", () => {
  it("keeps the values that were used last, within its bound", () => {
    const cache = new WeighedCache<string>(100)
    for (const key of ["a", "b", "c"]) cache.set(key, key, 40)
    assert.deepEqual(
      ["a", "b", "c"].map((key) => cache.get(key)),
      [undefined, "b", "c"]
    )
    cache.get("b")
    cache.set("d", "d", 40)
    assert.deepEqual(
      ["b", "c", "d"].map((key) => cache.get(key)),
      ["b", undefined, "d"]
    )
    cache.set("e", "e", 101)
    assert.isUndefined(cache.get("e"))
    assert.strictEqual(cache.weight, 80)
  })
})
