/** `docsluice parse FILE`: one document, to look at or to pipe. */
import * as Effect from "effect/Effect"
import * as FileType from "../internal/base/fileType.ts"
import type { ParseData } from "../internal/base/parseResponse.ts"
import * as Parser from "../Parser.ts"
import { Readers } from "../Readers.ts"
import { Client } from "../service/Client.ts"
import { formatsOf, merge, type FormatType, type ParseOptions } from "../service/ParseOptions.ts"
import type { SourceFile } from "../SourceFile.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as OptionsText from "./OptionsText.ts"
import * as Reader from "./Reader.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import * as SingleFile from "./SingleFile.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const takes = {
  file: Command.one(Reader.text("FILE")),
  format: flags.format,
  service: flags.service,
  apiKey: flags.apiKey,
  ocrLanguages: flags.ocrLanguages,
  parseOptions: flags.parseOptions,
  json: flags.json,
  quiet: flags.quiet
}

const about: Command.Description = {
  name: "parse",
  summary: "its Markdown, or the whole answer with --json",
  description: "Parses one file and prints the answer.",
  exits: "0 an answer, 1 the document failed or has no text, 2 the service refused or was not there, 64 wrong usage",
  examples: ["docsluice parse report.pdf > report.md"]
}

type Given = Command.Given<typeof takes>

const parse = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const own = yield* OptionsText.read(given.parseOptions)
  const options = merge({ formats: [{ type: given.format }], ...(given.json ? layout : {}) }, own)
  const file = yield* SingleFile.open(given.file)
  const local = (yield* Readers).whoReads(FileType.extensionOf(file.path))?._tag === "Here"
  const data = yield* local ? readHere(file, options) : asked(file, options, given)
  const format = printed(given.format, options)
  const text = rendered(data, format)
  // An empty list is no line; a program that counts lines counts none.
  const shown = text === "" && isList(format) ? terminal.note(`no ${format}`) : terminal.document(text)
  yield* given.json ? terminal.result(JSON.stringify({ success: true, data })) : shown
  if (!given.json && data.warning) yield* terminal.note(`warning: ${data.warning}`)
  if (format === "markdown" && text.trim() === "") {
    if (!data.warning) yield* terminal.note("the document has no text")
    yield* ExitStatus.set(1)
  }
})

const asked = (file: SourceFile, options: ParseOptions, given: Omit<ServiceTarget.ServiceTarget, "concurrency">) =>
  Effect.flatMap(Client, (client) => client.parse(file, options)).pipe(
    Effect.map(({ data }) => data),
    Effect.provide(ServiceTarget.layer({ ...given, concurrency: 1 }))
  )

/** A text as the service would answer it, which is not asked. */
const readHere = (file: SourceFile, options: ParseOptions) =>
  Effect.gen(function* () {
    const other = formatsOf(options).find((format) => format !== "markdown")
    if (other !== undefined) {
      return yield* new UsageError({
        problem: `${file.path}: a text, which is read here, has no ${other}; only markdown`
      })
    }
    const { markdown, metadata, warnings } = yield* Parser.texts(options).parse(file, {})
    const data: ParseData = { markdown, metadata, ...(warnings.length > 0 && { warning: warnings.join("; ") }) }
    return data
  })

/** Pages and blocks never change the Markdown and cost nothing extra. */
const layout = { parsers: [{ type: "pdf", pages: true, blocks: true }] } as const

/** The format of --format, unless --parse-options ask for others only: the first of those. */
const printed = (format: FormatType, options: ParseOptions): FormatType => {
  const asked = formatsOf(options)
  return asked.includes(format) ? format : (asked[0] ?? format)
}

const isList = (format: FormatType): boolean => format === "links" || format === "images"

const rendered = (data: ParseData, format: FormatType): string => {
  switch (format) {
    case "links":
    case "images":
      return (data[format] ?? []).join("\n")
    case "json":
      return JSON.stringify(data.json ?? null, null, 2)
    default:
      return data[format] ?? ""
  }
}

export const command = Command.make(about, takes, parse, { status: Failure.ofDocument })
