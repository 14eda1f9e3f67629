/** Chunks of a document of the page, as `docsluice chunks` makes them. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Chunked } from "../../Chunker.ts"
import { toLine } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as SourceFile from "../../SourceFile.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import { gaps } from "../chunking/gaps.ts"
import * as chunkerTarget from "../target/chunkerTarget.ts"
import { chunkMessage } from "./chunkMessage.ts"
import type * as Messages from "./messages.ts"
import * as Refused from "./refused.ts"

const most = 1_000_000

const Request = Schema.Struct({
  chunker: Schema.Literal("auto", "blocks", "markdown", "pages"),
  maxTokens: Schema.Int.pipe(Schema.between(1, most)),
  overlap: Schema.Int.pipe(Schema.between(0, most)),
  minTokens: Schema.Int.pipe(Schema.between(0, most)),
  tokenizer: Schema.Literal("o200k_base", "cl100k_base", "chars")
})

const LinesRequest = Schema.Struct({
  ...Request.fields,
  root: Schema.String.pipe(
    Schema.pattern(/^[^/]+$/u, { message: () => "The root is a name without a slash." }),
    Schema.maxLength(255, { message: () => "The root has more than 255 characters." })
  )
})

const decoded =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (body: unknown): Effect.Effect<A, Refused.Refused> =>
    Effect.mapError(Schema.decodeUnknown(schema)(body), (error) =>
      Refused.make(
        "OptionError",
        error.message
          .split("\n")
          .at(-1)
          ?.replace(/^[\s└─]+/u, "") ?? error.message
      )
    )

const warningsOf = ({ ambiguousMarkers, unplaced }: Chunked): ReadonlyArray<string> => [
  ...(unplaced.length > 0 ? [`${unplaced.length} blocks without a place in the Markdown`] : []),
  ...(ambiguousMarkers.length > 0 ? [`${ambiguousMarkers.length} lines may or may not be page markers`] : [])
]

const chunkedAs = Effect.fnUntraced(function* (document: ParsedDocument, request: typeof Request.Type) {
  const chunker = yield* Effect.mapError(chunkerTarget.make({ ...request, kind: request.chunker }), Refused.ofOption)
  return yield* chunker
    .chunk(document)
    .pipe(Effect.provide(Tokenizer.layer(request.tokenizer)), Effect.mapError(Refused.ofDocument))
})

/** The chunks as JSON lines; `root` of the body is the first part of the document's id, on which theirs depend. */
export const lines = Effect.fnUntraced(function* (
  document: ParsedDocument,
  body: unknown
): Effect.fn.Return<string, Refused.Refused> {
  const { root, ...request } = yield* decoded(LinesRequest)(body)
  const named = { ...document, documentId: SourceFile.documentId(root, document.source) }
  const { chunks } = yield* chunkedAs(named, request)
  return chunks.map((chunk) => `${toLine(chunk)}\n`).join("")
})

/** Splits the document as the body of a request says. */
export const split = Effect.fnUntraced(function* (
  document: ParsedDocument,
  body: unknown
): Effect.fn.Return<Messages.Chunked, Refused.Refused> {
  const request = yield* decoded(Request)(body)
  const begun = yield* Clock.currentTimeMillis
  const chunked = yield* chunkedAs(document, request)
  const found = gaps(document, chunked).flat()
  const took = (yield* Clock.currentTimeMillis) - begun
  return { chunks: chunked.chunks.map(chunkMessage), gaps: found, warnings: warningsOf(chunked), took }
})
