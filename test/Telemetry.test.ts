import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import type { Chunker } from "docsluice/Chunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Embedder from "docsluice/Embedder"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Telemetry from "docsluice/Telemetry"
import { Cause, Effect, Exit, Layer, Metric, Option, Stream } from "effect"
import { start } from "./faultserver/server.ts"
import { type Recorded, recording } from "./fixtures/spans.ts"
import { byLine, characters, numbered, parsing, sink } from "./pipeline/fakes.ts"
import { file, key, live, parse } from "./service/collaborators.ts"

const { attributes, events, metrics, spans } = Telemetry

const named = (all: ReadonlyArray<Recorded>, name: string): ReadonlyArray<Recorded> =>
  all.filter((span) => span.name === name)

/** A run over the client and a server on loopback. */
const ingest = (base: string, paths: ReadonlyArray<string>) =>
  Pipeline.run({
    source: Stream.fromIterable(paths.map((path) => file(path))),
    chunker: byLine,
    embedder: Embedder.hash,
    sinks: [sink().service]
  }).pipe(
    Effect.provide(Layer.mergeAll(Layer.provide(Parser.layer(), live(base)), characters, DeadLetter.layerMemory)),
    Effect.orDie
  )

/** Every string in a value, keys included. */
const everything = (value: unknown): string => {
  const seen = new Set<unknown>()
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "bigint") return String(inner)
    if (typeof inner !== "object" || inner === null) return inner
    if (seen.has(inner)) return undefined
    seen.add(inner)
    return inner instanceof Error ? { ...inner, message: inner.message, stack: inner.stack } : inner
  })
}

