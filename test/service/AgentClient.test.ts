import { inspect } from "node:util"
import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import * as RequestGate from "docsluice/RequestGate"
import * as AgentClient from "docsluice/service/AgentClient"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Redacted } from "effect"
import {
  agentDouble,
  failure,
  jobId,
  jobPath,
  type Reply,
  type Service,
  submit,
  submitted,
  using
} from "./agentDouble.ts"
import { apart, key } from "./collaborators.ts"

type OfRow = readonly [string, (client: Service) => Effect.Effect<unknown, AgentClient.SubmitError>]

/** For each row of the agent table, an operation that it answers. */
const operations = {
  InvalidJobId: ["GET /agent/7b", (client: Service) => client.status("7b")],
  InvalidSnapshotId: [`GET ${jobPath}/snapshots/no`, (client: Service) => client.snapshot(jobId, "no")],
  TraceUnavailable: [`GET ${jobPath}/trace`, (client: Service) => client.trace(jobId)],
  SnapshotsUnavailable: [`GET ${jobPath}/snapshots/s`, (client: Service) => client.snapshot(jobId, "s")],
  ZeroDataRetentionConflict: ["POST /agent", submit],
  AgentJobNotFound: [`GET ${jobPath}`, (client: Service) => client.status(jobId)],
  SnapshotNotFound: [`GET ${jobPath}/snapshots/s`, (client: Service) => client.snapshot(jobId, "s")],
  AgentAlreadyFinished: [`DELETE ${jobPath}`, (client: Service) => client.cancel(jobId)],
  AgentAlreadyCancelled: [`DELETE ${jobPath}`, (client: Service) => client.cancel(jobId)],
  AgentPassthroughFailed: ["POST /agent", submit]
} as const satisfies Record<AgentClient.CataloguedAgentError["_tag"], OfRow>

const tags = [
  "InvalidJobId",
  "InvalidSnapshotId",
  "TraceUnavailable",
  "SnapshotsUnavailable",
  "ZeroDataRetentionConflict",
  "AgentJobNotFound",
  "SnapshotNotFound",
  "AgentAlreadyFinished",
  "AgentAlreadyCancelled",
  "AgentPassthroughFailed"
] as const

