/** Stores of chunks: on servers, which all processes share, and in files. */
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as ChunkSink from "docsluice/ChunkSink"
import type { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { rank } from "../../src/internal/conformance/rank.ts"
import type { Disk } from "./Disk.ts"
import { type Chance, chance } from "./Kernel.ts"
import type { Network } from "./Network.ts"
import type { Process } from "./Process.ts"

type Change = (chunks: Map<ChunkId, DocumentChunk>) => void

/** A store, as the simulation looks at it. */
export interface Store {
  readonly id: string
  readonly chunks: Map<ChunkId, DocumentChunk>
  /** Called with the ids of documents after each change of them, where the store tells. */
  onChange: (process: Process, documents: ReadonlySet<string>) => void
  /** The same as long as nothing changed. */
  readonly changes: unknown
  /** The sink of a process. */
  readonly sink: (process: Process) => Effect.Effect<ChunkSink.ChunkSink.Service, never, Scope.Scope>
}

/** Files of a disk. */
export class FileStore implements Store {
  onChange = (): void => {}
  readonly id: string
  private readonly disk: Disk
  private readonly kind: "jsonl" | "fs"
  private readonly place: string

  constructor(disk: Disk, kind: "jsonl" | "fs", at: number) {
    this.disk = disk
    this.kind = kind
    this.place = join(disk.place, `store-${at}`)
    this.id = `${kind}:${this.place}`
  }

  get chunks(): Map<ChunkId, DocumentChunk> {
    const read = Effect.scoped(
      Effect.gen(this, function* () {
        const { contents } = yield* this.over(null)
        return contents === undefined ? [] : [...(yield* Stream.runCollect(contents))]
      })
    )
    // What nobody can read holds nothing.
    const chunks = Effect.runSync(Effect.orElseSucceed(read, () => []))
    return new Map(chunks.map((chunk) => [chunk.id, chunk]))
  }

  get changes(): string {
    return JSON.stringify([...this.chunks.values()])
  }

  sink(process: Process): Effect.Effect<ChunkSink.ChunkSink.Service, never, Scope.Scope> {
    return this.over(process)
  }

  private over(process: Process | null): Effect.Effect<ChunkSink.ChunkSink.Service, never, Scope.Scope> {
    const made = this.kind === "fs" ? Filesystem.make({ directory: this.place }) : Jsonl.make({ file: this.place })
    return Effect.provide(
      made,
      Layer.merge(Layer.succeed(FileSystem.FileSystem, this.disk.fileSystem(process)), Path.layer)
    )
  }
}

/** A store: `replaces` a document in one step, or writes and removes chunks, of which a broken call may have done a part. */
export class SinkStore implements Store {
  readonly id: string
  readonly chunks = new Map<ChunkId, DocumentChunk>()
  /** Called with the ids of documents after each change of them. */
  onChange: (process: Process, documents: ReadonlySet<string>) => void = () => {}
  /** Called with the texts that a process sends to be stored. */
  onSent: (process: Process, texts: ReadonlyArray<string>) => void = () => {}
  /** Calls that changed something. */
  changes = 0
  private stamp: string | null = null
  private readonly replaces: boolean
  private readonly network: Network
  private readonly draw: Chance
  private lock: object | null = null
  private readonly waiting: Array<() => void> = []

  constructor(network: Network, id: string, replaces: boolean) {
    this.network = network
    this.id = id
    this.replaces = replaces
    this.draw = chance(`${network.kernel.seed} ${id}`)
  }

  /** The sink of a process. */
  sink(process: Process): Effect.Effect<ChunkSink.ChunkSink.Service> {
    const lost = new ChunkSink.SinkError({ sink: this.id, reason: "Unavailable", problem: "the connection broke" })
    const ask = <A>(what: string, work: (answer: (value: A) => void) => void): Effect.Effect<A, ChunkSink.SinkError> =>
      this.network.ask<A, ChunkSink.SinkError>(
        process,
        { server: "sink", what: `${this.id} ${what}`, lost },
        (answer) => work((value) => answer(Effect.succeed(value)))
      )
    const asked = <A>(what: string, work: () => A) => ask<A>(what, (answer) => answer(work()))
    const found = (): ChunkSink.Found =>
      this.stamp !== null
        ? { _tag: "Stamped", stamp: this.stamp, empty: this.chunks.size === 0, changed: false }
        : { _tag: "Absent" }
    const inspect = asked("looks", found)
    /** In a lock, which is free again after a while whatever becomes of the process. */
    const open = ({ decide }: ChunkSink.Opening): Effect.Effect<null, ChunkSink.SinkError> =>
      Effect.acquireUseRelease(
        ask<object>("is locked", (answer) => this.locked(process, answer)),
        (lock) =>
          Effect.gen(this, function* () {
            const { stamp } = yield* decide(yield* asked("is looked at", found))
            const done = yield* asked("is stamped", () => {
              if (this.lock !== lock) return false
              this.stamp = stamp
              return true
            })
            return done ? null : yield* lost
          }),
        (lock) => Effect.sync(() => this.network.send(process, () => this.unlock(lock)))
      )
    const change = (what: string, documents: ReadonlySet<string>, count: number, steps: ReadonlyArray<Change>) =>
      this.network.ask<void, ChunkSink.SinkError>(
        process,
        { server: "sink", what: `${this.id} ${what} ${count}`, lost },
        (answer) => {
          const torn = this.network.strikes("sink")
          const done = torn ? Math.floor(this.draw() * (steps.length + 1)) : steps.length
          for (const step of steps.slice(0, done)) step(this.chunks)
          this.changes += done
          this.onChange(process, documents)
          answer(torn ? Effect.fail(lost) : Effect.void)
        }
      )
    const documentsOf = (ids: ReadonlyArray<ChunkId>) =>
      new Set(ids.flatMap((id) => this.chunks.get(id)?.documentId ?? []))
    const list = () => [...this.chunks.values()]
    const definition = {
      id: this.id,
      name: "simulated",
      inspect,
      open,
      read: () => Effect.succeed(null),
      write: (_: null, batch: ReadonlyArray<DocumentChunk>) => {
        this.onSent(
          process,
          batch.map(({ text }) => text)
        )
        return change(
          `writes ${named(batch)}`,
          new Set(batch.map(({ documentId }) => documentId)),
          batch.length,
          batch.map((chunk) => (chunks) => chunks.set(chunk.id, chunk))
        )
      },
      remove: (_: null, ids: ReadonlyArray<ChunkId>) =>
        change(
          "removes",
          documentsOf(ids),
          ids.length,
          ids.map((id) => (chunks) => chunks.delete(id))
        ),
      list: () => Stream.unwrap(Effect.map(asked("lists", list), Stream.fromIterable)),
      count: () => asked("counts", () => this.chunks.size),
      search: (_: null, query: ChunkSink.CheckedQuery) =>
        Effect.map(asked("searches", list), (all) => rank(all, query, "cosine")),
      clear: asked("clears", () => {
        this.chunks.clear()
        this.stamp = null
      })
    }
    if (!this.replaces) return ChunkSink.make(definition)
    return ChunkSink.make({
      ...definition,
      replaceAll: (_: null, documents: ReadonlyArray<ChunkSink.DocumentChunks>) => {
        this.onSent(
          process,
          documents.flatMap(({ chunks }) => chunks.map(({ text }) => text))
        )
        const ids = new Set<string>(documents.map(({ documentId }) => documentId))
        const replace: Change = (chunks) => {
          for (const { documentId, id } of chunks.values()) if (ids.has(documentId)) chunks.delete(id)
          for (const one of documents) for (const chunk of one.chunks) chunks.set(chunk.id, chunk)
        }
        return change(`replaces ${[...ids].join(", ")}`, ids, ids.size, [replace])
      }
    })
  }

  private locked(process: Process, answer: (lock: object) => void): void {
    if (this.lock !== null) {
      this.waiting.push(() => this.locked(process, answer))
      return
    }
    const lock = {}
    this.lock = lock
    process.mourners.push(() => this.unlock(lock))
    this.network.kernel.after(longestLock, null, () => this.unlock(lock))
    answer(lock)
  }

  private unlock(lock: object): void {
    if (this.lock !== lock) return
    this.lock = null
    this.waiting.shift()?.()
  }
}

/** Milliseconds. */
const longestLock = 10_000

const named = (batch: ReadonlyArray<DocumentChunk>): string =>
  [...new Set(batch.map(({ documentId }) => documentId))].join(", ")
