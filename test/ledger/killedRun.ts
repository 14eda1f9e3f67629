/** A run over a workspace that kills its own process with SIGKILL at a named step. Imports modules: it starts often. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Ledger from "docsluice/Ledger"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as Tokenizer from "docsluice/Tokenizer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const [, , directory = "", step = "", nth = "1", way = "replace"] = process.argv

let left = Number(nth)

/** Kills the process the n-th time that the step is reached. */
const reached = (name: string): Effect.Effect<void> =>
  Effect.sync(() => {
    if (name === step && --left === 0) process.kill(process.pid, "SIGKILL")
  })

/** The effect, with a step before it and one after it. */
const around = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.zipRight(reached(`before ${name}`), Effect.zipLeft(effect, reached(`after ${name}`)))

const killing = ({ remove, replace, replaceAll, ...sink }: ChunkSink.Service): ChunkSink.Service => ({
  ...sink,
  write: (batch) => around("write", sink.write(batch)),
  ...(remove && { remove: (ids) => around("remove", remove(ids)) }),
  ...(replace && way === "replace" && { replace: (id, chunks) => around("write", replace(id, chunks)) }),
  ...(replaceAll && way === "replace" && { replaceAll: (documents) => around("write", replaceAll(documents)) }),
  ...(sink.finish && { finish: around("finish", sink.finish) })
})

const killingLedger = (ledger: Ledger.Ledger.Service): Ledger.Ledger.Service => ({
  ...ledger,
  announce: (...given) => around("announce", ledger.announce(...given)),
  commit: (entry) => around("commit", ledger.commit(entry)),
  removed: (removal) => around("removed", ledger.removed(removal)),
  forget: (...given) => around("forget", ledger.forget(...given))
})

const scripted = ScriptedEngine.make({ pages: 1, blocksPerPage: 3 })
const engine = Layer.succeed(Engine, {
  version: scripted.version,
  parse: (input, options) =>
    Effect.zipRight(
      Effect.sync(() => appendFileSync(join(directory, "requests.log"), `${input.filename}\n`)),
      scripted.parse(input, options)
    )
})

const state = join(directory, "state")
const discovery: Discovery.Options = { root: join(directory, "docs"), ordered: true }

const work = Effect.gen(function* () {
  const sink = yield* Jsonl.make({ file: join(directory, "out", "chunks.jsonl") })
  return yield* Pipeline.run({
    source: Discovery.discover(discovery),
    chunker: MarkdownChunker.make({ maxTokens: 200 }),
    sinks: [killing(sink)],
    concurrency: 1,
    ledger: {
      ledger: killingLedger(yield* Ledger.Ledger),
      scope: Discovery.scope(discovery),
      mode: "sync"
    }
  })
}).pipe(
  Effect.scoped,
  Effect.provide(
    Layer.mergeAll(
      Ledger.layer({ directory: state }),
      Tokenizer.layer("chars"),
      DeadLetter.layer(join(state, "dead-letter.jsonl")),
      Parser.layerCached().pipe(
        Layer.provide(
          Layer.merge(
            Layer.provide(Embedded.layerEngine(), engine),
            ParseCache.layer({ directory: join(state, "cache") })
          )
        )
      )
    )
  ),
  Effect.provide(NodeContext.layer)
)

await Effect.runPromise(work)
