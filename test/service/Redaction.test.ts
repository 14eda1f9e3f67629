import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as State from "docsluice/State"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Logger, LogLevel, Redacted, type Scope, Stream } from "effect"
import { readUpload } from "../faultserver/multipart.ts"
import { recorder } from "../fixtures/spans.ts"
import { byLine, characters, sink } from "../pipeline/fakes.ts"
import { impatient } from "./collaborators.ts"

const keys = ["fc-0123456789abcdef", String.raw`k-/+"\&=%20~!`] as const

/** Each writes JSON in its own way; a key may be escaped in all of them. */
const writers = {
  plainly: (value: unknown) => JSON.stringify(value),
  "with escapes": (value: unknown) =>
    JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"/g, (literal) => {
      const units = String(JSON.parse(literal)).split("")
      return `"${units.map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
    })
} as const

/** An answer with a string in every member, outside of the document's content. */
const described = {
  markdown: "# A\n\ntext",
  warning: "w",
  metadata: {
    title: "t",
    description: ["d", "e"],
    keywords: "k",
    language: "en",
    sourceURL: "s",
    url: "u",
    contentType: "c",
    error: "e",
    ogLocaleAlternate: ["o"],
    numPages: 1,
    creditsUsed: 1,
    unknown: { deep: ["x"] }
  },
  unknown: "n",
  jobs: [{ id: "j" }]
} as const

const content = {
  markdown: "# A\n\ntext",
  pages: [{ pageNumber: 1, markdown: "p" }],
  html: "h",
  rawHtml: "r",
  links: ["l"],
  images: ["i"],
  summary: "s",
  json: { a: "j" },
  rawBase64: "b",
  metadata: { numPages: 1 }
} as const

const failure = { success: false, error: "e", message: "m", code: "c", details: { reason: ["d"] } } as const

/** The value once for each of its strings, with the key in that string. */
const variants = (value: unknown, key: string): ReadonlyArray<unknown> => {
  if (typeof value === "string") return [`said: ${key}, and more`]
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => variants(item, key).map((variant) => value.with(at, variant)))
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    variants(member, key).map((variant) => Object.assign({}, value, { [name]: variant }))
  )
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A service that gives the answer of a file's number in its name, on a free port. */
const serve = (
  answers: ReadonlyArray<Answer>,
  write: (value: unknown) => string
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          const parts: Array<Buffer> = []
          request.on("data", (part: Buffer) => parts.push(part))
          request.on("end", () => {
            const { file } = readUpload(Buffer.concat(parts), request.headers["content-type"] ?? "")
            const answer = answers[Number.parseInt(file.filename, 10)]
            response.statusCode = answer?.status ?? 500
            response.setHeader("content-type", "application/json")
            response.end(write(answer?.body))
          })
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v2`
    }
  )

const textOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n")

/** Two runs over files with these answers, the second one from the cache into another sink; all that they left, by place. */
const traces = (answers: ReadonlyArray<Answer>, key: string, write: (value: unknown) => string) =>
  Effect.gen(function* () {
    const base = yield* serve(answers, write)
    const state = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-redaction-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
    const logs: Array<unknown> = []
    const { layer: tracing, spans } = recorder()
    const client = Client.layer({ baseUrl: base, apiKey: Redacted.make(key), retry: impatient }).pipe(
      Layer.provide([RequestGate.layer({ concurrency: 2 }), UndiciHttpClient.layer()])
    )
    const progress: Array<Pipeline.Progress> = []
    const stores = [sink({ id: "memory:a" }), sink({ id: "memory:b" })] as const
    const run = (store: (typeof stores)[number]) =>
      Pipeline.run({
        source: Source.make({
          name: "root",
          files: Stream.fromIterable(
            answers.map((_, index) =>
              SourceFile.fromBytes({
                root: "root",
                path: `${index}.pdf`,
                bytes: new TextEncoder().encode(`no ${index}`)
              })
            )
          )
        }),
        chunker: byLine,
        sinks: [store.service],
        state: { mode: "append" },
        concurrency: 2,
        onProgress: (moment) => Effect.sync(() => void progress.push(moment))
      }).pipe(Effect.provide(Layer.provideMerge(Layer.provide(Parser.layer(), client), State.layer(state))))
    const summaries = yield* Effect.all(stores.map(run)).pipe(
      Effect.provide(
        Layer.mergeAll(
          characters,
          tracing,
          Logger.replace(
            Logger.defaultLogger,
            Logger.make((entry) => void logs.push([entry.message, String(entry.cause)]))
          )
        )
      ),
      Logger.withMinimumLogLevel(LogLevel.All),
      Effect.provide(NodeContext.layer)
    )
    const shown = {
      summaries: JSON.stringify(summaries),
      progress: JSON.stringify(progress),
      logs: JSON.stringify(logs),
      spans: JSON.stringify(spans)
    }
    const kept = textOf(state)
    const chunks = JSON.stringify(stores.map(({ batches }) => batches))
    return { summaries, shown, kept, chunks }
  })

const absent = (key: string, text: string): boolean =>
  !text.includes(key) && !text.includes(JSON.stringify(key).slice(1, -1))

describe("A key that the service repeats", () => {
  for (const [how, write] of Object.entries(writers)) {
    for (const key of keys) {
      it.scopedLive(`is in no trace of a run, whichever member of an answer held it (${key}, written ${how})`, () =>
        Effect.gen(function* () {
          const good = variants(described, key)
            .slice(1)
            .map((data) => ({ status: 200, body: { success: true, data } }))
          const refused = [400, 403, 404, 422, 500].flatMap((status) =>
            variants(failure, key).map((body) => ({ status, body }))
          )
          const strange = variants(failure, key).map((body) => ({ status: 200, body }))
          const { chunks, kept, shown, summaries } = yield* traces([...good, ...refused, ...strange], key, write)
          assert.isAbove(good.length, 12)
          assert.strictEqual(summaries[0]?.stored, good.length)
          assert.strictEqual(summaries[1]?.fromCache, good.length)
          assert.match(shown.summaries, /said: <redacted>, and more/)
          for (const [place, text] of Object.entries({ ...shown, kept, chunks })) {
            assert.isTrue(absent(key, text), `${place} holds the key`)
          }
        })
      )

      it.scopedLive(`is in no message of a run that its answer stopped (${key}, written ${how})`, () =>
        Effect.gen(function* () {
          for (const status of [401, 402, 501]) {
            const { kept, shown, summaries } = yield* traces(
              [{ status, body: { error: `no: Bearer ${key}` } }],
              key,
              write
            )
            assert.isDefined(summaries[0]?.stopped ?? summaries[0]?.failures[0])
            for (const text of [...Object.values(shown), kept]) assert.isTrue(absent(key, text))
          }
        })
      )
    }
  }

  it.scopedLive("stays in a document's content, and nowhere else", () =>
    Effect.gen(function* () {
      const [key] = keys
      const answers = variants(content, key).map((data) => ({ status: 200, body: { success: true, data } }))
      const { chunks, shown, summaries } = yield* traces(answers, key, JSON.stringify)
      assert.strictEqual(summaries[0]?.stored, answers.length)
      assert.isFalse(absent(key, chunks))
      for (const text of Object.values(shown)) assert.isTrue(absent(key, text))
    })
  )
})