describe("Telemetry", () => {
  it("docs/telemetry.md lists every span, event, attribute and metric in the words of the module, each once", () => {
    const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")
    const section = text("../docs/telemetry.md")
    const listed = [...section.matchAll(/^\| `(\S+)` \| (.*) \|$/gm)].map(([, name, words]) => [name, words])
    const said = [...text("../src/Telemetry.ts").matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}\w+: "(\S+)"/gm)]
    assert.deepStrictEqual(
      listed,
      said.map(([, words, name]) => [name, words])
    )
    const names = [spans, events, attributes, metrics].flatMap((group) => Object.values<string>(group))
    assert.deepStrictEqual(
      listed.map(([name]) => name),
      names
    )
    assert.strictEqual(new Set(names).size, names.length)
  })

  it.scopedLive(
    "a run is one span, each document a child of it, and parse, chunk, embed and write children of the document",
    () =>
      Effect.gen(function* () {
        const { base } = yield* start({ key })
        const all = yield* recording(ingest(base, ["a.pdf", "b@e503~times=2.pdf"]))
        const [run, ...others] = named(all, spans.run)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(run?.attributes, { [attributes.documents]: 2, [attributes.exit]: 0 })
        const documents = named(all, spans.document)
        assert.strictEqual(documents.length, 2)
        assert.isTrue(documents.every(({ parent }) => parent === run?.id))
        assert.sameDeepMembers(
          documents.map((span) => span.attributes),
          ["a.pdf", "b@e503~times=2.pdf"].map((path) => ({
            [attributes.path]: path,
            [attributes.bytes]: 20,
            [attributes.pages]: 3,
            [attributes.chunks]: 11,
            [attributes.outcome]: "Stored",
            [attributes.fromCache]: false
          }))
        )
        for (const { id } of documents) {
          const children = all.filter(({ parent }) => parent === id).map(({ name }) => name)
          assert.deepStrictEqual(children, [spans.parse, spans.chunk, spans.embed, spans.write])
        }
        assert.isTrue(named(all, spans.sink).every(({ parent }) => parent === run?.id))
        assert.isTrue(all.every(({ exit }) => exit !== undefined && Exit.isSuccess(exit)))
      })
  )

  it.scopedLive(
    "the attempts of a parse are events of its span: number, status, tag, and the wait before the next",
    () =>
      Effect.gen(function* () {
        const { base } = yield* start({ key })
        const all = yield* recording(ingest(base, ["b@e503~times=2.pdf"]))
        const attempts = named(all, spans.parse)[0]?.events ?? []
        assert.deepStrictEqual(
          attempts.map(({ name }) => name),
          [events.attempt, events.attempt, events.attempt]
        )
        for (const [at, { attributes: of }] of attempts.slice(0, 2).entries()) {
          assert.deepInclude(of, {
            [attributes.attempt]: at + 1,
            [attributes.status]: 503,
            [attributes.error]: "ServiceUnavailable"
          })
          assert.isAtLeast(Number(of[attributes.wait]), 0)
        }
        assert.deepStrictEqual(attempts[2]?.attributes, { [attributes.attempt]: 3, [attributes.status]: 200 })
      })
  )

  it.scopedLive("a failure is recorded as its tag alone, without the key, the answer and the document", () =>
    Effect.gen(function* () {
      const { base } = yield* start({ key: "another" })
      const all = yield* recording(ingest(base, ["a.pdf"]))
      const [parsed] = named(all, spans.parse)
      assert.strictEqual(parsed?.attributes[attributes.error], "Unauthorized")
      assert.deepStrictEqual(parsed?.exit, Exit.fail("Unauthorized"))
      assert.deepInclude(named(all, spans.run)[0]?.attributes, { [attributes.error]: "Unauthorized" })
      assert.notMatch(everything(all), /Invalid token|Bearer|redacted/)
      const { base: other } = yield* start({ key })
      const second = yield* recording(ingest(other, ["c@e500-corrupt.pdf", "d@ok-without-markdown.pdf", "e.pdf"]))
      assert.notMatch(everything(second), new RegExp(`All engines|${key}|Section 1|authorization|multipart`))
    })
  )

  it.scopedLive("no HTTP request to the service has a trace header or a span of its own", () =>
    Effect.gen(function* () {
      const headers: Array<string> = []
      const server = createServer((request, response) => {
        headers.push(...Object.keys(request.headers))
        request.resume()
        request.on("end", () => {
          response.setHeader("content-type", "application/json")
          response.end(JSON.stringify({ success: true, data: { markdown: "# A", metadata: {} } }))
        })
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
      )
      const address = server.address()
      const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v2`
      const all = yield* recording(
        Effect.withSpan(parse(file("a.pdf")).pipe(Effect.provide(live(base)), Effect.orDie), "caller")
      )
      assert.includeMembers(headers, ["authorization", "content-type"])
      assert.deepStrictEqual(
        headers.filter((name) => /trace|^b3$|baggage|x-b3/.test(name)),
        []
      )
      assert.deepStrictEqual(
        all.map(({ name }) => name),
        ["caller"]
      )
      assert.deepStrictEqual(
        all[0]?.events.map(({ name }) => name),
        [events.attempt]
      )
    })
  )

  it.effect("without a tracer no span is made, nor with tracing turned off", () =>
    Effect.gen(function* () {
      const current: Array<boolean> = []
      const looking: Chunker = {
        ...byLine,
        chunk: (document) =>
          Effect.zipRight(
            Effect.map(Effect.option(Effect.currentSpan), (span) => current.push(Option.isSome(span))),
            byLine.chunk(document)
          )
      }
      const run = Pipeline.run({ source: Stream.fromIterable(numbered(2)), chunker: looking, sinks: [sink().service] })
      yield* run
      const all = yield* recording(Effect.withTracerEnabled(run, false))
      assert.deepStrictEqual(current, [false, false, false, false])
      assert.deepStrictEqual(all, [])
    }).pipe(Effect.provide(parsing))
  )

  it.effect("a span of a chunker or a sink of one's own is a child of the stage's span", () =>
    Effect.gen(function* () {
      const own: Chunker = { ...byLine, chunk: (document) => Effect.withSpan(byLine.chunk(document), "own chunker") }
      const all = yield* recording(
        Pipeline.run({
          source: Stream.fromIterable(numbered(1)),
          chunker: own,
          sinks: [sink({ answer: () => Effect.withSpan(Effect.void, "own sink") }).service]
        })
      )
      assert.strictEqual(named(all, "own chunker")[0]?.parent, named(all, spans.chunk)[0]?.id)
      assert.strictEqual(named(all, "own sink")[0]?.parent, named(all, spans.run)[0]?.id)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("documents that fail or get no outcome have ended spans too", () =>
    Effect.gen(function* () {
      const written = yield* Effect.makeLatch()
      const halted = yield* recording(
        Pipeline.outcomes({
          source: Stream.fromIterable(numbered(20)),
          chunker: byLine,
          sinks: [sink({ answer: () => Effect.zipRight(written.open, Effect.never) }).service]
        }).pipe(Stream.runDrain, Effect.race(written.await))
      )
      assert.isAbove(named(halted, spans.document).length, 0)
      for (const { exit } of halted) {
        assert.isTrue(exit !== undefined && (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)))
      }
    }).pipe(Effect.provide(parsing))
  )

  it.scopedLive(
    "counts documents by outcome and tag, requests by status, retries, waits, bytes, pages and credits",
    () =>
      Effect.gen(function* () {
        const { base } = yield* start({ key })
        const labelled = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.tagMetrics(effect, "test", "counting")
        yield* labelled(ingest(base, ["a.pdf", "b@e503~times=2.pdf", "c@e500-corrupt.pdf"]))
        const found = yield* Metric.snapshot
        const own = found.filter(({ metricKey }) => metricKey.tags.some(({ value }) => value === "counting"))
        const values = Object.fromEntries(
          own.map(({ metricKey, metricState }) => [
            [metricKey.name, ...metricKey.tags.map(({ key, value }) => `${key}=${value}`).toSorted()]
              .filter((part) => part !== "test=counting")
              .join(" "),
            "count" in metricState ? metricState.count : "value" in metricState ? metricState.value : null
          ])
        )
        assert.deepInclude(values, {
          [`${metrics.documents} outcome=Stored`]: 2,
          [`${metrics.documents} error=DocumentUnparsable outcome=Failed`]: 1,
          [`${metrics.requests} status=200`]: 2,
          [`${metrics.requests} status=503`]: 2,
          [`${metrics.requests} status=500`]: 1,
          [metrics.retries]: 2,
          [metrics.waits]: 2,
          [metrics.bytes]: 40,
          [metrics.uploaded]: 100,
          [metrics.pages]: 6
        })
      })
  )
})
