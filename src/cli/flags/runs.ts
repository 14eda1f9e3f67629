/** Flags of a run: its state, its cost, its queue and its output. */
import * as Either from "effect/Either"
import * as Flag from "../Flag.ts"
import * as Reader from "../Reader.ts"

const usual = { default: ".docsluice", common: true }

export const state = {
  state: Flag.value(
    "state",
    "folder of ledger, parse cache and dead letters, or postgres://HOST/DATABASE[?schema=NAME], which many processes may use",
    Reader.text("DIR"),
    usual
  ),
  lookedState: Flag.optional(
    "state",
    "state of the run that filled the store; only read (default: .docsluice)",
    Reader.text("DIR"),
    { common: true }
  ),
  agentsState: Flag.optional(
    "state",
    "state of the run that filled the store (default: .docsluice)",
    Reader.text("DIR"),
    { common: true }
  ),
  allowWrite: Flag.toggle("allow-write", "let agents ingest files of the roots, and remove documents"),
  serverState: Flag.value(
    "state",
    "folder in which spent credits are kept, where they are limited, and agent jobs; state of the run that filled the store of --mcp",
    Reader.folder,
    usual
  ),
  agentState: Flag.value(
    "state",
    "folder in which the jobs of the embedded service are kept for 24 hours",
    Reader.folder,
    usual
  ),
  noState: Flag.toggle("no-state", "keep no state; every target must be absent or empty, unless the mode is append"),
  verify: Flag.toggle("verify", "hash every file, also when its date and size are unchanged"),
  refresh: Flag.toggle("refresh", "parse everything again, without reading the cache"),
  clear: Flag.toggle("clear", "delete every answer"),
  maxSize: Flag.optional("max-size", "delete the least recently used answers above this size, such as 2GB", Reader.size)
}

const requests = Reader.integer(1, 1_000_000)

/** Takes `adaptive`, which a config file for all commands may hold, and does not offer it: it is no limit here. */
const servedRequests: Reader.Reader<number | "adaptive"> = {
  ...requests,
  read: (text) => (text === "adaptive" ? Either.right(text) : requests.read(text))
}

export const costs = {
  budgetPages: Flag.optional(
    "budget-pages",
    "stop before more pages than this are parsed; the cache costs nothing",
    Reader.integer(0)
  ),
  budgetCredits: Flag.optional("budget-credits", "stop before more credits than this are spent", Reader.integer(0), {
    common: true
  }),
  concurrency: Flag.value(
    "concurrency",
    "requests in flight: a number, or adaptive, as many as the service takes",
    Reader.concurrency(1024),
    { default: "adaptive" }
  ),
  workerConcurrency: Flag.optional(
    "concurrency",
    "requests in flight of this worker: a number, or adaptive (default: as the run says)",
    Reader.concurrency(1024)
  ),
  served: Flag.optional(
    "concurrency",
    "most requests of all callers at a time; further ones wait (default: no limit, or adaptive)",
    servedRequests
  ),
  maxBytesInFlight: Flag.value("max-bytes-in-flight", "bound on the bytes held in memory", Reader.size, {
    default: "64MB"
  }),
  outageLimit: Flag.value(
    "outage-limit",
    "stop when no request succeeded for this time, such as 10m",
    Reader.duration,
    { default: "10m" }
  ),
  onFailure: Flag.value(
    "on-failure",
    "dead-letter: record the failure and go on; fail: stop the run",
    Reader.oneOf("dead-letter", "fail"),
    { default: "dead-letter" }
  ),
  ordered: Flag.toggle("ordered", "store documents in order of discovery, found in a stable order")
}

const queueForms = "redis://HOST:PORT, rediss://HOST:PORT, postgres://HOST/DATABASE, or @FILE with the address in it"

export const queues = {
  queue: Flag.optional(
    "queue",
    `send the documents to workers through this queue: ${queueForms}; needs a state on a server`,
    Reader.text(),
    { secret: true }
  ),
  queueOf: Flag.optional("queue", `address of the queue: ${queueForms}`, Reader.text(), { secret: true }),
  allow: Flag.list(
    "allow",
    "let runs use this: a folder or s3://BUCKET/PREFIX for documents, a target as in --to, with its credential, the address of a service, or an embedder; may be repeated",
    Reader.text()
  )
}

export const output = {
  page: Flag.optional(
    "html",
    "write a web page to this file, - for stdout, instead of the JSON lines",
    Reader.text("FILE|-")
  ),
  statusPage: Flag.optional(
    "html",
    "write the reports of the last runs to this file, as a web page, - for stdout; the result is printed too, unless it goes there",
    Reader.text("FILE|-")
  ),
  evaluationPage: Flag.optional(
    "html",
    "write the measures, their curves and the misses to this file, as a web page, - for stdout",
    Reader.text("FILE|-")
  ),
  report: Flag.optional(
    "report",
    "write a report of the run to this file, as a web page, with the history of the state",
    Reader.text("FILE")
  ),
  json: Flag.toggle("json", "exactly one JSON value on stdout", { common: true }),
  quiet: Flag.toggle("quiet", "results and errors only: no progress, warnings or remarks", { common: true }),
  progress: Flag.value(
    "progress",
    "auto (a bar on a terminal, else nothing), plain or none",
    Reader.oneOf("auto", "plain", "none"),
    { default: "auto" }
  )
}
