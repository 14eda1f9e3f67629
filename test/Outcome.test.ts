import { assert, describe, it } from "@effect/vitest"
import { SinkError } from "docsluice/ChunkSink"
import { DocumentError, Foreign, Outcome, RunError, Summary, tagOf } from "docsluice/Outcome"
import { ParseError } from "docsluice/Parser"
import { RunStopped } from "docsluice/Pipeline"
import { RequestError } from "docsluice/service/AgentClient"
import { RateLimitExceeded, ServiceError } from "docsluice/service/ServiceError"
import { FileError, FileUnreadable } from "docsluice/SourceFile"
import { Arbitrary, Effect, FastCheck, Schema } from "effect"
import { fromDefect, fromError } from "../src/internal/run/documentError.ts"
import * as Total from "../src/internal/run/total.ts"

/** The value after its way over a wire, and what went over it. */
const overWire = <A, I>(schema: Schema.Schema<A, I>, value: A) => {
  const wire = Schema.parseJson(schema)
  const text = Schema.encodeSync(wire)(value)
  return { read: Schema.decodeSync(wire)(text), text }
}

const unions: Readonly<Record<string, Schema.Schema.AnyNoContext & { readonly members: ReadonlyArray<unknown> }>> = {
  ServiceError,
  FileError,
  RequestError,
  ParseError,
  DocumentError,
  RunError
}

class NoLicence extends Schema.TaggedError<NoLicence>("NoLicence")("NoLicence", { seats: Schema.Int }) {
  override get message() {
    return `${this.seats} seats are taken`
  }
}

describe("The unions of errors", () => {
  for (const [name, union] of Object.entries(unions)) {
    it(`${name} carries each of its classes over a wire as JSON`, () => {
      for (const member of union.members) {
        if (!Schema.isSchema(member)) throw new Error("a member is no schema")
        const one: Schema.Schema.AnyNoContext = Schema.make(member.ast)
        FastCheck.assert(
          FastCheck.property(Arbitrary.make(one), (error) => {
            const { read, text } = overWire(union, error)
            assert.strictEqual(read.constructor, error.constructor)
            assert.strictEqual(read.message, error.message)
            assert.strictEqual(overWire(union, read).text, text)
          }),
          { numRuns: 10 }
        )
      }
    })
  }

  it("leave what was thrown in the process, since it may hold a secret", () => {
    const cause = new Error("connect postgres://me:hunter2@host", { cause: { apiKey: "hunter2" } })
    const all: ReadonlyArray<RunError> = [
      new FileUnreadable({ path: "a", reason: "Io", cause }),
      new SinkError({ sink: "s", reason: "Rejected", problem: "no", cause }),
      new Foreign({ tag: "Own", message: "no", value: cause })
    ]
    for (const error of all) {
      const { read, text } = overWire(RunError, error)
      assert.notInclude(text, "hunter2")
      assert.isUndefined(read.cause)
      assert.strictEqual(read.message, error.message)
    }
    const stopped = overWire(RunStopped, new RunStopped({ cause: all[1] ?? fromDefect(1) }))
    assert.notInclude(stopped.text, "hunter2")
    assert.strictEqual(stopped.read.cause._tag, "SinkError")
  })

  it("leave out details that are no JSON", () => {
    const error = new RateLimitExceeded({ status: 429, error: "later", details: { at: 1n }, retryAfter: 10 })
    const { read, text } = overWire(ServiceError, error)
    assert.deepStrictEqual(JSON.parse(text), { _tag: "RateLimitExceeded", status: 429, error: "later", retryAfter: 10 })
    assert.instanceOf(read, RateLimitExceeded)
  })
})

it.prop("An outcome is the same after its way over a wire", [Arbitrary.make(Outcome)], ([outcome]) => {
  const { read, text } = overWire(Outcome, outcome)
  assert.strictEqual(read.constructor, outcome.constructor)
  assert.strictEqual(overWire(Outcome, read).text, text)
})

it("A failure of a summary has its error, which JSON leaves out and which is Foreign in a summary that was read", () => {
  const error = new FileUnreadable({ path: "a.pdf", reason: "Empty" })
  const failure = { source: "a.pdf", tag: "FileUnreadable", message: error.message, retryable: false }
  const summary = Summary.make({ ...Total.nothing, failures: [{ ...failure, error }] })
  const { read, text } = overWire(Summary, summary)
  const sent: unknown = JSON.parse(text)
  assert.deepStrictEqual(JSON.parse(JSON.stringify(summary)), sent)
  assert.deepInclude(sent, { failures: [failure] })
  const [first] = read.failures
  assert.deepInclude(first, failure)
  assert.deepInclude(first?.error, { _tag: "Foreign", tag: "FileUnreadable", message: error.message })
})

describe("Foreign", () => {
  it("has the tag and the message of the error that it stands for, and the error", () => {
    const own = new NoLicence({ seats: 3 })
    const error = fromError(own)
    assert.deepInclude(error, { _tag: "Foreign", tag: "NoLicence", message: "3 seats are taken", value: own })
    assert.strictEqual(tagOf(error), "NoLicence")
    const known = new FileUnreadable({ path: "a", reason: "Empty" })
    assert.strictEqual(fromError(known), known)
    assert.deepInclude(fromDefect(new TypeError("x is undefined")), {
      tag: "Defect",
      message: "TypeError: x is undefined"
    })
  })

  it.effect("is caught as any error of the union is", () =>
    Effect.gen(function* () {
      const failing: Effect.Effect<never, DocumentError> = Effect.fail(fromError(new NoLicence({ seats: 3 })))
      const seen = yield* Effect.catchTag(failing, "Foreign", ({ tag }) => Effect.succeed(tag))
      assert.strictEqual(seen, "NoLicence")
    })
  )
})
