import fs from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Discovery from "docsluice/Discovery"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, Layer, type Scope, Stream } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import * as faultserver from "../faultserver/server.ts"
import { live, parse } from "./collaborators.ts"

const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "docsluice-reads-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** Names of the files that are opened while the scope is open, each time anew. */
const opened = (below: string): Effect.Effect<Array<string>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const names: Array<string> = []
    const { open, openSync } = fs
    const openHandle = fs.promises.open
    const note = (path: fs.PathLike): void => {
      if (String(path).startsWith(below)) names.push(String(path).slice(below.length + 1))
    }
    const watch = () => {
      const counted = (path: fs.PathLike, ...rest: ReadonlyArray<unknown>): void => {
        note(path)
        Reflect.apply(open, fs, [path, ...rest])
      }
      Reflect.set(fs, "open", counted)
      Reflect.set(fs, "openSync", (path: fs.PathLike, ...rest: ReadonlyArray<unknown>): unknown => {
        note(path)
        return Reflect.apply(openSync, fs, [path, ...rest])
      })
      Reflect.set(fs.promises, "open", (path: fs.PathLike, ...rest: ReadonlyArray<unknown>): unknown => {
        note(path)
        return Reflect.apply(openHandle, fs.promises, [path, ...rest])
      })
      syncBuiltinESMExports()
    }
    yield* Effect.acquireRelease(Effect.sync(watch), () =>
      Effect.sync(() => {
        Reflect.set(fs, "open", open)
        Reflect.set(fs, "openSync", openSync)
        Reflect.set(fs.promises, "open", openHandle)
        syncBuiltinESMExports()
      })
    )
    return names
  })

const written = (root: string, name: string, bytes: Uint8Array) =>
  Effect.zipRight(
    Effect.promise(() => writeFile(join(root, name), bytes)),
    Discovery.file(join(root, name))
  )

const small = new Uint8Array(2600).fill(7)
const large = (fill: number): Uint8Array => new Uint8Array(1_500_000).fill(fill)

/** Parses the files at the same time; returns where the answers came from. */
const origins = (files: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof written>>>) =>
  Effect.gen(function* () {
    const run = yield* RunState.make
    const documents = yield* Effect.forEach(files, Parser.parse, { concurrency: files.length }).pipe(
      Effect.provideService(RunState.CurrentRun, run)
    )
    return { origins: documents.map(({ origin }) => origin), requests: run.counters.requests }
  })

const cached = (base: string) =>
  Layer.mergeAll(Layer.provide(Parser.layer(), live(base)), ParseCache.layerMemory()).pipe(Layer.orDie)

