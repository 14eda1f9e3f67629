/**
 * The parse operation as one `HttpApi` value: the server serves it, and the OpenAPI document is made from it.
 *
 * Errors travel as `{success: false, error, code?, details?}` and are the classes of `ServiceError` on this side.
 *
 * Source: interface document, "POST /parse", "Authentication", "General errors".
 *
 * @since 0.1.0
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
import type { CataloguedAgentError } from "./AgentError.ts"
import * as Limits from "./Limits.ts"
import { ParseOptions } from "./ParseOptions.ts"
import { ParseResponse } from "./ParseResponse.ts"
import * as ServiceError from "./ServiceError.ts"

/**
 * The body of every answer that is not a 2xx.
 *
 * @since 0.1.0
 * @category models
 */
export const ErrorBody = Schema.Struct({
  /** May be absent where the service speaks, never where this server does. */
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
 * Everything that this interface can answer other than a document.
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

const onTheWire = <A extends AnsweredError, I>(
  status: number,
  self: Schema.Schema<A, I>,
  body: Schema.Schema<ErrorBody>,
  make: (answer: Answer) => A
) =>
  Schema.transform(body, Schema.typeSchema(self), {
    strict: true,
    decode: (wire) => make({ ...wire, status }),
    encode: toBody
  }).annotations(HttpApiSchema.annotations({ status }))

const row = <A extends ServiceError.CataloguedError, I>(
  tag: A["_tag"],
  self: Schema.Schema<A, I>,
  make: (answer: Answer) => A
) => onTheWire(catalogue[tag].status, self, ErrorBody, make)

/** Filter for a row that shares its status with another: only a body with the row's text belongs to it. */
const textRow = <A extends ServiceError.CataloguedError, I>(
  tag: A["_tag"],
  self: Schema.Schema<A, I>,
  make: (answer: Answer) => A
) => {
  const text = catalogue[tag].error.toLowerCase()
  const body = ErrorBody.pipe(Schema.filter((wire) => wire.error.toLowerCase().startsWith(text)))
  return onTheWire(catalogue[tag].status, self, body, make)
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

const Unauthorized = row("Unauthorized", ServiceError.Unauthorized, (_) => new ServiceError.Unauthorized(_))

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
  .addError(textRow("InvalidUrl", ServiceError.InvalidUrl, (_) => new ServiceError.InvalidUrl(_)))
  .addError(row("BadRequest", ServiceError.BadRequest, (_) => new ServiceError.BadRequest(_)))
  .addError(row("PaymentRequired", ServiceError.PaymentRequired, (_) => new ServiceError.PaymentRequired(_)))
  .addError(
    textRow(
      "PromptInjectionDetected",
      ServiceError.PromptInjectionDetected,
      (_) => new ServiceError.PromptInjectionDetected(_)
    )
  )
  .addError(row("Forbidden", ServiceError.Forbidden, (_) => new ServiceError.Forbidden(_)))
  .addError(row("NotFound", ServiceError.NotFound, (_) => new ServiceError.NotFound(_)))
  .addError(row("RequestTimeout", ServiceError.RequestTimeout, (_) => new ServiceError.RequestTimeout(_)))
  .addError(row("Conflict", ServiceError.Conflict, (_) => new ServiceError.Conflict(_)))
  .addError(row("PayloadTooLarge", ServiceError.PayloadTooLarge, (_) => new ServiceError.PayloadTooLarge(_)))
  .addError(
    row("UnprocessableEntity", ServiceError.UnprocessableEntity, (_) => new ServiceError.UnprocessableEntity(_))
  )
  .addError(
    textRow(
      "ConcurrencyLimitReached",
      ServiceError.ConcurrencyLimitReached,
      (_) => new ServiceError.ConcurrencyLimitReached(_)
    )
  )
  .addError(row("RateLimitExceeded", ServiceError.RateLimitExceeded, (_) => new ServiceError.RateLimitExceeded(_)))
  .addError(Unparsable)
  .addError(
    row("InternalServerError", ServiceError.InternalServerError, (_) => new ServiceError.InternalServerError(_))
  )
  .addError(row("BadGateway", ServiceError.BadGateway, (_) => new ServiceError.BadGateway(_)))
  .addError(row("ServiceUnavailable", ServiceError.ServiceUnavailable, (_) => new ServiceError.ServiceUnavailable(_)))
  .addError(row("GatewayTimeout", ServiceError.GatewayTimeout, (_) => new ServiceError.GatewayTimeout(_)))
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
