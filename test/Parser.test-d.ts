import * as Chunker from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as SourceFile from "docsluice/SourceFile"
import { Context, Data, Effect, type Layer, Stream } from "effect"

class Service extends Context.Tag("Service")<Service, { readonly text: string }>() {}

class OwnError extends Data.TaggedError("OwnError")<{ readonly message: string }> {}

declare const file: SourceFile.SourceFile
declare const parser: Parser.Parser.Service

// A wrapper that forgets the request does not compile.
// @ts-expect-error Expected 2 arguments, but got 1.
void parser.parse(file)

// Services of a function are those of the parser; its errors are not in the type of a parse.
export const own: Layer.Layer<Parser.Parser, never, Service> = Parser.layerFunction("own", () =>
  Effect.flatMap(Service, ({ text }) =>
    text === "" ? Effect.fail(new OwnError({ message: "none" })) : Effect.succeed(text)
  )
)

// @ts-expect-error A document has Markdown.
void Parser.layerFunction("own", () => Effect.succeed({ pages: [] }))

export const mapped: Parser.Parser.Service = Parser.mapDocument({
  name: "same",
  f: (document) => (document.truncated ? Effect.fail(new OwnError({ message: "cut" })) : Effect.succeed(document))
})(parser)

export const chunker: Chunker.Chunker = Chunker.mapChunks(MarkdownChunker.make(), {
  name: "first",
  f: (chunks) => Effect.succeed(chunks.slice(0, 1))
})

// The services of a file's stream are those of the effect that makes the file.
export const opened: Effect.Effect<SourceFile.SourceFile, never, Service> = SourceFile.fromStream({
  root: "own",
  path: "a.md",
  open: Stream.fromEffect(
    Effect.flatMap(Service, ({ text }) =>
      text === "" ? Effect.fail(new OwnError({ message: "none" })) : Effect.succeed(new TextEncoder().encode(text))
    )
  )
})
