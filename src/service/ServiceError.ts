/**
 * The errors that the service answers with, one class per row of the catalogue, and the other errors that a call can end with.
 *
 * Source: interface document, "Errors"; the class of each answer: `severity` of {@link catalogue}.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { answer as anyAnswer, answered, ofDocument, ofRun, transient } from "../internal/base/answerError.ts"

/**
 * The catalogue's Retryable column: may the same request succeed later?
 *
 * @since 0.1.0
 * @category models
 */
export type Retryable = "yes" | "no" | "sometimes"

/**
 * A pipeline's reaction: try again, give up this document, or stop the run.
 *
 * @since 0.1.0
 * @category models
 */
export type Severity = "transient" | "document" | "run"

const answer = {
  ...anyAnswer,
  /**
   * Present when the body of a 4xx was no error record of the interface (HTML, empty, JSON with neither `error` nor `success: false` and a `code`): a proxy or a firewall
   * may have answered in place of the service, so the status alone names the row, and the request is tried again.
   */
  foreign: Schema.optional(Schema.Literal(true))
}

/** Wait in milliseconds that the service asked for, if any. */
const retryAfter = Schema.optional(Schema.JsonNumber)

/**
 * 400: the body failed validation; `details` names fields.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadRequest extends answered<BadRequest>()("BadRequest", answer) {}

/**
 * 400: an address is missing, malformed or of an unsupported scheme.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidUrl extends answered<InvalidUrl>()("InvalidUrl", answer) {}

/**
 * 401: the key is missing, malformed or revoked.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unauthorized extends answered<Unauthorized>()("Unauthorized", answer) {}

/**
 * 402: the plan's credits are used up, or billing is not configured.
 *
 * @since 0.1.0
 * @category errors
 */
export class PaymentRequired extends answered<PaymentRequired>()("PaymentRequired", answer) {}

/**
 * 403: the key lacks permission for the endpoint or feature.
 *
 * @since 0.1.0
 * @category errors
 */
export class Forbidden extends answered<Forbidden>()("Forbidden", answer) {}

/**
 * 403: prompt injection was detected in the document; extraction stopped.
 *
 * @since 0.1.0
 * @category errors
 */
export class PromptInjectionDetected extends answered<PromptInjectionDetected>()("PromptInjectionDetected", answer) {}

/**
 * 404: the job, resource or endpoint does not exist.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends answered<NotFound>()("NotFound", answer) {}

/**
 * 408: the parse took longer than its `timeout`, or waited too long in the service's queue (`code` `CONCURRENCY_QUEUE_TIMEOUT`).
 *
 * @since 0.1.0
 * @category errors
 */
export class RequestTimeout extends answered<RequestTimeout>()("RequestTimeout", {
  ...answer,
  retryAfter
}) {}

/**
 * 409: the state of the resource blocks the operation.
 *
 * @since 0.1.0
 * @category errors
 */
export class Conflict extends answered<Conflict>()("Conflict", answer) {}

/**
 * 413 (or 400 with the service's size message): the body exceeds the maximum size.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayloadTooLarge extends answered<PayloadTooLarge>()("PayloadTooLarge", answer) {}

/**
 * 422: invalid JSON Schema, or the model could not produce a conforming result.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnprocessableEntity extends answered<UnprocessableEntity>()("UnprocessableEntity", answer) {}

/**
 * 429: too many requests for the plan's limit per minute.
 *
 * @since 0.1.0
 * @category errors
 */
export class RateLimitExceeded extends answered<RateLimitExceeded>()("RateLimitExceeded", { ...answer, retryAfter }) {}

/**
 * 429: the plan's concurrency limit is reached.
 *
 * @since 0.1.0
 * @category errors
 */
export class ConcurrencyLimitReached extends answered<ConcurrencyLimitReached>()("ConcurrencyLimitReached", {
  ...answer,
  retryAfter
}) {}

/**
 * 500: an unhandled failure of the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class InternalServerError extends answered<InternalServerError>()("InternalServerError", {
  ...answer,
  retryAfter
}) {}

/**
 * 502: an upstream proxy or worker gave an invalid answer.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadGateway extends answered<BadGateway>()("BadGateway", {
  ...answer,
  retryAfter
}) {}

/**
 * 503: temporarily unable to process.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServiceUnavailable extends answered<ServiceUnavailable>()("ServiceUnavailable", {
  ...answer,
  retryAfter
}) {}

/**
 * 504: a gateway gave up waiting.
 *
 * @since 0.1.0
 * @category errors
 */
export class GatewayTimeout extends answered<GatewayTimeout>()("GatewayTimeout", {
  ...answer,
  retryAfter
}) {}

/**
 * The `code`s of a 500 that say that this document cannot be parsed, by anyone or at any time.
 *
 * @since 0.1.0
 * @category constants
 */
export const unparsableCodes = [
  "SCRAPE_ALL_ENGINES_FAILED",
  "SCRAPE_PDF_OCR_REQUIRED",
  "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
  "SCRAPE_UNSUPPORTED_FILE_ERROR",
  "SCRAPE_ZDR_VIOLATION_ERROR"
] as const

