/** A set of questions with its chunks, and the layers that parsing them needs. */
import * as AutoChunker from "docsluice/AutoChunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as PageChunker from "docsluice/PageChunker"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer } from "effect"
import type { Set } from "./sets.ts"

/** Chunks of the documents, by a chunker or a page each. */
const parsed = (
  { files, folder }: { readonly folder: string; readonly files?: ReadonlyArray<string> },
  chunker: Parameters<typeof Pipeline.run>[0]["chunker"]
) =>
  Effect.gen(function* () {
    const store = MemorySink.emptyStore()
    const sink = yield* MemorySink.make(store)
    const source = Discovery.discover({ root: folder, ordered: true, ...(files !== undefined && { filesFrom: files }) })
    yield* Pipeline.run({ source, chunker, sinks: [sink] })
    return [...store.chunks.values()].toSorted((left, right) =>
      left.source === right.source ? left.index - right.index : left.source < right.source ? -1 : 1
    )
  })

/** The chunks of a set, those of files with `maxTokens` at most, and its questions. */
export const opened = ({ documents, questions }: Set, maxTokens: number) =>
  Effect.gen(function* () {
    if ("chunks" in documents) {
      return { chunks: documents.chunks, questions: typeof questions === "function" ? [] : questions }
    }
    const chunks = yield* parsed(documents, AutoChunker.make({ maxTokens }))
    if (typeof questions !== "function") return { chunks, questions }
    return { chunks, questions: questions(yield* parsed(documents, PageChunker.make({ maxTokens: 1_000_000 }))) }
  })

/** `cache` is a folder that keeps what was parsed. */
export const layer = (cache: string) =>
  Layer.mergeAll(
    Parser.layer().pipe(Layer.provide([Embedded.layer(), ParseCache.layer({ directory: cache })])),
    Tokenizer.layer("o200k_base"),
    DeadLetter.layerMemory
  )
