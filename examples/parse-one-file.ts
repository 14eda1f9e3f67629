// Parses one PDF offline, prints its Markdown, and handles some of the errors that it can end with by their tags.
import { NodeRuntime } from "@effect/platform-node"
import * as Discovery from "docsluice/Discovery"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const file = yield* Discovery.file(process.argv[2] ?? "examples/documents/handbook.pdf")
  const document = yield* Parser.parse(file)
  yield* Console.log(document.markdown)
  for (const warning of document.warnings) yield* Console.error(warning)
}).pipe(
  Effect.catchTags({
    FileUnreadable: (error) => Console.error(error.message),
    DocumentUnparsable: (error) => Console.error(`this document cannot be parsed: ${error.message}`)
  })
)

const parser = Parser.layer({ parsers: [{ type: "pdf", pages: true }] }).pipe(Layer.provide(Embedded.layer()))

NodeRuntime.runMain(Effect.provide(program, parser))
