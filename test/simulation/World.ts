/** The servers of a simulation, and the processes of the program that use them. */
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Path from "@effect/platform/Path"
import type { EmbeddingSpace } from "docsluice/ChunkSink"
import type * as Discovery from "docsluice/Discovery"
import * as Embedder from "docsluice/Embedder"
import * as Parser from "docsluice/Parser"
import * as Queue from "docsluice/Queue"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as Source from "docsluice/Source"
import { FileUnreadable } from "docsluice/SourceFile"
import * as State from "docsluice/State"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import * as Tokenizer from "docsluice/Tokenizer"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { EmbeddingCache } from "../../src/EmbeddingCache.ts"
import type { Service } from "../../src/internal/corpus/contract.ts"
import * as Ingestion from "../../src/internal/corpus/ingestion.ts"
import * as Made from "../../src/internal/corpus/make.ts"
import * as Means from "../../src/internal/corpus/means.ts"
import * as Searching from "../../src/internal/corpus/searching.ts"
import { Self, server } from "../../src/internal/queue/identity.ts"
import * as Address from "../../src/internal/state/postgres/address.ts"
import * as Connection from "../../src/internal/state/postgres/connection.ts"
import { shared } from "../../src/internal/state/postgres/open.ts"
import { Ledger } from "../../src/Ledger.ts"
import * as honest from "../testing/sourceDefects/honest.ts"
import * as Bounds from "./Bounds.ts"
import { Database, type StateTables } from "./Database.ts"
import { Disk } from "./Disk.ts"
import { Folder } from "./Folder.ts"
import { Jobs } from "./Jobs.ts"
import { Kernel } from "./Kernel.ts"
import { Network, type Trouble } from "./Network.ts"
import type { Process } from "./Process.ts"
import { Servers } from "./Servers.ts"
import { FileStore, SinkStore, type Store } from "./Sinks.ts"

/** Milliseconds for which a silent process keeps its documents. */
export const lease = 8000

export const uploads = "uploads"

export interface Setting {
  readonly seed: string
  readonly roots: ReadonlyArray<string>
  /** One for each store: on a server, true for one that replaces documents in one step, or in files of the disk. */
  readonly sinks: ReadonlyArray<boolean | "jsonl" | "fs">
  /** True for a state in a folder of the only machine; else it is on a server. */
  readonly onDisk?: boolean | undefined
  readonly embeds: boolean
  /** True for sources that tell of a part that they cannot list, where others fail. */
  readonly tellsGaps: boolean
  /** What processes are told to do little of at a time; default: nothing. */
  readonly lean?: Bounds.Lean | undefined
}

export type Fault = Trouble | "answers of service" | "answers of embedder"

/** The program in a process. */
export interface Program {
  readonly corpus: Service
  readonly ledger: Context.Tag.Service<typeof Ledger>
  /** A run over a root through the queue. */
  readonly coordinate: (root: string, allowRemovals: boolean) => Effect.Effect<unknown, unknown>
  /** Works on what is in the queue until `stop` completes. */
  readonly work: (stop: Effect.Effect<void>) => Effect.Effect<unknown, unknown>
}

export class World {
  readonly setting: Setting
  readonly kernel: Kernel
  readonly network: Network
  readonly servers: Servers
  readonly database: Database
  /** Null for a state on a server. */
  readonly disk: Disk | null
  readonly state: StateTables
  readonly jobs: Jobs
  readonly sinks: ReadonlyArray<Store>
  readonly sources: ReadonlyMap<string, SourceConformance.Store>
  /** End of the last fault of the state. */
  private stateUntil = Number.NEGATIVE_INFINITY
  /** True once the power was cut. */
  wasCut = false
  /** Starts of the calls that run, by process. */
  readonly running = new Map<string, Set<number>>()