describe("reading the files of a parse", () => {
  it.scopedLive("opens a small file once for the cache and all attempts, and once more when it is parsed again", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const root = yield* folder
      const file = yield* written(root, "a@e503~times=2.pdf", small)
      const names = yield* opened(root)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* origins([file]), { origins: ["service"], requests: 3 })
        assert.lengthOf(names, 1)
        assert.deepStrictEqual(yield* origins([file]), { origins: ["cache"], requests: 0 })
        assert.lengthOf(names, 2)
      }).pipe(Effect.provide(cached(server.base)))
      assert.strictEqual(new Set(server.log.map(({ sha256 }) => sha256)).size, 1)
    })
  )

  it.scopedLive("names a file that is gone", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const root = yield* folder
      for (const size of [2600, 200_000]) {
        const file = yield* written(root, `${size}.pdf`, new Uint8Array(size))
        yield* Effect.promise(() => rm(join(root, `${size}.pdf`)))
        const error = yield* Effect.flip(Effect.provide(Parser.parse(file), cached(server.base)))
        assert.deepInclude(error, { _tag: "FileUnreadable", path: `${size}.pdf`, reason: "NotFound" })
      }
      assert.lengthOf(server.log, 0)
    })
  )

  it.scopedLive("opens a file for each attempt when no parser holds it, however small it is", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const root = yield* folder
      const files = [
        yield* written(root, "a@e503~times=2.pdf", small),
        yield* written(root, "b@e503~times=2.pdf", large(1))
      ]
      const names = yield* opened(root)
      yield* Effect.forEach(files, (file) => parse(file)).pipe(Effect.provide(live(server.base)))
      assert.deepStrictEqual(names, [
        ...Array<string>(3).fill(files[0]?.path ?? ""),
        ...Array<string>(3).fill(files[1]?.path ?? "")
      ])
    })
  )

  it.scopedLive("opens a large file once when the cache knows no file of its size, and hashes it first otherwise", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const root = yield* folder
      const first = yield* written(root, "a.pdf", large(1))
      const twin = yield* written(root, "b.pdf", large(1))
      const other = yield* written(root, "c.pdf", large(2))
      const names = yield* opened(root)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* origins([first]), { origins: ["service"], requests: 1 })
        assert.deepStrictEqual(names, ["a.pdf"])
        assert.deepStrictEqual(yield* origins([twin]), { origins: ["cache"], requests: 0 })
        assert.deepStrictEqual(names, ["a.pdf", "b.pdf"])
        assert.deepStrictEqual(yield* origins([other]), { origins: ["service"], requests: 1 })
        assert.deepStrictEqual(names, ["a.pdf", "b.pdf", "c.pdf", "c.pdf"])
      }).pipe(Effect.provide(cached(server.base)))
    })
  )

  it.scopedLive("takes a file of any size whose own one is an estimate, by its bytes", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      for (const [bytes, size] of [
        [small, 3000],
        [small, 2000],
        [large(1), 2_000_000],
        [large(2), 1_400_000],
        [large(3), 900_000]
      ] as const) {
        let opens = 0
        const open = Stream.suspend(() => {
          opens += 1
          return Stream.make(bytes.subarray(0, 1000), bytes.subarray(1000))
        })
        const file = SourceFile.make({ root: "mail", path: `${size}.pdf`, size, estimated: true, open })
        assert.deepStrictEqual(yield* SourceFile.bytes(file), bytes)
        opens = 0
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* origins([file]), { origins: ["service"], requests: 1 })
          assert.strictEqual(opens, size > 1024 * 1024 ? 2 : 1)
          assert.deepStrictEqual(yield* origins([file]), { origins: ["cache"], requests: 0 })
        }).pipe(Effect.provide(cached(server.base)))
        yield* Effect.provide(parse(file), live(server.base))
        const exact = SourceFile.make({ root: "mail", path: "exact.pdf", size, open })
        assert.strictEqual((yield* Effect.flip(SourceFile.bytes(exact)))._tag, "FileChanged")
      }
      assert.strictEqual(new Set(server.log.map(({ sha256 }) => sha256)).size, 4)
    })
  )

  it.scopedLive("sends large files of the same bytes once, also at the same time, and of the same size each", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const root = yield* folder
      const files = [
        yield* written(root, "a@ok-slow~ms=200.pdf", large(1)),
        yield* written(root, "b.pdf", large(1)),
        yield* written(root, "c.pdf", large(2))
      ]
      const ended = yield* Effect.provide(origins(files), cached(server.base))
      assert.deepStrictEqual(ended, { origins: ["service", "cache", "service"], requests: 2 })
    })
  )

  it.scopedLive("asks for the twin of a large file when the request for the first fails", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const root = yield* folder
      const refused = yield* written(root, "a@e422.pdf", large(1))
      const twin = yield* written(root, "b.pdf", large(1))
      const [one, two] = yield* Effect.all([Effect.either(Parser.parse(refused)), Parser.parse(twin)], {
        concurrency: 2
      }).pipe(Effect.provide(cached(server.base)))
      assert.deepStrictEqual([one._tag, two.origin], ["Left", "service"])
    })
  )

  // The larger ones are read in the background.
  for (const [what, size, actual] of [
    ["cut off", 3000, 2600],
    ["grown", 2000, 2600],
    ["cut off", 200_000, 190_000],
    ["grown", 200_000, 200_001]
  ] as const) {
    it.scopedLive(
      `notices a file of ${size} bytes that was ${what} after it was found, and says how long it is now`,
      () =>
        Effect.gen(function* () {
          const server = yield* faultserver.start()
          const root = yield* folder
          const file = yield* written(root, "a.pdf", new Uint8Array(size))
          yield* Effect.promise(() => writeFile(join(root, "a.pdf"), new Uint8Array(actual)))
          const error = yield* Effect.flip(Effect.provide(Parser.parse(file), cached(server.base)))
          assert.deepInclude(error, { _tag: "FileChanged", expected: size, actual })
          assert.lengthOf(server.log, 0)
        })
    )
  }
})
