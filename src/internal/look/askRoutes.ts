/** Routes of questions to a store: see the table of `messages.ts`. */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as jsonBody from "../server/jsonBody.ts"
import type { Ask } from "./ask.ts"
import { type AskError, QueryRefused, refusal } from "./askError.ts"

export interface Options {
  readonly ask: Ask
  /** Name of the caller of the request, whose hits nobody else sees; fails with the answer to one who may not call. */
  readonly caller: Effect.Effect<string, HttpServerResponse.HttpServerResponse, HttpServerRequest.HttpServerRequest>
  readonly idleTimeout: Duration.DurationInput
}

/** Most bytes of a question. */
const maxBytes = 64 * 1024

/** Pixels of a picture; another width is taken for the nearest. */
const widths = { least: 16, most: 4000, usual: 1000 } as const

/** Width that a request asks for. */
const widthOf = (url: string): number => {
  const asked = new URL(url, "http://localhost").searchParams.get("width")
  const width = asked === null || asked.trim() === "" ? widths.usual : Number(asked)
  return Number.isFinite(width) ? Math.min(widths.most, Math.max(widths.least, Math.round(width))) : widths.usual
}

const refused = (error: AskError): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, status } = refusal(error)
  return Effect.orDie(HttpServerResponse.json(body, { status }))
}

const picture = (png: Uint8Array): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(png, { contentType: "image/png", headers: { "cache-control": "no-store" } })

export const make = ({ ask, caller, idleTimeout }: Options) => {
  const answered = <R>(
    call: (
      name: string,
      request: HttpServerRequest.HttpServerRequest,
      parameters: { readonly id: string; readonly page: string }
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, AskError, R>
  ) =>
    Effect.gen(function* () {
      const name = yield* caller
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "", page = "" } = yield* HttpRouter.params
      return yield* Effect.catchAll(call(name, request, { id, page }), refused)
    }).pipe(Effect.catchAll(Effect.succeed))

  return HttpRouter.empty.pipe(
    HttpRouter.post(
      "/_look/search",
      answered((name, request) =>
        jsonBody.read(request, { maxBytes, idleTimeout }).pipe(
          Effect.mapError((error) => new QueryRefused({ problem: `The request cannot be read: ${error.error}.` })),
          Effect.flatMap((body) => ask.search(body, name)),
          Effect.flatMap((found) => Effect.orDie(HttpServerResponse.json(found)))
        )
      )
    ),
    HttpRouter.get(
      "/_look/hits/:id",
      answered((name, _, { id }) =>
        Effect.flatMap(ask.view(id, name), (view) => Effect.orDie(HttpServerResponse.json(view)))
      )
    ),
    HttpRouter.get(
      "/_look/hits/:id/pages/:page",
      answered((name, { url }, { id, page }) => Effect.map(ask.picture(id, Number(page), widthOf(url), name), picture))
    )
  )
}
