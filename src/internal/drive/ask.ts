/** Requests to a service in the name of a user: JSON answers, and bytes that another host may give. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SourceUnavailable } from "../../Source.ts"
import { brokeOff } from "../objects/answers.ts"
import { beginning, dismissed, send } from "../objects/requests.ts"
import type { Get, Service } from "./service.ts"
import type { Tokens } from "./tokens.ts"

export interface Ask {
  readonly get: Get
  /** Follows the service to another host, which does not get the token. */
  readonly bytes: (
    address: string,
    headers: Readonly<Record<string, string>>
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, SourceUnavailable>
}

const Refusal = Schema.parseJson(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))

/** What a service says of a refusal, in brackets. */
export const words = (text: string): string =>
  Option.match(Schema.decodeUnknownOption(Refusal)(text), {
    onNone: () => "",
    onSome: ({ error }) => ` (${error.message})`
  })

/** A client that takes a refusal that asks to slow down for one. */
const throttling = (client: HttpClient.HttpClient, isThrottled: (text: string) => boolean): HttpClient.HttpClient =>
  HttpClient.transformResponse(
    client,
    Effect.flatMap((answer) =>
      answer.status === 403
        ? Effect.map(beginning(answer), (text) => {
            const after = answer.headers["retry-after"]
            const status = isThrottled(text) ? 429 : 403
            const headers = after === undefined ? {} : { "retry-after": after }
            return HttpClientResponse.fromWeb(answer.request, new Response(text, { status, headers }))
          })
        : Effect.succeed(answer)
    )
  )

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const mostRedirects = 3

const stalled = "60 seconds"

const isSafe = (from: string, to: string | undefined): to is string =>
  to !== undefined && URL.canParse(to) && (to.startsWith("https://") || !from.startsWith("https://"))

export const make = (
  service: Service,
  source: string,
  tokens: Tokens
): Effect.Effect<Ask, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (given): Ask => {
    const { isThrottled, needs, origin } = service
    const client = isThrottled === undefined ? given : throttling(given, isThrottled)
    const failed = (reason: SourceUnavailable["reason"], problem: string, status?: number) =>
      new SourceUnavailable({ source, reason, problem, ...(status !== undefined && { status }) })

    const refused = (status: number, text: string): SourceUnavailable => {
      if (status === 401 || status === 403) return failed("Denied", `may not be read${words(text)}; ${needs}`, status)
      return status === 404
        ? failed("Missing", `there is no such drive or folder; check the address${words(text)}`, status)
        : failed("Invalid", `a request was answered with ${status}${words(text)}`, status)
    }

    const sent = (address: string, headers: Readonly<Record<string, string>>) =>
      Effect.provideService(
        send({ source, origin: new URL(address).origin }, Effect.succeed(HttpClientRequest.get(address, { headers }))),
        HttpClient.HttpClient,
        client
      )

    const authorized = (address: string, headers: Readonly<Record<string, string>>) =>
      Effect.gen(function* () {
        if (!URL.canParse(address) || new URL(address).origin !== origin) {
          return yield* failed("Invalid", "an answer leads to another host; run again later")
        }
        const withToken = (token: string) => sent(address, { ...headers, authorization: `Bearer ${token}` })
        const token = yield* tokens.current
        const answer = yield* withToken(token)
        if (answer.status !== 401) return answer
        const next = yield* tokens.after(token)
        if (next === null) return answer
        yield* dismissed(answer)
        return yield* withToken(next)
      })

    const followed = (
      answer: HttpClientResponse.HttpClientResponse,
      from: string,
      headers: Readonly<Record<string, string>>,
      left: number
    ): Effect.Effect<HttpClientResponse.HttpClientResponse, SourceUnavailable> =>
      Effect.gen(function* () {
        if (!redirects.has(answer.status)) return answer
        yield* dismissed(answer)
        const { location } = answer.headers
        if (left === 0 || !isSafe(from, location)) return yield* failed("Invalid", "the bytes are at no address")
        return yield* followed(yield* sent(location, headers), location, headers, left - 1)
      })

    /** A text in that form; null for one that broke off. */
    const text = (address: string) =>
      Effect.gen(function* () {
        const answer = yield* authorized(address, {})
        if (answer.status !== 200) return yield* refused(answer.status, yield* beginning(answer))
        return yield* Effect.orElseSucceed(Effect.timeout(answer.text, stalled), () => "")
      })

    return {
      get: (address, form) => {
        const decode = Schema.decodeUnknownOption(Schema.parseJson(form))
        const read = Effect.map(text(address), (found) => ({ isEmpty: found.trim() === "", value: decode(found) }))
        return Effect.flatMap(
          Effect.repeat(read, { times: 2, while: ({ value }) => Option.isNone(value) }),
          ({ isEmpty, value }) =>
            Option.match(value, {
              onNone: () =>
                isEmpty
                  ? brokeOff(source)()
                  : failed("Invalid", "an answer cannot be read; check the address, or run again later"),
              onSome: Effect.succeed
            })
        )
      },
      bytes: (address, headers) =>
        Effect.flatMap(authorized(address, headers), (answer) => followed(answer, address, headers, mostRedirects))
    }
  })
