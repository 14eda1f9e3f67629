import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import type { Chunker } from "docsluice/Chunker"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import type { Summary } from "docsluice/Outcome"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import type { Client } from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Source from "docsluice/Source"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Schema, type Scope, Stream } from "effect"

/** A folder with documents, a state and a target, as a user has them; gone with its scope. */
export interface Workspace {
  readonly directory: string
  /** Writes a document; its bytes are the text. */
  readonly write: (path: string, text: string) => void
  readonly remove: (path: string) => void
  /** Files that were opened, by path. */
  readonly reads: Array<string>
  /** Address of its state, when that is on a server. */
  readonly state?: string | undefined
}

export const docs = (workspace: Workspace): string => join(workspace.directory, "docs")
export const target = (workspace: Workspace): string => join(workspace.directory, "out", "chunks.jsonl")

/** With `count` documents in it, older than any run. */
export const make = (count: number, state?: string) =>
  Effect.acquireRelease(
    Effect.sync((): Workspace => {
      const directory = mkdtempSync(join(tmpdir(), "docsluice-run-"))
      const at = (path: string) => join(directory, "docs", path)
      const workspace: Workspace = {
        directory,
        write: (path, text) => {
          mkdirSync(dirname(at(path)), { recursive: true })
          writeFileSync(at(path), text)
        },
        remove: (path) => rmSync(at(path), { recursive: true }),
        reads: [],
        state
      }
      mkdirSync(at("."), { recursive: true })
      for (let index = 0; index < count; index++) workspace.write(name(index), `document ${index}`)
      return workspace
    }),
    ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  ).pipe(Effect.tap(settle))

/** Until nothing that was written can be taken for written in the run to come. */
export const settle = Effect.sleep("40 millis")

export const name = (index: number): string => `${index % 3}/${index}.pdf`

export const chunker = MarkdownChunker.make({ maxTokens: 200 })

type RunOptions = Pipeline.StatefulOptions<Discovery.DiscoveryError, never>

export interface Given extends Pipeline.StateOptions {
  /** Default: a JSONL file. */
  readonly sinks?: ReadonlyArray<Effect.Effect<ChunkSink.Service, never, Scope.Scope>>
  readonly chunker?: Chunker
  readonly client?: Layer.Layer<Client>
  readonly parse?: ParseOptions
  readonly discovery?: Partial<Discovery.Options>
  /** Put around what the run is given. */
  readonly change?: (options: RunOptions) => RunOptions
  /** Milliseconds; of a state on a server. */
  readonly lease?: number
  readonly ledgerWith?: (ledger: Ledger.Ledger.Service) => Ledger.Ledger.Service
  /** Name of the state's folder, or the address of a state on a server. */
  readonly state?: string
}

/** The state of a run. */
const memory = (state: string, lease: number | undefined) =>
  State.isAddress(state)
    ? State.layerPostgres({ url: state, lease })
    : Layer.mergeAll(
        Ledger.layer({ directory: state }),
        DeadLetter.layer(join(state, "dead-letter.jsonl")),
        ParseCache.layer({ directory: join(state, "cache") })
      )

export const scripted = (options: ScriptedEngine.Options = {}): Layer.Layer<Client> =>
  Layer.provide(Embedded.layerEngine(), ScriptedEngine.layer({ pages: 1, blocksPerPage: 3, ...options }))

export const jsonl = (
  workspace: Workspace,
  options: Partial<Jsonl.Options> = {}
): Effect.Effect<ChunkSink.Service, never, Scope.Scope> =>
  Jsonl.make({ file: target(workspace), ...options }).pipe(Effect.provide(NodeContext.layer))

