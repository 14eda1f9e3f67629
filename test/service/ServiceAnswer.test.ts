import { assert, describe, it } from "@effect/vitest"
import * as ServiceError from "docsluice/service/ServiceError"
import { Effect, FastCheck as fc, Random, Redacted } from "effect"
import { runs } from "../fixtures/seed.ts"
import { file, key, parse, scripted } from "./collaborators.ts"

type Headers = Readonly<Record<string, string>>

/** The client's result for one answer, without a second attempt. */
const errorOf = (status: number, body: unknown, headers: Headers = {}) =>
  parse(file("a.pdf")).pipe(
    Effect.provide(
      scripted([[status, body, headers]], [], { apiKey: Redacted.make(key), retry: { attempts: 1, maxElapsed: 0 } })
    ),
    Effect.withRandom(Random.fixed([0.5])),
    Effect.flip
  )

/** Status, body as the public service words it, tag. */
const worded: ReadonlyArray<readonly [number, unknown, string]> = [
  [401, { success: false, error: "Unauthorized: Token missing" }, "Unauthorized"],
  [402, { error: "Insufficient credits to perform this request. For more credits, you can …" }, "PaymentRequired"],
  [429, { error: "RATE LIMIT EXCEEDED. Consumed (req/min): 11" }, "RateLimitExceeded"],
  [429, { error: "concurrency limit reached for your plan" }, "ConcurrencyLimitReached"],
  [429, { error: "Slow down" }, "RateLimitExceeded"],
  [400, { code: "BAD_REQUEST", error: "Uploaded file exceeds maximum size of 50MB." }, "PayloadTooLarge"],
  [400, { code: "UNSUPPORTED_FILE_TYPE", error: "Unsupported" }, "BadRequest"],
  [400, { error: "invalid url: no scheme" }, "InvalidUrl"],
  [403, { error: "Injection found", code: "SCRAPE_PROMPT_INJECTION_DETECTED" }, "PromptInjectionDetected"],
  [408, { code: "CONCURRENCY_QUEUE_TIMEOUT", error: "Queued too long" }, "RequestTimeout"],
  [500, { code: "SCRAPE_TIMEOUT", error: "Timed out" }, "RequestTimeout"],
  [500, { code: "UNKNOWN_ERROR", error: "boom" }, "InternalServerError"],
  ...ServiceError.unparsableCodes.map((code) => [500, { code, error: "no" }, "DocumentUnparsable"] as const),
  [520, "<html>Cloudflare</html>", "UnexpectedResponse"],
  [503, "null", "ServiceUnavailable"],
  [503, "[1]", "ServiceUnavailable"],
  [503, { error: { message: "nested" } }, "ServiceUnavailable"]
]

