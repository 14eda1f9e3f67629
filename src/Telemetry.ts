/**
 * Names of the spans, attributes, events and metrics of this package.
 *
 * Spans are recorded when a tracer other than Effect's own default is provided (`@effect/opentelemetry`, for instance); without one
 * no span is made. Metrics are Effect's and are always counted. Neither holds anything of a request or an answer: no header, no
 * body, no key, no text of a document; a failure is recorded as its tag. No trace header is sent to any server.
 *
 * The page docs/telemetry.md lists all of them; a test compares the two.
 *
 * @since 0.1.0
 */

/**
 * Names of spans. Each is a child of the one that its description names; `run` is a child of the caller's span, if there is one.
 *
 * @since 0.1.0
 * @category spans
 */
export const spans = {
  /** One run, from the opening of the sinks to the summary. */
  run: "docsluice.run",
  /** One document of a run, from its turn to its outcome; child of `run`. */
  document: "docsluice.document",
  /** Child of `document`: its answer, from the cache or from the service, waits and retries included; an event for each attempt. */
  parse: "docsluice.parse",
  /** Child of `document`: the splitting into chunks. */
  chunk: "docsluice.chunk",
  /** Child of `document`: the vectors of its chunks, from the cache or from the model, waits for a batch included. */
  embed: "docsluice.embed",
  /** Child of `document`: from the queue of the sinks to the commit in the ledger. */
  write: "docsluice.write",
  /** One request to an embedding model, retries included; it may serve several documents, so it is a child of none of them. */
  embedding: "docsluice.embedding",
  /** One call of a sink; it may serve several documents, so it is a child of none of them. */
  sink: "docsluice.sink"
} as const

/**
 * Names of events.
 *
 * @since 0.1.0
 * @category spans
 */
export const events = {
  /** One request to the service has ended; added to the current span, within a run that is `parse`. */
  attempt: "docsluice.attempt"
} as const

/**
 * Names of the attributes of spans and events.
 *
 * @since 0.1.0
 * @category spans
 */
export const attributes = {
  /** `document`: POSIX path below the root. */
  path: "docsluice.path",
  /** `document`: size of the file. */
  bytes: "docsluice.bytes",
  /** `document`: pages of the answer; only when it was stored. */
  pages: "docsluice.pages",
  /** `document`: chunks stored, old and new; `chunk`, `embed`, `write`: chunks of the document; `sink`: chunks or ids of the call. */
  chunks: "docsluice.chunks",
  /** `document`: tag of the outcome: `Stored`, `Unchanged`, `Failed`, `Unsupported` or `NotAttempted`. */
  outcome: "docsluice.outcome",
  /** `document`, `parse`: true when the answer came from the cache. */
  fromCache: "docsluice.from_cache",
  /** Tag of the error, on every span and attempt that failed; `run`: of the error that stopped it. */
  error: "docsluice.error",
  /** `run`: files and problems found. */
  documents: "docsluice.documents",
  /** `run`: exit status of the summary. */
  exit: "docsluice.exit",
  /** `attempt`: 1-based number of the request within its document. */
  attempt: "docsluice.attempt.number",
  /** `attempt`: HTTP status of the answer; absent when there was none. */
  status: "docsluice.attempt.status",
  /** `attempt`: milliseconds until the next attempt; absent after the last. */
  wait: "docsluice.attempt.wait_ms",
  /** `embedding`: name of the model. */
  model: "docsluice.model",
  /** `embedding`: texts of the request. */
  texts: "docsluice.texts",
  /** `sink`: name of the sink. */
  sink: "docsluice.sink.name",
  /** `sink`: `prepare`, `write`, `replace`, `remove`, `finish` or another call of its interface. */
  call: "docsluice.sink.call"
} as const

/**
 * Names of metrics.
 *
 * @since 0.1.0
 * @category metrics
 */
export const metrics = {
  /** Counter: documents whose outcome is known; tags `outcome` and, for failures, `error` with the error's tag. */
  documents: "docsluice_documents",
  /** Counter: bytes of the files stored. */
  bytes: "docsluice_bytes",
  /** Counter: pages of the documents stored. */
  pages: "docsluice_pages",
  /** Counter: credits of the answers of the service; those from the cache cost none. */
  credits: "docsluice_credits",
  /** Counter: requests to the service, for agent jobs too; tag `status` with the HTTP status, or with the error's tag when there was no answer. */
  requests: "docsluice_requests",
  /** Counter: requests beyond the first of a document or of an operation on a job. */
  retries: "docsluice_retries",
  /** Histogram, seconds: waits between two attempts of a document or of an operation on a job. */
  waits: "docsluice_wait_seconds",
  /** Counter: bytes of documents sent by runs, every attempt counted. */
  uploaded: "docsluice_uploaded_bytes",
  /** Gauge: limit of requests in flight; tag `service`, as the other gauges of the gate. */
  limit: "docsluice_gate_limit",
  /** Gauge: requests in flight. */
  inFlight: "docsluice_gate_in_flight",
  /** Gauge: requests that wait for their turn. */
  waiting: "docsluice_gate_waiting",
  /** Gauge: requests a second that the pacer allows; 0 while it does not limit. */
  rate: "docsluice_gate_rate",
  /** Gauge: 0 when the circuit breaker is closed, 1 half-open, 2 open. */
  breaker: "docsluice_gate_breaker",
  /** Counter: chunks that a sink acknowledged, those of replaced documents included; tag `sink`. */
  chunksWritten: "docsluice_sink_chunks_written",
  /** Counter: chunk ids that a sink was asked to remove and acknowledged; tag `sink`. */
  chunksRemoved: "docsluice_sink_chunks_removed",
  /** Counter: calls of a sink that failed, those that were split and repeated included; tag `sink`. */
  sinkFailures: "docsluice_sink_failures",
  /** Counter: texts that a model embedded. */
  embedded: "docsluice_embedder_texts",
  /** Counter: texts whose vector came from the cache. */
  embeddingCacheHits: "docsluice_embedder_cache_hits",
  /** Counter: requests to an embedding model, retries included. */
  embeddingRequests: "docsluice_embedder_requests",
  /** Counter: texts whose score came from the cache. */
  rerankCacheHits: "docsluice_reranker_cache_hits",
  /** Counter: requests to a reranker, retries included. */
  rerankRequests: "docsluice_reranker_requests"
} as const
