/** Every fault that concerns one document, mixed into one run of many documents and workers, and a run that is interrupted amid them. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import type { Summary } from "docsluice/Outcome"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as FaultServer from "../faultserver/server.ts"
import * as Corpus from "./corpus.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"
import * as Stored from "./stored.ts"

/** `stored`: with the expected chunks; `empty`: with none; `final`: failed for good; `retryable`: tried by the next run. */
type Ending = "stored" | "empty" | "final" | "retryable"

/** Scenario of the first run, its ending, and the least and the most requests of a document. */
type Row = readonly [fault: string, ending: Ending, least: number, most: number]

const served = (...faults: ReadonlyArray<string>): ReadonlyArray<Row> =>
  faults.map((fault) => [fault, "stored", 1, 1] as const)

const refused = (...faults: ReadonlyArray<string>): ReadonlyArray<Row> =>
  faults.map((fault) => [fault, "final", 1, 1] as const)

/** Faults that pass after a number of attempts: one request more than that. */
const passing = (times: number, ...faults: ReadonlyArray<string>): ReadonlyArray<Row> =>
  faults.map((fault) => [`${fault}${fault.includes("~") ? "," : "~"}times=${times}`, "stored", times + 1, times + 1])

const broken = [
  "reset-after-request",
  "close-after-request",
  "reset-mid-headers",
  "reset-mid-response",
  "reset-mid-upload",
  "short-body",
  "chunked-abort",
  "gzip-aborted",
  "garbage"
] as const

/** Faults of a document; those that stop a run are elsewhere. */
const rows: ReadonlyArray<Row> = [
  ...served("gzip", "bom", "wrong-type", "extra-1xx", "unknown-members", "warning", "slow-upload", "ok-slow~ms=300"),
  ["empty-markdown", "empty", 1, 1],
  ["missing-metadata", "stored", 1, 1],
  ["ok-then-reset", "stored", 1, 1],
  ...refused("e400", "e400-url", "e400-size", "e403-injection", "e409", "e413", "early-413", "e415", "e422"),
  ...refused("e500-corrupt", "success-false", "success-false-code", "success-missing", "success-string"),
  ...refused("no-data", "data-null", "missing-markdown", "bad-markdown"),
  ...passing(2, "e500", "e502", "e503", "e500-empty", "e502-html", "e504"),
  ...passing(1, "e408", "e529"),
  ...passing(2, "e429-rate", "e429-concurrency", "e408-queue"),
  ...passing(1, "e429-rate~retryAfter=1", "e429-rate~retryAfter=date:2", "e503~retryAfter=1"),
  ...passing(2, "e429-html", "e403-empty", "e400-json"),
  ...passing(2, "html-200", "truncated-json", "empty-200", "status-204", "gzip-cut", "gzip-damaged", "brotli-damaged"),
  ...broken.map((fault): Row => [`${fault}~times=1`, "stored", 2, 2]),
  ["e504", "retryable", 3, 3],
  ["e408", "retryable", 2, 2],
  ["e529", "retryable", 2, 2],
  ["html-200", "retryable", 3, 3],
  ["status-204", "retryable", 3, 3],
  ["reset-after-request", "retryable", 2, 3]
]

/** Every third document has a fault. */
const every = 3

const rowOf = (index: number): Row | undefined =>
  index % every === 0 ? rows[Math.floor(index / every) % rows.length] : undefined

/** The row of a file by its path. */
const rowAt = (path: string): Row | undefined => rowOf(Number.parseInt(path.split("/")[1] ?? "", 10))

const pathOf = (index: number): string => {
  const row = rowOf(index)
  return `${index % 20}/${index}${row === undefined ? "" : `@${row[0]}`}.pdf`
}

/** What went wrong, one line for each document or figure. */
export interface Report {
  readonly files: number
  readonly workers: number
  /** Requests of the first run and of the one after it. */
  readonly requests: readonly [number, number]
  /** Requests that came earlier than an answer had said. */
  readonly early: number
  /** Documents of the first run whose answer is final, and that were sent more than once. */
  readonly retriedInVain: number
  readonly problems: ReadonlyArray<string>
  readonly ms: number
}

const count = (log: ReadonlyArray<FaultServer.Entry>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { filename } of log) counts.set(filename, (counts.get(filename) ?? 0) + 1)
  return counts
}

const nameOf = (path: string): string => path.slice(path.indexOf("/") + 1)

/** The documents whose number of requests is not the row's. */
const miscounted = (paths: ReadonlyArray<string>, log: ReadonlyArray<FaultServer.Entry>): ReadonlyArray<string> => {
  const counts = count(log)
  return paths.flatMap((path) => {
    const [, , least, most] = rowAt(path) ?? ["", "stored", 1, 1]
    const requests = counts.get(nameOf(path)) ?? 0
    return requests < least || requests > most ? [`${path}: ${requests} requests, not ${least} to ${most}`] : []
  })
}

/** The documents whose ending is not the row's; the same for each run, since nothing changes between them. */
const endings = (paths: ReadonlyArray<string>, { failures, stopped }: Summary): ReadonlyArray<string> => {
  const failed = new Map(failures.map((failure) => [failure.source, failure]))
  const wrong = paths.flatMap((path) => {
    const ending = rowAt(path)?.[1] ?? "stored"
    const failure = failed.get(path)
    const seen = failure === undefined ? "stored" : failure.retryable ? "retryable" : "final"
    return seen === (ending === "empty" ? "stored" : ending) ? [] : [`${path}: ${seen}, ${failure?.message ?? ""}`]
  })
  return stopped === undefined ? wrong : [...wrong, `stopped: ${stopped.message}`]
}

