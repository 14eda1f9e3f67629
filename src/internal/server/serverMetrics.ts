/** Counters of one server; mutable, since they are touched on every request. */
export interface ServerMetrics {
  readonly byStatus: Map<string, number>
  inFlight: number
  /**
   * Number of parses per bucket, not cumulative: `buckets[i]` counts those up to the bound of index `i`, in seconds; the last one counts
   * longer parses.
   */
  readonly buckets: Array<number>
  parses: number
  seconds: number
  /** Requests by the labels `origin` and `integration`. */
  readonly byOrigin: Map<string, number>
  readonly byIntegration: Map<string, number>
}

const bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

export const make = (): ServerMetrics => ({
  byStatus: new Map(),
  inFlight: 0,
  buckets: Array.from({ length: bounds.length + 1 }, () => 0),
  parses: 0,
  seconds: 0,
  byOrigin: new Map(),
  byIntegration: new Map()
})

export const answered = (metrics: ServerMetrics, status: string): void => {
  metrics.byStatus.set(status, (metrics.byStatus.get(status) ?? 0) + 1)
}

export const parsed = (metrics: ServerMetrics, seconds: number): void => {
  const index = bounds.findIndex((bound) => seconds <= bound)
  const bucket = index < 0 ? bounds.length : index
  metrics.buckets[bucket] = (metrics.buckets[bucket] ?? 0) + 1
  metrics.parses += 1
  metrics.seconds += seconds
}

/** Values of one label that are counted by themselves; callers choose them, and each takes memory here and in Prometheus. */
const mostValues = 50

const longestValue = 64

/** Counts further values, and those that are too long, as `other`. */
const countValue = (counts: Map<string, number>, value: string): void => {
  const own = value.length <= longestValue && (counts.has(value) || counts.size < mostValues)
  const label = own ? value : "other"
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

/** Counts a request whose upload was read. */
export const identified = (
  metrics: ServerMetrics,
  { integration, origin }: { readonly origin: string; readonly integration?: string | null | undefined }
): void => {
  countValue(metrics.byOrigin, origin)
  countValue(metrics.byIntegration, integration ?? "none")
}

/** A label's value in Prometheus' spelling. */
const escaped = (value: string): string => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")

const labelled = (name: string, label: string, counts: ReadonlyMap<string, number>): ReadonlyArray<string> =>
  [...counts]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([value, count]) => `${name}{${label}="${escaped(value)}"} ${count}`)

const family = (name: string, type: string, help: string, samples: ReadonlyArray<string>) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples
]

/** Content type of {@link render}. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** Prometheus text exposition format. */
export const render = (metrics: ServerMetrics): string => {
  let below = 0
  const histogram = metrics.buckets.map((count, index) => {
    below += count
    return `docsluice_parse_duration_seconds_bucket{le="${bounds[index] ?? "+Inf"}"} ${below}`
  })
  return [
    ...family(
      "docsluice_requests_total",
      "counter",
      "Requests answered, by HTTP status; aborted: the client went away first.",
      labelled("docsluice_requests_total", "status", metrics.byStatus)
    ),
    ...family(
      "docsluice_parses_by_origin_total",
      "counter",
      "Parse requests that were read, by their option origin.",
      labelled("docsluice_parses_by_origin_total", "origin", metrics.byOrigin)
    ),
    ...family(
      "docsluice_parses_by_integration_total",
      "counter",
      "Parse requests that were read, by their option integration.",
      labelled("docsluice_parses_by_integration_total", "integration", metrics.byIntegration)
    ),
    ...family("docsluice_requests_in_flight", "gauge", "Requests without an answer yet.", [
      `docsluice_requests_in_flight ${metrics.inFlight}`
    ]),
    ...family("docsluice_parse_duration_seconds", "histogram", "Time from the whole upload to the engine's answer.", [
      ...histogram,
      `docsluice_parse_duration_seconds_sum ${metrics.seconds}`,
      `docsluice_parse_duration_seconds_count ${metrics.parses}`
    ]),
    ""
  ].join("\n")
}