  constructor(setting: Setting, loads: boolean) {
    this.setting = setting
    this.kernel = new Kernel(setting.seed, loads)
    this.network = new Network(this.kernel)
    this.servers = new Servers(this.network)
    this.database = new Database(this.network)
    // With one transaction at a time, one that is silent holds up all processes.
    this.database.onStall = () => {
      this.stateUntil = Math.max(this.stateUntil, this.kernel.now)
    }
    this.jobs = new Jobs(this.network)
    this.disk = setting.onDisk === true ? new Disk(this.network) : null
    this.state = this.disk === null ? this.database : new Folder(this.disk)
    this.sinks = setting.sinks.map((kind, at) =>
      this.disk === null || typeof kind === "boolean"
        ? new SinkStore(this.network, `sim:${at}`, kind === true)
        : new FileStore(this.disk, kind, at)
    )
    this.sources = new Map(setting.roots.map((root) => [root, new SourceConformance.Store()]))
  }

  /** The space of all stores. */
  get space(): EmbeddingSpace | null {
    return this.setting.embeds ? { model: "m", dimensions: 4, normalized: true, metric: "cosine" } : null
  }

  /** Begins a fault; it ends after a while. */
  trouble(trouble: Fault, rate: number, millis: number): void {
    const { faulty } = this.servers
    const set = (to: number): void => {
      if (trouble === "answers of service") faulty.service = to
      else if (trouble === "answers of embedder") faulty.embedder = to
      else this.network.rates.set(trouble, to)
    }
    set(rate)
    this.kernel.after(millis, null, () => set(0))
    if (trouble === "state" || trouble === "serialization") this.stateUntil = this.kernel.now + millis
  }

  /** All processes are dead. */
  powerCut(): void {
    this.disk?.cut()
    this.wasCut = true
    // Answers that were kept before may be lost.
    this.stateUntil = Math.max(this.stateUntil, this.kernel.now)
  }

  /** Ends all faults. */
  calm(): void {
    this.network.rates.clear()
    this.servers.faulty.service = 0
    this.servers.faulty.embedder = 0
    this.stateUntil = Math.min(this.stateUntil, this.kernel.now)
  }

  /** Start of the first call that still runs in a process. */
  runningSince(process: string): number {
    return Math.min(this.kernel.now, ...(this.running.get(process) ?? []))
  }

  /** Notes that a call of a process begins; returns what notes its end. */
  begins(process: string): () => void {
    const start = this.kernel.now
    const starts = this.running.get(process) ?? new Set()
    this.running.set(process, starts.add(start))
    return () => void starts.delete(start)
  }

  /** True when the state was out of order for the process at some time since. */
  isTroubled({ thawed }: Process, since: number): boolean {
    return this.stateUntil >= since || thawed >= since
  }

  /** All files of a root, as a process sees them. */
  source(process: Process, root: string): Effect.Effect<Source.Source<unknown, Scope.Scope>, never, Scope.Scope> {
    const store = this.sources.get(root) ?? new SourceConformance.Store()
    return honest
      .target(({ value }) => ({
        value: (ask) =>
          this.network.ask(process, { server: "source", what: root, lost }, (answer) => {
            const told = ask()
            answer(value(() => told))
          }),
        source: (files) =>
          Source.make({
            name: root,
            files: this.setting.tellsGaps ? Stream.catchAll(files, () => Stream.make(gap)) : files
          })
      }))
      .source(store)
  }

