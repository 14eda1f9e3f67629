/** `docsluice chunks FILE`: one document's chunks, as JSON lines or as a web page. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { toLine } from "../DocumentChunk.ts"
import * as Parser from "../Parser.ts"
import * as Tokenizer from "../Tokenizer.ts"
import { counted } from "../view/parts/figures.ts"
import * as ChunkerTarget from "./ChunkerTarget.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as flags from "./flags.ts"
import * as OptionsText from "./OptionsText.ts"
import * as ChunkPage from "./page/ChunkPage.tsx"
import * as PageFile from "./PageFile.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import * as SingleFile from "./SingleFile.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const config = {
  file: Args.text({ name: "file" }),
  chunker: flags.chunker.options,
  maxTokens: flags.maxTokens.options,
  overlap: flags.overlap.options,
  minTokens: flags.minTokens.options,
  pageBoundaries: flags.pageBoundaries.options,
  metadata: flags.metadata.options,
  tokenizer: flags.tokenizer.options,
  service: flags.service.options,
  apiKey: flags.apiKey.options,
  ocrLanguages: flags.ocrLanguages.options,
  parseOptions: flags.parseOptions.options,
  html: flags.page.options,
  json: flags.json.options,
  quiet: flags.quiet.options
}

export const spellings = [
  flags.chunker,
  flags.maxTokens,
  flags.overlap,
  flags.minTokens,
  flags.pageBoundaries,
  flags.metadata,
  flags.tokenizer,
  flags.service,
  flags.apiKey,
  flags.ocrLanguages,
  flags.parseOptions,
  flags.page,
  flags.json,
  flags.quiet
]

type Given = Command.Command.ParseConfig<typeof config>

export const command = Command.make("chunks", config, (given) =>
  chunks(given).pipe(Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(status(error)))))
).pipe(
  Command.withDescription(
    "Prints one file's chunks as JSON lines, or with --html writes a web page. Exit status: 0 done, 1 nothing to show, 2 could not, 64 wrong usage. Example: docsluice chunks report.pdf --max-tokens 256 --html report.html"
  )
)

const chunks = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const options = yield* OptionsText.read(given.parseOptions)
  const chunker = yield* ChunkerTarget.make(given)
  const page = yield* pageOf(given)
  const file = yield* SingleFile.open(given.file)
  const document = yield* Effect.provide(
    Effect.flatMap(Parser.serving(chunker), (parser) => parser.parse(file)),
    Layer.provide(Parser.layer(options), ServiceTarget.layer({ ...given, concurrency: 1 }))
  )
  const chunked = yield* Effect.provide(chunker.chunk(document), Tokenizer.layer(given.tokenizer))
  const pieces = () => ChunkPage.parts(document, chunked, given)
  if (page === "stdout") yield* terminal.document([...pieces()].join("").trimEnd())
  else if (page !== null) {
    yield* page.write(pieces())
    yield* terminal.note(`wrote ${page.path}: ${counted(chunked.chunks.length, "chunk")} of ${document.source}`)
  }
  if (page === null || given.json) {
    for (const chunk of chunked.chunks) yield* terminal.result(toLine(chunk))
  }
  for (const warning of ChunkPage.warnings(document, chunked)) yield* terminal.note(`warning: ${warning}`)
  yield* ExitStatus.set(chunked.chunks.length === 0 ? 1 : 0)
})

/** Target of the web page; null without one. */
const pageOf = (given: Given) =>
  Option.match(given.html, {
    onNone: () => Effect.succeed(null),
    onSome: (path) => {
      if (path !== "-") return PageFile.at(path, given.file)
      return given.json
        ? new UsageError({ problem: "--html - and --json both write to stdout; name a file for the page" })
        : Effect.succeed("stdout" as const)
    }
  })

/** Exit status of a failure; a document without an answer counts as "could not". */
const status = (error: Failure.DocumentFailure | PageFile.PageNotWritten): ExitStatus.Status =>
  error._tag !== "PageNotWritten" && Failure.ofDocument(error) === 64 ? 64 : 2