/**
 * 500 with one of {@link unparsableCodes}: corrupt, encrypted, empty, of an unsupported type, a scan in mode `fast`. Final for these bytes and options.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentUnparsable extends answered<DocumentUnparsable>()("DocumentUnparsable", {
  ...answer,
  code: Schema.Literal(...unparsableCodes)
}) {}

/**
 * Any other answer: a status outside the catalogue, a body that is not JSON, a success without its data.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnexpectedResponse extends answered<UnexpectedResponse>()("UnexpectedResponse", {
  ...answer,
  /** The answer's fault. */
  reason: Schema.Literal("Status", "NotJson", "Empty", "NoSuccess", "NoData", "NoMarkdown", "Redirect"),
  retryAfter
}) {}

/**
 * No answer: the connection could not be made, or broke.
 *
 * @since 0.1.0
 * @category errors
 */
export class ConnectionFailed extends Schema.TaggedError<ConnectionFailed>("docsluice/ConnectionFailed")(
  "ConnectionFailed",
  {
    reason: Schema.Literal("refused", "dns", "tls", "reset", "timeout", "address"),
    /** The transport's code, for example `ECONNRESET`; undefined when it gave none. */
    code: Schema.optional(Schema.String),
    /**
     * True when the whole request had been sent, so that the parse may have been charged.
     */
    ambiguous: Schema.Boolean,
    /** Host and port, never credentials. */
    address: Schema.String,
    /** The transport's own words, without headers. */
    error: Schema.String
  }
) {
  override get message(): string {
    return `${this.address}: ${this.reason}: ${this.error}`
  }
}

/**
 * The gate gave up: no request succeeded for `outageLimit`, or the service wants a wait that exceeds it. The request was not sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServiceUnreachable extends answered<ServiceUnreachable>()("ServiceUnreachable", {
  address: Schema.String,
  error: Schema.String
}) {}

/**
 * The 17 rows of the catalogue's general table.
 *
 * @since 0.1.0
 * @category errors
 */
export const CataloguedError = Schema.Union(
  BadRequest,
  InvalidUrl,
  Unauthorized,
  PaymentRequired,
  Forbidden,
  PromptInjectionDetected,
  NotFound,
  RequestTimeout,
  Conflict,
  PayloadTooLarge,
  UnprocessableEntity,
  RateLimitExceeded,
  ConcurrencyLimitReached,
  InternalServerError,
  BadGateway,
  ServiceUnavailable,
  GatewayTimeout
)

/**
 * @since 0.1.0
 * @category errors
 */
export type CataloguedError = typeof CataloguedError.Type

/**
 * Every error that one call of the service can fail with. `Schema.encode(ServiceError)` makes JSON of any of them, and `Schema.decode` the
 * error again.
 *
 * @since 0.1.0
 * @category errors
 */
export const ServiceError = Schema.Union(
  ...CataloguedError.members,
  DocumentUnparsable,
  UnexpectedResponse,
  ConnectionFailed,
  ServiceUnreachable
)

/**
 * @since 0.1.0
 * @category errors
 */
export type ServiceError = typeof ServiceError.Type

/**
 * One row of the catalogue. A row that may be retried is `transient`, any other is not: the two columns cannot disagree.
 *
 * @since 0.1.0
 * @category models
 */
export type Row = {
  readonly status: number
  /** The catalogue's text; real answers may be longer. */
  readonly error: string
} & (
  | { readonly retryable: "yes"; readonly severity: "transient" }
  | { readonly retryable: "no" | "sometimes"; readonly severity: "document" | "run" }
)

/**
 * The general errors of the interface document, keyed by tag. `RetryPolicy.rules` refines the severity: how often a transient
 * answer is tried, and the answers outside of the catalogue.
 *
 * @since 0.1.0
 * @category constants
 */
export const catalogue = {
  BadRequest: ofDocument(400, "Bad Request"),
  InvalidUrl: ofDocument(400, "Invalid URL"),
  Unauthorized: ofRun(401, "Unauthorized: Invalid token"),
  PaymentRequired: ofRun(402, "Payment Required: Insufficient credits"),
  Forbidden: ofRun(403, "Forbidden"),
  PromptInjectionDetected: ofDocument(403, "SCRAPE_PROMPT_INJECTION_DETECTED"),
  NotFound: ofRun(404, "Not Found"),
  RequestTimeout: transient(408, "Request Timeout"),
  Conflict: ofDocument(409, "Conflict"),
  PayloadTooLarge: ofDocument(413, "Payload Too Large"),
  UnprocessableEntity: { status: 422, error: "Unprocessable Entity", retryable: "sometimes", severity: "document" },
  RateLimitExceeded: transient(429, "Rate limit exceeded"),
  ConcurrencyLimitReached: transient(429, "Concurrency limit reached"),
  InternalServerError: transient(500, "Internal Server Error"),
  BadGateway: transient(502, "Bad Gateway"),
  ServiceUnavailable: transient(503, "Service Unavailable"),
  GatewayTimeout: transient(504, "Gateway Timeout")
} as const satisfies Record<CataloguedError["_tag"], Row>
