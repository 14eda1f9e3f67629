import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as ServiceError from "../../service/ServiceError.ts"
import { retryAfter } from "./retryAfter.ts"

/** A failed answer as it came over the wire. */
export interface FailedAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded, without a byte order mark. */
  readonly text: string
  /** When it arrived, in milliseconds since the epoch. */
  readonly now: number
  /** True: a 4xx without an error record of the interface is marked as `foreign`; default false. */
  readonly strict?: boolean | undefined
}

interface Read {
  readonly status: number
  readonly error: string
  readonly code?: string
  readonly details?: unknown
  readonly foreign?: true
}

interface Told extends Read {
  readonly retryAfter?: number
}

/** JSON or nothing. */
export const parseJson: (text: string) => Either.Either<unknown, unknown> = Schema.decodeUnknownEither(
  Schema.parseJson()
)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The text of each status; of rows that share one, the first is the general one. */
const words: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(ServiceError.catalogue)
    .map((row) => [row.status, row.error] as const)
    .toReversed()
)

/** A 4xx of these statuses needs no words. */
const plain = new Set([401, 402, 404, 413, 415])

const hasError = (body: unknown): boolean =>
  isRecord(body) && typeof body["error"] === "string" && body["error"].trim() !== ""

const isForeign = ({ status, strict }: FailedAnswer, body: unknown): boolean =>
  strict === true && status >= 400 && status < 500 && !plain.has(status) && !hasError(body)

/** The service's words; a short plain text as it is, a page of HTML not at all. */
const errorOf = (status: number, body: unknown, text: string): string => {
  if (isRecord(body)) {
    const said = body["error"] ?? body["message"]
    if (typeof said === "string" && said !== "") return said
    if (isRecord(said) && typeof said["message"] === "string") return said["message"]
  }
  const short = text.trim()
  const readable = body === undefined && short !== "" && short.length <= 200 && !short.startsWith("<")
  return readable ? short : (words[status] ?? `status ${status}`)
}

/** Members `code` and `details` of an error record, where it has them. */
export const particulars = (body: unknown): { readonly code?: string; readonly details?: unknown } => {
  const { code, details } = isRecord(body) ? body : {}
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(details === undefined || details === null ? {} : { details })
  }
}

const read = (answer: FailedAnswer, body: unknown): Read => ({
  status: answer.status,
  error: errorOf(answer.status, body, answer.text),
  ...particulars(body),
  ...(isForeign(answer, body) ? { foreign: true } : {})
})

const unparsable = (code: string | undefined): (typeof ServiceError.unparsableCodes)[number] | undefined =>
  ServiceError.unparsableCodes.find((known) => known === code)

const startsWith = (text: string, prefix: string): boolean => text.toLowerCase().startsWith(prefix)

/** Rows that `code` names whatever the status; only the service itself uses these codes. */
const byCode = (coded: Told): ServiceError.ServiceError | undefined => {
  const { foreign: _, ...told } = coded
  const { retryAfter: __, ...answer } = told
  const code = unparsable(told.code)
  if (code !== undefined) return new ServiceError.DocumentUnparsable({ ...answer, code })
  switch (told.code) {
    case "SCRAPE_TIMEOUT":
    case "CONCURRENCY_QUEUE_TIMEOUT":
      return new ServiceError.RequestTimeout(told)
    case "SCRAPE_PROMPT_INJECTION_DETECTED":
      return new ServiceError.PromptInjectionDetected(answer)
    default:
      return undefined
  }
}

/** Three rows share 400, two share 403 and 429: there the service's message decides, by a prefix in any case. */
const byStatus = (told: Told): ServiceError.ServiceError => {
  const { retryAfter: _, ...answer } = told
  const error = told.foreign === true ? "" : told.error
  switch (told.status) {
    case 400:
      if (startsWith(error, "invalid url")) return new ServiceError.InvalidUrl(answer)
      return startsWith(error, "uploaded file exceeds")
        ? new ServiceError.PayloadTooLarge(answer)
        : new ServiceError.BadRequest(answer)
    case 401:
      return new ServiceError.Unauthorized(answer)
    case 402:
      return new ServiceError.PaymentRequired(answer)
    case 403:
      return startsWith(error, "scrape_prompt_injection_detected")
        ? new ServiceError.PromptInjectionDetected(answer)
        : new ServiceError.Forbidden(answer)
    case 404:
      return new ServiceError.NotFound(answer)
    case 408:
      return new ServiceError.RequestTimeout(told)
    case 409:
      return new ServiceError.Conflict(answer)
    case 413:
      return new ServiceError.PayloadTooLarge(answer)
    case 422:
      return new ServiceError.UnprocessableEntity(answer)
    case 429:
      return startsWith(error, "concurrency limit")
        ? new ServiceError.ConcurrencyLimitReached(told)
        : new ServiceError.RateLimitExceeded(told)
    case 500:
      return new ServiceError.InternalServerError(told)
    case 502:
      return new ServiceError.BadGateway(told)
    case 503:
      return new ServiceError.ServiceUnavailable(told)
    case 504:
      return new ServiceError.GatewayTimeout(told)
    default:
      return new ServiceError.UnexpectedResponse({
        ...told,
        reason: told.status >= 300 && told.status < 400 ? "Redirect" : "Status"
      })
  }
}

/** Names any answer outside 2xx: its `code` first, then its status, then its message. Never throws. */
export const fromAnswer = (answer: FailedAnswer): ServiceError.ServiceError => {
  const body = Either.getOrUndefined(parseJson(answer.text))
  const known = read(answer, body)
  const wait = retryAfter(answer.headers, body, known.error, answer.now)
  const told: Told = wait === undefined ? known : { ...known, retryAfter: wait }
  return byCode(told) ?? byStatus(told)
}
