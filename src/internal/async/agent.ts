import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ArtifactSource from "../../ArtifactSource.ts"
import type { Summary } from "../../Outcome.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as RequestGate from "../../RequestGate.ts"
import * as Agent from "../../service/Agent.ts"
import * as AgentClient from "../../service/AgentClient.ts"
import * as AgentJobs from "../../service/AgentJobs.ts"
import * as Embedded from "../../service/Embedded.ts"
import * as SourceFile from "../../SourceFile.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import type { AgentEvent, AgentTrace } from "../client/agentEvent.ts"
import type { AgentRequest, Job, SnapshotText } from "../client/agentJob.ts"
import * as AsyncLoggers from "./logger.ts"
import * as AsyncModels from "./model.ts"
import type { IngestOptions } from "./options.ts"
import { ingest as ingestFiles, layers } from "./programs.ts"
import { iterable, promise } from "./promise.ts"

interface Common {
  /** Default: warnings and errors are written to stderr. */
  readonly logger?: AsyncLoggers.AsyncLogger | undefined
  /** Ends everything at once; a job that `run` or `result` has submitted is cancelled. */
  readonly signal?: AbortSignal | undefined
}

interface Remote extends Common {
  /** The service's base address. */
  readonly service: string
  /** Needed unless the service is on a loopback address. */
  readonly apiKey?: string | undefined
  /** Endpoints that the interface does not show; see `AgentClient.Paths`. */
  readonly paths?: AgentClient.Paths | undefined
  /** Sends every request, in place of a connection pool and the proxies of the environment. It is not closed. */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
  readonly layer?: undefined
}

interface Provided extends Common {
  /** A client of your own. */
  readonly layer: Layer.Layer<AgentClient.AgentClient, unknown>
  readonly service?: undefined
}

interface Here extends Common {
  /** Documents to answer from, as `Async.parse` gives them; held in memory with their chunks. */
  readonly documents: ReadonlyArray<ParsedDocument>
  readonly model: AsyncModels.AsyncModel
  /** Sends every request to the model, in place of a connection pool and the proxies of the environment. It is not closed. */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
  readonly service?: undefined
  readonly layer?: undefined
}

/** A service with agents, or documents and a model in this process, in a program without Effect. */
export type AgentOptions = Remote | Provided | Here

const here = ({ dispatcher, documents, model }: Here): Layer.Layer<AgentClient.AgentClient, unknown> =>
  Layer.unwrapEffect(
    Effect.map(AsyncModels.opened(model, dispatcher), ({ contextTokens, identity, layer }) =>
      Embedded.layerAgentClient().pipe(
        Layer.provide(AgentJobs.layerMemory()),
        Layer.provide(Embedded.layerAgentRunner({ documents, identity, contextTokens })),
        Layer.provide(layer)
      )
    )
  )

const layerOf = (options: AgentOptions): Layer.Layer<AgentClient.AgentClient, unknown> => {
  if (options.layer !== undefined) return options.layer
  if (options.service === undefined) return here(options)
  const { apiKey, dispatcher, paths, service } = options
  return AgentClient.layer({
    baseUrl: service,
    paths,
    ...(apiKey !== undefined && { apiKey: apiKey === "none" ? "none" : Redacted.make(apiKey) })
  }).pipe(Layer.provide([RequestGate.layer(), UndiciHttpClient.layer({ dispatcher })]))
}

/** A client that is built with the first call and shared by all. */
export interface Handle extends Common {
  readonly client: Effect.Effect<AgentClient.AgentClient.Service, unknown>
  /** Ends jobs in this process and closes connections. */
  readonly close: () => Promise<void>
}

/** Opens nothing before the first call. */
export const open = (options: AgentOptions): Handle => {
  const runtime = ManagedRuntime.make(Layer.provide(layerOf(options), AsyncLoggers.logging(options.logger)))
  return {
    client: Effect.provide(AgentClient.AgentClient, runtime),
    close: () => runtime.dispose(),
    logger: options.logger,
    signal: options.signal
  }
}

const once =
  <Args extends ReadonlyArray<unknown>, A>(
    effect: (client: AgentClient.AgentClient.Service, ...args: Args) => Effect.Effect<A, unknown>
  ) =>
  ({ client, logger, signal }: Handle, ...args: Args): Promise<A> =>
    promise(AsyncLoggers.logged(logger)(Effect.flatMap(client, (opened) => effect(opened, ...args))), signal)

const all = <A>(
  stream: Stream.Stream<A, unknown, AgentClient.AgentClient>,
  { client, logger, signal }: Handle
): AsyncIterable<A> =>
  iterable(
    Stream.provideServiceEffect(stream, AgentClient.AgentClient, client).pipe(
      Stream.provideSomeLayer(AsyncLoggers.logging(logger))
    ),
    signal
  )

export const submit: (handle: Handle, request: AgentRequest) => Promise<string> = once((client, request) =>
  client.submit(request)
)

export const status: (handle: Handle, jobId: string) => Promise<Job> = once((client, jobId) => client.status(jobId))

export const trace: (handle: Handle, jobId: string) => Promise<AgentTrace> = once((client, jobId) =>
  client.trace(jobId)
)

export const snapshot: (handle: Handle, jobId: string, snapshotId: string) => Promise<SnapshotText> = once(
  (client, jobId, snapshotId) => client.snapshot(jobId, snapshotId)
)

export const cancel: (handle: Handle, jobId: string) => Promise<void> = once((client, jobId) => client.cancel(jobId))

export const result: (handle: Handle, request: AgentRequest, polling?: Agent.Polling) => Promise<Job> = once(
  (client, request, polling) => Effect.provideService(Agent.result(request, polling), AgentClient.AgentClient, client)
)

export const run = (handle: Handle, request: AgentRequest, polling?: Agent.Polling): AsyncIterable<Agent.Update> =>
  all(Agent.run(request, polling), handle)

export const follow = (handle: Handle, jobId: string, polling?: Agent.Polling): AsyncIterable<Agent.Update> =>
  all(Agent.follow(jobId, polling), handle)

export const events = (handle: Handle, jobId: string, polling?: Agent.Polling): AsyncIterable<AgentEvent> =>
  all(Agent.events(jobId, polling), handle)

export const artifacts = (handle: Handle, jobId: string, polling?: Agent.Polling): AsyncIterable<Agent.Artifact> =>
  all(Agent.artifacts(jobId, polling), handle)

/** Options of the run that stores artifacts. */
export type ArtifactOptions = Omit<
  Extract<IngestOptions, { readonly files: unknown }>,
  "files" | "name" | "partial" | "root"
>

/** Stores the artifacts of a job as documents; see `ArtifactSource`. */
export const ingest = async (handle: Handle, jobId: string, options: ArtifactOptions): Promise<Summary> => {
  const files = ArtifactSource.make(jobId).files.pipe(
    Stream.filterMap((found) => (found._tag === "SourceFile" ? Option.some(found) : Option.none())),
    Stream.mapEffect((file) => Effect.map(SourceFile.bytes(file), (content) => ({ path: file.path, content })))
  )
  const layer = Layer.provideMerge(ArtifactSource.layerParser, layers(options))
  return ingestFiles({ ...options, layer, name: jobId, files: all(files, handle) })
}