  /** The program with all its parts, as `Corpus.make` puts them together, over the servers of this world. */
  program(process: Process) {
    const { database, disk, servers, setting } = this
    const files =
      disk === null ? FileSystem.layerNoop({}) : Layer.succeed(FileSystem.FileSystem, disk.fileSystem(process))
    const address = Address.parse(url)
    if (typeof address === "string") return Effect.die(address)
    const http = Layer.succeed(HttpClient.HttpClient, servers.http(process))
    const apiKey = Redacted.make("key")
    return Effect.gen(this, function* () {
      const client = Client.layer({ baseUrl: "https://service.test/v2", apiKey }).pipe(
        Layer.provide(Layer.merge(http, RequestGate.layer()))
      )
      const parser = Context.get(yield* Layer.build(Layer.provide(Parser.layer(), client)), Parser.Parser)
      const connection = Connection.over(database.driver(process), {
        address,
        lease: Duration.millis(lease),
        patience: Duration.seconds(12),
        readOnly: false
      })
      const state = disk === null ? url : join(disk.place, "state")
      process.mourners.push(() => disk?.left())
      const memory = yield* Layer.build(
        disk === null ? State.layerPostgres({ url, lease, [shared]: connection }) : State.layer(state)
      )
      const means = yield* Means.make({
        to: this.sinks.map((store) => store.sink(process)),
        embedder: setting.embeds
          ? (vectors) =>
              Effect.map(
                Layer.build(
                  Layer.provide(
                    Embedder.layerOpenAi({
                      model: "m",
                      dimensions: 4,
                      baseUrl: "https://embedder.test/v1",
                      apiKey,
                      concurrency: Bounds.embedding
                    }),
                    Layer.merge(http, vectors)
                  )
                ),
                (services) => Context.get(services, Embedder.Embedder)
              )
          : undefined,
        chunker: { kind: "markdown", maxTokens: 300 },
        parser,
        service: null,
        tokenizer: characters,
        state,
        mode: "sync",
        sinkRetry: { maxElapsed: "3 seconds" },
        ...(setting.lean && Bounds.lean[setting.lean])
      })
      const embedder = yield* means.embedder(Layer.succeed(EmbeddingCache, Context.get(memory, EmbeddingCache)))
      const vectors = yield* Searching.vectors(embedder, null)
      const corpus = yield* Made.make({ means, memory, embedder, reranker: "none", vectors, uploads })
      const queue = Queue.Queue.of({
        address: "queue.test",
        warning: null,
        runs: Effect.succeed([]),
        [server]: this.jobs.server(process)
      })
      const services = Context.make(Queue.Queue, queue).pipe(
        Context.add(Self, { name: process.name, hasEnded: () => false }),
        Context.merge(memory)
      )
      const opened = Effect.map(
        Effect.forEach(this.sinks, (store) => store.sink(process)),
        (sinks) => ({ sinks, embedder })
      )
      const coordinate: Program["coordinate"] = (root, allowRemovals) =>
        Effect.gen(this, function* () {
          const files = { source: yield* this.source(process, root), request: "" }
          const how = { mode: "sync", allowRemovals } as const
          return yield* Queue.run(Ingestion.optionsOf(means, yield* opened, files, how))
        }).pipe(Effect.scoped, Ingestion.provided(means), Effect.provide(services))
      const work: Program["work"] = (stop) =>
        Queue.work({
          stop,
          equip: ({ root }) =>
            Effect.map(opened, (parts) => {
              const all = Stream.unwrapScoped(Effect.map(this.source(process, root), ({ files }) => files))
              const files = (path: string) =>
                Stream.filter(all, (found) => found.path === path).pipe(Stream.mapError(() => lost))
              return Option.some({ ...means.run, ...parts, chunker: means.chunker, files })
            })
        }).pipe(Effect.scoped, Ingestion.provided(means), Effect.provide(services))
      return { corpus, ledger: Context.get(memory, Ledger), coordinate, work }
    }).pipe(Effect.provide(Layer.merge(Path.layer, files)))
  }
}

const lost = new honest.StoreError({ message: "the connection broke", status: null })

const gap: Discovery.Found = {
  _tag: "Unusable",
  path: "more",
  error: new FileUnreadable({ path: "more", reason: "Io" }),
  folder: true
}

const url = "postgres://state.test/docsluice"

const characters = Effect.map(Effect.scoped(Layer.build(Tokenizer.layerCharacters)), (services) =>
  Context.get(services, Tokenizer.Tokenizer)
)
