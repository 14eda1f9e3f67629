import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { EngineInput } from "../../service/Engine.ts"
import * as FileType from "../../service/FileType.ts"
import * as Limits from "../../service/Limits.ts"
import * as ParseOptions from "../../service/ParseOptions.ts"
import {
  BadRequest,
  catalogue,
  DocumentUnparsable,
  PayloadTooLarge,
  RequestTimeout
} from "../../service/ServiceError.ts"
import { show } from "../base/rules.ts"
import { boundaryOf, parse, type Part, utf8 } from "./formParts.ts"
import { proceed } from "./nodeHttpServer.ts"

const maxOptionsBytes = 1_048_576

/** Largest body: file, options and the form around them. */
const maxBodyBytes = Limits.uploadBytes + maxOptionsBytes + 65_536

type UploadError = BadRequest | PayloadTooLarge | RequestTimeout | DocumentUnparsable

const badRequest = (error: string, code = "BAD_REQUEST", details?: unknown) =>
  new BadRequest({ status: 400, error, code, ...(details === undefined ? {} : { details }) })

const tooLarge = () => new PayloadTooLarge({ status: 413, error: catalogue.PayloadTooLarge.error })

const invalidForm = (why: string) => badRequest(`Invalid multipart form: ${why}`)

const firstCapacity = 65_536

/** Collects bytes in one array that grows with them: at most twice the bytes received, and at most the declared length. */
const collector = (length: number | undefined, maxBytes: number) => {
  const most = length ?? maxBytes
  let whole = new Uint8Array(Math.min(most, firstCapacity))
  let at = 0
  const room = (needed: number): void => {
    if (needed <= whole.length) return
    const larger = new Uint8Array(Math.min(most, Math.max(needed, 2 * whole.length)))
    larger.set(whole)
    whole = larger
  }
  return {
    received: () => at,
    add: (piece: Uint8Array): void => {
      if (at + piece.length <= most) {
        room(at + piece.length)
        whole.set(piece, at)
      } else {
        whole = new Uint8Array(0)
      }
      at += piece.length
    },
    bytes: (): Uint8Array => whole.subarray(0, at)
  }
}

const declaredLength = (request: HttpServerRequest.HttpServerRequest): number | undefined => {
  const header = request.headers["content-length"]
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}

/** Fails when no byte arrives for `idleTimeout`. */
const stalled = (received: () => number, idleTimeout: Duration.DurationInput): Effect.Effect<never, RequestTimeout> => {
  let last = 0
  return Effect.sleep(idleTimeout).pipe(
    Effect.map(() => {
      const moved = received() > last
      last = received()
      return moved
    }),
    Effect.repeat({ while: (moved) => moved }),
    Effect.zipRight(new RequestTimeout({ status: 408, error: catalogue.RequestTimeout.error, code: "SCRAPE_TIMEOUT" }))
  )
}

/** Bounds of a body. */
export interface BodyBounds {
  readonly maxBytes: number
  readonly idleTimeout: Duration.DurationInput
}

/**
 * Reads a whole body within its bounds. A larger declared length is refused before a byte is read; the server then discards the bytes
 * that arrive. One without a length is read to twice the bound before the refusal: most clients read no answer before they have sent
 * everything. Must run in its own fiber: interrupting the read closes the connection, and the answer has to be sent first.
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  { idleTimeout, maxBytes }: BodyBounds
): Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge | RequestTimeout, Scope.Scope> =>
  Effect.gen(function* () {
    const length = declaredLength(request)
    if (length !== undefined && length > maxBytes) return yield* tooLarge()
    proceed(request.source)
    const body = collector(length, maxBytes)
    const overflow = yield* Deferred.make<never, PayloadTooLarge>()
    const reading = yield* request.stream.pipe(
      Stream.runForEach((piece) => {
        body.add(piece)
        return body.received() <= 2 * maxBytes
          ? Effect.void
          : Effect.zipRight(Deferred.fail(overflow, tooLarge()), Effect.never)
      }),
      Effect.mapError(() => invalidForm("the upload broke off")),
      Effect.forkScoped
    )
    yield* Effect.raceFirst(
      Fiber.join(reading),
      Effect.raceFirst(Deferred.await(overflow), stalled(body.received, idleTimeout))
    )
    return body.received() > maxBytes ? yield* tooLarge() : body.bytes()
  })

/** Boundary of the form, from the content type alone. */
const boundaryIn = (request: HttpServerRequest.HttpServerRequest): Either.Either<string, BadRequest> => {
  const contentType = request.headers["content-type"] ?? ""
  return /^\s*multipart\/form-data\b/i.test(contentType)
    ? Either.fromOption(boundaryOf(contentType), () => invalidForm("the content type names no boundary"))
    : Either.left(invalidForm("the content type is not multipart/form-data"))
}

