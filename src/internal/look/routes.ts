/** The page of the server and its calls, see `messages.ts`. */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { stalled } from "../server/bodyPieces.ts"
import * as jsonBody from "../server/jsonBody.ts"
import type { Desk } from "./desk.ts"
import type { Caller, Host } from "./host.ts"
import * as ownPages from "./ownPages.ts"
import type * as pageFiles from "./pageFiles.ts"
import { widthOf } from "./pictures.ts"
import * as Refused from "./refused.ts"
import type { Store } from "./store.ts"

/** Largest body of a call, uploads excepted. */
const maxBodyBytes = 1_048_576

/** No script, style, picture or connection but the server's own; nobody frames the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const strict = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin"
} as const

interface Call {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly parameters: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Refused.Refused, Scope.Scope>

const json = (body: unknown, status = 200) =>
  Effect.orDie(HttpServerResponse.json(body, { status, headers: { "cache-control": "no-store" } }))

/** Sends what the effect gives. */
const sending = <R>(body: Effect.Effect<unknown, Refused.Refused, R>, status = 200) =>
  Effect.flatMap(body, (found) => json(found, status))

const refusal = ({ body, retryAfter, status }: Refused.Refused) =>
  Effect.map(json(body, status), (response) =>
    retryAfter === undefined
      ? response
      : HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(retryAfter / 1000)))
  )

/** Runs a call; every answer has the strict headers. */
const running = (
  call: (call: Call) => Answer,
  refused: (refusal: Refused.Refused) => Effect.Effect<HttpServerResponse.HttpServerResponse>
) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const at = request.url.indexOf("?")
    const query = new URLSearchParams(at < 0 ? "" : request.url.slice(at))
    return yield* call({ request, parameters: yield* HttpRouter.params, query })
  }).pipe(
    Effect.catchAll(refused),
    Effect.map((response) => HttpServerResponse.setHeaders(response, strict))
  )

/** Runs a call of the server's own pages. */
const answered = (call: (call: Call) => Answer) =>
  running((made) => Effect.zipRight(ownPages.check(made.request), call(made)), refusal)

/** A file in the best coding that the client takes; 304 when it has the file already. */
const file = (request: HttpServerRequest.HttpServerRequest, found: pageFiles.PageFile): Answer =>
  Effect.sync(() => {
    const { headers } = request
    const caching = { etag: found.etag, "cache-control": "no-cache", vary: "accept-encoding" }
    if (headers["if-none-match"] === found.etag) return HttpServerResponse.empty({ status: 304, headers: caching })
    const taken = headers["accept-encoding"] ?? ""
    const coding = (["br", "gzip"] as const).find((name) => new RegExp(`\\b${name}\\b(?!;q=0)`, "iu").test(taken))
    return HttpServerResponse.uint8Array(coding === undefined ? found.plain : found[coding], {
      contentType: found.type,
      headers: { ...caching, ...(coding !== undefined && { "content-encoding": coding }) }
    })
  })

const picture = (
  request: HttpServerRequest.HttpServerRequest,
  etag: string,
  draw: Effect.Effect<Uint8Array, Refused.Refused>
): Answer => {
  const caching = { etag, "cache-control": "private, no-cache", vary: "authorization" }
  return request.headers["if-none-match"] === etag
    ? Effect.succeed(HttpServerResponse.empty({ status: 304, headers: caching }))
    : Effect.map(draw, (png) => HttpServerResponse.uint8Array(png, { contentType: "image/png", headers: caching }))
}

const pageOf = (text: string | undefined): Effect.Effect<number, Refused.Refused> =>
  text !== undefined && /^[1-9]\d{0,6}$/u.test(text)
    ? Effect.succeed(Number(text))
    : Refused.make("NoSuchPage", "Pages are numbered from 1.")

const boxOf = (text: string | undefined): Effect.Effect<number, Refused.Refused> =>
  text !== undefined && /^(?:0|[1-9]\d{0,6})$/u.test(text)
    ? Effect.succeed(Number(text))
    : Refused.make("FigureUnknown", "Figures are named by the position of their box, from 0.")

const id = ({ parameters }: Call): string => parameters["id"] ?? ""

export interface Parts {
  readonly host: Host
  readonly desk: Desk
  readonly files: pageFiles.PageFiles
  /** The store that can be asked. */
  readonly store: Store | undefined
  /** The page begins with its search. */
  readonly searches: boolean
}

