import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ChunkSink } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { attributes, metrics, spans } from "docsluice/Telemetry"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer } from "effect"
import * as Collector from "./fixtures/collector.ts"
import * as Servers from "./fixtures/servers.ts"
import * as Postgres from "./sinks/postgres.ts"

const folder = fileURLToPath(new URL("../examples", import.meta.url))
const program = fileURLToPath(new URL("fixtures/runExamples.ts", import.meta.url))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href

/** What each one prints, in this order; what needs a database comes last. */
const expected = [
  ["folder-to-jsonl", /^9 stored, 0 failed, \d+ chunks$/m],
  ["parse-one-file", /^# Station Handbook$/m],
  ["own-chunker", /^0 \d+ # Visit report, Saddle Point$/m],
  ["own-sink", /^stations\.csv \d+ 0$/m],
  ["own-source", /^articles\/west\/fell\.html "# West Fell/m],
  [
    "async-handle",
    /^9 stored, 0 unchanged, 0 failed\n[^]*examples\/documents\/handbook\.pdf, p\. \d[^]*^Stored: parts\.html, “Spare parts”$/m
  ],
  ["corpus-layer", /^3 stored, 0 unchanged\n[01]\.\d+ [^]*^Stored, 1 chunk removed$/m],
  ["upload-server", /^Stored, Stored, Stored; best: point\.html, “Saddle Point”$/m],
  ["plain-async", /^visit-report\.docx 0 \d+$/m],
  ["telemetry", /^9 stored, spans and metrics sent$/m],
  ["plain-async-vectors", /^9 stored; best: handbook\.pdf: /m],
  ["pipelines/rows-of-a-database", /^articles\/fell\.md: 1 chunk\narticles\/quay\.md: 1 chunk$/m],
  ["pipelines/own-parser", /^0 "# Larkfield[^]*^5 "# West Fell\\n\\nstation West Fell; code WF-4;.*decommissioned"$/m],
  ["pipelines/two-stores", /^libsql: (\d+) chunks\njsonl: \1 chunks$/m],
  ["pipelines/errors-apart", /^documents\/network\.html: stored\n[^]*^documents\/broken\.docx: mend the file$/m],
  [
    "pipelines/chunks-only",
    /^gauges\.md, “Cleaning”, 15 tokens: "## Cleaning\\n\\nEvery two weeks, before the reading\."$/m
  ],
  ["pipelines/upload-only", /^visit-report\.docx: \d+ characters of Markdown$/m],
  ["pipelines/slow-store", /^40 documents stored, at most (?:\d|10) in memory at a time$/m],
  [
    "ask-pgvector",
    /^9 stored \(9 parsed, 0 from the cache\), 0 unchanged\n[01]\.\d+ handbook\.pdf, p\. \d[^]*North Quay/m
  ]
] as const

/** They export something and run nothing. */
const parts = ["map-sink"]

const needsDatabase = (name: string): boolean => name === "ask-pgvector"

/** The flags that the README runs them with; the loader by its place, since the working directory is elsewhere. */
const flags = (): ReadonlyArray<string> => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  const [, found = ""] = /^`node (.*) examples\/NAME\.ts`/m.exec(readme) ?? []
  return found.split(" ").map((flag) => (flag === "tsx" ? tsx : flag))
}

interface Ended {
  readonly status: number | null
  readonly output: string
}

let cwd: string
let collector: Collector.Collector
let together: Ended
let alone: Ended

const run = (files: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags(), ...files], { cwd, env: { ...process.env, ...env } })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part: Buffer) => {
        output += part.toString()
      })
    }
    child.on("close", (status) => resolve({ status, output }))
  })

const fileOf = (name: string): string => join(folder, `${name}.ts`)

const missing = Postgres.missing()

