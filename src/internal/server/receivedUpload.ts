import { tmpdir } from "node:os"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { EngineFile, EngineInput } from "../../service/Engine.ts"
import * as ParseOptions from "../../service/ParseOptions.ts"
import {
  BadRequest,
  DocumentUnparsable,
  type PayloadTooLarge,
  type RequestTimeout,
  type ServiceUnavailable
} from "../../service/ServiceError.ts"
import * as FileType from "../base/fileType.ts"
import * as Limits from "../base/limits.ts"
import { show } from "../base/rules.ts"
import * as bodyPieces from "./bodyPieces.ts"
import { boundaryOf, delimiterOf, type FormBody, inMemory, parse, type Part, utf8 } from "./formParts.ts"
import { refusal } from "./refusedOptions.ts"
import * as Spools from "./spool.ts"
import type { Spool } from "./spool.ts"

const maxOptionsBytes = 1_048_576

/** Largest body: file, options and the form around them. */
const maxBodyBytes = Limits.uploadBytes + maxOptionsBytes + 65_536

type UploadError = BadRequest | PayloadTooLarge | RequestTimeout | DocumentUnparsable | ServiceUnavailable

export interface Settings {
  /** Folder of the files for large bodies; the system's folder for temporary files without one. */
  readonly folder: string | undefined
  readonly watch: bodyPieces.Watch
}

const badRequest = (error: string, code = "BAD_REQUEST") => new BadRequest({ status: 400, error, code })

const invalidForm = (why: string) => badRequest(`Invalid multipart form: ${why}`)

/** Largest body in bytes that is held in memory; a larger one goes to a file. */
const maxHeldBytes = 1_048_576

/** Bytes of a request: a form, and the file that it is in. */
interface Body {
  readonly form: FormBody
  readonly spool: Spool | undefined
}

/** Reads the whole body, up to {@link maxHeldBytes} into memory, and a larger one into a file in the folder. */
const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  boundary: string,
  { folder = tmpdir(), watch }: Settings
): Effect.Effect<Body, UploadError, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const held: { pieces: Array<Uint8Array>; bytes: number; spool: Spool | undefined } = {
      pieces: [],
      bytes: 0,
      spool: undefined
    }
    const keep = (piece: Uint8Array) =>
      Effect.gen(function* () {
        held.pieces.push(piece)
        held.bytes += piece.length
        if (held.spool === undefined && held.bytes <= maxHeldBytes) return
        const { pieces } = held
        held.pieces = []
        held.spool ??= yield* Scope.extend(Spools.make(folder, delimiterOf(boundary)), scope)
        yield* Effect.forEach(pieces, held.spool.write, { discard: true })
      })
    const broken = () => invalidForm("the upload broke off")
    yield* bodyPieces.read(request, { maxBytes: maxBodyBytes, watch, broken }, keep)
    const { pieces, spool } = held
    return { form: spool?.form() ?? inMemory(Buffer.concat(pieces)), spool }
  })

/** Boundary of the form, from the content type alone. */
const boundaryIn = (request: HttpServerRequest.HttpServerRequest): Either.Either<string, BadRequest> => {
  const contentType = request.headers["content-type"] ?? ""
  return /^\s*multipart\/form-data\b/i.test(contentType)
    ? Either.fromOption(boundaryOf(contentType), () => invalidForm("the content type names no boundary"))
    : Either.left(invalidForm("the content type is not multipart/form-data"))
}

const formOf = (
  body: FormBody,
  boundary: string
): Either.Either<{ readonly file: Part; readonly options: Part | undefined }, BadRequest> => {
  const parts = parse(body, boundary)
  if (Either.isLeft(parts)) return Either.left(invalidForm(parts.left))
  const [file, second] = parts.right.filter((part) => part.name === "file")
  const options = parts.right.filter((part) => part.name === "options")
  const stranger = parts.right.find(({ name }) => name !== "file" && name !== "options")
  if (stranger !== undefined) return Either.left(invalidForm(`unexpected part ${show(stranger.name)}`))
  if (file === undefined) return Either.left(invalidForm("it has no part named file"))
  if (second !== undefined) return Either.left(invalidForm("it has more than one part named file"))
  if (options.length > 1) return Either.left(invalidForm("it has more than one part named options"))
  return Either.right({ file, options: options[0] })
}

const fromJson = Schema.decodeUnknownEither(Schema.parseJson())

const optionsOf = (form: FormBody, part: Part | undefined): Either.Either<ParseOptions.Resolved, BadRequest> => {
  if (part === undefined) return Either.right(ParseOptions.resolve({}))
  if (part.end - part.start > maxOptionsBytes) return Either.left(invalidForm("options is larger than 1 MB"))
  return Either.fromOption(utf8(form.slice(part.start, part.end)), () => undefined).pipe(
    Either.flatMap((text) => fromJson(text)),
    Either.mapLeft(() => badRequest("options is not valid JSON", "BAD_REQUEST_INVALID_JSON")),
    Either.flatMap((input) => Either.mapLeft(ParseOptions.decode(input), refusal)),
    Either.map(ParseOptions.resolve)
  )
}

const unsupportedType = (part: Part) =>
  badRequest(
    `Unsupported file type: ${show(part.filename ?? part.contentType ?? "no name")}; expected one of ${FileType.all.map((each) => `.${each}`).join(" ")}`,
    "UNSUPPORTED_FILE_TYPE"
  )

const inputOf = ({ form, spool }: Body, part: Part): Either.Either<EngineInput | EngineFile, UploadError> => {
  const named = FileType.fromName(part.filename ?? "")
  const found = Option.orElse(named, () => FileType.fromMimeType(part.contentType ?? ""))
  const length = part.end - part.start
  if (length > Limits.uploadBytes) return Either.left(bodyPieces.tooLarge())
  if (Option.isNone(found)) return Either.left(unsupportedType(part))
  if (length === 0) {
    return Either.left(
      new DocumentUnparsable({ status: 500, error: "The file is empty", code: "SCRAPE_ALL_ENGINES_FAILED" })
    )
  }
  const extension = found.value
  const filename = part.filename || `file.${extension}`
  return Either.right(
    spool === undefined
      ? { filename, extension, bytes: form.slice(part.start, part.end) }
      : {
          filename,
          extension,
          content: {
            length,
            slice: (start, end) => form.slice(part.start + start, Math.min(part.start + end, part.end))
          }
        }
  )
}

/** Reads and checks one upload. Its bytes are in memory up to 1 MiB, otherwise in a file without a name, until the scope closes. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  settings: Settings
): Effect.Effect<
  { readonly input: EngineInput | EngineFile; readonly options: ParseOptions.Resolved },
  UploadError,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const boundary = yield* boundaryIn(request)
    const body = yield* readBody(request, boundary, settings)
    const form = yield* formOf(body.form, boundary)
    const options = yield* optionsOf(body.form, form.options)
    return { input: yield* inputOf(body, form.file), options }
  })
