import { inspect } from "node:util"
import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import { Cause, Effect, Either, Exit } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import { wordless } from "../faultserver/answers.ts"
import * as faultserver from "../faultserver/server.ts"
import { asRun, file, impatient, key, live, parse, scripted, stored } from "./collaborators.ts"

/** Scenario, what it ends as, requests it costs, and whether it stops the run. */
type Row = readonly [scenario: string, ending: string, requests: number, stops?: "stops"]

const whateverTheSize: ReadonlyArray<Row> = [
  ["e400", "BadRequest", 1],
  ["e400-url", "InvalidUrl", 1],
  ["e400-size", "PayloadTooLarge", 1],
  ["e401", "Unauthorized", 1, "stops"],
  ["e402", "PaymentRequired", 1, "stops"],
  ["e403", "Forbidden", 1, "stops"],
  ["e403-injection", "PromptInjectionDetected", 1],
  ["e404", "NotFound", 1, "stops"],
  ["e405", "UnexpectedResponse Status", 1, "stops"],
  ["e408", "RequestTimeout", 2],
  ["e409", "Conflict", 1],
  ["e413", "PayloadTooLarge", 1],
  ["e415", "UnexpectedResponse Status", 1],
  ["e422", "UnprocessableEntity", 1],
  ["e500", "InternalServerError", 5],
  ["e500-corrupt", "DocumentUnparsable", 1],
  ["e500-empty", "InternalServerError", 5],
  ["e500-text", "InternalServerError", 5],
  ["e501", "UnexpectedResponse Status", 1, "stops"],
  ["e502", "BadGateway", 5],
  ["e502-html", "BadGateway", 5],
  ["e503", "ServiceUnavailable", 5],
  ["e504", "GatewayTimeout", 3],
  ["e529", "UnexpectedResponse Status", 2],
  ["e503~times=4", "ok", 5],
  ["e504~times=2", "ok", 3],
  ["e408~times=1", "ok", 2],
  ["e429-rate~times=3", "ok", 4],
  ["e429-concurrency~times=3", "ok", 4],
  ["e408-queue~times=3", "ok", 4],
  ["ok", "ok", 1],
  ["ok-slow", "ok", 1],
  ["slow-upload", "ok", 1],
  ["extra-1xx", "ok", 1],
  ["early-401", "Unauthorized", 1, "stops"],
  ["early-413", "PayloadTooLarge", 1],
  ["reset-after-request", "ConnectionFailed reset", 2],
  ["reset-after-request~times=1", "ok", 2],
  ["close-after-request", "ConnectionFailed reset", 2],
  ["reset-mid-headers", "ConnectionFailed reset", 2],
  ["reset-mid-response", "ConnectionFailed reset", 2],
  ["short-body", "ConnectionFailed reset", 2],
  ["chunked-abort", "ConnectionFailed reset", 2],
  ["garbage", "ConnectionFailed reset", 2],
  ["truncated-json", "UnexpectedResponse NotJson", 3],
  ["html-200", "UnexpectedResponse NotJson", 3],
  ["html-200~times=2", "ok", 3],
  ["empty-200", "UnexpectedResponse Empty", 3],
  ["status-204", "UnexpectedResponse Empty", 3],
  ["success-false", "UnexpectedResponse NoSuccess", 1],
  ["success-missing", "UnexpectedResponse NoSuccess", 1],
  ["success-string", "UnexpectedResponse NoSuccess", 1],
  ["no-data", "UnexpectedResponse NoData", 1],
  ["data-null", "UnexpectedResponse NoData", 1],
  ["missing-markdown", "UnexpectedResponse NoMarkdown", 1],
  ["bad-markdown", "UnexpectedResponse NoMarkdown", 1],
  ["empty-markdown", "ok", 1],
  ["missing-metadata", "ok", 1],
  ["unknown-members", "ok", 1],
  ["warning", "ok", 1],
  ["wrong-type", "ok", 1],
  ["gzip", "ok", 1],
  ["bom", "ok", 1],
  ["invalid-utf8", "ok", 1],
  ["redirect-302", "UnexpectedResponse Redirect", 1, "stops"],
  ["redirect-307", "UnexpectedResponse Redirect", 1, "stops"]
]

/** The same for answers in place of the service, of a proxy or a firewall, and for damaged ones. */
const inItsPlace: ReadonlyArray<Row> = [
  ...Object.keys(wordless).flatMap((body): ReadonlyArray<Row> => [
    [`e400-${body}`, "BadRequest", 3],
    [`e401-${body}`, "Unauthorized", 1, "stops"],
    [`e402-${body}`, "PaymentRequired", 1, "stops"],
    [`e403-${body}`, "Forbidden", 3],
    [`e404-${body}`, "NotFound", 1, "stops"],
    [`e405-${body}`, "UnexpectedResponse Status", 3],
    [`e408-${body}`, "RequestTimeout", 3],
    [`e409-${body}`, "Conflict", 3],
    [`e413-${body}`, "PayloadTooLarge", 1],
    [`e415-${body}`, "UnexpectedResponse Status", 1],
    [`e418-${body}`, "UnexpectedResponse Status", 3],
    [`e422-${body}`, "UnprocessableEntity", 3],
    [`e429-${body}`, "RateLimitExceeded", 3],
    [`e403-${body}~times=2`, "ok", 3],
    [`e429-${body}~retryAfter=0,times=7`, "ok", 8]
  ]),
  ["gzip-damaged", "UnexpectedResponse NotJson", 3],
  ["gzip-damaged~times=2", "ok", 3],
  ["gzip-cut", "UnexpectedResponse NotJson", 3],
  ["brotli-damaged", "UnexpectedResponse NotJson", 3],
  ["gzip-aborted", "ConnectionFailed reset", 2]
]

