import { SourceUnavailable } from "../../Source.ts"
import type { Place } from "./place.ts"

/** A problem of the mailbox that this package found. */
export class MailboxProblem extends Error {
  readonly reason: SourceUnavailable["reason"]

  constructor(reason: SourceUnavailable["reason"], problem: string) {
    super(problem)
    this.reason = reason
  }
}

const textOf = (cause: unknown, member: string): string => {
  const value: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, member) : undefined
  return typeof value === "string" ? value : ""
}

type Meaning = readonly [reason: SourceUnavailable["reason"], problem: string]

/** Response codes of a server that cannot let anybody in now. */
const busy = /^(?:UNAVAILABLE|LIMIT|INUSE|SERVERBUG)$/u

const byCode: ReadonlyArray<readonly [RegExp, Meaning]> = [
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/u,
    [
      "Invalid",
      "its certificate is not trusted; name the file of the authority's certificate in NODE_EXTRA_CA_CERTS, or the host as the certificate has it"
    ]
  ],
  [/^(?:ERR_SSL|EPROTO)/u, ["Invalid", "the port speaks no TLS; give imap://, or the port of TLS"]],
  [/^(?:ENOTFOUND|EAI_)/u, ["Unreachable", "there is no such host; check the address and the network"]],
  [/TIMEOUT|^ETIMEDOUT$/u, ["Timeout", "the server does not answer; check the address, or run again later"]],
  [/^ETHROTTLE$/u, ["Throttled", "the server throttles requests; run again later"]],
  [
    /^(?:ECONN|EPIPE|EHOST|ENET|NoConnection|EConnectionClosed|StateLogout|ClosedAfter)/u,
    ["Unreachable", "the server cannot be reached, or ended the connection; check the address, or run again later"]
  ]
]

const meaningOf = (cause: unknown, { secure, user }: Place): Meaning => {
  const words = cause instanceof Error ? cause.message : String(cause)
  const said = (textOf(cause, "responseText") || textOf(cause, "response") || words).trim().replace(/\.$/u, "")
  const known = byCode.find(([pattern]) => pattern.test(textOf(cause, "code")))?.[1]
  if (cause instanceof MailboxProblem) return [cause.reason, words]
  if (cause instanceof Error && Reflect.get(cause, "authenticationFailed") === true) {
    return busy.test(textOf(cause, "serverResponseCode"))
      ? ["Throttled", `the server lets nobody in now (${said}); run again later`]
      : [
          "Denied",
          `the server refuses ${user} or the password (${said}); set IMAP_PASSWORD, to a password for programs where the provider gives these, or IMAP_ACCESS_TOKEN`
        ]
  }
  if (textOf(cause, "serverResponseCode") === "NOPERM")
    return ["Denied", `the server does not let ${user} read it (${said})`]
  if (/authentication mechanism/iu.test(words)) {
    return [
      "Denied",
      "the server takes no such sign-in; set IMAP_ACCESS_TOKEN instead of IMAP_PASSWORD, or the other way round"
    ]
  }
  if (known !== undefined) return known
  if (!secure && /STARTTLS/iu.test(words)) {
    return [
      "Denied",
      "the server starts no TLS, and a password is not sent without; give imaps:// with the port of TLS"
    ]
  }
  return ["Failed", `the server failed: ${said}`]
}

/** The error of a mailbox as a whole. Causes are left out, since they may hold what was sent. */
export const unusable =
  (source: string, place: Place) =>
  (cause: unknown): SourceUnavailable => {
    const [reason, problem] = meaningOf(cause, place)
    return new SourceUnavailable({ source, reason, problem })
  }