const formOf = (
  body: Uint8Array,
  boundary: string
): Either.Either<{ readonly file: Part; readonly options: Part | undefined }, BadRequest> => {
  const parts = parse(body, boundary)
  if (Either.isLeft(parts)) return Either.left(invalidForm(parts.left))
  const [file, second] = parts.right.filter((part) => part.name === "file")
  const options = parts.right.filter((part) => part.name === "options")
  const stranger = parts.right.find(
    (part) => part.filename !== undefined && part.name !== "file" && part.name !== "options"
  )
  if (stranger !== undefined) return Either.left(invalidForm(`unexpected part ${show(stranger.name)}`))
  if (file === undefined) return Either.left(invalidForm("it has no part named file"))
  if (second !== undefined) return Either.left(invalidForm("it has more than one part named file"))
  if (options.length > 1) return Either.left(invalidForm("it has more than one part named options"))
  return Either.right({ file, options: options[0] })
}

const fromJson = Schema.decodeUnknownEither(Schema.parseJson())

/** Options of other operations of the service; parse refuses them with a code of their own. */
const unsupported = new Set([
  "waitFor",
  "actions",
  "location",
  "mobile",
  "maxAge",
  "minAge",
  "storeInCache",
  "lockdown",
  "proxy"
])

const codeOf = (error: ParseOptions.InvalidOptions): string =>
  error.issues.every((issue) => unsupported.has(issue.field) || /^formats\[\d+\]\.type$/.test(issue.field))
    ? "PARSE_UNSUPPORTED_OPTIONS"
    : "BAD_REQUEST"

const refused = (error: ParseOptions.InvalidOptions) =>
  badRequest(
    error.message,
    codeOf(error),
    error.issues.map(({ bound, field, message }) => ({ field, bound, message }))
  )

const optionsOf = (part: Part | undefined): Either.Either<ParseOptions.Resolved, BadRequest> => {
  if (part === undefined) return Either.right(ParseOptions.resolve({}))
  if (part.bytes.length > maxOptionsBytes) return Either.left(invalidForm("options is larger than 1 MB"))
  return Either.fromOption(utf8(part.bytes), () => undefined).pipe(
    Either.flatMap((text) => fromJson(text)),
    Either.mapLeft(() => badRequest("options is not valid JSON", "BAD_REQUEST_INVALID_JSON")),
    Either.flatMap((input) => Either.mapLeft(ParseOptions.decode(input), refused)),
    Either.map(ParseOptions.resolve)
  )
}

const unsupportedType = (part: Part) =>
  badRequest(
    `Unsupported file type: ${show(part.filename ?? part.contentType ?? "no name")}; expected one of ${FileType.all.map((each) => `.${each}`).join(" ")}`,
    "UNSUPPORTED_FILE_TYPE"
  )

const inputOf = (part: Part): Either.Either<EngineInput, UploadError> => {
  const named = FileType.fromName(part.filename ?? "")
  const extension = Option.orElse(named, () => FileType.fromMimeType(part.contentType ?? ""))
  if (part.bytes.length > Limits.uploadBytes) return Either.left(tooLarge())
  if (Option.isNone(extension)) return Either.left(unsupportedType(part))
  if (part.bytes.length === 0) {
    return Either.left(
      new DocumentUnparsable({ status: 500, error: "The file is empty", code: "SCRAPE_ALL_ENGINES_FAILED" })
    )
  }
  return Either.right({
    filename: part.filename || `file.${extension.value}`,
    extension: extension.value,
    bytes: part.bytes
  })
}

/** Reads and checks one upload. Holds its bytes once. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  idleTimeout: Duration.DurationInput
): Effect.Effect<{ readonly input: EngineInput; readonly options: ParseOptions.Resolved }, UploadError, Scope.Scope> =>
  Effect.gen(function* () {
    const boundary = yield* boundaryIn(request)
    const form = yield* formOf(yield* readBody(request, { idleTimeout, maxBytes: maxBodyBytes }), boundary)
    const options = yield* optionsOf(form.options)
    return { input: yield* inputOf(form.file), options }
  })
