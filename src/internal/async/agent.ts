import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as RequestGate from "../../RequestGate.ts"
import * as Agent from "../../service/Agent.ts"
import * as AgentClient from "../../service/AgentClient.ts"
import type { AgentEvent, AgentTrace } from "../../service/AgentEvent.ts"
import type { AgentRequest, Job, SnapshotText } from "../../service/AgentJob.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import * as AsyncLoggers from "./logger.ts"
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

/** A service with agents, in a program without Effect. */
export type AgentOptions = Remote | Provided

const layerOf = (options: AgentOptions): Layer.Layer<AgentClient.AgentClient, unknown> => {
  if (options.layer !== undefined) return options.layer
  const { apiKey, dispatcher, paths, service } = options
  return AgentClient.layer({
    baseUrl: service,
    paths,
    ...(apiKey !== undefined && { apiKey: apiKey === "none" ? "none" : Redacted.make(apiKey) })
  }).pipe(Layer.provide([RequestGate.layer(), UndiciHttpClient.layer({ dispatcher })]))
}

const once =
  <Args extends ReadonlyArray<unknown>, A>(
    effect: (client: AgentClient.AgentClient.Service, ...args: Args) => Effect.Effect<A, unknown>
  ) =>
  (options: AgentOptions, ...args: Args): Promise<A> => {
    const provided = Effect.provide(
      Effect.flatMap(AgentClient.AgentClient, (client) => effect(client, ...args)),
      layerOf(options)
    )
    return promise(AsyncLoggers.logged(options.logger)(provided), options.signal)
  }

const all = <A>(stream: Stream.Stream<A, unknown, AgentClient.AgentClient>, options: AgentOptions): AsyncIterable<A> =>
  iterable(
    stream.pipe(Stream.provideLayer(layerOf(options)), Stream.provideSomeLayer(AsyncLoggers.logging(options.logger))),
    options.signal
  )

export const submit: (options: AgentOptions, request: AgentRequest) => Promise<string> = once((client, request) =>
  client.submit(request)
)

export const status: (options: AgentOptions, jobId: string) => Promise<Job> = once((client, jobId) =>
  client.status(jobId)
)

export const trace: (options: AgentOptions, jobId: string) => Promise<AgentTrace> = once((client, jobId) =>
  client.trace(jobId)
)

export const snapshot: (options: AgentOptions, jobId: string, snapshotId: string) => Promise<SnapshotText> = once(
  (client, jobId, snapshotId) => client.snapshot(jobId, snapshotId)
)

export const cancel: (options: AgentOptions, jobId: string) => Promise<void> = once((client, jobId) =>
  client.cancel(jobId)
)

export const result: (options: AgentOptions, request: AgentRequest, polling?: Agent.Polling) => Promise<Job> = once(
  (client, request, polling) => Effect.provideService(Agent.result(request, polling), AgentClient.AgentClient, client)
)

export const run = (
  options: AgentOptions,
  request: AgentRequest,
  polling?: Agent.Polling
): AsyncIterable<Agent.Update> => all(Agent.run(request, polling), options)

export const follow = (options: AgentOptions, jobId: string, polling?: Agent.Polling): AsyncIterable<Agent.Update> =>
  all(Agent.follow(jobId, polling), options)

export const events = (options: AgentOptions, jobId: string, polling?: Agent.Polling): AsyncIterable<AgentEvent> =>
  all(Agent.events(jobId, polling), options)

export const artifacts = (
  options: AgentOptions,
  jobId: string,
  polling?: Agent.Polling
): AsyncIterable<Agent.Artifact> => all(Agent.artifacts(jobId, polling), options)
