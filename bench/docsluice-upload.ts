import { join } from "node:path"
import * as Discovery from "docsluice/Discovery"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

interface Uploads {
  readonly base: string
  readonly key: string
  readonly folder: string
  readonly names: ReadonlyArray<string>
  readonly concurrency: number
  /** `own`: this package's transport; `platform`: the platform's. */
  readonly transport: "own" | "platform"
}

/** The platform's transport is loaded only where it is measured. */
const transports = {
  own: async () => UndiciHttpClient.layer(),
  platform: async () => (await import("@effect/platform-node/NodeHttpClient")).layerUndici
} as const

/** Parses all files with this package's client. A separate module, so that the peers' processes do not load it. */
export const uploadAll = async (uploads: Uploads): Promise<void> => {
  const transport = await transports[uploads.transport]()
  return Effect.gen(function* () {
    const client = yield* Client.Client
    const upload = (path: string) =>
      Effect.flatMap(Discovery.file(join(uploads.folder, path)), (file) => client.parse(file, {}))
    yield* Effect.forEach(uploads.names, upload, { concurrency: uploads.concurrency, discard: true })
  }).pipe(
    Effect.provide(
      Client.layer({ baseUrl: uploads.base, apiKey: Redacted.make(uploads.key) }).pipe(
        Layer.provide([RequestGate.layer({ concurrency: uploads.concurrency }), transport])
      )
    ),
    Effect.runPromise
  )
}
