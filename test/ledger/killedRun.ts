/** A run over a workspace that kills its own process with SIGKILL at a named step. Imports modules: it starts often. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
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
import * as Steps from "./steps.ts"

const [, , directory = "", step = "", nth = "1", way = "replace"] = process.argv

let left = Number(nth)

/** Kills the process the n-th time that the step is reached. */
const reached: Steps.Reached = (name) =>
  Effect.sync(() => {
    if (name === step && --left === 0) process.kill(process.pid, "SIGKILL")
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
    source: Discovery.folder(discovery),
    chunker: MarkdownChunker.make({ maxTokens: 200 }),
    sinks: [Steps.sink(sink, way === "write" ? "write" : "replace", reached)],
    concurrency: 1,
    state: { mode: "sync" }
  })
}).pipe(
  Effect.scoped,
  Effect.updateService(Ledger.Ledger, (ledger) => Steps.ledger(ledger, reached)),
  Effect.provide(
    Layer.mergeAll(
      Ledger.layer({ directory: state }),
      Tokenizer.layer("chars"),
      DeadLetter.layer(join(state, "dead-letter.jsonl")),
      Parser.layer().pipe(
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
