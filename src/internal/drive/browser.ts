/** A sign-in by a browser of this machine, which brings its answer to a server on the loopback address (RFC 8252, RFC 7636). */
import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SourceUnavailable } from "../../Source.ts"

/** What the browser brought back. */
export interface Answer {
  /** Members of the request for tokens. */
  readonly parameters: Readonly<Record<string, string>>
  readonly error: string | null
}

export interface Waiting {
  /** Address that the user opens, short enough for a line of a terminal: it leads on to the service. */
  readonly address: string
  readonly answer: Effect.Effect<Answer>
}

const random = (bytes: number): string => randomBytes(bytes).toString("base64url")

const page = "<!doctype html><title>docsluice</title><p>That is done; close this page."

/** Waits for a browser until the scope ends. */
export const waiting = (
  title: string,
  { address, scope }: { readonly address: string; readonly scope: string },
  clientId: string
): Effect.Effect<Waiting, SourceUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const [start, state, verifier] = [random(9), random(32), random(32)]
    const url = new URL(address)
    let onAnswer: (query: URLSearchParams) => void = () => {}
    const answered = new Promise<URLSearchParams>((resolve) => {
      onAnswer = resolve
    })
    const server = createServer((request, response) => {
      const [path = "", query = ""] = request.url?.split("?") ?? []
      const parameters = new URLSearchParams(query)
      const isAnswer = parameters.get("state") === state
      const status = isAnswer ? 200 : path === `/${start}` ? 302 : 404
      response.writeHead(status, {
        "content-type": "text/html",
        connection: "close",
        ...(status === 302 && { location: url.href })
      })
      response.end(isAnswer ? page : "")
      if (isAnswer) onAnswer(parameters)
    })
    const port = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          new Promise<number>((resolve, reject) => {
            server.once("error", reject)
            server.listen(0, "127.0.0.1", () => resolve(portOf(server.address())))
          }),
        catch: (cause) =>
          new SourceUnavailable({
            source: title,
            reason: "Failed",
            problem: "its sign-in cannot be answered on 127.0.0.1; let this process listen there",
            cause
          })
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const redirect = `http://127.0.0.1:${port}`
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirect,
      response_type: "code",
      scope,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      access_type: "offline",
      prompt: "consent"
    }).toString()
    const answer = Effect.map(
      Effect.promise(() => answered),
      (query): Answer => ({
        error: query.get("error"),
        parameters: {
          grant_type: "authorization_code",
          code: query.get("code") ?? "",
          code_verifier: verifier,
          redirect_uri: redirect
        }
      })
    )
    return { address: `${redirect}/${start}`, answer }
  })

const portOf = (address: string | AddressInfo | null): number =>
  typeof address === "object" && address !== null ? address.port : 0
