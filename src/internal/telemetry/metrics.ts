import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import type * as MetricLabel from "effect/MetricLabel"
import { metrics } from "../../Telemetry.ts"

/** Labels of the caller, from `Effect.labelMetrics`. */
export type Labels = ReadonlyArray<MetricLabel.MetricLabel>

/** A metric by the value of its tag. Each is made once: making one costs more than a hundred updates. */
const byTag = <M>(make: (value: string) => M): ((value: string) => M) => {
  const made = new Map<string, M>()
  return (value) => {
    const known = made.get(value)
    if (known !== undefined) return known
    const metric = make(value)
    made.set(value, metric)
    return metric
  }
}

const counter = (name: string, description: string): Metric.Metric.Counter<number> =>
  Metric.counter(name, { description, incremental: true })

const documents = counter(metrics.documents, "Documents whose outcome is known")

/** Documents by the tag of their outcome. */
export const documentsOf = byTag((outcome) => Metric.tagged(documents, "outcome", outcome))

/** Documents that failed, by the tag of the error. */
export const failuresOf: (error: string) => Metric.Metric.Counter<number> = byTag((error) =>
  documents.pipe(Metric.tagged("outcome", "Failed"), Metric.tagged("error", error))
)

export const bytes = counter(metrics.bytes, "Bytes of the files stored")
export const pages = counter(metrics.pages, "Pages of the documents stored")
export const credits = counter(metrics.credits, "Credits of the answers of the service")

const requests = counter(metrics.requests, "Requests to the service")

/** Requests by HTTP status, or by the tag of the error when there was no answer. */
export const requestsOf = byTag((status) => Metric.tagged(requests, "status", status))

export const retries = counter(metrics.retries, "Requests beyond the first of a document or an operation")
export const uploaded = counter(metrics.uploaded, "Bytes of documents sent, every attempt counted")

export const waits = Metric.histogram(
  metrics.waits,
  MetricBoundaries.fromIterable([0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]),
  "Seconds between two attempts of a document or an operation"
)

const limit = Metric.gauge(metrics.limit, { description: "Limit of requests in flight" })
const inFlight = Metric.gauge(metrics.inFlight, { description: "Requests in flight" })
const waiting = Metric.gauge(metrics.waiting, { description: "Requests that wait for their turn" })
const rate = Metric.gauge(metrics.rate, { description: "Requests a second that the pacer allows; 0: no limit" })
const breaker = Metric.gauge(metrics.breaker, { description: "Circuit breaker: 0 closed, 1 half-open, 2 open" })

/** The gauges of a gate, by the base address of its service. */
export const gateOf = byTag((service) => ({
  limit: Metric.tagged(limit, "service", service),
  inFlight: Metric.tagged(inFlight, "service", service),
  waiting: Metric.tagged(waiting, "service", service),
  rate: Metric.tagged(rate, "service", service),
  breaker: Metric.tagged(breaker, "service", service)
}))

const written = counter(metrics.chunksWritten, "Chunks that a sink acknowledged, those of replaced documents included")
const removed = counter(metrics.chunksRemoved, "Chunk ids that a sink was asked to remove and acknowledged")
const failures = counter(
  metrics.sinkFailures,
  "Calls of a sink that failed, those that were split and repeated included"
)

/** The counters of a sink, by its name. */
export const sinkOf = byTag((sink) => ({
  written: Metric.tagged(written, "sink", sink),
  removed: Metric.tagged(removed, "sink", sink),
  failures: Metric.tagged(failures, "sink", sink)
}))

export const embedded = counter(metrics.embedded, "Texts that a model embedded")
export const embeddingCacheHits = counter(metrics.embeddingCacheHits, "Texts whose vector came from the cache")
export const embeddingRequests = counter(metrics.embeddingRequests, "Requests to an embedding model, retries included")
export const rerankCacheHits = counter(metrics.rerankCacheHits, "Texts whose score came from the cache")
export const rerankRequests = counter(metrics.rerankRequests, "Requests to a reranker, retries included")