/** All routes of the page, in one table. */
export const make = ({ desk, files, host, searches, store }: Parts) => {
  const called = (run: (call: Call, caller: Caller) => Answer) =>
    answered((call) =>
      Effect.flatMap(Effect.mapError(host.identify(call.request), Refused.ofService), (caller) => run(call, caller))
    )
  const bodyOf = ({ request }: Call) =>
    Effect.mapError(
      jsonBody.read(request, { maxBytes: maxBodyBytes, watch: stalled(host.idleTimeout) }),
      Refused.ofService
    )
  /** Answers with what is made of the body of the request. */
  const reading = (call: Call, use: (body: unknown) => Effect.Effect<unknown, Refused.Refused>) =>
    sending(Effect.flatMap(bodyOf(call), use))
  const asked = (run: (store: Store, call: Call, caller: Caller) => Answer) =>
    called((call, caller) =>
      store === undefined
        ? Refused.make("NoStore", "This server was started without a store to ask.")
        : run(store, call, caller)
    )
  /** A picture of a part of a hit's document, which no client keeps. */
  const pictured = (draw: (store: Store, call: Call, caller: Caller) => Effect.Effect<Uint8Array, Refused.Refused>) =>
    asked((from, call, caller) =>
      caller.zeroDataRetention
        ? Refused.make("NoPictures", "The plan of this key allows no pictures.")
        : Effect.map(draw(from, call, caller), (png) =>
            HttpServerResponse.uint8Array(png, { contentType: "image/png", headers: { "cache-control": "no-store" } })
          )
    )
  const pictureAt = (call: Call) =>
    Effect.map(pageOf(call.parameters["page"]), (page) => {
      const width = widthOf(call.query.get("width"))
      return { page, width, etag: `"${id(call)}-${page}-${width}"` }
    })

  return HttpRouter.empty.pipe(
    HttpRouter.get(
      "/",
      openly(({ request }) =>
        Effect.flatMap(files.read(searches ? "search.html" : "index.html"), (found) => file(request, found))
      )
    ),
    HttpRouter.get(
      "/_look/settings",
      answered(({ request }) =>
        sending(
          Effect.flatMap(Effect.option(host.identify(request)), (caller) =>
            desk.settings(Option.getOrUndefined(caller))
          )
        )
      )
    ),
    HttpRouter.post(
      "/_look/documents",
      called(({ query, request }, caller) => sending(desk.receive(request, query.get("name") ?? "", caller), 201))
    ),
    HttpRouter.post(
      "/_look/samples/:name",
      called(({ parameters }, caller) => sending(desk.sample(parameters["name"] ?? "", caller), 201))
    ),
    HttpRouter.post(
      "/_look/documents/:id/parse",
      called((call, caller) => reading(call, (body) => desk.parse(id(call), body, caller)))
    ),
    HttpRouter.get(
      "/_look/documents/:id/progress",
      called((call, caller) => sending(desk.progress(id(call), caller)))
    ),
    HttpRouter.post(
      "/_look/documents/:id/chunks",
      called((call, caller) => reading(call, (body) => desk.chunks(id(call), body, caller)))
    ),
    HttpRouter.post(
      "/_look/documents/:id/lines",
      called((call, caller) =>
        Effect.map(
          Effect.flatMap(bodyOf(call), (body) => desk.lines(id(call), body, caller)),
          (lines) =>
            HttpServerResponse.text(lines, {
              contentType: "application/x-ndjson",
              headers: { "cache-control": "no-store" }
            })
        )
      )
    ),
    HttpRouter.get(
      "/_look/documents/:id/pages/:page",
      called((call, caller) =>
        Effect.flatMap(pictureAt(call), ({ etag, page, width }) =>
          desk.picture(id(call), page, caller, (draw) => picture(call.request, etag, draw(width)))
        )
      )
    ),
    HttpRouter.del(
      "/_look/documents/:id",
      called((call, caller) => Effect.as(desk.remove(id(call), caller), HttpServerResponse.empty({ status: 204 })))
    ),
    HttpRouter.post(
      "/_look/search",
      asked((from, call, caller) => reading(call, (body) => from.search(body, caller.owner)))
    ),
    HttpRouter.get(
      "/_look/hits/:id",
      asked((from, call, caller) => sending(from.view(id(call), caller.owner)))
    ),
    HttpRouter.get(
      "/_look/hits/:id/pages/:page",
      pictured((from, call, caller) =>
        Effect.flatMap(pictureAt(call), ({ page, width }) => from.picture(id(call), page, width, caller.owner))
      )
    ),
    HttpRouter.get(
      "/_look/hits/:id/figures/:box",
      pictured((from, call, caller) =>
        Effect.flatMap(boxOf(call.parameters["box"]), (box) =>
          from.figure(id(call), box, widthOf(call.query.get("width")), caller.owner)
        )
      )
    ),
    HttpRouter.get(
      "/_look/:file",
      openly(({ parameters, request }) =>
        Effect.flatMap(files.read(parameters["file"] ?? ""), (found) => file(request, found))
      )
    ),
    HttpRouter.all(
      "/_look/*",
      answered(() => Refused.make("NotFound", "The page has no such call."))
    )
  )
}

/** Runs a request for the page itself, which may be opened from anywhere. */
const openly = (call: (call: Call) => Answer) => running(call, inWords)

/** A refusal for somebody who opens the page. */
const inWords = ({ body, status }: Refused.Refused) =>
  Effect.succeed(
    HttpServerResponse.text(`${body.error.message}\n`, { status, headers: { "cache-control": "no-store" } })
  )
