/** `docsluice serve`: the embedded service over HTTP. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
    const base = (bound: number) => `http://${spelled(host)}:${bound}/v2`
    const listening = (bound: number) =>
      terminal.result(json ? JSON.stringify({ base: base(bound) }) : `listening on ${base(bound)}`)
    // The server's modules take a third of a second to load: no other command needs them.
    const { listen } = yield* Effect.promise(() => import("./listen.ts"))
    return yield* Layer.launch(listen({ host, port, keys, listening }))
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
