/** One run over the tree of the bench `noop`, with its ledger on disk. A separate module, so that loading it is not measured. */
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { ChunkSink, unstamped } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Ledger from "docsluice/Ledger"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import { layerFunction } from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Source from "docsluice/Source"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Option, Stream } from "effect"

/** Answers at once; a re-run asks it nothing. */
const parser = layerFunction("bench", (file) =>
  Effect.succeed({ contentHash: "0".repeat(64), markdown: `# ${file.path}`, metadata: { numPages: 1 } })
)

/** A sink that opens at once and accepts everything, with a constant stamp. */
const store = ChunkSink.of({
  id: "bench:store",
  name: "bench",
  capabilities: { remove: true, replace: false, list: false, search: false, filter: [], stamp: true },
  limits: { maxCount: 1000, maxBytes: 1_000_000 },
  prepare: () =>
    Effect.succeed({
      ...unstamped,
      storeId: Option.some("bench"),
      write: () => Effect.void,
      remove: () => Effect.void,
      finish: Effect.void
    })
})

/** Bytes in use after a full collection. */
const inUse = (): number => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Runs over the tree; returns the number of unchanged, or stored, documents. `plant` writes to both sinks. */
export const ingest = (
  root: string,
  role: "plant" | "jsonl" | "store" | "memory",
  tell: (heldBytes: number) => void
): Promise<number> => {
  const docs = Discovery.folder({ root: join(root, "docs") })
  const before = role === "memory" ? inUse() : 0
  /** Everything that a run holds is held when the last file was found. */
  const weigh = Stream.drain(Stream.fromEffect(Effect.sync(() => tell(inUse() - before))))
  return Effect.gen(function* () {
    const jsonl = role === "plant" || role === "jsonl" ? [yield* Jsonl.make({ file: join(root, "chunks.jsonl") })] : []
    const summary = yield* Pipeline.run({
      source: role === "memory" ? Source.within(docs.scope, Stream.concat(docs.files, weigh)) : docs,
      chunker: MarkdownChunker.make({ maxTokens: 200 }),
      sinks: role === "jsonl" ? jsonl : [...jsonl, store],
      state: { mode: "sync" }
    })
    return role === "plant" ? summary.stored : summary.unchanged
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        Ledger.layer({ directory: join(root, "state") }),
        DeadLetter.layer(join(root, "state", "dead-letter.jsonl")),
        Tokenizer.layer("chars"),
        parser
      )
    ),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )
}
