/** One listing and one run of the bench `listing`. A separate module, so that loading it is not measured. */
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { ChunkSink, unstamped } from "docsluice/ChunkSink"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as S3 from "docsluice/source/S3"
import * as State from "docsluice/State"
import * as Tokenizer from "docsluice/Tokenizer"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Option, Stream } from "effect"

export interface Where {
  readonly endpoint: string
  readonly bucket: string
  /** Folder of the state. */
  readonly folder: string
}

const source = ({ bucket, endpoint }: Where) =>
  S3.make({ root: `s3://${bucket}`, endpoint, region: "us-east-1", credentials: "anonymous" })

/** Counts the objects of a bucket, and holds none. */
export const list = (where: Where) =>
  source(where).files.pipe(
    Stream.runCount,
    Effect.map((objects) => ({ objects, unchanged: 0 })),
    Effect.provide(UndiciHttpClient.layer()),
    Effect.runPromise
  )

/** Reads each document and answers at once. */
const parser = Parser.layerFunction("bench", (_file, bytes) =>
  Effect.map(bytes, (all) => ({ markdown: new TextDecoder().decode(all), metadata: { numPages: 1 } }))
)

/** A sink that accepts everything, with a constant stamp. */
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

/** A run over the bucket, with its state in the folder. */
export const ingest = (where: Where) =>
  Pipeline.run({
    source: source(where),
    chunker: MarkdownChunker.make({ maxTokens: 200 }),
    sinks: [store],
    concurrency: 16,
    state: { mode: "sync" }
  }).pipe(
    Effect.map(({ stored, unchanged }) => ({ objects: stored, unchanged })),
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        State.layer(join(where.folder, "state")),
        Tokenizer.layer("chars"),
        parser,
        UndiciHttpClient.layer()
      )
    ),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )
