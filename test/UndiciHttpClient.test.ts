import { createServer, type RequestListener } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { HttpBody, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Either, type Scope, Stream } from "effect"

const serve = (listener: RequestListener): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(listener)
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
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    }
  )

const text = JSON.stringify({ words: "résumé 数据 ".repeat(5000) })
const packings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const

const get = (url: string) => Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url))

describe("UndiciHttpClient", () => {
  for (const [name, pack] of Object.entries(packings)) {
    it.scopedLive(`unpacks ${name} whether the body is read as text, as JSON or as a stream`, () =>
      Effect.gen(function* () {
        const url = yield* serve((_, response) => {
          response.writeHead(200, { "content-encoding": name, "set-cookie": "a=b" })
          response.end(pack(text))
        })
        const response = yield* get(url)
        assert.isUndefined(response.headers["content-encoding"])
        assert.strictEqual(yield* response.text, text)
        assert.deepStrictEqual(yield* Effect.flatMap(get(url), (it) => it.json), JSON.parse(text))
        const parts = Stream.decodeText(Stream.unwrap(Effect.map(get(url), (it) => it.stream)))
        assert.strictEqual(yield* Stream.mkString(parts), text)
      }).pipe(Effect.provide(UndiciHttpClient.layer()))
    )
  }

  it.scopedLive("a damaged compressed body is a failure of the response, not a defect", () =>
    Effect.gen(function* () {
      const url = yield* serve((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" })
        response.end("not packed")
      })
      const result = yield* Effect.either(Effect.flatMap(get(url), (response) => response.text))
      assert.strictEqual(Either.isLeft(result) ? result.left._tag : "", "ResponseError")
    }).pipe(Effect.provide(UndiciHttpClient.layer()))
  )

  it.scopedLive("a body that broke off before it was read is an error, and no empty body", () =>
    Effect.gen(function* () {
      const url = yield* serve((_, response) => {
        response.writeHead(200, { "content-length": "100" })
        response.flushHeaders()
        setTimeout(() => response.destroy(), 10)
      })
      const [streamed, gathered] = [yield* get(url), yield* get(url)]
      yield* Effect.sleep("100 millis")
      assert.isTrue(Either.isLeft(yield* Effect.either(Stream.runDrain(streamed.stream))))
      assert.isTrue(Either.isLeft(yield* Effect.either(gathered.text)))
    }).pipe(Effect.provide(UndiciHttpClient.layer()))
  )

  it.scopedLive("sends arrays and streams", () =>
    Effect.gen(function* () {
      const url = yield* serve((request, response) => {
        response.setHeader("content-type", request.headers["content-type"] ?? "text/plain")
        request.pipe(response)
      })
      const client = yield* HttpClient.HttpClient
      const bytes = new Uint8Array(300_000).fill(7)
      const stream = HttpBody.stream(Stream.rechunk(Stream.fromIterable(Array.from({ length: 6 }, () => bytes)), 1))
      const posted = (body: HttpBody.HttpBody) => client.execute(HttpClientRequest.post(url, { body }))
      assert.strictEqual(
        (yield* Effect.flatMap(posted(HttpBody.uint8Array(bytes)), (it) => it.arrayBuffer)).byteLength,
        300_000
      )
      assert.strictEqual((yield* Effect.flatMap(posted(stream), (it) => it.arrayBuffer)).byteLength, 1_800_000)
      const params = yield* Effect.flatMap(posted(HttpBody.text("a=1&b=2")), (it) => it.urlParamsBody)
      assert.deepStrictEqual(params, [
        ["a", "1"],
        ["b", "2"]
      ])
    }).pipe(Effect.provide(UndiciHttpClient.layer()))
  )

  it.scopedLive("a refused connection is a RequestError with the transport's own cause", () =>
    Effect.gen(function* () {
      const result = yield* Effect.either(get("http://127.0.0.1:1"))
      const error = Either.isLeft(result) ? result.left : undefined
      assert.strictEqual(error?._tag, "RequestError")
      assert.propertyVal(error?.cause, "code", "ECONNREFUSED")
    }).pipe(Effect.provide(UndiciHttpClient.layer()))
  )
})
