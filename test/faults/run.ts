/** One run of the library over HTTP, with its state on disk and both sinks. Imports modules: children load it. */
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Ledger from "docsluice/Ledger"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import type { Summary } from "docsluice/Outcome"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Source from "docsluice/Source"
import * as Tokenizer from "docsluice/Tokenizer"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Site from "./site.ts"

export const chunker = MarkdownChunker.make({ maxTokens: 150 })

export const tokenizer = Tokenizer.layer("chars")

export interface Given extends Pick<Pipeline.StateOptions, "mode" | "rebuild" | "redo" | "claim"> {
  readonly base: string
  readonly concurrency: number
  /** Put around each sink. */
  readonly sink?: (sink: ChunkSink.Service) => ChunkSink.Service
  /** Put around the ledger. */
  readonly ledger?: (ledger: Ledger.Ledger.Service) => Ledger.Ledger.Service
  /** Put around each file that was found. */
  readonly found?: (found: Discovery.Found) => Discovery.Found
  readonly stop?: Effect.Effect<void>
}

/** State, parser and tokenizer, as the command line puts them together. */
const layers = (site: Site.Site, { base, concurrency }: Given) =>
  Layer.mergeAll(
    Ledger.layer({ directory: Site.state(site) }),
    tokenizer,
    DeadLetter.layer(join(Site.state(site), "dead-letter.jsonl")),
    Parser.layer().pipe(
      Layer.provide(
        Layer.merge(
          Client.layer({ baseUrl: base }).pipe(
            Layer.provide([RequestGate.layer({ concurrency }), UndiciHttpClient.layer()])
          ),
          ParseCache.layer({ directory: join(Site.state(site), "cache") })
        )
      )
    )
  )

/** A run in a process of its own, as far as a process can tell. Mode sync unless it says otherwise. */
export const run = (site: Site.Site, given: Given): Effect.Effect<Summary, unknown> =>
  Effect.gen(function* () {
    const { claim, found = (one) => one, mode = "sync", rebuild, redo, sink = (own) => own } = given
    const sinks = [
      yield* Jsonl.make({ file: Site.jsonl(site) }),
      yield* Filesystem.make({ directory: Site.folder(site) })
    ]
    return yield* Pipeline.run({
      source: Source.map(Discovery.folder({ root: site.docs }), found),
      chunker,
      sinks: sinks.map(sink),
      sinkRetry: { attempts: 1 },
      concurrency: given.concurrency,
      ...(given.stop !== undefined && { stop: given.stop }),
      state: { mode, rebuild, redo, claim }
    })
  }).pipe(
    Effect.scoped,
    Effect.updateService(Ledger.Ledger, given.ledger ?? ((ledger) => ledger)),
    Effect.provide(layers(site, given)),
    Effect.provide(NodeContext.layer)
  )
