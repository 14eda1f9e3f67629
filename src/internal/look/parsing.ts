/** Parses of documents of the page: the answer with what the page shows of it, and the document for its chunks. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PageDrawing, PageSize } from "../../engine/PageDrawing.ts"
import { fromData, type ParsedDocument } from "../../ParsedDocument.ts"
import * as Parser from "../../Parser.ts"
import { Readers } from "../../Readers.ts"
import * as ParseOptions from "../../service/ParseOptions.ts"
import * as SourceFile from "../../SourceFile.ts"
import type { Extension } from "../base/fileType.ts"
import type { ParseResponse } from "../base/parseResponse.ts"
import { place } from "../chunking/place/spans.ts"
import { layout } from "../chunking/strategy.ts"
import type { AnsweredError } from "../server/api.ts"
import * as refusedOptions from "../server/refusedOptions.ts"
import type { Caller } from "./host.ts"
import type { Parsed } from "./messages.ts"
import * as Refused from "./refused.ts"
import type { Upload } from "./uploads.ts"

/** An answer, and the document that is split. */
export interface Read {
  readonly parsed: Parsed
  readonly document: ParsedDocument
  /** True when nothing of the document may be retained. */
  readonly unretained: boolean
}

const Body = Schema.Struct({ options: Schema.Unknown })

const optionsOf = (body: unknown): Effect.Effect<ParseOptions.ParseOptions, Refused.Refused> =>
  Effect.mapError(Schema.decodeUnknown(Body)(body), () =>
    Refused.make("InvalidRequest", "The request has no options.")
  ).pipe(
    Effect.flatMap(({ options }) =>
      Effect.mapError(ParseOptions.decode(options), (error) => Refused.ofService(refusedOptions.refusal(error)))
    ),
    // The page shows blocks, and the chunkers work on them.
    Effect.map((options) => ParseOptions.merge(layout, options))
  )

/** The part of an answer that chunks are made of. */
const documentOf = (
  { hash, name }: Upload,
  { data }: ParseResponse,
  options: ParseOptions.ParseOptions
): ParsedDocument => {
  const file = { documentId: SourceFile.documentId("look", name), path: name }
  const { blocks, markdown, metadata, origin, pages, truncated, warnings } = fromData(file, hash, data, { options })
  const { documentId: id, path: source } = file
  return { documentId: id, source, contentHash: hash, blocks, markdown, metadata, origin, pages, truncated, warnings }
}

const spansOf = ({ blocks, markdown }: ParsedDocument): Parsed["spans"] =>
  (blocks === null ? [] : place(markdown, blocks))
    .flatMap(({ block, span }) => (span === undefined ? [] : [{ block: block.id, start: span[0], end: span[1] }]))
    .toSorted((left, right) => left.start - right.start)

/** Most pages whose sizes are looked up when the answer does not have them. */
const mostLookedUp = 64

/** Sizes of the pages that were parsed, from the answer as far as it has them. */
const sizesOf = (
  drawing: PageDrawing,
  { content }: Upload,
  drawn: number,
  { blocks, metadata }: ParsedDocument
): Effect.Effect<ReadonlyArray<PageSize>> => {
  if (drawn === 0) return Effect.succeed([])
  const known = (blocks ?? []).flatMap(({ height, pageNumber, width }) =>
    width === null || height === null ? [] : [{ number: pageNumber, width, height }]
  )
  const numbers = new Set(known.map(({ number }) => number))
  const parsed = Math.min(drawn, blocks?.length ?? metadata.numPages ?? 0)
  const missing = Array.from({ length: parsed }, (_, at) => at + 1)
    .filter((number) => !numbers.has(number))
    .slice(0, mostLookedUp)
  if (missing.length === 0) return Effect.succeed(known)
  return drawing.sizes(content, missing).pipe(
    Effect.orElseSucceed(() => []),
    Effect.map((found) => [...known, ...found].toSorted((left, right) => left.number - right.number))
  )
}

/** The answer to a file, and the document that is split. */
type Answered = Effect.Effect<
  { readonly answer: ParseResponse; readonly document: ParsedDocument },
  Refused.Refused | AnsweredError
>

const ofService = (
  caller: Caller,
  upload: Upload,
  extension: Extension,
  options: ParseOptions.ParseOptions
): Answered => {
  const { content, name } = upload
  return Effect.map(caller.parse({ filename: name, extension, content }, ParseOptions.resolve(options)), (answer) => ({
    answer,
    document: documentOf(upload, answer, options)
  }))
}

/** A text, which the service is not asked about. */
const ofText = (
  caller: Caller,
  { content, name }: Upload,
  readers: Readers.Service,
  options: ParseOptions.ParseOptions
): Answered => {
  const read = Effect.suspend(() =>
    Parser.texts(options).parse(
      SourceFile.fromBytes({ root: "look", path: name, bytes: content.slice(0, content.length) }),
      {}
    )
  ).pipe(Effect.provideService(Readers, readers), Effect.mapError(Refused.ofDocument))
  return Effect.map(caller.read({ filename: name, content }, ParseOptions.resolve(options), read), (document) => {
    const { markdown, metadata, warnings } = document
    const warning = warnings.length > 0 && { warning: warnings.join("; ") }
    return { document, answer: { success: true, data: { markdown, metadata, ...warning } } }
  })
}

/** Kinds of blocks of a text that is Markdown, or has its form. */
const markdownKinds: ReadonlySet<string> = new Set(["markdown", "code", "omitted"])

/** A request for the parse of a file. */
export interface Asked {
  readonly caller: Caller
  readonly upload: Upload
  /** Pages of the file that can be drawn. */
  readonly drawn: number
  readonly body: unknown
}

/** Parses a file for its caller. */
export const parse = Effect.fnUntraced(function* (
  { drawing, readers }: { readonly drawing: PageDrawing; readonly readers: Readers.Service },
  { body, caller, drawn, upload }: Asked
): Effect.fn.Return<Read, Refused.Refused> {
  const options = yield* optionsOf(body)
  const { by } = upload
  const [took, { answer, document }] = yield* Effect.timed(
    Effect.mapError(
      by._tag === "Here" ? ofText(caller, upload, readers, options) : ofService(caller, upload, by.extension, options),
      (error) => (error._tag === "Refused" ? error : Refused.ofService(error))
    )
  )
  const unretained = caller.zeroDataRetention || ParseOptions.resolve(options).zeroDataRetention
  const pages = yield* sizesOf(drawing, upload, unretained ? 0 : drawn, document)
  const verbatim = document.structure?.some(({ kind }) => !markdownKinds.has(kind)) ?? false
  const { warnings } = document
  return {
    document,
    unretained,
    parsed: { answer, verbatim, pages, spans: spansOf(document), warnings, took: Math.round(Duration.toMillis(took)) }
  }
})
