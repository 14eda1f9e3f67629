/** `docsluice chunks FILE`: one document's chunks, as JSON lines or as a web page. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toLine } from "../DocumentChunk.ts"
import { counted } from "../internal/base/figures.ts"
import * as Parser from "../Parser.ts"
import * as Tokenizer from "../Tokenizer.ts"
import * as ChunkerTarget from "./ChunkerTarget.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import { chunking } from "./flags/documents.ts"
import * as OptionsText from "./OptionsText.ts"
import * as ChunkPage from "./page/ChunkPage.tsx"
import * as PageFile from "./PageFile.ts"
import * as Reader from "./Reader.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import * as SingleFile from "./SingleFile.ts"
import { Terminal } from "./Terminal.ts"

const takes = {
  file: Command.one(Reader.text("FILE")),
  ...chunking,
  service: flags.service,
  apiKey: flags.apiKey,
  ocrLanguages: flags.ocrLanguages,
  parseOptions: flags.parseOptions,
  html: flags.page,
  json: flags.json,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "chunks",
  summary: "its chunks, as JSON lines or as a web page",
  description: "Prints one file's chunks as JSON lines, or with --html writes a web page.",
  exits: "0 done, 1 nothing to show, 2 could not, 64 wrong usage",
  examples: ["docsluice chunks report.pdf --max-tokens 256 --html report.html"]
}

const chunks = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const options = yield* OptionsText.read(given.parseOptions)
  const chunker = yield* ChunkerTarget.make(given)
  const page = yield* PageFile.given(given, given.file)
  const file = yield* SingleFile.open(given.file)
  const document = yield* Effect.provide(
    Effect.flatMap(Parser.serving(chunker), (parser) => parser.parse(file, {})),
    Layer.provide(Parser.layer(options), ServiceTarget.layer({ ...given, concurrency: 1 }))
  )
  const chunked = yield* Effect.provide(chunker.chunk(document), Tokenizer.layer(given.tokenizer))
  if (page !== null) {
    const content = `${counted(chunked.chunks.length, "chunk")} of ${document.source}`
    yield* PageFile.put(page, ChunkPage.parts(document, chunked, ChunkerTarget.terms(given)), content)
  }
  if (page === null || given.json) {
    for (const chunk of chunked.chunks) yield* terminal.result(toLine(chunk))
  }
  for (const warning of ChunkPage.warnings(document, chunked)) yield* terminal.note(`warning: ${warning}`)
  yield* ExitStatus.set(chunked.chunks.length === 0 ? 1 : 0)
})

export const command = Command.make(about, takes, chunks, { json: Failure.asNothing })
