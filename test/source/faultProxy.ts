/** A server in front of another that passes requests on, counts them, and fails where it is told. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"

/** What a request gets instead of its answer: a status, or a connection that breaks after so many bytes of the answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly breakAfter: number }

export interface FaultProxy {
  readonly endpoint: string
  /** Requests so far, as method and path with its query. */
  readonly requests: Array<string>
  /** Asked for each request; undefined passes it on. */
  fault: (line: string) => Fault | undefined
}

const forwarded = (target: URL, asked: IncomingMessage, answer: ServerResponse, limit: number): void => {
  const { headers, method, url } = asked
  const onward = request({ host: target.hostname, port: target.port, method, path: url, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers)
    let left = limit
    found.on("data", (part: Buffer) => {
      answer.write(part.subarray(0, Math.max(0, left)))
      left -= part.length
      if (left < 0) answer.destroy()
    })
    found.on("end", () => answer.end())
  })
  onward.on("error", () => answer.destroy())
  asked.pipe(onward)
}

const passes: FaultProxy["fault"] = () => undefined

/** The host of a request is kept, so that its signature holds. */
export const scoped = (endpoint: string): Effect.Effect<FaultProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const proxy = { endpoint: "", requests: new Array<string>(), fault: passes }
      const server = createServer((asked, answer) => {
        const line = `${asked.method} ${asked.url}`
        proxy.requests.push(line)
        const fault = proxy.fault(line)
        if (fault === undefined || "breakAfter" in fault) {
          return forwarded(new URL(endpoint), asked, answer, fault?.breakAfter ?? Infinity)
        }
        answer.writeHead(fault.status, fault.headers).end()
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      proxy.endpoint = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
      return { proxy, server }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise((resolve) => {
            server.close(resolve)
            server.closeAllConnections()
          })
      )
  ).pipe(Effect.map(({ proxy }): FaultProxy => proxy))
