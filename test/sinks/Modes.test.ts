import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileSystem, type Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, Layer, type Scope } from "effect"
import { fullFileSystem } from "../fixtures/fullFileSystem.ts"
import { generation } from "../fixtures/sinkChunks.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-modes-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const pathsBelow = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })

/** Files and folders that somebody else may do something with, by their path below the folder. */
const open = (directory: string): ReadonlyArray<string> =>
  pathsBelow(directory).filter((path) => (statSync(join(directory, path)).mode & 0o077) !== 0)

/** Looks at all modes after each call that makes, moves or opens a file. */
const watching = (look: () => void) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const seen = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.tap(call, () => Effect.sync(look))
      return FileSystem.make({
        ...fs,
        open: (path, options) => seen(fs.open(path, options)),
        chmod: (path, mode) => seen(fs.chmod(path, mode)),
        rename: (from, to) => seen(fs.rename(from, to)),
        makeDirectory: (path, options) => seen(fs.makeDirectory(path, options)),
        writeFile: (path, data, options) => seen(fs.writeFile(path, data, options))
      })
    })
  )

type Make = Effect.Effect<ChunkSink.Service, never, FileSystem.FileSystem | Path.Path | Scope.Scope>

const used = (make: Make, layer: Layer.Layer<FileSystem.FileSystem>, name: string) =>
  Effect.gen(function* () {
    const sink = yield* make
    const prepared = yield* sink.prepare(null)
    yield* prepared.write(generation("a.md", name, 3))
    yield* prepared.write(generation("b.md", name, 2))
    yield* prepared.remove?.(generation("b.md", name, 2).map(({ id }) => id)) ?? Effect.void
    yield* prepared.finish
  }).pipe(Effect.scoped, Effect.provide(layer), Effect.provide(NodeContext.layer))

const watched = (directory: string, allowed: (path: string) => boolean) => {
  const found = new Set<string>()
  const layer = watching(() => {
    for (const path of open(directory)) if (!allowed(path)) found.add(path)
  }).pipe(Layer.provide(NodeContext.layer))
  return { found, layer }
}

const makers: Readonly<Record<string, (directory: string) => Make>> = {
  jsonl: (directory) => Jsonl.make({ file: join(directory, "chunks.jsonl") }),
  fs: (directory) => Filesystem.make({ directory: join(directory, "chunks") }),
  libsql: (directory) => LibSql.make({ file: join(directory, "chunks.db") })
}

for (const [name, make] of Object.entries(makers)) {
  it.scopedLive(`a new ${name} target is its owner's alone, and so is everything next to it, at every moment`, () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const { found, layer } = watched(directory, () => false)
      yield* used(make(directory), layer, "first")
      yield* used(make(directory), layer, "second")
      assert.deepStrictEqual([...found, ...open(directory)], [])
      assert.isAbove(pathsBelow(directory).length, 0)
    })
  )
}

it.scopedLive(
  "a rewritten JSONL file keeps mode, owner and group, its stamp and its journal have the same, and no copy has more",
  () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const file = join(directory, "chunks.jsonl")
      const make = Jsonl.make({ file })
      yield* used(make, watched(directory, () => true).layer, "first")
      const root = process.getuid?.() === 0
      if (root) chownSync(file, 12_345, 23_456)
      chmodSync(file, 0o640)
      const before = statSync(file)
      const modes = new Set<string>()
      const layer = watching(() => {
        for (const path of open(directory)) modes.add(modeOf(join(directory, path)))
      }).pipe(Layer.provide(NodeContext.layer))
      yield* used(make, layer, "second")
      const after = statSync(file)
      assert.notStrictEqual(after.ino, before.ino)
      assert.deepStrictEqual([after.mode, after.uid, after.gid], [before.mode, before.uid, before.gid])
      assert.strictEqual(modeOf(`${file}.docsluice.json`), "640")
      assert.deepStrictEqual([...modes], ["640"])
    })
)

it.scopedLive("rewritten files of a folder keep their modes, and what is new next to them is private", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const make = Filesystem.make({ directory: join(directory, "chunks") })
    const replaced = (name: string, count: number) =>
      Effect.gen(function* () {
        const sink = yield* make
        const prepared = yield* sink.prepare(null)
        const [first] = generation("a.md", name, count)
        assert.isDefined(first)
        yield* prepared.replace?.(first.documentId, generation("a.md", name, count)) ?? Effect.void
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
    yield* replaced("first", 2)
    const files = () =>
      pathsBelow(directory).filter((path) => /\.(?:md|json)$/.test(path) && statSync(join(directory, path)).isFile())
    for (const path of files()) chmodSync(join(directory, path), 0o644)
    const known = new Set(files())
    yield* replaced("second", 4)
    for (const path of files()) {
      assert.strictEqual(modeOf(join(directory, path)), known.has(path) ? "644" : "600", path)
    }
    assert.strictEqual(files().length, known.size + 2)
  })
)

it.scopedLive("a write that finds the disk full leaves whole lines, though nothing is written after it", () =>
  Effect.gen(function* () {
    const file = join(yield* scratch, "chunks.jsonl")
    const disk = { full: false }
    let whole = ""
    yield* Effect.gen(function* () {
      const sink = yield* Jsonl.make({ file })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(generation("a.md", "first", 3))
      whole = readFileSync(file, "utf8")
      disk.full = true
      const error = yield* Effect.flip(prepared.write(generation("b.md", "first", 3)))
      assert.strictEqual(error._tag, "SinkError")
      assert.strictEqual(readFileSync(file, "utf8"), whole)
    }).pipe(Effect.scoped, Effect.provide(fullFileSystem(disk)), Effect.provide(NodeContext.layer))
    assert.strictEqual(readFileSync(file, "utf8"), whole)
  })
)
