import { ConnectionFailed } from "../../service/ServiceError.ts"

type Reason = ConnectionFailed["reason"]

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  EHOSTDOWN: "refused",
  ENETUNREACH: "refused",
  ENETDOWN: "refused",
  EADDRNOTAVAIL: "refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  EPROTO: "tls",
  HOSTNAME_MISMATCH: "tls",
  PROXY: "refused",
  ERR_INVALID_URL: "address",
  UND_ERR_INVALID_ARG: "address"
}

/** Codes of TLS errors. OpenSSL's verification errors have no common prefix, only these. */
const tls = /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/

const reasonOf = (code: string): Reason | undefined => reasons[code] ?? (tls.test(code) ? "tls" : undefined)

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined

interface Found {
  readonly code: string | undefined
  readonly syscall: unknown
  readonly message: string
}

/** The transport's own error: the innermost one with a code, below wrappers and address lists. */
const innermost = (error: unknown, depth = 0): Found | undefined => {
  if (depth > 8 || typeof error !== "object" || error === null) return undefined
  const errors = member(error, "errors")
  const inner =
    innermost(member(error, "cause"), depth + 1) ??
    (Array.isArray(errors) ? innermost(errors[0], depth + 1) : undefined)
  if (inner?.code !== undefined) return inner
  const code = member(error, "code")
  const message = member(error, "message")
  const details = { syscall: member(error, "syscall"), message: typeof message === "string" ? message : "" }
  if (typeof code === "string") return { ...details, code }
  return inner ?? { ...details, code: undefined }
}

/** Node's error codes for compressed bytes that are damaged or cut off: those of zlib and of Brotli. */
const unpacking = /^(Z_[A-Z]+_ERROR$|ERR__ERROR_)/

/** True when every byte arrived and the transport could not decompress them: broken content, not a broken exchange. */
export const isUnpacking = (error: unknown): boolean => unpacking.test(innermost(member(error, "cause"))?.code ?? "")

/** Status with which a proxy refused a tunnel, or 407 for any request; undefined for any other failure. Undici names it in the message only. */
const refusedBy = (found: Found | undefined): number | undefined => {
  const status = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(found?.message ?? "")?.[1]
  return status === undefined ? undefined : Number(status)
}

/** A refusal (4xx) concerns every request alike, as an unusable address does; a proxy that cannot reach the host may do so later. */
const ofProxy = (status: number, host: string): ConnectionFailed =>
  new ConnectionFailed({
    reason: status < 500 && status !== 408 && status !== 429 ? "address" : "refused",
    code: "PROXY",
    ambiguous: false,
    address: host,
    error:
      status === 407
        ? "the proxy of the environment asks for a user and a password; give them in its address"
        : `the proxy of the environment refused the connection with status ${status}`
  })

/**
 * Converts a transport error. Keeps only its code and its own message, since the platform's error holds the request and with it the key.
 * `whole`: the transport had taken the last byte of the body.
 */
export const connectionFailed = (
  error: unknown,
  exchange: { readonly host: string; readonly whole: boolean; readonly redact: (text: string) => string }
): ConnectionFailed => {
  const cause = member(error, "cause")
  const found = innermost(cause)
  const refusal = refusedBy(found)
  if (refusal !== undefined) return ofProxy(refusal, exchange.host)
  const code = found?.code
  const reason = (code === undefined ? undefined : reasonOf(code)) ?? "reset"
  const connected =
    found?.syscall !== "connect" && code !== "UND_ERR_CONNECT_TIMEOUT" && (reason === "reset" || reason === "timeout")
  const invalid = member(error, "reason") === "InvalidUrl"
  return new ConnectionFailed({
    reason: invalid ? "address" : reason,
    ...(code === undefined ? {} : { code }),
    ambiguous: exchange.whole && connected && !invalid,
    address: exchange.host,
    error: exchange.redact(
      found === undefined || found.message === "" ? (code ?? "the connection broke") : found.message
    )
  })
}
