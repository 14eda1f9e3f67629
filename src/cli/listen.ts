/** The server of `docsluice serve`. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as nodeHttpServer from "../internal/server/nodeHttpServer.ts"
import * as Embedded from "../service/Embedded.ts"
import * as Server from "../service/Server.ts"

export interface Options {
  readonly host: string
  /** Port; 0 takes a free one. */
  readonly port: number
  readonly keys: ReadonlyArray<Redacted.Redacted>
  readonly allowHosts: ReadonlyArray<string>
  readonly cors: ReadonlyArray<string>
  /** Time in milliseconds that requests in flight have when the server stops. */
  readonly grace: number
  /** Folder for large uploads; undefined for the system's temporary one. */
  readonly spool: string | undefined
  /** Called with the port once requests are accepted. */
  readonly listening: (port: number) => Effect.Effect<void>
}

export const listen = ({ host, listening, port, ...served }: Options): Layer.Layer<never, ServeError> => {
  const announced = Layer.effectDiscard(
    Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
      listening(address._tag === "TcpAddress" ? address.port : port)
    )
  )
  return Layer.merge(Server.layer(served), announced).pipe(
    Layer.provide(Embedded.engine),
    Layer.provide(NodeHttpServer.layer(nodeHttpServer.make, { port, host }))
  )
}
