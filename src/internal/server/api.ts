/**
 * The parse operation as one `HttpApi` value: the server serves it, and the OpenAPI document is made from it.
 *
 * Errors travel as `{success: false, error, code?, details?}` and are the classes of `ServiceError` on this side.
 *
 * Source: interface document, "POST /parse", "Authentication", "General errors".
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as Multipart from "@effect/platform/Multipart"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { ParseOptions } from "../../service/ParseOptions.ts"
import * as ServiceError from "../../service/ServiceError.ts"
import * as Limits from "../base/limits.ts"
import { ParseResponse } from "../base/parseResponse.ts"
import type { CataloguedAgentError } from "../client/agentError.ts"

/**
 * The body of every answer that is not a 2xx.
 *
 * @since 0.1.0
 * @category models
 */
export const ErrorBody = Schema.Struct({
  /** The public service may leave it out; this server never does. */
  success: Schema.optional(Schema.Literal(false)),
  /** Human-readable; the value to match on. */
  error: Schema.String,
  /** Per-field validation errors and the like. */
  details: Schema.optional(Schema.Unknown),
  /** Machine-readable, for example `BAD_REQUEST`. */
  code: Schema.optional(Schema.String)
})

/**
 * @since 0.1.0
 * @category models
 */
export type ErrorBody = typeof ErrorBody.Type

/**
 * Errors that this interface can answer with.
 *
 * @since 0.1.0
 * @category models
 */
export type AnsweredError = ServiceError.CataloguedError | ServiceError.DocumentUnparsable

/**
 * The wire form of an error. An `InternalServerError` without a code has `UNKNOWN_ERROR`, as the interface says.
 *
 * @since 0.1.0
 * @category accessors
 */
export const toBody = (
  error: Pick<AnsweredError, "_tag" | "error" | "code" | "details"> | CataloguedAgentError
): ErrorBody => {
  const code = error.code ?? (error._tag === "InternalServerError" ? "UNKNOWN_ERROR" : undefined)
  return {
    success: false,
    ...(code === undefined ? {} : { code }),
    error: error.error,
    ...(error.details === undefined ? {} : { details: error.details })
  }
}

type Answer = ErrorBody & { readonly status: number }

const { catalogue } = ServiceError

/** The class of a row of the catalogue. */
interface RowClass<A extends ServiceError.CataloguedError, I> extends Schema.Schema<A, I> {
  readonly _tag: A["_tag"]
  new (answer: Answer): A
}

const onTheWire = <A extends ServiceError.CataloguedError, I>(self: RowClass<A, I>, body: Schema.Schema<ErrorBody>) => {
  const { status } = catalogue[self._tag]
  return Schema.transform(body, Schema.typeSchema(self), {
    strict: true,
    decode: (wire) => new self({ ...wire, status }),
    encode: toBody
  }).annotations(HttpApiSchema.annotations({ status }))
}

const row = <A extends ServiceError.CataloguedError, I>(self: RowClass<A, I>) => onTheWire(self, ErrorBody)

/** Filter for a row that shares its status with another: only a body with the row's text belongs to it. */
const textRow = <A extends ServiceError.CataloguedError, I>(self: RowClass<A, I>) => {
  const text = catalogue[self._tag].error.toLowerCase()
  return onTheWire(self, ErrorBody.pipe(Schema.filter((wire) => wire.error.toLowerCase().startsWith(text))))
}

const UnparsableCode = Schema.Literal(...ServiceError.unparsableCodes)

const Unparsable = Schema.transform(
  Schema.Struct({ ...ErrorBody.fields, code: UnparsableCode }),
  Schema.typeSchema(ServiceError.DocumentUnparsable),
  {
    strict: true,
    decode: (wire) => new ServiceError.DocumentUnparsable({ ...wire, status: 500 }),
    encode: (error) => ({ ...toBody(error), code: error.code })
  }
).annotations(HttpApiSchema.annotations({ status: 500 }))

const Unauthorized = row(ServiceError.Unauthorized)

/**
 * The caller of a request, by its key.
 *
 * @since 0.1.0
 * @category security
 */
export class Caller extends Context.Tag("docsluice/service/Api/Caller")<
  Caller,
  {
    /** Name of the key's plan; undefined on a server whose keys share one. */
    readonly plan: string | undefined
  }
>() {}

/**
 * Bearer keys: a missing, malformed or unknown one is a 401.
 *
 * @since 0.1.0
 * @category security
 */
export class Authentication extends HttpApiMiddleware.Tag<Authentication>()("docsluice/service/Api/Authentication", {
  failure: Unauthorized,
  provides: Caller,
  security: { bearer: HttpApiSecurity.bearer }
}) {}

/**
 * The form of an upload. `options` may come as a field or as a file, before or after `file`.
 *
 * @since 0.1.0
 * @category models
 */
export const UploadForm = Schema.Struct({
  /** At most 50 MB; its name or content type tells the file type. */
  file: Multipart.SingleFileSchema,
  /** JSON text of the options. */
  options: Schema.optional(Schema.parseJson(ParseOptions))
})

const parse = HttpApiEndpoint.post("parse", "/parse")
  .annotate(OpenApi.Summary, "Parse a document")
  .annotate(
    OpenApi.Description,
    `Takes the bytes of a document, at most ${Limits.uploadBytes}, and returns its content in reading order.`
  )
  .setPayload(HttpApiSchema.Multipart(UploadForm))
  .addSuccess(ParseResponse)
  .addError(textRow(ServiceError.InvalidUrl))
  .addError(row(ServiceError.BadRequest))
  .addError(row(ServiceError.PaymentRequired))
  .addError(textRow(ServiceError.PromptInjectionDetected))
  .addError(row(ServiceError.Forbidden))
  .addError(row(ServiceError.NotFound))
  .addError(row(ServiceError.RequestTimeout))
  .addError(row(ServiceError.Conflict))
  .addError(row(ServiceError.PayloadTooLarge))
  .addError(row(ServiceError.UnprocessableEntity))
  .addError(textRow(ServiceError.ConcurrencyLimitReached))
  .addError(row(ServiceError.RateLimitExceeded))
  .addError(Unparsable)
  .addError(row(ServiceError.InternalServerError))
  .addError(row(ServiceError.BadGateway))
  .addError(row(ServiceError.ServiceUnavailable))
  .addError(row(ServiceError.GatewayTimeout))
  .middleware(Authentication)

/**
 * The parse interface, below the version segment `/v2`.
 *
 * @since 0.1.0
 * @category api
 */
export const Api = HttpApi.make("docsluice")
  .add(HttpApiGroup.make("documents").add(parse))
  .prefix("/v2")
  .annotate(OpenApi.Title, "Document parsing service")
  .annotate(OpenApi.Version, "v2")
