import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ParseResponse } from "docsluice/ParsedDocument"
import { Limits } from "docsluice/service/Client"
import { catalogue, DocumentUnparsable, RequestTimeout } from "docsluice/service/ServiceError"
import { Effect, Fiber, Redacted, Schema } from "effect"
import {
  type Answer,
  assertError,
  disposition,
  exchange,
  filePart,
  form,
  metricsWith,
  raw,
  rawForm,
  request,
  start,
  upload
} from "./serverFixture.ts"

const optionsPart = (text: string) => [disposition('name="options"'), text] as const

const documentIn = (answer: Answer) => Schema.decodeUnknownSync(ParseResponse)(answer.body).data

describe("Server", () => {
  it.scopedLive("parses an upload as its options say", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const options = {
        formats: ["markdown", { type: "html" }],
        parsers: [{ type: "pdf", pages: true, blocks: true, pageMarkers: true, maxPages: 2 }]
      }
      const data = documentIn(yield* upload(base, { options }))
      assert.strictEqual(data.pages?.length, 2)
      assert.strictEqual(data.blocks?.length, 2)
      assert.include(data.markdown, "\n\n---\n\n<!-- page 2 -->\n\n")
      assert.isString(data.html)
      assert.strictEqual(data.metadata.numPages, 2)
      assert.strictEqual(data.metadata.totalPages, 3)
      assert.strictEqual(data.metadata.sourceURL, "report.pdf")
      assert.strictEqual(data.metadata.creditsUsed, 2)
    })
  )

  it.scopedLive("fills in the defaults when there are no options", () =>
    Effect.gen(function* () {
      const data = documentIn(yield* upload(yield* start({}), {}))
      assert.isString(data.markdown)
      assert.isUndefined(data.pages)
      assert.isUndefined(data.blocks)
      assert.notInclude(data.markdown, "<!-- page")
    })
  )

  it.scopedLive("takes options before or after the file, as a field or as a file", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const json = '{"parsers":[{"type":"pdf","pages":true}]}'
      const asFile = [
        `${disposition('name="options"; filename="blob"')}\r\nContent-Type: application/json`,
        json
      ] as const
      for (const parts of [
        [optionsPart(json), filePart],
        [filePart, optionsPart(json)],
        [asFile, filePart],
        [filePart, asFile]
      ]) {
        assert.strictEqual(documentIn(yield* raw(base, rawForm(parts))).pages?.length, 3)
      }
    })
  )

  it.scopedLive("reads a file name as RFC 5987, as raw UTF-8 and as browsers quote it", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const names = [
        [`filename="x.pdf"; filename*=UTF-8''na%C3%AFve%20%E6%95%B0.pdf`, "naïve 数.pdf"],
        ['filename="naïve 数.pdf"', "naïve 数.pdf"],
        ['filename="a%22b;c.pdf"', 'a"b;c.pdf'],
        ['filename="a\\"b.pdf"', 'a"b.pdf'],
        ["filename=plain.PDF", "plain.PDF"],
        ['filename="C:\\folder\\b.pdf"', "b.pdf"],
        ['filename="../../etc/c.pdf"', "c.pdf"],
        [`filename="fallback.pdf"; filename*=UTF-8''bad%ZZ.pdf`, "fallback.pdf"]
      ] as const
      for (const [parameter, expected] of names) {
        const answer = yield* raw(base, rawForm([[disposition(`name="file"; ${parameter}`), "%PDF"]]))
        assert.strictEqual(documentIn(answer).metadata.sourceURL, expected)
      }
    })
  )

  it.scopedLive("tells the file type by extension or by content type", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const typed = yield* upload(base, { name: "upload", type: "application/pdf" })
      assert.strictEqual(documentIn(typed).metadata.contentType, "application/pdf")
      const named = yield* upload(base, { name: "a.DOCX", type: "application/octet-stream" })
      assert.match(documentIn(named).metadata.contentType ?? "", /wordprocessingml/)
      assertError(
        yield* upload(base, { name: "a.exe" }),
        400,
        /^Unsupported file type: "a\.exe"/,
        "UNSUPPORTED_FILE_TYPE"
      )
    })
  )

  it.scopedLive("names field, value and bound of wrong options", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const wrong = (options: unknown) => upload(base, { options })
      assertError(
        yield* wrong({ parsers: [{ type: "pdf", maxPages: 0 }] }),
        400,
        "parsers[0].maxPages is 0; expected an integer from 1 to 10000",
        "BAD_REQUEST"
      )
      assertError(yield* wrong({ formats: ["screenshot"] }), 400, /^formats\[0\]\.type/, "PARSE_UNSUPPORTED_OPTIONS")
      assertError(yield* wrong({ nonsense: 1 }), 400, /^nonsense is not an option/, "BAD_REQUEST")
      assertError(yield* wrong("[]"), 400, /^options is an array/, "BAD_REQUEST")
      assertError(yield* wrong("{"), 400, "options is not valid JSON", "BAD_REQUEST_INVALID_JSON")
      assertError(yield* wrong(""), 400, "options is not valid JSON", "BAD_REQUEST_INVALID_JSON")
      assertError(
        yield* wrong(`{"origin":"${"x".repeat(1_048_577)}"}`),
        400,
        /options is larger than 1 MB/,
        "BAD_REQUEST"
      )
      assertError(yield* wrong("[".repeat(400_000)), 400, "options is not valid JSON", "BAD_REQUEST_INVALID_JSON")
      const deep = `{"formats":[{"type":"json","schema":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}]}`
      assert.strictEqual((yield* wrong(deep)).status, 200)
    })
  )

  it.scopedLive("answers every malformed form with a 400 that says what is wrong", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const whole = rawForm([filePart])
      const cases: ReadonlyArray<readonly [Uint8Array<ArrayBuffer> | string, string | undefined, RegExp]> = [
        ["", undefined, /it is empty/],
        ["nothing", undefined, /its boundary is not in it/],
        [whole, "multipart/form-data", /names no boundary/],
        [whole, 'multipart/form-data; boundary=""', /names no boundary/],
        [whole, "application/json", /is not multipart/],
        [whole, "multipart/form-data; boundary=OTHER", /its boundary is not in it/],
        [whole.slice(0, -20), undefined, /ends before its closing boundary/],
        [whole.slice(0, 30), undefined, /headers of a part do not end/],
        ["--BOUNDARY", undefined, /not followed by a line end/],
        [rawForm([]), undefined, /no part named file/],
        [rawForm([optionsPart("{}")]), undefined, /no part named file/],
        [rawForm([filePart, filePart]), undefined, /more than one part named file/],
        [rawForm([filePart, optionsPart("{}"), optionsPart("{}")]), undefined, /more than one part named options/],
        [rawForm([["X-Nothing: 1", "x"]]), undefined, /a part has no name/],
        [rawForm([filePart, [disposition('name="evil"; filename="x"'), "x"]]), undefined, /unexpected part "evil"/],
        [rawForm(Array.from({ length: 40 }, () => optionsPart("{}"))), undefined, /more than 32 parts/]
      ]
      for (const [body, type, error] of cases) assertError(yield* raw(base, body, type), 400, error, "BAD_REQUEST")
    })
  )

  it.scopedLive("answers unknown paths and wrong methods with 404 Not Found", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const all = [
        request(`${base}/`),
        request(`${base}/v2/parse`),
        request(`${base}/v2/parse`, { method: "DELETE" }),
        request(`${base}/v2/parse`, { method: "PUT", body: form({}) }),
        request(`${base}/v1/parse`, { method: "POST", body: form({}) }),
        request(`${base}/v2/agents`, { method: "POST", body: "{}" }),
        request(`${base}/v2/agent`, { method: "PUT", body: "{}" }),
        request(`${base}/v2/%zz`)
      ]
      for (const each of all) assertError(yield* each, 404, "Not Found")
    })
  )

  it.scopedLive("answers a request that is not HTTP in the same shape", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      assert.match(yield* exchange(base, ["nonsense\r\n\r\n"]), /^HTTP\/1\.1 400 [\s\S]*"error":"Bad Request"/)
      assert.match(
        yield* exchange(base, [`GET / HTTP/1.1\r\nX: ${"y".repeat(100_000)}\r\n\r\n`]),
        /^HTTP\/1\.1 431 [\s\S]*"success":false/
      )
      assert.match(
        yield* exchange(base, ["GET /x HTTP/1.1\r\nConnection: close\r\n\r\n"]),
        /^HTTP\/1\.1 404 [\s\S]*"error":"Not Found"/
      )
      assert.match(
        yield* exchange(base, ["GET /x HTTP/1.1\r\nConnection: close\r\nExpect: nothing\r\n\r\n"]),
        /^HTTP\/1\.1 404 [\s\S]*"error":"Not Found"/
      )
    })
  )

  it.scopedLive("accepts only its keys, and any key or none when it has none", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("one"), Redacted.make("two")] } })
      const as = (authorization: string) => upload(base, {}, { headers: { authorization } })
      assert.strictEqual((yield* as("Bearer one")).status, 200)
      assert.strictEqual((yield* as("Bearer two")).status, 200)
      for (const wrong of [
        "",
        "Bearer",
        "Bearer ",
        "Bearer three",
        "Bearer on",
        "Basic one",
        "one",
        "Bearer one two"
      ]) {
        assertError(yield* as(wrong), 401, catalogue.Unauthorized.error)
      }
      assertError(yield* upload(base, {}), 401, catalogue.Unauthorized.error)
      const open = yield* start({})
      assert.strictEqual((yield* upload(open, {})).status, 200)
      assert.strictEqual((yield* upload(open, {}, { headers: { authorization: "Bearer any" } })).status, 200)
    })
  )

  it.scopedLive("takes exactly 50 MiB and refuses a byte more", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const largest = new Uint8Array(Limits.uploadBytes)
      assert.strictEqual((yield* upload(base, { bytes: largest })).status, 200)
      const one = yield* upload(base, { bytes: new Uint8Array(Limits.uploadBytes + 1) })
      assertError(one, 413, "Payload Too Large")
      const many = yield* upload(base, { bytes: new Uint8Array(Limits.uploadBytes + 4_000_000) })
      assertError(many, 413, "Payload Too Large")
    })
  )

  it.scopedLive("refuses a wrong key and a declared length above the limit before anything is sent", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("one")] } })
      const head = (length: number, key: string) =>
        `POST /v2/parse HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${length}\r\n\r\n`
      assert.match(
        yield* exchange(base, [head(1000, "no")], { until: /\}$/ }),
        /^HTTP\/1\.1 401 [\s\S]*Unauthorized: Invalid token/
      )
      assert.match(
        yield* exchange(base, [head(90_000_000, "one")], { until: /\}$/ }),
        /^HTTP\/1\.1 413 [\s\S]*Payload Too Large/
      )
    })
  )

  it.scopedLive("keeps the connection in step after a refusal whose body it did not read", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("one")] } })
      const body = Buffer.from(rawForm([[filePart[0], Buffer.alloc(300_000)]]))
      const post = (key: string) =>
        `POST /v2/parse HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=BOUNDARY\r\nContent-Length: ${body.length}\r\n\r\n`
      const received = yield* exchange(base, [post("no"), body, post("one"), body], {
        until: /HTTP[\s\S]*HTTP[\s\S]*\}\}$/
      })
      assert.deepStrictEqual(received.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 401", "HTTP/1.1 200"])
    })
  )

  it.scopedLive("gives up a chunked upload that is too large, with an answer", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const piece = Buffer.alloc(8_000_000)
      const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")])
      const head =
        "POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nTransfer-Encoding: chunked\r\n\r\n"
      const eight = Array.from({ length: 8 }, () => chunk)
      const received = yield* exchange(base, [head, ...eight, "0\r\n\r\n"], { until: /\}$/ })
      assert.match(received, /^HTTP\/1\.1 413 [\s\S]*Payload Too Large/)
    })
  )

  it.scopedLive("answers 408 when an upload stalls", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { idleTimeout: "100 millis" } })
      const head =
        "POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000\r\n\r\n"
      const received = yield* exchange(base, [head, "--B\r\n"])
      assert.match(
        received,
        /^HTTP\/1\.1 408 [\s\S]*"error":"Request Timeout: less than 10 KB of the upload arrived a second"/
      )
    })
  )

  it.scopedLive("outlives a client that goes away in the middle of an upload or of a parse", () =>
    Effect.gen(function* () {
      const base = yield* start({ engine: { scripts: { "a.pdf": { delay: "1 minute" } } } })
      const head = (length: number) =>
        `POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=BOUNDARY\r\nContent-Length: ${length}\r\n\r\n`
      const body = rawForm([filePart])
      assert.strictEqual(yield* exchange(base, [head(1000), "--BOUNDARY\r\n"], { silence: 50 }), "")
      assert.strictEqual(yield* exchange(base, [head(body.length), body], { silence: 100 }), "")
      assert.strictEqual((yield* upload(base, {})).status, 200)
      const metrics = yield* metricsWith(base, 'status="aborted"} 2')
      assert.include(metrics, 'docsluice_requests_total{status="aborted"} 2\n')
      assert.include(metrics, "docsluice_requests_in_flight 1\n")
    })
  )

  it.scopedLive("returns the engine's failures, and hides its defects", () =>
    Effect.gen(function* () {
      const corrupt = new DocumentUnparsable({ status: 500, error: "It is corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })
      const late = new RequestTimeout({ status: 408, error: "Request Timeout", code: "SCRAPE_TIMEOUT" })
      const base = yield* start({
        engine: {
          scripts: {
            "corrupt.pdf": { error: corrupt },
            "late.pdf": { error: late },
            "dies.pdf": { defect: new Error("secret path") },
            "hangs.pdf": { delay: "1 hour" }
          }
        }
      })
      assertError(yield* upload(base, { name: "corrupt.pdf" }), 500, "It is corrupt", "SCRAPE_ALL_ENGINES_FAILED")
      assertError(yield* upload(base, { name: "late.pdf" }), 408, "Request Timeout", "SCRAPE_TIMEOUT")
      assertError(yield* upload(base, { name: "dies.pdf" }), 500, "Internal Server Error", "UNKNOWN_ERROR")
      assertError(yield* upload(base, { name: "hangs.pdf", options: { timeout: 100 } }), 408, "Request Timeout")
      assertError(yield* upload(base, { name: "empty.pdf", bytes: "" }), 500, /empty/, "SCRAPE_ALL_ENGINES_FAILED")
    })
  )

  it.scopedLive("enforces limits that all callers share: rate, concurrency and credits", () =>
    Effect.gen(function* () {
      const limited = yield* start({ server: { rate: { requests: 2, per: "1 minute" } } })
      assert.strictEqual((yield* upload(limited, {})).status, 200)
      assert.strictEqual((yield* upload(limited, {})).status, 200)
      const third = yield* upload(limited, {})
      assertError(third, 429, "Rate limit exceeded")
      assert.isTrue(Number(third.retryAfter) > 50 && Number(third.retryAfter) <= 60)

      const narrow = yield* start({
        server: { concurrency: 1, queueTimeout: "100 millis" },
        engine: { scripts: { "slow.pdf": { delay: "1 minute" } } }
      })
      const slow = yield* Effect.fork(upload(narrow, { name: "slow.pdf" }))
      yield* metricsWith(narrow, "docsluice_requests_in_flight 2\n")
      const late = yield* upload(narrow, {})
      assertError(late, 408, /^Request Timeout: in the queue for \d+ ms/, "CONCURRENCY_QUEUE_TIMEOUT")
      assert.isAtLeast(Number(late.retryAfter), 1)
      yield* Fiber.interrupt(slow)
      yield* metricsWith(narrow, "docsluice_requests_in_flight 1\n")
      assert.strictEqual((yield* upload(narrow, {})).status, 200)

      const poor = yield* start({ server: { credits: 6 } })
      assert.strictEqual((yield* upload(poor, {})).status, 200)
      assert.strictEqual((yield* upload(poor, {})).status, 200)
      assertError(yield* upload(poor, {}), 402, "Payment Required: Insufficient credits")
    })
  )

  it.scopedLive("accepts calls from web pages of the configured origins, errors included", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { cors: ["https://app.test"], keys: [Redacted.make("one")] } })
      const headers = { origin: "https://app.test", "access-control-request-headers": "authorization" }
      const preflight = yield* request(`${base}/v2/parse`, { method: "OPTIONS", headers })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.allowOrigin, "https://app.test")
      assert.strictEqual((yield* upload(base, {}, { headers })).allowOrigin, "https://app.test")
      const closed = yield* start({})
      const refused = yield* request(`${closed}/v2/parse`, { method: "OPTIONS", headers })
      assertError(refused, 403, /^Forbidden: web pages of "https:\/\/app\.test" .* --cors/)
      assert.isNull(refused.allowOrigin)
    })
  )

  it.scopedLive("tells the engine and the metrics to callers with a key alone, where it has keys", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("one")] } })
      const headers = { authorization: "Bearer one" }
      yield* upload(base, {}, { headers })
      yield* upload(base, {})
      const health = { status: "ok", version: JSON.parse(readFileSync("package.json", "utf8")).version }
      const known = { ...health, engine: "scripted 1" }
      for (const stranger of [{}, { headers: { authorization: "Bearer two" } }]) {
        assert.deepStrictEqual((yield* request(`${base}/health`, stranger)).body, health)
        assertError(yield* request(`${base}/metrics`, stranger), 401, /^Unauthorized/)
      }
      assert.deepStrictEqual((yield* request(`${base}/health`, { headers })).body, known)
      const metrics = String((yield* request(`${base}/metrics`, { headers })).body)
      assert.include(metrics, 'docsluice_requests_total{status="200"} 4\n')
      assert.include(metrics, 'docsluice_requests_total{status="401"} 3\n')
      assert.include(metrics, 'docsluice_parse_duration_seconds_bucket{le="+Inf"} 1\n')
      assert.include(metrics, "docsluice_parse_duration_seconds_count 1\n")
      const document = yield* request(`${base}/v2/openapi.json`)
      assert.nestedProperty(document.body, "paths./v2/parse.post.requestBody")
      const open = yield* start({})
      assert.deepStrictEqual((yield* request(`${open}/health`)).body, known)
      assert.strictEqual((yield* request(`${open}/metrics`)).status, 200)
    })
  )

  it.scopedLive("answers many clients at once, each with its own document", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      const names = Array.from({ length: 40 }, (_, index) => `file-${index}.pdf`)
      const answers = yield* Effect.forEach(names, (name) => upload(base, { name, bytes: name }), { concurrency: 10 })
      assert.deepStrictEqual(
        answers.map((answer) => documentIn(answer).metadata.sourceURL),
        names
      )
      assert.strictEqual(new Set(answers.map((answer) => documentIn(answer).markdown)).size, names.length)
    })
  )
})
