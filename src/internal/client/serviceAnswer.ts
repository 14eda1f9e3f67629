import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as ServiceError from "../../service/ServiceError.ts"
import { parseJson } from "../base/json.ts"
import { redactedValue } from "./redacting.ts"
import { redirectTarget } from "./redirectTarget.ts"
import { retryAfter } from "./retryAfter.ts"

/** An answer that is not 2xx, as it arrived. */
export interface FailedAnswer {
  readonly status: number
  /** Header names are lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded, without a byte order mark. */
  readonly text: string
  /** Time of arrival, in milliseconds since the epoch. */
  readonly now: number
  /** Removes secrets from all that the error keeps of the answer; its class is that of the whole. Default: nothing is removed. */
  readonly redact?: ((text: string) => string) | undefined
  /** If true, a 4xx without an error record of the interface is marked as `foreign`; default false. */
  readonly strict?: boolean | undefined
}

interface Read {
  readonly status: number
  readonly error: string
  readonly code?: string
  readonly details?: unknown
  readonly foreign?: true
}

interface Fields extends Read {
  readonly retryAfter?: number
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** Catalogue text of each status; where rows share a status, the first, most general one wins. */
const words: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(ServiceError.catalogue)
    .map((row) => [row.status, row.error] as const)
    .toReversed()
)

/** Statuses of a 4xx that need no error text to be trusted as the service's own. */
const plain = new Set([401, 402, 404, 413, 415])

const hasError = (body: unknown): boolean =>
  isRecord(body) && typeof body["error"] === "string" && body["error"].trim() !== ""

/** A record of the service without its words: no proxy answers so. */
const hasCode = (body: unknown): boolean =>
  isRecord(body) && body["success"] === false && typeof body["code"] === "string" && body["code"].trim() !== ""

const isForeign = ({ status, strict }: FailedAnswer, body: unknown): boolean =>
  strict === true && status >= 400 && status < 500 && !plain.has(status) && !hasError(body) && !hasCode(body)

/** The service's words in an answer: its `error`, or a short plain text. HTML pages are never quoted. */
const saidIn = (body: unknown, text: string): string | undefined => {
  if (isRecord(body)) {
    const said = body["error"] ?? body["message"]
    if (typeof said === "string" && said !== "") return said
    if (isRecord(said) && typeof said["message"] === "string") return said["message"]
  }
  const short = text.trim()
  const readable = body === undefined && short !== "" && short.length <= 200 && !short.startsWith("<")
  return readable ? short : undefined
}

/** Texts of the catalogue, which are no secrets, though a word of one may be the key. */
const catalogued: ReadonlySet<string> = new Set(Object.values(ServiceError.catalogue).map(({ error }) => error))

/** Error text of an answer: the service's words, or those of its status. */
const errorOf = ({ redact = identity, status, text }: FailedAnswer, body: unknown): string => {
  const said = saidIn(body, text)
  if (said === undefined) return words[status] ?? `status ${status}`
  return catalogued.has(said) ? said : redact(said)
}

/** Members `code` and `details` of an error record, if present. */
export const particulars = (body: unknown): { readonly code?: string; readonly details?: unknown } => {
  const { code, details } = isRecord(body) ? body : {}
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(details === undefined || details === null ? {} : { details })
  }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Redirects are not followed: the request carries the key and the file, which may not be meant for the target. */
const redirected = ({ headers, redact = identity }: FailedAnswer): string | undefined => {
  const target = redirectTarget(headers["location"])
  return target === null
    ? undefined
    : `redirected to ${redact(target)}, which is not followed; give the address there as the base address if it is the service's`
}

const read = (answer: FailedAnswer, body: unknown): Read => ({
  status: answer.status,
  error: (isRedirect(answer.status) ? redirected(answer) : undefined) ?? errorOf(answer, body),
  ...particulars(redactedValue(answer.redact ?? identity, body)),
  ...(isForeign(answer, body) ? { foreign: true } : {})
})

const unparsable = (code: string | undefined): (typeof ServiceError.unparsableCodes)[number] | undefined =>
  ServiceError.unparsableCodes.find((known) => known === code)

const startsWith = (text: string, prefix: string): boolean => text.toLowerCase().startsWith(prefix)

/** An answer as the service said it, which decides the class of its error, and as the error keeps it. */
interface Said {
  readonly said: Fields
  readonly kept: Fields
}

/** Error that `code` determines, whatever the status; only the service itself uses these codes. */
const byCode = ({ kept, said }: Said): ServiceError.ServiceError | undefined => {
  const { foreign: _, ...fields } = kept
  const { retryAfter: __, ...answer } = fields
  const code = unparsable(said.code)
  if (code !== undefined) return new ServiceError.DocumentUnparsable({ ...answer, code })
  switch (said.code) {
    case "SCRAPE_TIMEOUT":
    case "CONCURRENCY_QUEUE_TIMEOUT":
      return new ServiceError.RequestTimeout(fields)
    case "SCRAPE_PROMPT_INJECTION_DETECTED":
      return new ServiceError.PromptInjectionDetected(answer)
    default:
      return undefined
  }
}

/** Error of a status. Three rows share 400, two share 403 and two share 429: there a case-insensitive prefix of the message decides. */
const byStatus = ({ kept: fields, said }: Said): ServiceError.ServiceError => {
  const { retryAfter: _, ...answer } = fields
  const error = said.foreign === true ? "" : said.error
  switch (fields.status) {
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
      return new ServiceError.RequestTimeout(fields)
    case 409:
      return new ServiceError.Conflict(answer)
    case 413:
      return new ServiceError.PayloadTooLarge(answer)
    case 422:
      return new ServiceError.UnprocessableEntity(answer)
    case 429:
      return startsWith(error, "concurrency limit")
        ? new ServiceError.ConcurrencyLimitReached(fields)
        : new ServiceError.RateLimitExceeded(fields)
    case 500:
      return new ServiceError.InternalServerError(fields)
    case 502:
      return new ServiceError.BadGateway(fields)
    case 503:
      return new ServiceError.ServiceUnavailable(fields)
    case 504:
      return new ServiceError.GatewayTimeout(fields)
    default:
      return new ServiceError.UnexpectedResponse({
        ...fields,
        reason: isRedirect(fields.status) ? "Redirect" : "Status"
      })
  }
}

/** Converts any answer outside 2xx: by its `code` first, then by its status, then by its message. Never throws. */
export const fromAnswer = (answer: FailedAnswer): ServiceError.ServiceError => {
  const body = Either.getOrUndefined(parseJson(answer.text))
  const said = read({ ...answer, redact: undefined }, body)
  const wait = retryAfter(answer.headers, body, said.error, answer.now)
  const kept: Fields = { ...read(answer, body), ...(wait !== undefined && { retryAfter: wait }) }
  return byCode({ said, kept }) ?? byStatus({ said, kept })
}