/** A run in a process of its own, as far as a process can tell. */
export const run = (workspace: Workspace, given: Given = {}): Effect.Effect<Summary, unknown> => {
  const { state: named = workspace.state ?? "state" } = given
  const state = State.isAddress(named) ? named : join(workspace.directory, named)
  const discovery: Discovery.Options = { root: docs(workspace), ordered: true, ...given.discovery }
  return Effect.gen(function* () {
    const sinks = yield* given.sinks === undefined
      ? Effect.map(jsonl(workspace), (sink) => [sink])
      : Effect.all(given.sinks)
    const {
      change = (options) => options,
      chunker: own = chunker,
      ledgerWith: _,
      parse: __,
      lease: _______,
      state: ___,
      ...rest
    } = given
    const { client: ____, discovery: _____, sinks: ______, ...remembered } = rest
    return yield* Pipeline.run(
      change({
        source: Source.map(Discovery.folder(discovery), (found) => counted(workspace, found)),
        chunker: own,
        sinks,
        sinkRetry: { attempts: 1 },
        state: remembered
      })
    )
  }).pipe(
    Effect.scoped,
    Effect.updateService(Ledger.Ledger, given.ledgerWith ?? ((ledger) => ledger)),
    Effect.provide(
      Layer.provideMerge(
        Layer.merge(
          Tokenizer.layer("chars"),
          Parser.layer(given.parse).pipe(Layer.provide(given.client ?? scripted()))
        ),
        memory(state, given.lease)
      )
    ),
    Effect.provide(NodeContext.layer)
  )
}

const counted = (workspace: Workspace, found: Discovery.Found): Discovery.Found =>
  found._tag === "SourceFile"
    ? {
        _tag: "SourceFile",
        documentId: found.documentId,
        path: found.path,
        size: found.size,
        fingerprint: found.fingerprint,
        open: Stream.suspend(() => {
          workspace.reads.push(found.path)
          return found.open
        })
      }
    : found

const decode = Schema.decodeSync(Schema.parseJson(DocumentChunk))

export const lines = (file: string): ReadonlyArray<DocumentChunk> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => decode(line))

export const inFile = (workspace: Workspace): ReadonlyArray<string> =>
  lines(target(workspace))
    .map((chunk) => chunk.id)
    .toSorted()

export const sources = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<string> =>
  [...new Set(chunks.map((chunk) => chunk.source))].toSorted()

/** The chunks of what is in the folder now: of a run without memory. */
const chunkAgain = (workspace: Workspace, given: Pick<Given, "chunker" | "discovery"> = {}) =>
  Effect.gen(function* () {
    const store = MemorySink.emptyStore()
    yield* Pipeline.run({
      source: Discovery.discover({ root: docs(workspace), ...given.discovery }),
      chunker: given.chunker ?? chunker,
      sinks: [yield* MemorySink.make(store)]
    })
    return [...store.chunks.values()]
  }).pipe(Effect.provide([Layer.provide(Parser.layer(), scripted()), Tokenizer.layer("chars"), DeadLetter.layerMemory]))

/** Ids of all chunks that should be stored now. */
export const wanted = (workspace: Workspace, given: Pick<Given, "chunker" | "discovery"> = {}) =>
  Effect.map(chunkAgain(workspace, given), (chunks) => chunks.map((chunk) => chunk.id).toSorted())

/** The same, by the path of the document. */
export const wantedBySource = (workspace: Workspace) => Effect.map(chunkAgain(workspace), (chunks) => grouped(chunks))

/** Ids by the path of the document. */
export const grouped = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const all = new Map<string, Array<string>>()
  for (const chunk of chunks) all.set(chunk.source, [...(all.get(chunk.source) ?? []), chunk.id])
  return all
}

/** The dead letters, a line each. */
export const letters = (workspace: Workspace): Effect.Effect<string, DeadLetter.DeadLetterError> => {
  const { directory, state } = workspace
  if (state === undefined) {
    return Effect.sync(() => {
      const file = join(directory, "state", "dead-letter.jsonl")
      return existsSync(file) ? readFileSync(file, "utf8") : ""
    })
  }
  return Effect.map(DeadLetter.readPostgres({ url: state }), (all) =>
    all.map((letter) => `${JSON.stringify(letter)}\n`).join("")
  )
}
