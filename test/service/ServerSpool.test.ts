import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ParseResponse } from "docsluice/ParsedDocument"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import * as ParseOptions from "docsluice/service/ParseOptions"
import * as Server from "docsluice/service/Server"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { strToU8, unzipSync, zipSync } from "fflate"
import type { Extension } from "../../src/internal/base/fileType.ts"
import { make as createServer } from "../../src/internal/server/nodeHttpServer.ts"
import * as documents from "../engine/documents.ts"
import { assertError, exchange, start, upload } from "./serverFixture.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-spool-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const large = 1_500_000

const paragraph = `<p>${"some words of a long paragraph that goes on and on ".repeat(200)}</p>`

/** Bytes that do not compress. */
const noise = Uint8Array.from({ length: large }, (_, index) => (Math.imul(index, 2_654_435_761) >>> 13) & 255)

const samples: ReadonlyArray<readonly [Extension, Uint8Array]> = [
  ["html", strToU8(`<html><title>Large</title><body><h1>One</h1>${paragraph.repeat(170)}</body></html>`)],
  ["csv", strToU8(`name,number\n${"a rather long name of a row in a table,12\n".repeat(37_000)}`)],
  ["docx", zipSync({ ...unzipSync(documents.docx()), "word/media/noise.bin": [noise, { level: 0 }] })],
  ["pdf", noise]
]

/** Names of this process's open files in the folder, which need not be there. */
const openIn = (directory: string): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const name = readlinkSync(`/proc/self/fd/${descriptor}`)
      return name.startsWith(directory) ? [name] : []
    } catch {
      return []
    }
  })

const answerOf = (text: unknown) => Schema.decodeUnknownSync(ParseResponse)(text).data

describe("Server", () => {
  it.scopedLive("gives a large upload the answer that its bytes get in this process", () =>
    Effect.gen(function* () {
      const base = yield* start({ engine: "native" })
      const { parse } = yield* Effect.provide(Engine, yield* Layer.build(Embedded.layerNative))
      for (const [extension, bytes] of samples) {
        assert.isAbove(bytes.length, 1_048_576)
        const filename = `large.${extension}`
        const here = yield* Effect.either(parse({ filename, extension, bytes }, ParseOptions.resolve({})))
        const { body, status } = yield* upload(base, { name: filename, bytes: new Uint8Array(bytes) })
        if (here._tag === "Right") {
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(answerOf(body), answerOf(here.right))
        } else {
          assert.strictEqual(status, here.left.status)
          assert.include(JSON.stringify(body), JSON.stringify(here.left.error))
        }
      }
    })
  )

  it.scopedLive(
    "keeps large uploads in files without a name, which are gone when they are answered or broken off",
    () =>
      Effect.gen(function* () {
        const spool = yield* folder
        const base = yield* start({ server: { spool } })
        const head = `POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 9000000\r\n\r\n--B\r\n`
        const half = yield* Effect.fork(exchange(base, [head, new Uint8Array(2_000_000)]))
        const open = yield* Effect.sync(() => openIn(spool)).pipe(
          Effect.delay("10 millis"),
          Effect.repeat({ until: ([name]) => name?.endsWith(" (deleted)") === true, times: 500 })
        )
        assert.lengthOf(open, 1)
        assert.deepStrictEqual(readdirSync(spool), [])
        yield* Fiber.interrupt(half)
        assert.strictEqual((yield* upload(base, { bytes: new Uint8Array(2_000_000) })).status, 200)
        const left = yield* Effect.sync(() => openIn(spool)).pipe(
          Effect.delay("10 millis"),
          Effect.repeat({ until: (names) => names.length === 0, times: 500 })
        )
        assert.deepStrictEqual(left, [])
      })
  )

  it.scopedLive("answers 503 to a large upload that the disk does not take, and takes small ones", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { spool: join(yield* folder, "missing") } })
      assertError(yield* upload(base, { bytes: new Uint8Array(5_000_000) }), 503, /cannot keep the upload \(ENOENT\)/)
      assert.strictEqual((yield* upload(base, {})).status, 200)
    })
  )

  it.scopedLive("holds no large upload in memory while an engine parses files", () =>
    Effect.gen(function* () {
      const spool = yield* folder
      const all = yield* Deferred.make<number>()
      const document = Buffer.alloc(30_000_000)
      const before = process.memoryUsage().arrayBuffers
      let arrived = 0
      const engine = Engine.of({
        version: "files",
        parse: () => Effect.dieMessage("a large upload was read into memory"),
        parseFile: ({ content, filename }) =>
          Effect.gen(function* () {
            arrived += 1
            if (arrived === 6) yield* Deferred.succeed(all, process.memoryUsage().arrayBuffers - before)
            yield* Deferred.await(all)
            return {
              success: true,
              data: { markdown: String(content.length), metadata: { sourceURL: filename, statusCode: 200 } }
            }
          })
      })
      const context = yield* Layer.build(
        Server.layer({ spool }).pipe(
          Layer.provide(Layer.succeed(Engine, engine)),
          Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
        )
      )
      const address = yield* Effect.provide(HttpServer.addressFormattedWith(Effect.succeed), context)
      const part = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
      const end = "\r\n--B--\r\n"
      const length = part.length + document.length + end.length
      const head = `POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${length}\r\n\r\n`
      const send = exchange(address, [head + part, document, end], { until: /"markdown":"30000000"/ })
      const answers = yield* Effect.replicateEffect(send, 6, { concurrency: 6 })
      for (const answer of answers) assert.include(answer, '"markdown":"30000000"')
      // Six documents are 180 MB; some of what has been written is not collected yet.
      assert.isBelow(yield* Deferred.await(all), 100_000_000)
    })
  )
})
