import { assert, describe, it } from "@effect/vitest"
import * as ServiceError from "docsluice/service/ServiceError"
import { Effect } from "effect"
import * as RunState from "../../../src/internal/client/runState.ts"

const answer = (status: number, error = "words") => ({ status, error })
const unexpected = (status: number) =>
  new ServiceError.UnexpectedResponse({ ...answer(status), reason: status < 400 ? "Redirect" : "Status" })
const connection = (reason: ServiceError.ConnectionFailed["reason"], code: string) =>
  new ServiceError.ConnectionFailed({ reason, code, ambiguous: false, address: "host", error: code })

const aboutTheRun: ReadonlyArray<ServiceError.ServiceError> = [
  new ServiceError.Unauthorized(answer(401)),
  new ServiceError.PaymentRequired(answer(402)),
  new ServiceError.Forbidden(answer(403)),
  ...[302, 307, 405, 406, 407, 410, 421, 426, 501, 505].map(unexpected),
  connection("dns", "ENOTFOUND"),
  connection("tls", "CERT_HAS_EXPIRED"),
  connection("address", "ERR_INVALID_URL"),
  new ServiceError.ServiceUnreachable({ address: "host", error: "no answer" })
]

const aboutTheDocument: ReadonlyArray<ServiceError.ServiceError> = [
  new ServiceError.BadRequest(answer(400)),
  new ServiceError.Conflict(answer(409)),
  new ServiceError.PayloadTooLarge(answer(413)),
  new ServiceError.PromptInjectionDetected(answer(403)),
  new ServiceError.UnprocessableEntity(answer(422)),
  new ServiceError.InternalServerError(answer(500)),
  new ServiceError.RateLimitExceeded(answer(429)),
  ...[415, 418, 451, 529].map(unexpected),
  connection("dns", "EAI_AGAIN"),
  connection("reset", "ECONNRESET")
]

describe("RunState", () => {
  it.effect("stops at an answer that would meet every document alike", () =>
    Effect.gen(function* () {
      for (const error of aboutTheRun) {
        const run = yield* RunState.make
        assert.strictEqual(run.failed(error), "run")
        assert.strictEqual(run.stopped()?.cause, error)
        assert.strictEqual((yield* Effect.flip(run.whenStopped)).cause, error)
      }
    })
  )

  it.effect("goes on after an answer that concerns one document", () =>
    Effect.gen(function* () {
      for (const error of aboutTheDocument) {
        const run = yield* RunState.make
        assert.strictEqual(run.failed(error), "document")
        assert.isNull(run.stopped())
      }
    })
  )

  it.effect("treats a 404 before the first success as a wrong address, and after it as the document's failure", () =>
    Effect.gen(function* () {
      const notFound = new ServiceError.NotFound(answer(404))
      const before = yield* RunState.make
      assert.strictEqual(before.failed(notFound), "run")
      const after = yield* RunState.make
      after.succeeded()
      assert.strictEqual(after.failed(notFound), "document")
    })
  )

  it.effect("stops when the first five documents meet the same refusal, and only then", () =>
    Effect.gen(function* () {
      const refused = (error: string) => new ServiceError.BadRequest(answer(400, error))
      const same = yield* RunState.make
      const alike = Array.from({ length: 5 }, () => same.failed(refused("unknown option")))
      assert.deepStrictEqual(alike, ["document", "document", "document", "document", "run"])
      const different = yield* RunState.make
      const each = Array.from({ length: 9 }, (_, index) => different.failed(refused(`file ${index}`)))
      assert.notInclude(each, "run")
      const later = yield* RunState.make
      later.succeeded()
      const afterSuccess = Array.from({ length: 9 }, () => later.failed(refused("unknown option")))
      assert.notInclude(afterSuccess, "run")
    })
  )

  it.effect("counts the copies of one content as one", () =>
    Effect.gen(function* () {
      const refused = new ServiceError.BadRequest(answer(400, "unknown option"))
      const run = yield* RunState.make
      const copies = ["a", "a", "b", "a", "b", "a", "c", "d", "c"].map((hash) => run.failed(refused, hash))
      assert.notInclude(copies, "run")
      assert.strictEqual(run.refusals?.(), "open")
      assert.strictEqual(run.failed(refused, "e"), "run")
      assert.strictEqual(run.refusals?.(), "run")
    })
  )

  it.effect("leaves the cause of a refusal open until the first success, a stop, or five different refusals", () =>
    Effect.gen(function* () {
      const refused = (error: string) => new ServiceError.BadRequest(answer(400, error))
      const answered = yield* RunState.make
      answered.failed(refused("no"), "a")
      assert.strictEqual(answered.refusals?.(), "open")
      answered.succeeded()
      assert.strictEqual(answered.refusals?.(), "documents")

      const stopped = yield* RunState.make
      for (const hash of ["a", "b", "c", "d", "e"]) stopped.failed(refused("no"), hash)
      stopped.succeeded()
      assert.strictEqual(stopped.refusals?.(), "run")
      assert.strictEqual(stopped.failed(refused("another"), "f"), "run")

      const different = yield* RunState.make
      for (const error of ["1", "2", "3", "4"]) different.failed(refused(error), error)
      assert.strictEqual(different.refusals?.(), "open")
      different.failed(refused("5"), "5")
      assert.strictEqual(different.refusals?.(), "documents")
    })
  )

  it.effect("stops when the first five contents are answered by a proxy, whatever its pages say", () =>
    Effect.gen(function* () {
      const run = yield* RunState.make
      const page = (number: number) =>
        new ServiceError.Forbidden({ ...answer(403, `incident ${number}`), foreign: true as const })
      const verdicts = [1, 2, 3, 4, 5].map((number) => run.failed(page(number), `${number}`))
      assert.deepStrictEqual(verdicts, ["document", "document", "document", "document", "run"])
      const later = yield* RunState.make
      later.succeeded()
      assert.strictEqual(later.failed(page(1), "1"), "document")
    })
  )

  it.effect("keeps the first reason for its stop", () =>
    Effect.gen(function* () {
      const run = yield* RunState.make
      run.failed(new ServiceError.PaymentRequired(answer(402)))
      run.failed(new ServiceError.Unauthorized(answer(401)))
      assert.strictEqual(run.stopped()?.cause._tag, "PaymentRequired")
    })
  )
})
