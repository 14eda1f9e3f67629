import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Discovery from "docsluice/Discovery"
import { Chunk, Clock, Deferred, Duration, Effect, Fiber, Queue, Ref, Stream, TestClock } from "effect"
import { scratch } from "./fixtures/state.ts"

const soon = { debounce: "60 millis", rescan: "1 minute" } as const

/** Batches until all these paths were among them; fails after two minutes. */
const until = (next: Effect.Effect<Discovery.Batch, Discovery.WatchError>, ...wanted: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const seen = new Set<string>()
    while (!wanted.every((path) => seen.has(path))) {
      for (const path of (yield* next).paths) seen.add(path)
    }
    return seen
  }).pipe(Effect.timeout("2 minutes"))

describe("Watch", () => {
  it.scopedLive("starts on an empty folder and reports files that are added, changed, renamed and deleted", () =>
    Effect.gen(function* () {
      const root = yield* scratch
      const next = yield* Discovery.watch({ root, ...soon })
      fs.mkdirSync(join(root, "sub"))
      fs.writeFileSync(join(root, "sub", "ä.pdf"), "1")
      yield* until(next, "sub/ä.pdf")
      fs.appendFileSync(join(root, "sub", "ä.pdf"), "2")
      assert.deepStrictEqual([...(yield* until(next, "sub/ä.pdf"))], ["sub/ä.pdf"])
      fs.renameSync(join(root, "sub", "ä.pdf"), join(root, "b.pdf"))
      yield* until(next, "sub/ä.pdf", "b.pdf")
      fs.rmSync(join(root, "b.pdf"))
      yield* until(next, "b.pdf")
      for (const name of ["b.psd", "c.md"]) fs.writeFileSync(join(root, name), "text")
      assert.deepStrictEqual([...(yield* until(next, "c.md"))], ["c.md"])
    })
  )

  it.scopedLive("groups many changes into few batches, and keeps those that come while nobody waits", () =>
    Effect.gen(function* () {
      const root = yield* scratch
      // Long enough for a machine that does other work between two changes.
      const next = yield* Discovery.watch({ root, ...soon, debounce: "1 second" })
      const names = Array.from({ length: 40 }, (_, index) => `${index}.pdf`)
      for (const name of names) {
        fs.writeFileSync(join(root, name), name)
        yield* Effect.sleep("5 millis")
      }
      const batches: Array<Discovery.Batch> = []
      while (new Set(batches.flatMap(({ paths }) => paths)).size < names.length) batches.push(yield* next)
      assert.isAtMost(batches.length, 4)
      assert.isTrue(batches.every(({ cause }) => cause === "changes"))
    }).pipe(Effect.timeout("2 minutes"))
  )

  it.scopedLive("does not see what is excluded, dot files and node_modules", () =>
    Effect.gen(function* () {
      const root = yield* scratch
      for (const folder of ["out", ".state", "node_modules"]) fs.mkdirSync(join(root, folder))
      const next = yield* Discovery.watch({ root, exclude: [join(root, "out"), join(root, "chunks.jsonl")], ...soon })
      for (const name of ["out/a.pdf", ".state/a.pdf", "node_modules/a.pdf", "chunks.jsonl", ".hidden"]) {
        fs.writeFileSync(join(root, name), "x")
      }
      yield* Effect.sleep("300 millis")
      fs.writeFileSync(join(root, "a.pdf"), "x")
      assert.deepStrictEqual([...(yield* until(next, "a.pdf"))], ["a.pdf"])
    })
  )

  it.scopedLive("sees nothing beside the paths and globs of interest but the rules above them", () =>
    Effect.gen(function* () {
      const root = yield* scratch
      for (const folder of ["docs", "notes", "other"]) fs.mkdirSync(join(root, folder))
      const patterns = ["docs", "notes/*/a*.md", "late", "!docs/x.md"]
      const next = yield* Discovery.watch({ root, patterns, ...soon })
      for (const folder of ["other/sub", "notes/sub", "late"]) fs.mkdirSync(join(root, folder))
      const names = [
        "log.txt",
        "other/a.md",
        "other/.gitignore",
        "docs/a.md",
        "notes/sub/a.md",
        "late/a.md",
        ".gitignore"
      ]
      for (const name of names) fs.writeFileSync(join(root, name), "text")
      const seen = yield* until(next, "docs/a.md", "notes/sub/a.md", "late/a.md", ".gitignore")
      fs.writeFileSync(join(root, "log.txt"), "more")
      fs.writeFileSync(join(root, "docs/b.md"), "text")
      for (const path of yield* until(next, "docs/b.md")) seen.add(path)
      assert.deepStrictEqual(
        [...seen].filter((path) => path.startsWith("other") || path === "log.txt"),
        []
      )
    })
  )

  it.scopedLive("begins with a batch, so that a discovery made then misses nothing", () =>
    Effect.gen(function* () {
      const root = yield* scratch
      const [first] = Chunk.toReadonlyArray(
        yield* Stream.runCollect(Stream.take(Discovery.changes({ root, ...soon }), 1))
      )
      assert.deepStrictEqual(first, { cause: "start", paths: [] })
    })
  )

  const replacements: Readonly<Record<string, (at: (path: string) => string) => void>> = {
    "is moved away and made again": (at) => {
      fs.renameSync(at("root"), at("moved"))
      fs.mkdirSync(at("root/sub"), { recursive: true })
    },
    "is removed and made again": (at) => {
      fs.rmSync(at("root"), { recursive: true })
      fs.mkdirSync(at("root/sub"), { recursive: true })
    },
    "goes with a folder above it that is renamed, and comes again": (at) => {
      fs.renameSync(at(""), at("").replace(/.$/, "2"))
      fs.mkdirSync(at("root/sub"), { recursive: true })
    },
    "is a link that leads elsewhere": (at) => {
      fs.renameSync(at("root"), at("real"))
      fs.symlinkSync("real", at("root"))
    },
    "has a folder that is moved away and made again": (at) => {
      fs.renameSync(at("root/sub"), at("root/moved"))
      fs.mkdirSync(at("root/sub"))
    },
    "has a folder that is removed and made again": (at) => {
      fs.rmSync(at("root/sub"), { recursive: true })
      fs.mkdirSync(at("root/sub"))
    }
  }

  it.scopedLive.each(Object.entries(replacements))("goes on when the root %s", ([, replace]) =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const at = (path: string) => join(folder, "above", path)
      fs.mkdirSync(at("root/sub"), { recursive: true })
      fs.writeFileSync(at("root/sub/a.pdf"), "a")
      const next = yield* Discovery.watch({ root: at("root"), ...soon })
      yield* Effect.sync(() => replace(at))
      yield* until(next, ".")
      fs.writeFileSync(at("root/b.pdf"), "b")
      fs.writeFileSync(at("root/sub/c.pdf"), "c")
      yield* until(next, "b.pdf", "sub/c.pdf")
    })
  )

  it.scopedLive("waits for a missing root, and reports its removal", () =>
    Effect.gen(function* () {
      const root = join(yield* scratch, "later")
      const next = yield* Discovery.watch({ root, ...soon })
      fs.mkdirSync(root)
      yield* until(next, ".")
      fs.writeFileSync(join(root, "a.pdf"), "a")
      yield* until(next, "a.pdf")
      fs.rmSync(root, { recursive: true })
      yield* until(next, ".")
    })
  )

  it.scopedLive("sees what changes below a root that is a link", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      fs.mkdirSync(join(folder, "real"))
      fs.symlinkSync("real", join(folder, "root"))
      const next = yield* Discovery.watch({ root: join(folder, "root"), exclude: [join(folder, "root/out")], ...soon })
      fs.mkdirSync(join(folder, "real/out"))
      fs.writeFileSync(join(folder, "real/out/b.pdf"), "b")
      fs.writeFileSync(join(folder, "real/a.pdf"), "a")
      assert.deepStrictEqual([...(yield* until(next, "a.pdf"))], ["a.pdf"])
    })
  )

  it.scopedLive("loses no change when the waiting consumer is interrupted", () =>
    Effect.gen(function* () {
      const root = yield* scratch
      const next = yield* Discovery.watch({ root, debounce: "200 millis" })
      const waiting = yield* Effect.fork(next)
      fs.writeFileSync(join(root, "a.pdf"), "x")
      yield* Effect.sleep("150 millis")
      yield* Fiber.interrupt(waiting)
      yield* until(next, "a.pdf")
    })
  )

  it.effect("repeats a pass that asks for it after growing delays, and at once when files change", () =>
    Effect.gen(function* () {
      const changes = yield* Queue.unbounded<Discovery.Batch>()
      const stop = yield* Deferred.make<void>()
      const times = yield* Ref.make<ReadonlyArray<number>>([])
      const answers: Array<"done" | "again"> = ["again", "again", "again", "done"]
      const running = yield* Effect.fork(
        Discovery.passes({
          next: Queue.take(changes),
          pass: () =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              Effect.as(
                Ref.update(times, (all) => [...all, now]),
                answers.shift() ?? "done"
              )
            ),
          stop: Deferred.await(stop),
          backOff: { first: "1 second", longest: "1 minute" }
        })
      )
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* Ref.get(times), [0, 1000, 3000])
      yield* Queue.offer(changes, { cause: "changes", paths: ["a.pdf"] })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* Ref.get(times), [0, 1000, 3000, 3000])
      yield* Deferred.succeed(stop, undefined)
      yield* Fiber.join(running)
    })
  )

  it.effect("finishes the pass in progress before it stops", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const ended = yield* Ref.make(false)
      const running = yield* Effect.fork(
        Discovery.passes({
          next: Effect.never,
          pass: () =>
            Effect.as(Effect.zipRight(Effect.sleep(Duration.seconds(5)), Ref.set(ended, true)), "done" as const),
          stop: Deferred.await(stop)
        })
      )
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(stop, undefined)
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* Ref.get(ended))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(running)
      assert.isTrue(yield* Ref.get(ended))
    })
  )
})
