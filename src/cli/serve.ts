/** `docsluice serve`: the embedded service over HTTP. */
import * as Command from "@effect/cli/Command"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as nodeHttpServer from "../internal/nodeHttpServer.ts"
import * as Embedded from "../service/Embedded.ts"
import * as Server from "../service/Server.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as flags from "./flags.ts"
import * as Secret from "./Secret.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const config = {
  port: flags.port.options,
  host: flags.host.options,
  apiKeys: flags.apiKeys.options,
  json: flags.json.options,
  quiet: flags.quiet.options
}

export const spellings = [flags.port, flags.host, flags.apiKeys, flags.json, flags.quiet]

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i

export const command = Command.make("serve", config, ({ apiKeys, host, json, port }) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    if (apiKeys.length === 0 && !loopback.test(host)) {
      return yield* new UsageError({ problem: `--host ${host} is no loopback address: give an --api-key` })
    }
    const keys = yield* Effect.forEach(apiKeys, (key) => Secret.read("api-key", key))
    const listening = Layer.effectDiscard(
      Effect.flatMap(HttpServer.HttpServer, ({ address }) => {
        const base = `http://${spelled(host)}:${address._tag === "TcpAddress" ? address.port : port}/v2`
        return terminal.result(json ? JSON.stringify({ base }) : `listening on ${base}`)
      })
    )
    const server = Layer.merge(Server.layer({ keys }), listening).pipe(
      Layer.provide(Embedded.engine),
      Layer.provide(NodeHttpServer.layer(nodeHttpServer.make, { port, host }))
    )
    return yield* Layer.launch(server)
  }).pipe(
    Effect.catchTags({
      UsageError: (error) => Effect.zipRight(Failure.report(error), ExitStatus.set(64)),
      ServeError: (error) =>
        Effect.zipRight(
          Failure.report({ _tag: "ServeError", message: `cannot listen on ${host}:${port}: ${reason(error.cause)}` }),
          ExitStatus.set(2)
        )
    })
  )
).pipe(
  Command.withDescription(
    "Serves the embedded service until interrupted; without --api-key any key or none is taken, on loopback addresses only. Example: docsluice serve --port 8787"
  )
)

const spelled = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host)

const reason = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "the address cannot be used"
