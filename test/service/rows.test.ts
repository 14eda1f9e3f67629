import { assert, describe, it } from "@effect/vitest"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { FileType } from "docsluice/SourceFile"
import { Context, Effect, Either, Exit, Layer, Scope } from "effect"
import { sharing } from "../fixtures/sharing.ts"
import { agentCases, playedBy } from "./rows/agents.ts"
import { byClient as agentsByClient, byFetch as agentsByFetch } from "./rows/agentSides.ts"
import { answerCases, scriptedOnly } from "./rows/answers.ts"
import { errorCases } from "./rows/errors.ts"
import { byClient, byFetch, type Case, engineWith } from "./rows/exchange.ts"
import { agentRows, parseRows } from "./rows/interfaceRows.ts"
import { answerOf, optionCases, refused } from "./rows/options.ts"
import { redactionCases } from "./rows/redaction.ts"
import { assertError, disposition, filePart, raw, rawForm, start, type StartOptions, upload } from "./serverFixture.ts"

/** The addresses of two servers that parse for real, without the version segment. */
class Shared extends Context.Tag("rows/Shared")<
  Shared,
  { readonly withModel: string; readonly withoutModel: string }
>() {}

const shared = Layer.scoped(
  Shared,
  Effect.suspend(() =>
    Effect.all({ withModel: start({ engine: engineWith(answerOf) }), withoutModel: start({ engine: "native" }) })
  )
)

const cases: ReadonlyArray<Case> = [...optionCases, ...redactionCases, ...answerCases, ...errorCases]

const sides = [
  ["to a plain HTTP client", byFetch],
  ["to our client", byClient]
] as const

/** The upload to a server of its own, in the state that it is about. */
const toOwn = (given: Case, server: StartOptions, send: typeof byFetch) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const stop = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => stop)
    const base = yield* Scope.extend(start(server), scope)
    yield* given.before?.({ base, stop }) ?? Effect.void
    return yield* send(base, given)
  }).pipe(Effect.scoped)

/** The upload from one side, to a shared server or to one of its own. */
const played = (given: Case, send: typeof byFetch): Effect.Effect<void, never, Shared> => {
  const { server } = given
  const toShared = (name: "withModel" | "withoutModel") => Effect.flatMap(Shared, (shared) => send(shared[name], given))
  return Effect.map(
    server === undefined
      ? toShared("withModel")
      : server === "without a model"
        ? toShared("withoutModel")
        : toOwn(given, server, send),
    given.ends
  )
}

describe("the rows of the interface", () => {
  it("have an upload each, and uploads are about rows that there are", () => {
    const met = new Set(cases.flatMap(({ rows }) => rows))
    assert.deepStrictEqual(
      parseRows.filter((row) => !met.has(row)),
      []
    )
    assert.deepStrictEqual(
      [...met].filter((row) => !parseRows.includes(row)),
      []
    )
    assert.deepStrictEqual(
      Object.keys(scriptedOnly).filter((row) => !parseRows.includes(row)),
      []
    )
    assert.strictEqual(parseRows.length, 121)
  })

  it("of agents have a course of jobs each, transitions and trace codes too, and courses are about rows that there are", () => {
    assert.sameMembers([...new Set(agentCases.flatMap(({ rows }) => rows))], [...agentRows])
    assert.strictEqual(agentRows.length, 28)
  })

  it("are answered by an engine that really parses, unless a reason is listed", () => {
    for (const row of parseRows) {
      const honest = cases.some(({ rows, server }) => rows.includes(row) && !answersByScript(server))
      assert.strictEqual(honest, !(row in scriptedOnly), row)
    }
  })
})

/** True for an engine whose answers are written in the test. */
const answersByScript = (server: Case["server"]): boolean => {
  const engine = typeof server === "object" ? server.engine : undefined
  return (
    typeof engine === "object" &&
    "scripts" in engine &&
    Object.values(engine.scripts ?? {}).some(({ data, error }) => data !== undefined || error !== undefined)
  )
}

describe("the service over a socket", () => {
  const test = sharing(shared)
  for (const given of cases) {
    for (const [side, send] of sides) {
      test(`answers ${side}: ${given.title}`, () => played(given, send))
    }
  }

  test("takes every file type of the interface, and no other", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      for (const extension of FileType.all) {
        const name = `a.${extension}`
        for (const [, send] of sides) {
          const { data, status } = yield* send(base, { title: name, rows: [], name, ends: () => undefined })
          assert.deepInclude({ status, name: data?.metadata.sourceURL }, { status: 200, name })
        }
      }
      // Texts are read by the client, and never sent.
      for (const name of ["a.exe", "a.md", "a.txt", "a.rst"]) {
        assertError(yield* upload(base, { name }), 400, /^Unsupported file type/, "UNSUPPORTED_FILE_TYPE")
      }
    }).pipe(Effect.scoped))

  test("refuses what the interface does not know with a 400, in the same words as the client before it sends", () =>
    Effect.gen(function* () {
      const { withModel: base } = yield* Shared
      for (const [options, error] of refused) {
        const { body, status } = yield* upload(base, { name: "page.html", bytes: "<p>x", options })
        assert.strictEqual(status, 400, JSON.stringify(options))
        const own = Either.flip(ParseOptions.decode(options))
        assert(Either.isRight(own))
        assert.match(own.right.message, error)
        assert.deepInclude({ ...Object(body) }, { success: false, error: own.right.message })
      }
    }))

  test("refuses parts of a form that the interface does not know with a 400", () =>
    Effect.gen(function* () {
      const { withModel: base } = yield* Shared
      for (const parameters of ['name="other"', 'name="other"; filename="x.pdf"', 'name=""']) {
        const answer = yield* raw(base, rawForm([filePart, [disposition(parameters), "{}"]]))
        assertError(answer, 400, /unexpected part/, "BAD_REQUEST")
      }
    }))
})

describe("agent jobs over a socket", () => {
  for (const given of agentCases) {
    for (const [side, through] of [
      ["a plain HTTP client", agentsByFetch],
      ["our client", agentsByClient]
    ] as const) {
      it.live(`are served to ${side}: ${given.title}`, () => playedBy(given, through))
    }
  }
})