/** One process for all: loading the library takes longer than what they do. One more for one of them as the README says it. */
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "docsluice-examples-"))
  symlinkSync(folder, join(cwd, "examples"))
  const names = expected.map(([name]) => name).filter((name) => missing === null || !needsDatabase(name))
  const server = missing === null ? await Servers.postgres() : null
  collector = await Collector.start()
  try {
    const both = [
      run([program, ...names.map(fileOf)], {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ...(server !== null && { DATABASE_URL: server.url })
      }),
      run([fileOf("own-source")])
    ] as const
    ;[together, alone] = await Promise.all(both)
  } finally {
    await server?.stop()
    await collector.stop()
  }
})

afterAll(() => rmSync(cwd, { recursive: true }))

const printed = (name: string): string =>
  together.output.split("\0").find((part) => part.startsWith(`${fileOf(name)}\n`)) ??
  `it did not run: ${together.output}`

describe("the examples", () => {
  it("are all named here", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
    assert.sameMembers(
      files.map((name) => name.slice(0, -".ts".length).replaceAll("\\", "/")),
      [...expected.map(([name]) => name), ...parts]
    )
  })

  for (const [name, output] of expected) {
    it.skipIf(needsDatabase(name) && missing !== null)(`${name} prints what it should`, () => {
      assert.match(printed(name), output)
    })
  }

  it("end of themselves, and with success", () => {
    assert.match(together.output, /\0end\n$/)
    assert.strictEqual(together.status, 0)
  })

  it("telemetry: a collector receives the run, its documents, and of each document parse, chunk, embed and write", () => {
    const named = (name: string) => collector.spans.filter((span) => span.name === name)
    const [run, ...others] = named(spans.run)
    assert.deepStrictEqual(others, [])
    assert.deepInclude(run?.attributes, { [attributes.documents]: 9, [attributes.exit]: 0 })
    const documents = named(spans.document)
    assert.deepStrictEqual(
      documents.map((span) => String(span.attributes[attributes.path])).toSorted(),
      readdirSync(join(folder, "documents")).toSorted()
    )
    for (const span of documents) {
      assert.strictEqual(span.parent, run?.id)
      assert.deepInclude(span.attributes, { [attributes.outcome]: "Stored", [attributes.fromCache]: false })
      for (const name of [attributes.bytes, attributes.chunks]) assert.isAbove(Number(span.attributes[name]), 0)
      assert.isDefined(span.attributes[attributes.pages])
      const children = collector.spans.filter(({ parent }) => parent === span.id)
      assert.sameMembers(
        children.map(({ name }) => name),
        [spans.parse, spans.chunk, spans.embed, spans.write]
      )
      for (const child of children) assert.isTrue(child.start >= span.start && child.end <= span.end)
    }
    assert.isTrue(collector.spans.every(({ traceId }) => traceId === run?.traceId))
    assert.includeMembers(
      [...collector.metrics],
      [metrics.documents, metrics.bytes, metrics.pages, metrics.chunksWritten]
    )
  })

  it("run by the README's command", () => {
    assert.match(alone.output, /^articles\/west\/fell\.html "# West Fell/m)
    assert.strictEqual(alone.status, 0)
  })
})

interface MapSink {
  readonly make: (store: Map<string, DocumentChunk>) => Effect.Effect<ChunkSink.Service>
}

const ownSink: Promise<MapSink> = import(pathToFileURL(fileOf("map-sink")).href)

SinkConformance.suite(
  "the sink of the example",
  Effect.gen(function* () {
    const { make } = yield* Effect.promise(() => ownSink)
    const store = new Map<string, DocumentChunk>()
    return { layer: Layer.effect(ChunkSink, make(store)), read: Effect.sync(() => [...store.values()]) }
  }),
  { describe, it }
)

it("the handle's examples are written in 25 lines, and with Effect in 30", () => {
  const lines = (name: string): number => readFileSync(fileOf(name), "utf8").trim().split("\n").length
  assert.isAtMost(lines("async-handle"), 25)
  assert.isAtMost(lines("corpus-layer"), 30)
})

it("the sink of the example is written in 30 lines", () => {
  const source = readFileSync(fileOf("map-sink"), "utf8")
  assert.isAtMost(source.trim().split("\n").length, 30)
})
