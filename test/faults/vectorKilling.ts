/** Documents into pgvector while connections and processes are killed, an outage of the embedder, and another embedder. */
import type { ChildProcess } from "node:child_process"
import { type Embedder, EmbeddingError } from "docsluice/Embedder"
import type { Summary } from "docsluice/Outcome"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Client } from "pg"
import * as FaultServer from "../faultserver/server.ts"
import { waitingChild } from "../fixtures/waitingChild.ts"
import * as Corpus from "./corpus.ts"
import * as EmbeddingServer from "./embeddingServer.ts"
import * as Site from "./site.ts"
import * as Stored from "./stored.ts"
import type { Order } from "./vectorChild.ts"
import * as VectorRun from "./vectorRun.ts"

export interface Numbers {
  readonly files: number
  /** Times that a process is killed, and connections once in the life of each. */
  readonly kills: number
  readonly changed: number
  readonly concurrency: number
  /** Milliseconds that the service takes for an answer. */
  readonly delay: number
}

/** Compares the contents of the table, read by SQL, with the expected ones. */
export interface Check {
  readonly documents: number
  readonly chunks: number
  readonly missing: number
  /** Rows that should not be there, or are there twice. */
  readonly extra: number
  /** Rows whose vector is not that of their text. */
  readonly wrongVectors: number
  readonly ok: boolean
}

/** From one kill to the next. */
export interface Kill {
  /** Connections that were ended on the server. */
  readonly connections: number
  /** Documents that were parsed again because of the process that was killed. */
  readonly parsedTwice: number
  /** Requests for vectors with a text that had been answered before. */
  readonly embeddedTwice: number
}

export interface Report {
  readonly numbers: Numbers
  readonly kills: ReadonlyArray<Kill>
  readonly afterKills: Check
  readonly summaries: Readonly<Record<"last" | "unchanged" | "outage" | "healed" | "otherEmbedder", Seen>>
  readonly checks: Readonly<Record<"healed" | "otherEmbedder", Check>>
  readonly ms: number
  readonly ok: boolean
}

export type Seen = Pick<Summary, "exit" | "failed" | "fromCache" | "requests" | "stored" | "unchanged">

const seen = ({ exit, failed, fromCache, requests, stored, unchanged }: Summary): Seen => ({
  exit,
  failed,
  fromCache,
  requests,
  stored,
  unchanged
})

const child = waitingChild(new URL("vectorChild.ts", import.meta.url))

const closed = (process: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (process.exitCode !== null || process.signalCode !== null) resume(Effect.void)
    else process.once("close", () => resume(Effect.void))
  })

interface Theatre {
  readonly site: Site.Site
  readonly numbers: Numbers
  readonly server: FaultServer.FaultServer
  readonly embedding: EmbeddingServer.EmbeddingServer
  readonly given: VectorRun.Given
  readonly client: Client
}

const query = (client: Client, sql: string) =>
  Effect.map(
    Effect.promise(() => client.query<Record<string, unknown>>(sql)),
    ({ rows }) => rows
  )

/** Ends every connection that the library has to the database. */
const endConnections = ({ client }: Theatre) =>
  Effect.map(
    query(
      client,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'docsluice'"
    ),
    (rows) => rows.length
  )

/** Waits until the service has received `count` requests or the child has ended. */
const untilRequests = (server: FaultServer.FaultServer, process: ChildProcess, count: number) =>
  Effect.async<void>((resume) => {
    const timer = setInterval(() => {
      if (server.log.length < count && process.exitCode === null) return
      clearInterval(timer)
      resume(Effect.void)
    }, 1)
    return Effect.sync(() => clearInterval(timer))
  })

/** Requests from there on that ask what had been asked before. */
const again = <A>(
  log: ReadonlyArray<A>,
  from: number,
  to: number,
  parts: (entry: A) => ReadonlyArray<string>
): number => {
  const before = new Set(log.slice(0, from).flatMap(parts))
  return log.slice(from, to).filter((entry) => parts(entry).some((part) => before.has(part))).length
}

const hashOf = ({ sha256, status }: FaultServer.Entry): ReadonlyArray<string> =>
  sha256 === "" || status !== 200 ? [] : [sha256]

/** As many children as there are kills; each loses its connections in the middle of its life, and its life at the end. */
const killAll = (theatre: Theatre) =>
  Effect.gen(function* () {
    const { embedding, given, numbers, server, site } = theatre
    const { embedder: _, ...rest } = given
    const order: Order = { ...rest, directory: site.directory }
    const step = numbers.files / (2 * numbers.kills + 1)
    const marks: Array<{ readonly connections: number; readonly parses: number; readonly embeddings: number }> = []
    let next = yield* child
    for (let kill = 1; kill <= numbers.kills; kill++) {
      const process = next
      const [connections, waiting] = yield* Effect.all(
        [
          Effect.gen(function* () {
            process.send(order)
            yield* untilRequests(server, process, Math.floor((2 * kill - 1) * step))
            const ended = yield* endConnections(theatre)
            yield* untilRequests(server, process, Math.floor(2 * kill * step))
            process.kill("SIGKILL")
            yield* closed(process)
            return ended
          }),
          kill < numbers.kills ? child : Effect.succeed(process)
        ],
        { concurrency: 2 }
      )
      marks.push({ connections, parses: server.log.length, embeddings: embedding.log.length })
      next = waiting
    }
    return marks
  })

