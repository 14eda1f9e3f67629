/** `docsluice chunks FILE`: one document's chunks, as JSON lines. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Chunker from "../Chunker.ts"
import { toLine } from "../DocumentChunk.ts"
import * as Parser from "../Parser.ts"
import * as Tokenizer from "../Tokenizer.ts"
import * as ChunkerTarget from "./ChunkerTarget.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as flags from "./flags.ts"
import * as OptionsText from "./OptionsText.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import * as SingleFile from "./SingleFile.ts"
import { Terminal } from "./Terminal.ts"

const config = {
  file: Args.text({ name: "file" }),
  chunker: flags.chunker.options,
  maxTokens: flags.maxTokens.options,
  overlap: flags.overlap.options,
  tokenizer: flags.tokenizer.options,
  service: flags.service.options,
  apiKey: flags.apiKey.options,
  parseOptions: flags.parseOptions.options,
  json: flags.json.options,
  quiet: flags.quiet.options
}

export const spellings = [
  flags.chunker,
  flags.maxTokens,
  flags.overlap,
  flags.tokenizer,
  flags.service,
  flags.apiKey,
  flags.parseOptions,
  flags.json,
  flags.quiet
]

export const command = Command.make("chunks", config, (given) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const options = yield* Chunker.parseOptions(given.chunker, yield* OptionsText.read(given.parseOptions))
    const chunker = yield* ChunkerTarget.make(given)
    const file = yield* SingleFile.open(given.file)
    const document = yield* Effect.provide(
      Effect.flatMap(Parser.make(options), (parser) => parser.parse(file)),
      [ServiceTarget.layer({ ...given, concurrency: 1 })]
    )
    const { chunks, unplaced, ambiguousMarkers } = yield* Effect.provide(
      chunker.chunk(document),
      Tokenizer.layer(given.tokenizer)
    )
    for (const chunk of chunks) yield* terminal.result(toLine(chunk))
    for (const warning of document.warnings) yield* terminal.note(`warning: ${warning}`)
    if (unplaced.length > 0) yield* terminal.note(`warning: ${unplaced.length} blocks without a place in the Markdown`)
    if (ambiguousMarkers.length > 0) {
      yield* terminal.note(`warning: ${ambiguousMarkers.length} lines may or may not be page markers`)
    }
    yield* ExitStatus.set(chunks.length === 0 ? 1 : 0)
  }).pipe(Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(status(error)))))
).pipe(
  Command.withDescription(
    "Prints one file's chunks as JSON lines. Exit status: 0 done, 1 nothing to show, 2 could not, 64 wrong usage. Example: docsluice chunks report.pdf --max-tokens 256"
  )
)

/** Here a document without an answer is something that could not be done. */
const status = (error: Failure.DocumentFailure): ExitStatus.Status => (Failure.ofDocument(error) === 64 ? 64 : 2)
