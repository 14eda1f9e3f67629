/** The server of `docsluice serve`. */
import { join } from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { FileSystem } from "@effect/platform/FileSystem"
import * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ReadOnlyCorpus } from "../Corpus.ts"
import type { OptionError } from "../internal/base/optionError.ts"
import * as PageCounter from "../internal/base/pageCounter.ts"
import * as Look from "../internal/look/look.ts"
import * as AuditLog from "../internal/server/auditLog.ts"
import type * as KeyFile from "../internal/server/keyFile.ts"
import * as nodeHttpServer from "../internal/server/nodeHttpServer.ts"
import * as Accounts from "../service/Accounts.ts"
import * as AgentJobs from "../service/AgentJobs.ts"
import * as Embedded from "../service/Embedded.ts"
import * as Server from "../service/Server.ts"
import type { FileError } from "../SourceFile.ts"
import * as ModelTarget from "./ModelTarget.ts"

/** Who may call, with which limits. */
export type Callers = Pick<Server.SharedOptions, "keys" | "rate" | "concurrency" | "credits"> | KeyFile.KeyFile

export interface Options {
  readonly host: string
  /** Port; 0 takes a free one. */
  readonly port: number
  readonly callers: Callers
  /** Folder for spent credits and agent jobs. */
  readonly state: string
  /** The model; with a store for agent jobs, or without. */
  readonly model: { readonly model: ModelTarget.Model; readonly agentStore?: ReadOnlyCorpus | undefined } | undefined
  /** Languages in which scans are read; undefined for all that are installed. */
  readonly ocrLanguages: ReadonlyArray<string> | undefined
  readonly allowHosts: ReadonlyArray<string>
  readonly cors: ReadonlyArray<string>
  /** Time in milliseconds that requests in flight have when the server stops. */
  readonly grace: number
  /** Folder for large uploads; undefined for the system's temporary one. */
  readonly spool: string | undefined
  /** The page at `/`; undefined for none. */
  readonly page: Look.Options | undefined
  /** Called with the server's address, without a path, once requests are accepted. */
  readonly listening: (address: string) => Effect.Effect<void>
}

/** Opens neither the state nor a page counter where no credits are counted. */
const credited = (callers: Callers, state: string): Layer.Layer<never, Accounts.AccountsError> => {
  const limited =
    "version" in callers ? callers.keys.some(({ credits }) => credits !== undefined) : callers.credits !== undefined
  return limited ? Layer.merge(Accounts.layer(join(state, "serve")), PageCounter.layer) : Layer.empty
}

const audited = (callers: Callers): Layer.Layer<never, AuditLog.AuditLogError, FileSystem> =>
  "version" in callers && callers.audit !== undefined ? AuditLog.layer(callers.audit) : Layer.empty

/** Agent jobs over the store, kept in a folder of their own next to the spent credits. */
const agents = (
  { agentStore, model }: NonNullable<Options["model"]>,
  state: string
): Layer.Layer<never, AgentJobs.AgentJobsError | OptionError> =>
  agentStore === undefined
    ? Layer.empty
    : AgentJobs.layer({ directory: join(state, "serve", "agent") }).pipe(
        Layer.provide(Embedded.layerAgentRunner({ ...model, corpus: agentStore })),
        Layer.provide(model.layer)
      )

const spelled = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host)

/** The address of a server, without a path. */
const baseOf = (host: string, port: number): string => `http://${spelled(host)}:${port}`

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there; give another --port",
  EADDRNOTAVAIL: "this machine has no such address; give another --host",
  EACCES: "this user may not; give a --port from 1024 on"
}

const reason = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "the address cannot be used"
  return reasons[code] ?? code
}

/** The report of a server that cannot take its address. */
const notListening = (host: string, port: number, { cause }: ServeError) => ({
  _tag: "ServeError" as const,
  message: `cannot listen on ${host}:${port}: ${reason(cause)}`
})

export const listen = ({
  callers,
  host,
  listening,
  model,
  ocrLanguages,
  page,
  port,
  state,
  ...served
}: Options): Layer.Layer<
  never,
  | ReturnType<typeof notListening>
  | OptionError
  | FileError
  | Accounts.AccountsError
  | AgentJobs.AgentJobsError
  | AuditLog.AuditLogError,
  FileSystem
> => {
  const announced = Layer.effectDiscard(
    Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
      listening(baseOf(host, address._tag === "TcpAddress" ? address.port : port))
    )
  )
  const languages = ocrLanguages === undefined ? Layer.empty : Embedded.layerOcrLanguages(ocrLanguages)
  const parsing = model === undefined ? Embedded.layerNative : ModelTarget.engine(model.model)
  const engine = Layer.provide(parsing, languages)
  const jobs = model === undefined ? Layer.empty : agents(model, state)
  const options = "version" in callers ? { ...served, plans: callers.keys } : { ...served, ...callers }
  // The address is told when the server answers at it, not before.
  return Layer.provide(announced, Server.layer(options)).pipe(
    Layer.provide(
      Layer.mapError(NodeHttpServer.layer(nodeHttpServer.make, { port, host }), (error) =>
        notListening(host, port, error)
      )
    ),
    Layer.provide([
      engine,
      jobs,
      credited(callers, state),
      audited(callers),
      page === undefined ? Layer.empty : Look.layer(page)
    ])
  )
}
