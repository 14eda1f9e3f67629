/** The server of `docsluice serve`. */
import { join } from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { FileSystem } from "@effect/platform/FileSystem"
import * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as nodeHttpServer from "../internal/server/nodeHttpServer.ts"
import * as PageCounter from "../PageCounter.ts"
import * as Accounts from "../service/Accounts.ts"
import * as AuditLog from "../service/AuditLog.ts"
import * as Embedded from "../service/Embedded.ts"
import type * as KeyFile from "../service/KeyFile.ts"
import * as Server from "../service/Server.ts"
import * as ModelTarget from "./ModelTarget.ts"
import type { UsageError } from "./UsageError.ts"

/** Who may call, with which limits. */
export type Callers = Pick<Server.SharedOptions, "keys" | "rate" | "concurrency" | "credits"> | KeyFile.KeyFile

export interface Options {
  readonly host: string
  /** Port; 0 takes a free one. */
  readonly port: number
  readonly callers: Callers
  /** Folder for spent credits. */
  readonly state: string
  readonly model: string | undefined
  /** Tokens that the model takes at a time. */
  readonly modelContext: number | undefined
  readonly allowHosts: ReadonlyArray<string>
  readonly cors: ReadonlyArray<string>
  /** Time in milliseconds that requests in flight have when the server stops. */
  readonly grace: number
  /** Folder for large uploads; undefined for the system's temporary one. */
  readonly spool: string | undefined
  /** Called with the port once requests are accepted. */
  readonly listening: (port: number) => Effect.Effect<void>
}

/** Opens neither the state nor a page counter where no credits are counted. */
const credited = (callers: Callers, state: string): Layer.Layer<never, Accounts.AccountsError> => {
  const limited =
    "version" in callers ? callers.keys.some(({ credits }) => credits !== undefined) : callers.credits !== undefined
  return limited ? Layer.merge(Accounts.layer(join(state, "serve")), PageCounter.layer) : Layer.empty
}

const audited = (callers: Callers): Layer.Layer<never, AuditLog.AuditLogError, FileSystem> =>
  "version" in callers && callers.audit !== undefined ? AuditLog.layer(callers.audit) : Layer.empty

export const listen = ({
  callers,
  host,
  listening,
  model,
  modelContext,
  port,
  state,
  ...served
}: Options): Layer.Layer<
  never,
  ServeError | UsageError | Accounts.AccountsError | AuditLog.AuditLogError,
  FileSystem
> => {
  const announced = Layer.effectDiscard(
    Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
      listening(address._tag === "TcpAddress" ? address.port : port)
    )
  )
  const engine =
    model === undefined
      ? Embedded.engine
      : ModelTarget.engine(model, { contextTokens: modelContext, environment: process.env })
  const options = "version" in callers ? { ...served, plans: callers.keys } : { ...served, ...callers }
  return Layer.merge(Server.layer(options), announced).pipe(
    Layer.provide(NodeHttpServer.layer(nodeHttpServer.make, { port, host })),
    Layer.provide([engine, credited(callers, state), audited(callers)])
  )
}