describe("an answer of the service", () => {
  it.effect("is named by its code, then its status, then its message in any case", () =>
    Effect.gen(function* () {
      for (const [status, body, tag] of worded) {
        assert.strictEqual((yield* errorOf(status, body))._tag, tag, JSON.stringify(body))
      }
    })
  )

  it.effect("keeps the words, the code and the details of the service, and no page of HTML", () =>
    Effect.gen(function* () {
      const details = [{ path: ["timeout"], message: "too large" }]
      const bad = { success: false, code: "BAD_REQUEST", error: "Bad", details }
      assert.deepInclude({ ...(yield* errorOf(400, bad)) }, { status: 400, code: "BAD_REQUEST", error: "Bad", details })
      assert.strictEqual((yield* errorOf(502, "<html>a page</html>")).message, "Bad Gateway")
      assert.strictEqual((yield* errorOf(502, "upstream said no")).message, "upstream said no")
    })
  )

  it.effect("takes the general row of its status when nothing of the body is the service's word", () =>
    Effect.gen(function* () {
      for (const body of [
        "<html>blocked</html>",
        "",
        "{}",
        '{"code":"BLOCKED"}',
        '{"success":false,"code":" "}',
        "[]",
        '{"message":"Invalid URL"}',
        '{"error":" "}',
        "Blocked"
      ]) {
        for (const [status, tag] of [
          [400, "BadRequest"],
          [403, "Forbidden"],
          [429, "RateLimitExceeded"]
        ] as const) {
          const error = yield* errorOf(status, body)
          assert.strictEqual(error._tag, tag, `${status} ${body}`)
          assert.isTrue("foreign" in error && error.foreign, `${status} ${body}`)
          assert.include(error.message, "a proxy or a firewall may have answered")
        }
      }
      for (const said of [
        yield* errorOf(403, { error: "Forbidden" }),
        yield* errorOf(400, { success: false, code: "BAD_REQUEST" }),
        yield* errorOf(403, { success: false, code: "FORBIDDEN" }),
        yield* errorOf(502, ""),
        yield* errorOf(413, "")
      ]) {
        assert.isFalse("foreign" in said && said.foreign === true, said.message)
      }
      const coded = yield* errorOf(403, { code: "SCRAPE_PROMPT_INJECTION_DETECTED" })
      assert.strictEqual(coded._tag, "PromptInjectionDetected")
    })
  )

  it.effect("keeps the words, the code and the details of a 200 that is no success, and never the key", () =>
    Effect.gen(function* () {
      const details = [{ path: ["formats"], message: `not for ${key}` }]
      const body = { success: false, error: "No", code: "BAD_REQUEST", details }
      const answer = scripted([[200, body]], [], { apiKey: Redacted.make(key) })
      const error = yield* Effect.flip(Effect.provide(parse(file("a.pdf")), answer))
      assert.deepInclude(
        { ...error },
        {
          _tag: "UnexpectedResponse",
          reason: "NoSuccess",
          error: "No",
          code: "BAD_REQUEST",
          details: [{ path: ["formats"], message: "not for <redacted>" }]
        }
      )
    })
  )

  it.effect("trusts the header before the details, the details before the member, the member before the text", () =>
    Effect.gen(function* () {
      const wait = (body: unknown, headers?: Headers) =>
        Effect.map(errorOf(429, body, headers), (error) => ("retryAfter" in error ? error.retryAfter : undefined))
      const body = { error: "retry after 4s", retry_after_seconds: 3, details: { retryAfterSeconds: 2 } }
      assert.strictEqual(yield* wait(body, { "retry-after": "1" }), 1000)
      assert.strictEqual(yield* wait(body, { "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }), 9000)
      assert.strictEqual(yield* wait(body, { "retry-after": "tomorrow" }), 2000)
      assert.strictEqual(yield* wait({ ...body, details: { retryAfterSeconds: -2 } }), 3000)
      assert.strictEqual(yield* wait({ error: "please retry after 4s" }), 4000)
      assert.isUndefined(yield* wait({ error: "retry later" }))
    })
  )

  it.effect.prop(
    "is a typed error whatever the status, the headers and the body",
    [fc.integer({ min: 400, max: 599 }), fc.oneof(fc.string(), fc.json()), fc.stringMatching(/^[ -~]*$/)],
    ([status, body, retryAfter]) =>
      Effect.map(errorOf(status, body, { "retry-after": retryAfter }), (error) => {
        assert.isString(error.message)
        assert.strictEqual("status" in error ? error.status : undefined, status)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect("is named by what the service said, though the key may be a word of it", () =>
    Effect.gen(function* () {
      const keyed: ReadonlyArray<readonly [string, number, object | string, string, string]> = [
        [
          "Concurrency",
          429,
          { error: "Concurrency limit reached for a" },
          "ConcurrencyLimitReached",
          "<redacted> limit"
        ],
        ["Concurrency", 429, { error: "Concurrency limit reached" }, "ConcurrencyLimitReached", "Concurrency limit"],
        ["invalid", 400, { error: "invalid url: x" }, "InvalidUrl", "<redacted> url: x"],
        ["exceeds", 400, { error: "Uploaded file exceeds 50 MB" }, "PayloadTooLarge", "Uploaded file <redacted>"],
        ["SCRAPE_TIMEOUT", 500, { error: "late", code: "SCRAPE_TIMEOUT" }, "RequestTimeout", "late"],
        ["error", 403, { error: "No", code: "SCRAPE_PROMPT_INJECTION_DETECTED" }, "PromptInjectionDetected", "No"],
        ["upstream", 502, "upstream said no", "BadGateway", "<redacted> said no"]
      ]
      for (const [apiKey, status, body, tag, message] of keyed) {
        const answers = scripted([[status, body]], [], {
          apiKey: Redacted.make(apiKey),
          retry: { attempts: 1, maxElapsed: 0 }
        })
        const error = yield* Effect.flip(Effect.provide(parse(file("a.pdf")), answers))
        assert.strictEqual(error._tag, tag, JSON.stringify(body))
        assert.isTrue(error.message.startsWith(message), error.message)
      }
      const waiting = scripted([[429, { error: "retry after 4s" }]], [], {
        apiKey: Redacted.make("4s"),
        retry: { attempts: 1, maxElapsed: 0 }
      })
      const error = yield* Effect.flip(Effect.provide(parse(file("a.pdf")), waiting))
      assert.deepInclude({ ...error }, { retryAfter: 4000, error: "retry after <redacted>" })
    })
  )

  it.effect("names the target of a redirect, without credentials, query, fragment and key", () =>
    Effect.gen(function* () {
      const targets = [
        ["https://me:secret@login.example:8443/sign/in?token=secret#secret", "https://login.example:8443/sign/in"],
        ["//me:secret@login.example/in", "http://login.example/in"],
        ["/v2/parse?redirected=secret", "/v2/parse"],
        [`https://login.example/${key}/in`, "https://login.example/<redacted>/in"]
      ] as const
      for (const [location, target] of targets) {
        const error = yield* errorOf(302, "", { location })
        assert.include(error.message, `redirected to ${target}, which is not followed`)
        assert.notInclude(JSON.stringify(error) + error.message, "secret")
      }
      for (const headers of [{}, { location: "http://a b:secret" }]) {
        assert.match((yield* errorOf(302, "", headers)).message, /^status 302/u)
      }
    })
  )
})
