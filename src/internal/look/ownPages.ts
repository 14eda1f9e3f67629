/** Requests that a page of another server could have made are refused: nobody's browser calls this server for a stranger. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Refused from "./refused.ts"

/** Types of bodies that any page may send to any server without being asked for permission; so may it a body without a type. */
const simple = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/iu

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * A browser names the page that calls in `Origin`, and in `Sec-Fetch-Site` its relation to this server; it must be the server's own page.
 * A caller that is no browser names none: then a call that changes something must have a body of a type that no form can send.
 */
export const check = ({
  headers,
  method
}: HttpServerRequest.HttpServerRequest): Effect.Effect<void, Refused.Refused> => {
  const { host, origin } = headers
  const site = headers["sec-fetch-site"]
  const refused = Refused.make("ForeignPage", "Only the server's own page may make this call.")
  if (origin !== undefined) {
    return hostOf(origin.toLowerCase()) === host?.toLowerCase() && origin !== "null" ? Effect.void : refused
  }
  if (site !== undefined && site !== "same-origin" && site !== "none") return refused
  if (method !== "POST" || site === "same-origin") return Effect.void
  const type = headers["content-type"]
  return type === undefined || simple.test(type.trim()) ? refused : Effect.void
}