/** The documents that the next run sent though it should not, or the other way round. */
const resent = (paths: ReadonlyArray<string>, log: ReadonlyArray<FaultServer.Entry>): ReadonlyArray<string> => {
  const sent = count(log)
  return paths.flatMap((path) => {
    const again = sent.has(nameOf(path))
    if (again === (rowAt(path)?.[1] === "retryable")) return []
    return [`${path}: ${again ? "sent again" : "not tried again"} by the next run`]
  })
}

const isStored = (path: string): boolean => (rowAt(path)?.[1] ?? "stored") === "stored"

/** Runs over documents with faults, and again; the second run may send only those that failed for a time. */
export const play = (files: number, workers: number): Effect.Effect<Report, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const documents = Array.from({ length: files }, (_, index) => [pathOf(index), Corpus.text(index)] as const)
    const paths = documents.map(([path]) => path)
    const site = yield* Site.holding(documents)
    const server = yield* FaultServer.start({ document: Corpus.document, delay: 10 })
    const run = Run.run(site, { base: server.base, concurrency: workers })
    const started = performance.now()
    const first = yield* run
    const firstLog = [...server.log]
    const check = yield* Stored.check(site, isStored)
    const second = yield* run
    const secondLog = server.log.slice(firstLog.length)
    const counts = count(server.log)
    const final = paths.filter((path) => rowAt(path)?.[1] === "final")
    return {
      files,
      workers,
      requests: [firstLog.length, secondLog.length],
      early: FaultServer.early(server.log).length,
      retriedInVain: final.filter((path) => (counts.get(nameOf(path)) ?? 0) > 1).length,
      problems: [
        ...miscounted(paths, firstLog),
        ...endings(paths, first),
        ...(check.ok ? [] : [`stored otherwise than sent: ${JSON.stringify(check)}`]),
        ...resent(paths, secondLog),
        ...endings(paths, second)
      ],
      ms: Math.round(performance.now() - started)
    }
  })

/** Faults that keep a request open: while it is sent, before its answer, and within it. The gate waits for the first answer. */
const lasting = ["slow-upload~ms=80,after=1", "hang~after=1", "slowloris~after=1"] as const

/** The first documents last, fewer of them than there are workers, so that all are open at a time. */
const lastingPath = (index: number, workers: number): string => {
  const fault = index < workers - 2 ? lasting[index % lasting.length] : undefined
  return fault === undefined ? `${index}.pdf` : `${index}@${fault}.pdf`
}

/** More than the buffers of a connection take. */
const megabytes = (index: number): string => `${Corpus.text(index)} `.repeat(120_000)

/** Files below a folder that this process holds open; none where the system does not tell. */
const openFiles = (root: string): number => {
  const table = "/proc/self/fd"
  if (!existsSync(table)) return 0
  // The descriptor with which the table is read is closed when its link is looked at.
  const links = readdirSync(table).map((name) => `${table}/${name}`)
  return links.filter((link) => existsSync(link) && readlinkSync(link).startsWith(root)).length
}

/** Connections to a port of this machine that their client holds open; none where the system does not tell. */
const connectionsTo = (port: number): number => {
  const table = "/proc/self/net/tcp"
  if (!existsSync(table)) return 0
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , address, state]) => address?.endsWith(remote) === true && state === "01").length
}

export interface Interruption {
  readonly files: number
  /** Requests that were open when the run was interrupted. */
  readonly open: number
  /** Connections and files that the client still held open afterwards. */
  readonly leftOpen: number
  /** Requests that the server still waited for. */
  readonly leftWaiting: number
  /** Documents that were answered twice, over both runs. */
  readonly paidTwice: number
  readonly problems: ReadonlyArray<string>
}

/** Looks again until nothing is left, for as many times as given; returns what is left. */
const remaining = (left: () => number, looks: number): Effect.Effect<number> =>
  Effect.sync(left).pipe(
    Effect.repeat({ while: (count) => count > 0, schedule: Schedule.spaced("50 millis"), times: looks }),
    Effect.map(() => left())
  )

/** Interrupts a run amid uploads and answers that do not end, and runs again when the server is healthy. */
export const interrupt = (files: number, workers: number): Effect.Effect<Interruption, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const site = yield* Site.holding(
      Array.from({ length: files }, (_, index): Site.Planned => {
        const path = lastingPath(index, workers)
        return [path, path.includes("@slow-upload") ? megabytes(index) : Corpus.text(index)]
      })
    )
    let healthy = false
    const server = yield* FaultServer.start({ document: Corpus.document, healthy: () => healthy })
    const run = Run.run(site, { base: server.base, concurrency: workers })
    const waiting = () => server.log.filter(({ over }) => !over)
    const ofKind = (fault: string) => waiting().filter(({ filename }) => filename.includes(fault)).length
    const fiber = yield* Effect.fork(run)
    yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => lasting.every((fault) => ofKind(fault) > 0) })
    const open = waiting().length
    yield* Fiber.interrupt(fiber)
    const leftOpen = yield* remaining(() => connectionsTo(server.port) + openFiles(site.docs), 20)
    // What is in the buffers of the connections has to be read before the server sees their end.
    const leftWaiting = yield* remaining(() => waiting().length, 200)
    healthy = true
    const second = yield* run
    const check = yield* Stored.check(site)
    const paid = server.log.filter(({ aborted, status }) => status === 200 && !aborted).map(({ sha256 }) => sha256)
    return {
      files,
      open,
      leftOpen,
      leftWaiting,
      paidTwice: paid.length - new Set(paid).size,
      problems: [
        ...(second.exit === 0 ? [] : [`the second run ended with ${second.exit}`]),
        ...(check.ok ? [] : [`stored otherwise than sent: ${JSON.stringify(check)}`])
      ]
    }
  })