const TableRow = Schema.Struct({
  document_id: Schema.String,
  chunk_index: Schema.Number,
  id: Schema.String,
  span_start: Schema.Number,
  span_end: Schema.Number,
  text: Schema.String,
  embed_text: Schema.NullOr(Schema.String),
  embedding: Schema.NullOr(Schema.parseJson(Schema.Array(Schema.Number)))
})

const decodeRows = Schema.decodeUnknown(Schema.Array(TableRow))

const lineOf = (row: typeof TableRow.Type): string =>
  [row.document_id, row.chunk_index, row.id, row.span_start, row.span_end, JSON.stringify(row.text)].join(" ")

const isVectorOf = (row: typeof TableRow.Type, prefix: string) =>
  Effect.map(
    EmbeddingServer.vectorOf(`${prefix}${row.embed_text ?? row.text}`),
    (vector) =>
      row.embedding?.length === vector.length &&
      vector.every((one, at) => Math.abs(one - (row.embedding?.[at] ?? 9)) < 1e-5)
  )

/** Told without ledger, cache, pipeline or sink: the folder, and SQL. */
const check = ({ client, site }: Theatre, prefix: string) =>
  Effect.gen(function* () {
    const rows = yield* Effect.flatMap(
      query(
        client,
        `SELECT document_id, chunk_index, id, span_start, span_end, text, embed_text, embedding::text AS embedding
         FROM chunks`
      ),
      decodeRows
    )
    const wanted = new Set(yield* Stored.wanted(site))
    const lines = rows.map(lineOf)
    const there = new Set(lines)
    const right = yield* Effect.forEach(rows, (row) => isVectorOf(row, prefix))
    const missing = [...wanted].filter((line) => !there.has(line)).length
    const extra = lines.length - [...there].filter((line) => wanted.has(line)).length
    const wrongVectors = right.filter((one) => !one).length
    return {
      documents: new Set(rows.map((row) => row.document_id)).size,
      chunks: rows.length,
      missing,
      extra,
      wrongVectors,
      ok: missing + extra + wrongVectors === 0
    } satisfies Check
  })

const away = (own: Embedder.Service): Embedder.Service => ({
  ...own,
  embed: (chunks) =>
    new EmbeddingError({
      reason: "Unavailable",
      model: "away",
      chunks: chunks.map(({ id }) => id),
      problem: "it is not there",
      retryable: true,
      severity: "document"
    })
})

/** The first documents become others of the same length. */
const change = ({ numbers, site }: Theatre) =>
  Effect.suspend(() => {
    for (let index = 0; index < numbers.changed; index++) {
      Site.write(site, Corpus.path(index, { broken: 0, limited: 0 }), Corpus.text(index, 1))
    }
    return Site.settle
  })

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** Plays it all into one database, which is empty at first. */
export const play = (numbers: Numbers, url: string): Effect.Effect<Report, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const began = performance.now()
    const server = yield* FaultServer.start({ document: Corpus.document, delay: numbers.delay })
    const embedding = yield* EmbeddingServer.start
    const site = yield* Site.make({ files: numbers.files, broken: 0, limited: 0 })
    const { concurrency } = numbers
    const given = { base: server.base, embedding: embedding.address, url, concurrency, prefix: "" }
    const theatre: Theatre = { site, numbers, server, embedding, given, client: yield* connected(url) }
    const run = (more: Partial<VectorRun.Given> = {}) => Effect.map(VectorRun.run(site, { ...given, ...more }), seen)
    const marks = yield* killAll(theatre)
    const last = yield* run()
    const kills = marks.map(({ connections, embeddings, parses }, at): Kill => ({
      connections,
      parsedTwice: again(server.log, parses, marks[at + 1]?.parses ?? server.log.length, hashOf),
      embeddedTwice: again(
        embedding.log,
        embeddings,
        marks[at + 1]?.embeddings ?? embedding.log.length,
        (texts) => texts
      )
    }))
    const afterKills = yield* check(theatre, "")
    const unchanged = yield* run()
    yield* change(theatre)
    const outage = yield* run({ embedder: away })
    const healed = yield* run()
    const afterOutage = yield* check(theatre, "")
    const otherEmbedder = yield* run({ prefix: "passage: " })
    const afterOther = yield* check(theatre, "passage: ")
    const { changed, files } = numbers
    const ok =
      kills.every(
        (kill) => kill.connections > 0 && kill.parsedTwice <= concurrency && kill.embeddedTwice <= concurrency
      ) &&
      afterKills.ok &&
      afterOutage.ok &&
      afterOther.ok &&
      afterKills.documents === files &&
      last.exit === 0 &&
      unchanged.unchanged === files &&
      unchanged.requests === 0 &&
      outage.failed === changed &&
      outage.requests === changed &&
      healed.stored === changed &&
      healed.requests === 0 &&
      otherEmbedder.stored === files &&
      otherEmbedder.requests === 0 &&
      otherEmbedder.fromCache === files
    return {
      numbers,
      kills,
      afterKills,
      summaries: { last, unchanged, outage, healed, otherEmbedder },
      checks: { healed: afterOutage, otherEmbedder: afterOther },
      ms: Math.round(performance.now() - began),
      ok
    }
  })
