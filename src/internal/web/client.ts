/** Requests for documents and lists of the web: to public addresses, with redirects, tried again as those to object stores. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SourceUnavailable } from "../../Source.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import * as dispatchers from "../client/dispatcher.ts"
import { isPublic, literal, lookupPublic, PrivateAddress, refusalOf } from "../client/privateAddress.ts"
import * as proxies from "../client/proxies.ts"
import { make as fromDispatcher } from "../client/undiciHttp.ts"
import { dismissed, send } from "../objects/requests.ts"
import { problemOf } from "./place.ts"

/** Hosts of private addresses that may be asked, without ports; `*` stands for all. */
export type Allowed = ReadonlyArray<string>

export interface Web {
  /** Follows redirects. The answer's body has to be read. Fails with `Invalid` for an address that may not be asked. */
  readonly ask: (
    method: "GET" | "HEAD",
    url: string,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, SourceUnavailable>
}

const mostRedirects = 5

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const invalid = (source: string, problem: Message.Message): SourceUnavailable =>
  new SourceUnavailable({ source, reason: "Invalid", ...Message.problem(problem) })

const refused = (source: string, { host, message }: PrivateAddress): SourceUnavailable =>
  invalid(source, text`${message}; allow ${host} with the option ${option("allowPrivate")} if it is meant`)

const sent = { "accept-encoding": "identity", "user-agent": "docsluice" } as const

/** An address without its query, for messages. */
export const shown = (url: string): string => url.replace(/[?#].*$/su, "")

/** Where a redirect leads, or the reason why it is not followed. */
const next = (from: string, location: string | undefined): Effect.Effect<string, SourceUnavailable> => {
  if (location === undefined || !URL.canParse(location, from)) {
    return Effect.fail(invalid(shown(from), "it leads on to no address"))
  }
  const to = new URL(location, from)
  to.hash = ""
  return from.startsWith("https:") && to.protocol === "http:"
    ? Effect.fail(invalid(shown(from), "it leads from https to http, where anyone may change it"))
    : Effect.succeed(to.href)
}

/** Opens connections of its own, closed with the scope. */
export const make = (allowed: Allowed): Effect.Effect<Web, SourceUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const allows = (host: string): boolean => allowed.includes("*") || allowed.includes(host)
    const unusable = ({ variable }: proxies.Unusable) => invalid(variable, "it names no proxy; correct it, or unset it")
    const { http, https } = yield* Effect.mapError(proxies.read, unusable)
    const dispatcher = yield* Effect.mapError(
      dispatchers.later({
        connect: { lookup: lookupPublic(allows), timeout: 10_000 },
        keepAliveTimeout: 4000,
        maxHeaderSize: 65_536
      }),
      unusable
    )
    const client = fromDispatcher(dispatcher)

    const checked = (url: URL): Effect.Effect<void, SourceUnavailable> => {
      const source = shown(url.href)
      const problem = problemOf(url)
      if (problem !== null) return Effect.fail(invalid(`${url.protocol}//${url.host}`, problem))
      const address = literal(url.hostname)
      if (address !== null) {
        return isPublic(address) || allows(address) || allows(url.hostname)
          ? Effect.void
          : Effect.fail(refused(source, new PrivateAddress(address, address)))
      }
      // A proxy looks the name up itself, so that the connection shows nothing.
      if (http === "" && https === "") return Effect.void
      return Effect.flatMap(
        Effect.promise(() => refusalOf(url.hostname, allows)),
        (refusal) => (refusal === null ? Effect.void : Effect.fail(refused(source, refusal)))
      )
    }

    const ask = (
      method: "GET" | "HEAD",
      url: string,
      headers: Readonly<Record<string, string>>,
      left: number
    ): Effect.Effect<HttpClientResponse.HttpClientResponse, SourceUnavailable> =>
      Effect.gen(function* () {
        yield* checked(new URL(url))
        const request = HttpClientRequest.make(method)(url, { headers: { ...sent, ...headers } })
        const answer = yield* send({ source: shown(url), origin: new URL(url).origin }, Effect.succeed(request))
        if (!redirects.has(answer.status)) return answer
        yield* dismissed(answer)
        if (left === 0) return yield* invalid(shown(url), `it leads on more than ${mostRedirects} times`)
        return yield* ask(method, yield* next(url, answer.headers["location"]), headers, left - 1)
      }).pipe(Effect.provideService(HttpClient.HttpClient, client))

    return { ask: (method, url, headers = {}) => ask(method, url, headers, mostRedirects) }
  })