describe("AgentClient", () => {
  it.scopedLive("sends each operation as the interface has it, and reads the answers", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on("POST /agent", submitted)
      double.on(`GET ${jobPath}`, [200, { success: true, status: "completed", data: { a: 1 }, creditsUsed: 7, x: 2 }])
      double.on(`GET ${jobPath}/trace`, [200, { id: jobId, events: [{ type: "run.started" }], creditsUsed: 3 }])
      double.on(`GET ${jobPath}/snapshots/s1`, [200, { id: jobId, snapshotId: "s1", snapshot: "# Text" }])
      double.on(`DELETE ${jobPath}`, [200, { success: true }])
      yield* using(double, (client) =>
        Effect.gen(function* () {
          const request = { prompt: "Which?", maxCredits: 5, model: "spark-2", schema: { type: "object" } }
          assert.strictEqual(yield* client.submit(request), jobId)
          assert.deepStrictEqual(JSON.parse(double.log[0]?.body ?? ""), request)
          const job = yield* client.status(jobId)
          assert.deepInclude(job, { jobId, status: "completed", rawStatus: "completed", creditsUsed: 7 })
          assert.deepStrictEqual(job.data, { a: 1 })
          assert.strictEqual(job.record["x"], 2)
          const trace = yield* client.trace(jobId)
          assert.strictEqual(trace.creditsUsed, 3)
          assert.deepStrictEqual(trace.events, [
            { type: "run.started", rawType: "run.started", record: { type: "run.started" } }
          ])
          assert.strictEqual((yield* client.snapshot(jobId, "s1")).snapshot, "# Text")
          yield* client.cancel(jobId)
        })
      )
      assert.deepStrictEqual(double.asked(), [
        "POST /agent",
        `GET ${jobPath}`,
        `GET ${jobPath}/trace`,
        `GET ${jobPath}/snapshots/s1`,
        `DELETE ${jobPath}`
      ])
      for (const { headers } of double.log) assert.strictEqual(headers.authorization, `Bearer ${key}`)
      assert.strictEqual(double.log[0]?.headers["content-type"], "application/json")
    })
  )

  for (const tag of tags) {
    it.scopedLive(`${tag} is the answer of its row, with and without success, error or message`, () =>
      Effect.gen(function* () {
        const double = yield* agentDouble
        const { error, status } = AgentClient.catalogue[tag]
        const [row, operation]: OfRow = operations[tag]
        for (const body of [{ success: false, error, code: "C", details: [1] }, { error }, { message: error }, error]) {
          double.on(row, [status, body])
          const found = yield* failure(using(double, operation))
          assert.strictEqual(found._tag, tag)
          assert.strictEqual("error" in found && found.error, error)
        }
      })
    )
  }

  it.scopedLive("an answer without a readable error is the general row of its status", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      for (const body of ["", "<html>gone</html>", {}, { success: false }, { error: 7 }]) {
        for (const [status, tag] of [
          [400, "BadRequest"],
          [401, "Unauthorized"],
          [402, "PaymentRequired"],
          [403, "Forbidden"],
          [404, "NotFound"],
          [409, "Conflict"],
          [413, "PayloadTooLarge"],
          [422, "UnprocessableEntity"],
          [429, "RateLimitExceeded"],
          [500, "InternalServerError"],
          [502, "BadGateway"],
          [503, "ServiceUnavailable"],
          [504, "GatewayTimeout"],
          [418, "UnexpectedResponse"]
        ] as const) {
          double.on(`GET ${jobPath}`, [status, body])
          const found = yield* failure(
            using(double, (client) => client.status(jobId), { retry: { attempts: 1, maxElapsed: 0 } })
          )
          assert.strictEqual(found._tag, tag)
          assert.strictEqual("status" in found && found.status, status)
        }
      }
    })
  )

  it.scopedLive("polls are sent again after a broken connection, a 502, a 500 and an answer that cannot be read", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      const replies: ReadonlyArray<Reply> = ["reset", [502, "<html>"], [500, {}], [200, "<html>"]]
      double.on(`GET ${jobPath}`, ...replies, [200, { status: "processing" }])
      assert.strictEqual((yield* using(double, (client) => client.status(jobId))).status, "processing")
      assert.lengthOf(double.log, 5)
      double.on(`GET ${jobPath}/trace`, "reset", [200, { events: [] }])
      assert.lengthOf((yield* using(double, (client) => client.trace(jobId))).events, 0)
    })
  )

  it.scopedLive("keeps an unknown state, event type, outcome and code next to the closest known ones", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on(`GET ${jobPath}`, [200, { status: "paused", creditsUsed: "many" }])
      const dreamt = { type: "agent.dreamt", dream: 1 }
      const error = { code: "new_code", retryable: true, hint: 1 }
      const exploded = { type: "run.finished", outcome: "exploded", error }
      const untyped = { type: 7, producerSequence: "x", agent: "me" }
      double.on(`GET ${jobPath}/trace`, [200, { events: [dreamt, exploded, untyped, "no event"] }])
      yield* using(double, (client) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* client.status(jobId), {
            jobId,
            status: "processing",
            rawStatus: "paused",
            record: { status: "paused", creditsUsed: "many" }
          })
          assert.deepStrictEqual((yield* client.trace(jobId)).events, [
            { type: "progress.reported", rawType: "agent.dreamt", record: dreamt },
            {
              type: "run.finished",
              rawType: "run.finished",
              outcome: "failed",
              rawOutcome: "exploded",
              error: { code: "internal", rawCode: "new_code", retryable: true },
              record: exploded
            },
            { type: "progress.reported", rawType: "", record: untyped }
          ])
        })
      )
    })
  )

  it.scopedLive("a 200 without the state, the events or the text is no answer", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      for (const body of [
        {},
        { success: true },
        { success: false, error: "no" },
        [],
        "null",
        { events: 1, status: 2 }
      ]) {
        for (const path of ["", "/trace", "/snapshots/s"]) double.on(`GET ${jobPath}${path}`, [200, body])
        yield* using(double, (client) =>
          Effect.gen(function* () {
            assert.strictEqual((yield* failure(client.status(jobId)))._tag, "UnexpectedResponse")
            assert.strictEqual((yield* failure(client.trace(jobId)))._tag, "UnexpectedResponse")
            assert.strictEqual((yield* failure(client.snapshot(jobId, "s")))._tag, "UnexpectedResponse")
          })
        )
      }
    })
  )

  it.scopedLive(
    "an id stays one segment of the path, and one that cannot be a segment is refused without a request",
    () =>
      Effect.gen(function* () {
        const double = yield* agentDouble
        yield* using(double, (client) =>
          Effect.gen(function* () {
            for (const id of ["", ".", "..", "\ud800"]) {
              assert.strictEqual((yield* failure(client.cancel(id)))._tag, "InvalidJobId")
              assert.strictEqual((yield* failure(client.snapshot(jobId, id)))._tag, "InvalidSnapshotId")
            }
            assert.lengthOf(double.log, 0)
            yield* failure(client.status("../x?y#z%2e"))
            yield* failure(client.snapshot("{snapshotId}", "$&"))
          })
        )
        assert.deepStrictEqual(double.asked(), [
          "GET /agent/..%2Fx%3Fy%23z%252e",
          "GET /agent/%7BsnapshotId%7D/snapshots/%24%26"
        ])
      })
  )

  it.scopedLive("paths and methods that the interface does not show are options", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on(`GET /runs/${jobId}/events`, [200, { events: [] }])
      double.on(`POST /runs/${jobId}/stop`, [204, ""])
      double.on(`GET /text?of=s1&job=${jobId}`, [200, { snapshot: "x" }])
      const paths = {
        trace: "/runs/{jobId}/events",
        cancel: "POST /runs/{jobId}/stop",
        snapshot: "/text?of={snapshotId}&job={jobId}"
      } as const
      yield* using(
        double,
        (client) => Effect.all([client.trace(jobId), client.cancel(jobId), client.snapshot(jobId, "s1")]),
        { paths }
      )
      assert.lengthOf(double.log, 3)
    })
  )

  for (const trace of ["{jobId}", "runs/{jobId}", "FETCH /{jobId}", "/a b/{jobId}", "/x#{jobId}"] as const) {
    it.scopedLive(`refuses the path ${trace} before anything is sent`, () =>
      Effect.gen(function* () {
        const made = AgentClient.make({ baseUrl: "http://localhost:1", paths: { trace } })
        const error = yield* failure(Effect.scoped(Effect.provide(made, [apart(), UndiciHttpClient.layer()])))
        assert.strictEqual(error._tag, "InvalidOptions")
        assert.include(error.message, "paths.trace")
      })
    )
  }

  it.scopedLive("answers are bounded: a success that is too large is no answer, a failure is its status", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      const long = "x".repeat(4000)
      double.on(`GET ${jobPath}`, [200, { status: "completed", data: long }])
      double.on(`GET ${jobPath}/trace`, [404, { error: "Agent job not found", long }])
      const limits = { maxAnswerBytes: 1000 }
      const success = yield* failure(using(double, (client) => client.status(jobId), limits))
      assert.strictEqual(success._tag, "UnexpectedResponse")
      assert.include(success.message, "larger than 1000 bytes")
      assert.strictEqual((yield* failure(using(double, (client) => client.trace(jobId), limits)))._tag, "NotFound")
    })
  )

  it.scopedLive("removes the key from errors, records and events, and leaves results and texts as they came", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      const text = `the key ${key}`
      double.on(`DELETE ${jobPath}`, [409, { error: `Agent already finished by ${key}`, details: { [key]: key } }])
      double.on(`GET ${jobPath}`, [200, { status: "failed", error: text, data: text, extra: { deep: [text] } }])
      double.on(`GET ${jobPath}/trace`, [200, { events: [{ type: "reasoning.summary", text }] }])
      double.on(`GET ${jobPath}/snapshots/s`, [200, { snapshot: text, note: text }])
      double.on("POST /agent", [502, { error: text }])
      yield* using(double, (client) =>
        Effect.gen(function* () {
          const seen = [
            yield* failure(client.cancel(jobId)),
            yield* failure(submit(client)),
            {
              ...(yield* client.status(jobId)),
              data: null,
              record: { ...(yield* client.status(jobId)).record, data: null }
            },
            yield* client.trace(jobId)
          ]
          for (const one of seen) assert.notInclude(inspect(one, { depth: null }), key)
          assert.strictEqual((yield* client.status(jobId)).data, text)
          const snapshot = yield* client.snapshot(jobId, "s")
          assert.strictEqual(snapshot.snapshot, text)
          assert.strictEqual(snapshot.record["note"], "the key <redacted>")
        })
      )
    })
  )

  it.scopedLive("knows the row of an answer though its text has to be redacted", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      const { error, status } = AgentClient.catalogue.InvalidJobId
      double.on("GET /agent/7b", [status, { error }])
      const found = yield* failure(using(double, (client) => client.status("7b"), { apiKey: Redacted.make("Invalid") }))
      assert.strictEqual(found._tag, "InvalidJobId")
      assert.strictEqual(found.message, error)
      double.on("GET /agent/7b", [status, { error: `${error} Invalid` }])
      const more = yield* failure(using(double, (client) => client.status("7b"), { apiKey: Redacted.make("Invalid") }))
      assert.strictEqual(more._tag, "InvalidJobId")
      assert.strictEqual(more.message, "<redacted> job ID format. Job ID must be a valid UUID. <redacted>")
    })
  )

  it.scopedLive("works over any other HttpClient, and follows no redirect", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on("POST /agent", submitted)
      double.on(`GET ${jobPath}`, [200, { status: "completed" }])
      double.on(`DELETE ${jobPath}`, [307, "", { location: `${double.base}/elsewhere` }])
      const layer = AgentClient.layer({ baseUrl: double.base }).pipe(Layer.provide([apart(), FetchHttpClient.layer]))
      const operations = Effect.flatMap(AgentClient.AgentClient, (client) =>
        Effect.all([submit(client), client.status(jobId), failure(client.cancel(jobId))])
      )
      const [id, job, error] = yield* Effect.provide(operations, layer)
      assert.deepStrictEqual([id, job.status, error._tag], [jobId, "completed", "UnexpectedResponse"])
      assert.lengthOf(double.log, 3)
    })
  )

  it.scopedLive("shares the gate of its address and key with every other user of them", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on(`GET ${jobPath}`, [200, { status: "processing" }])
      const gate = yield* RequestGate.shared({ address: double.base, key: Redacted.make(key) })
      assert.isNull(gate.snapshot().servedAt)
      const layer = AgentClient.layer({ baseUrl: double.base, apiKey: Redacted.make(key) }).pipe(
        Layer.provide([RequestGate.layer(), UndiciHttpClient.layer()])
      )
      yield* Effect.provide(
        Effect.flatMap(AgentClient.AgentClient, (client) => client.status(jobId)),
        layer
      )
      assert.isNotNull(gate.snapshot().servedAt)
    })
  )

  it.scopedLive(
    "a cancellation whose first attempt got no answer has succeeded when the second finds it under way",
    () =>
      Effect.gen(function* () {
        const double = yield* agentDouble
        const already: Reply = [409, { error: "Agent is already cancelled" }]
        double.on(`DELETE ${jobPath}`, "reset", already)
        yield* using(double, (client) => client.cancel(jobId))
        assert.lengthOf(double.log, 2)
        double.on(`DELETE ${jobPath}`, already)
        assert.strictEqual(
          (yield* failure(using(double, (client) => client.cancel(jobId))))._tag,
          "AgentAlreadyCancelled"
        )
      })
  )

  it("has a row for each error of the catalogue", () => {
    assert.sameMembers([...tags], Object.keys(AgentClient.catalogue))
  })
})
