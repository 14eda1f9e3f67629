import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import * as ParsedDocument from "docsluice/ParsedDocument"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { documentId } from "docsluice/SourceFile"
import { Effect, Layer, Option } from "effect"
import { sha256 } from "../src/internal/base/sha256.ts"
import { ofRun } from "../src/internal/state/ledger/runLedger.ts"
import type { Open } from "./ledgerFixture.ts"
import { byLine, characters } from "./pipeline/fakes.ts"

export const scratch = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "docsluice-state-")))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

export const identity = "embedded@1"

/** Ledger, cache and dead letters in a state directory, and two sinks beside it. */
export interface World {
  readonly directory: string
  readonly ledger: Open
  readonly cache: ParseCache.ParseCache.Service
  readonly jsonl: ChunkSink.Service
  readonly folder: ChunkSink.Service
}

/** Opens the world in a directory, as one process would; everything is closed when `use` is done. */
export const opened = <A, E, R>(directory: string, use: (world: World) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const world = {
      directory,
      ledger: ofRun(yield* Ledger.Ledger),
      cache: yield* ParseCache.ParseCache,
      jsonl: yield* Jsonl.make({ file: join(directory, "chunks.jsonl") }),
      folder: yield* Filesystem.make({ directory: join(directory, "chunks") })
    }
    return yield* use(world)
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        Ledger.layer({ directory: join(directory, "state") }),
        ParseCache.layer({ directory: join(directory, "state", "cache") }),
        DeadLetter.layer(join(directory, "state", "dead-letter.jsonl")),
        characters
      )
    ),
    Effect.provide(NodeContext.layer)
  )

export const write = (directory: string, path: string, text: string) =>
  Effect.sync(() => {
    const file = join(directory, "docs", path)
    fs.mkdirSync(dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
    return file
  })

/** Parses, splits by line, writes to the sinks and commits, as a run does: the text of the file is its Markdown. */
export const store = ({ cache, directory, ledger }: World, path: string, sinks: ReadonlyArray<ChunkSink.Service>) =>
  Effect.gen(function* () {
    const name = join(directory, "docs", path)
    const file = yield* Discovery.file(name)
    const key = { documentId: documentId("docs", path), path }
    const markdown = fs.readFileSync(name, "utf8")
    const contentHash = sha256(markdown)
    const optionsHash = ParseCache.optionsHash({})
    const data = { markdown, metadata: { numPages: 2, creditsUsed: 2 } }
    yield* cache.put(
      { contentHash, type: Option.getOrThrow(ParseCache.typeOf(path)), optionsHash, identity },
      { contentHash, data }
    )
    const { chunks } = yield* byLine.chunk(ParsedDocument.fromData(key, contentHash, data))
    const acknowledged = []
    for (const sink of sinks) {
      const stamp = yield* sink.prepare(null)
      yield* sink.write(chunks)
      acknowledged.push({ sink: sink.id, store: stamp })
    }
    yield* ledger.commit({
      ...key,
      size: file.size,
      fingerprint: file.fingerprint,
      checkedAt: Date.now(),
      contentHash,
      optionsHash,
      identity,
      configuration: "lines",
      embedder: null,
      chunkIds: chunks.map((chunk) => chunk.id),
      acknowledged,
      report: { pages: 2, credits: 2, tokens: markdown.length, truncated: false, warnings: [] },
      scope: null
    })
    return chunks
  })