const big = 3_000_000

const ending = (result: Either.Either<unknown, { readonly _tag: string; readonly reason?: string }>): string =>
  Either.match(result, {
    onRight: () => "ok",
    onLeft: (error) => (error.reason === undefined ? error._tag : `${error._tag} ${error.reason}`)
  })

const checkRow = (server: faultserver.FaultServer, [scenario, expected, requests, stops]: Row, size: number) =>
  Effect.gen(function* () {
    const name = `${size}@${scenario}.pdf`
    const { result, run } = yield* asRun(file(name, size))
    const said = `${name}: ${inspect(result)}`
    assert.strictEqual(ending(result), expected, said)
    assert.strictEqual(server.log.filter((entry) => entry.filename === name).length, requests, said)
    assert.strictEqual(run.counters.requests, requests, said)
    assert.strictEqual(run.counters.retries, requests - 1, said)
    assert.strictEqual(run.stopped() !== null, stops === "stops", said)
    assert.notInclude(said, key)
  })

describe("Client over a socket", () => {
  for (const size of [20, big]) {
    it.scopedLive(`every answer to a file of ${size} bytes ends as the table of answers says`, () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        // A client of its own for each row: no idle connection, so no free retry, whatever the order.
        yield* Effect.forEach(
          whateverTheSize,
          (row) => checkRow(server, row, size).pipe(Effect.provide(live(server.base))),
          { concurrency: 4, discard: true }
        )
      })
    )
  }

  it.scopedLive("an answer that is not the service's own is tried three times and is not the document's fault", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      yield* Effect.forEach(inItsPlace, (row) => checkRow(server, row, 20).pipe(Effect.provide(live(server.base))), {
        concurrency: 4,
        discard: true
      })
      for (const scenario of ["gzip-damaged", "gzip-cut"]) {
        const { result } = yield* asRun(file(`fetch@${scenario}.pdf`)).pipe(
          Effect.provide(live(server.base, impatient, 4, FetchHttpClient.layer))
        )
        assert.strictEqual(ending(result), "UnexpectedResponse NotJson")
      }
    })
  )

  it.scopedLive("a throttled document costs time, not attempts, and fails when the time is used up", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const retry = { base: "1 millis", maxElapsed: "3 seconds" } as const
      for (const scenario of ["e429-rate", "e429-concurrency", "e408-queue"]) {
        const { result, run } = yield* Effect.provide(asRun(file(`a@${scenario}.pdf`)), live(server.base, retry))
        assert.isTrue(Either.isLeft(result))
        assert.isAbove(run.counters.requests, 5)
        assert.isNull(run.stopped())
      }
    })
  )

  it.scopedLive("uploads arrive byte for byte, and the hash in the answer is theirs", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start({ key })
      yield* Effect.forEach(
        [1, 20, 65_536, 1_048_576, 1_048_577, 20_000_000],
        (size) =>
          Effect.gen(function* () {
            const answer = yield* parse(file(`${size}.pdf`, size))
            const entry = server.log.find((entry) => entry.filename === `${size}.pdf`)
            assert.strictEqual(entry?.size, size)
            assert.strictEqual(entry?.sha256, answer.contentHash)
            assert.strictEqual(answer.data.metadata["sha256"], answer.contentHash)
          }).pipe(Effect.provide(live(server.base))),
        { discard: true }
      )
    })
  )

  it.scopedLive("a name that is not ASCII arrives whole, with the MIME type of its extension", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const name = `naïve "résumé" 数据 🙂%.DOCX`
      yield* parse(file(`folder/${name}`)).pipe(Effect.provide(live(server.base)))
      assert.strictEqual(server.log[0]?.filename, name)
      assert.match(server.log[0]?.contentType ?? "", /wordprocessingml/)
    })
  )

  it.scopedLive("the second request after a 408 asks for twice the time, at most 300 seconds", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      yield* Effect.all([
        parse(file("a@e408~times=1.pdf")),
        parse(file("b@e408~times=1.pdf"), { timeout: 200_000 })
      ]).pipe(Effect.provide(live(server.base)))
      assert.deepStrictEqual(
        server.log.map((entry) => entry.timeout),
        [undefined, 60_000, 200_000, 300_000]
      )
    })
  )

  it.scopedLive("a wrong key costs one request, however many files wait", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start({ key: "another", delay: 20 })
      const run = yield* RunState.make
      const results = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => file(`${index}.pdf`)),
        (source) => Effect.either(parse(source)),
        { concurrency: 16 }
      ).pipe(Effect.provideService(RunState.CurrentRun, run), Effect.provide(live(server.base, {}, 16)))
      assert.strictEqual(server.log.length, 1)
      assert.deepStrictEqual(results.map(ending), ["Unauthorized", ...Array.from({ length: 49 }, () => "RunStopped")])
    })
  )

  it.scopedLive("one request goes out until the first answer, then as many as the gate allows", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start({ delay: 50 })
      yield* Effect.forEach(
        Array.from({ length: 17 }, (_, index) => file(`${index}.pdf`)),
        (source) => parse(source),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.provide(live(server.base, {}, 8)))
      assert.strictEqual(server.maxInFlight(), 8)
      assert.isAtLeast((server.log[1]?.at ?? 0) - (server.log[0]?.at ?? 0), 45)
    })
  )

  it.scopedLive("a connection that the service closed while it was idle costs no attempt", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const once = { base: "1 millis", attempts: 1 } as const
      yield* Effect.gen(function* () {
        yield* parse(file("first.pdf"))
        yield* parse(file("second@reset-after-request~times=1.pdf"))
      }).pipe(Effect.provide(live(server.base, once)))
      const refused = yield* Effect.exit(
        Effect.provide(parse(file("third@reset-after-request~times=1.pdf")), live(server.base, once))
      )
      assert.isTrue(Exit.isFailure(refused))
    })
  )

  it.scopedLive(
    "what may have been charged is tried once more, counted, and not at all when that is switched off",
    () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        const twice = yield* asRun(file("a@reset-after-request.pdf")).pipe(Effect.provide(live(server.base)))
        assert.strictEqual(twice.run.counters.ambiguous, 2)
        const once = yield* asRun(file("b@reset-after-request.pdf")).pipe(
          Effect.provide(live(server.base, { retryAmbiguous: false }))
        )
        assert.strictEqual(once.run.counters.requests, 1)
        assert.strictEqual(once.run.counters.ambiguous, 1)
      })
  )

  it.scopedLive("a reset while the document is sent is not ambiguous and is tried five times", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const { result, run } = yield* asRun(file("a@reset-mid-upload.pdf", 30_000_000)).pipe(
        Effect.provide(live(server.base))
      )
      assert.strictEqual(ending(result), "ConnectionFailed reset")
      assert.strictEqual(run.counters.requests, 5)
      assert.strictEqual(run.counters.ambiguous, 0)
    })
  )

  it.live("a port that refuses is tried five times and does not stop the run", () =>
    Effect.gen(function* () {
      const { result, run } = yield* Effect.provide(asRun(file("a.pdf")), live("http://127.0.0.1:1"))
      assert.strictEqual(ending(result), "ConnectionFailed refused")
      assert.strictEqual(run.counters.requests, 5)
      assert.isNull(run.stopped())
    })
  )

  it.scopedLive("TLS where there is none stops the run at the first request", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const { result, run } = yield* asRun(file("a.pdf")).pipe(Effect.provide(live(`https://127.0.0.1:${server.port}`)))
      assert.strictEqual(ending(result), "ConnectionFailed tls")
      assert.strictEqual(run.counters.requests, 1)
      assert.isNotNull(run.stopped())
    })
  )

  it.effect("options that the interface does not allow are refused by field, and not sent", () =>
    Effect.gen(function* () {
      const sent: Array<number> = []
      const parsed = (options: ParseOptions) =>
        Effect.either(Effect.provide(parse(file("a.pdf"), options), scripted([stored], sent)))
      for (const options of [
        { timeout: 300_001 },
        { parsers: [{ type: "pdf", maxPages: 0 }] }
      ] satisfies ReadonlyArray<ParseOptions>) {
        const refused = yield* parsed(options)
        assert.strictEqual(Either.isLeft(refused) && refused.left._tag, "BadRequest")
      }
      assert.lengthOf(sent, 0)
      assert.isTrue(Either.isRight(yield* parsed({ timeout: 300_000 })))
      assert.lengthOf(sent, 1)
    })
  )

  it.scopedLive("the key appears in no error, however it is printed, even when the service repeats it", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start({ key: "another" })
      const endings = yield* Effect.forEach(
        [server.base, "http://127.0.0.1:1", `https://127.0.0.1:${server.port}`, "http://user:hunter2@127.0.0.1:1"],
        (base) => Effect.exit(Effect.provide(parse(file("a.pdf")), live(base)))
      )
      for (const exit of endings) {
        assert.isTrue(Exit.isFailure(exit))
        const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
        const error = Cause.squash(cause)
        const printed = [
          inspect(exit, { depth: 20, showHidden: true }),
          JSON.stringify(exit),
          JSON.stringify(error),
          Cause.pretty(cause, { renderErrorCause: true }),
          String(error),
          error instanceof Error ? error.stack : ""
        ].join("\n")
        assert.notInclude(printed, key)
        assert.notInclude(printed, "hunter2")
      }
    })
  )
})
