/** Addresses of folders on WebDAV servers, `webdav:https://HOST/PATH`, and what may be sent to them. */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { isLoopback } from "../base/loopback.ts"
import type { Environment } from "../objects/environment.ts"

/** A folder, and the header that lets its server answer. */
export interface Place {
  /** Its address, with a slash at its end. */
  readonly url: string
  /** Name of the root without one of its own: the folder's, or the host of the topmost one. */
  readonly name: string
  /** Value of `authorization`; undefined where nothing is sent. */
  readonly authorization: Redacted.Redacted | undefined
}

/** What a server asks for. */
export type Credentials =
  | { readonly user: string; readonly password: Redacted.Redacted }
  | { readonly token: Redacted.Redacted }

/** Credentials of the environment: a token, or a user with a password. */
const ofEnvironment = ({
  WEBDAV_PASSWORD: password,
  WEBDAV_TOKEN: token,
  WEBDAV_USER: user
}: Environment): Credentials | undefined => {
  if (token) return { token: Redacted.make(token) }
  return user ? { user, password: Redacted.make(password ?? "") } : undefined
}

const authorizationOf = (credentials: Credentials): Redacted.Redacted => {
  if ("token" in credentials) return Redacted.make(`Bearer ${Redacted.value(credentials.token)}`)
  const pair = `${credentials.user}:${Redacted.value(credentials.password)}`
  return Redacted.make(`Basic ${Buffer.from(pair).toString("base64")}`)
}

const problemOf = (url: URL): string | undefined => {
  if (url.username !== "" || url.password !== "") {
    return "it holds a user or a password; keep these in WEBDAV_USER and WEBDAV_PASSWORD"
  }
  return url.search === "" && url.hash === "" ? undefined : "a path has no ? and no #; write %3F and %23 for them"
}

const nameOf = ({ host, pathname }: URL): string => {
  const last = pathname.split("/").findLast((segment) => segment !== "")
  if (last === undefined) return host
  try {
    return decodeURIComponent(last).replaceAll("/", " ")
  } catch {
    return last
  }
}

/** Parses an address; the problem in words on the left. Credentials are sent over https, or to this machine. */
export const parse = (
  address: string,
  given: Credentials | "anonymous" | undefined,
  environment: Environment
): Either.Either<Place, string> => {
  const [, text = ""] = /^webdav:(https?:\/\/.+)$/isu.exec(address) ?? []
  if (!URL.canParse(text)) return Either.left("expected webdav:https://HOST/PATH")
  const url = new URL(text)
  const problem = problemOf(url)
  if (problem !== undefined) return Either.left(problem)
  const credentials = given === "anonymous" ? undefined : (given ?? ofEnvironment(environment))
  if (credentials !== undefined && url.protocol === "http:" && !isLoopback(url.hostname)) {
    return Either.left("credentials are sent over https only; give its address with https://")
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return Either.right({
    url: url.href,
    name: nameOf(url),
    authorization: credentials === undefined ? undefined : authorizationOf(credentials)
  })
}
