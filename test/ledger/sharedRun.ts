/** One of many processes that run over one folder with one state on PostgreSQL. Imports modules: it starts often. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Discovery from "docsluice/Discovery"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import * as PgVector from "docsluice/sinks/PgVector"
import * as State from "docsluice/State"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as Tokenizer from "docsluice/Tokenizer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Folder with `docs`; address of the server; schema of state and table; lease and length of a parse in milliseconds; parses at a time. */
const [, , directory = "", url = "", schema = "", lease = "0", delay = "0", concurrency = "4"] = process.argv

const scripted = ScriptedEngine.make({ pages: 1, blocksPerPage: 3 })

const engine = Layer.succeed(Engine, {
  version: scripted.version,
  parse: (input, options) =>
    Effect.sync(() => appendFileSync(join(directory, "parses.log"), `${input.filename}\n`)).pipe(
      Effect.zipRight(Effect.sleep(Number(delay))),
      Effect.zipRight(scripted.parse(input, options))
    )
})

const work = Effect.gen(function* () {
  const sink = yield* PgVector.make({ url, schema, table: "chunks" })
  return yield* Pipeline.run({
    source: Discovery.folder({ root: join(directory, "docs"), ordered: true }),
    chunker: MarkdownChunker.make({ maxTokens: 200 }),
    sinks: [sink],
    concurrency: Number(concurrency),
    state: { mode: "sync" }
  })
}).pipe(
  Effect.scoped,
  Effect.provide(
    Layer.provideMerge(
      Layer.merge(
        Tokenizer.layer("chars"),
        Layer.provide(Parser.layer(), Layer.provide(Embedded.layerEngine(), engine))
      ),
      State.layerPostgres({ url: `${url}?schema=${schema}`, lease: Number(lease) })
    )
  ),
  Effect.provide(NodeContext.layer)
)

const { notAttempted, removed, stored, stopped, failed, warnings, failures } = await Effect.runPromise(work)
console.log(JSON.stringify({ notAttempted, removed, stored, failed, warnings, failures, stopped: stopped ?? null }))
