import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { startAgents, waiting } from "../service/agentFixture.ts"
import * as AgentPlace from "./agentPlace.ts"
import type { Result } from "./run.ts"

const Body = Schema.Struct({
  id: Schema.String,
  success: Schema.optional(Schema.Boolean),
  status: Schema.optional(Schema.String),
  data: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.String),
  code: Schema.optional(Schema.String),
  retryable: Schema.optional(Schema.Boolean),
  creditsUsed: Schema.optional(Schema.Number)
})

/** The one JSON value on stdout. */
const bodyOf = ({ stdout }: Pick<Result, "stdout">) => Schema.decodeUnknownSync(Schema.parseJson(Body))(stdout)

const question = "How much rain fell at Brno?"

const nothing = "3f0d8a52-6d3c-4a0b-9d0a-0d3c6c1f7e55"

/** Flags for a service that answers from the documents of the place. */
const serviceOf = (place: AgentPlace.AgentPlace, reply: Parameters<typeof AgentPlace.model>[0]) =>
  Effect.gen(function* () {
    const model = yield* AgentPlace.model(reply)
    yield* place.run("ingest", "docs", "--to", "libsql:chunks.db")
    const serve = ["serve", "--port", "0", "--json", "--agent-store", "libsql:chunks.db", "--model", model.target]
    return ["--service", yield* AgentPlace.baseOf(yield* place.start(...serve))]
  })

describe("docsluice agent run", () => {
  it.scopedLive(
    "answers over files given directly with document and quote, and keeps the job for the other operations",
    () =>
      Effect.gen(function* () {
        const place = yield* AgentPlace.make
        const model = yield* AgentPlace.model()
        const run = yield* place.agent("run", question, "--over", place.docs, "--model", model.target)
        assert.strictEqual(run.status, 0, run.stderr)
        assert.match(run.stdout, /^In 1998 .* 612 millimetres of rain\.\n {2}docs\/rain\.html.*: "In 1998 /u)
        const id = AgentPlace.jobOf(run)
        const status = yield* place.agent("status", id, "--json")
        assert.deepInclude(bodyOf(status), { id, success: true, status: "completed" })
        assert.include((yield* place.agent("status", id)).stdout, `agent job ${id}: completed`)
        const trace = yield* place.agent("trace", id)
        assert.match(
          trace.stdout,
          /run\.started[^]*tool_call\.started search \{"query":"How much[^]*run\.finished succeeded/u
        )
        const snapshotId = /snapshot ([0-9a-f-]{36})/u.exec(trace.stdout)?.[1] ?? ""
        const snapshot = yield* place.agent("snapshot", id, snapshotId)
        assert.include(snapshot.stdout, "612 millimetres")
        const cancel = yield* place.agent("cancel", id)
        assert.deepEqual([cancel.status, cancel.stdout], [2, ""])
        assert.include(cancel.stderr, `agent job ${id}: Agent already finished`)
      })
  )

  it.scopedLive("answers without a file that cannot be read, names it, and ends with 1", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const model = yield* AgentPlace.model()
      writeFileSync(join(place.folder, "docs", "torn.pdf"), "%PDF-1.7 and nothing more")
      const run = yield* place.agent("run", question, "--over", place.docs, "--model", model.target)
      assert.strictEqual(run.status, 1, run.stderr)
      assert.match(run.stderr, /left out: .*torn\.pdf/u)
      assert.match(run.stdout, /612 millimetres/u)
    })
  )

  it.scopedLive("prints one JSON object for a run over a store", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const model = yield* AgentPlace.model()
      yield* place.run("ingest", "docs", "--to", "libsql:chunks.db", "--embedder", "hash")
      const store = `libsql:${join(place.folder, "chunks.db")}`
      const run = yield* place.agent("run", question, "--to", store, "--model", model.target, "--json")
      assert.strictEqual(run.status, 0, run.stderr)
      const { data, id, status } = bodyOf(run)
      assert.deepEqual([status, id], ["completed", AgentPlace.jobOf(run)])
      assert.include(JSON.stringify(data), '"document":"docs/rain.html"')
    })
  )

  it.scopedLive("gives data of a schema", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const model = yield* AgentPlace.model((messages) => {
        const found = AgentPlace.finding(messages)
        if (found === "never" || !("text" in found)) return found
        const { citations } = Schema.decodeUnknownSync(
          Schema.parseJson(Schema.Struct({ citations: Schema.Array(Schema.Unknown) }))
        )(found.text)
        return { text: JSON.stringify({ answer: { millimetres: 612 }, citations }) }
      })
      const file = join(place.folder, "rain.schema.json")
      writeFileSync(
        file,
        '{"type":"object","properties":{"millimetres":{"type":"integer"}},"required":["millimetres"]}'
      )
      const run = yield* place.agent("run", question, "--over", place.docs, "--model", model.target, "--schema", file)
      assert.strictEqual(run.status, 0, run.stderr)
      assert.deepEqual(JSON.parse(run.stdout), { millimetres: 612 })
    })
  )

  it.scopedLive("shows each event on stderr with --follow, and with --json as a line of stdout before the job", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const model = yield* AgentPlace.model()
      const words = ["run", question, "--over", place.docs, "--model", model.target, "--follow"]
      const shown = yield* place.agent(...words)
      assert.match(
        shown.stderr,
        /orchestrator run\.started\n[^]*tool_call\.started search[^]*run\.finished succeeded\n/u
      )
      assert.notInclude(shown.stdout, "run.started")
      const { stderr, stdout } = yield* place.agent(...words, "--json")
      const lines = stdout.trim().split("\n")
      const types = lines.map((line) => /"type":"([^"]+)"/u.exec(line)?.[1])
      assert.strictEqual(types[0], "run.started")
      assert.strictEqual(types.at(-2), "run.finished")
      assert.strictEqual(bodyOf({ stdout: lines.at(-1) ?? "" }).status, "completed")
      assert.notInclude(stderr, "run.started")
    })
  )

  for (const { code, name, reply, retryable, words } of [
    {
      name: "reaches --max-credits",
      reply: AgentPlace.finding,
      words: ["--max-credits", "1"],
      code: "credit_limit_reached",
      retryable: false
    },
    {
      name: "is refused",
      reply: () => ({ text: '{"refused": "not a question"}' }),
      words: [],
      code: "refused",
      retryable: false
    },
    { name: "has a model that fails", reply: () => ({ status: 500 }), words: [], code: "internal", retryable: true }
  ] as const) {
    it.scopedLive(`ends with 1, the id and the reason when the run ${name}`, () =>
      Effect.gen(function* () {
        const place = yield* AgentPlace.make
        const model = yield* AgentPlace.model(reply)
        const run = yield* place.agent(
          "run",
          question,
          "--over",
          place.docs,
          "--model",
          model.target,
          "--json",
          ...words
        )
        assert.strictEqual(run.status, 1, run.stderr)
        const id = AgentPlace.jobOf(run)
        assert.deepInclude(bodyOf(run), { id, status: "failed", creditsUsed: 0, code, retryable })
        assert.include(run.stderr, `agent job ${id}: ${code}: `)
        assert.strictEqual((yield* place.agent("status", id)).status, 1)
      })
    )
  }

  it.scopedLive("an interrupt cancels the job, says so, and ends with 130", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const model = yield* AgentPlace.model(() => "never")
      const words = ["agent", "run", question, "--over", "docs", "--model", model.target, "--state", "state"]
      const running = yield* place.start(...words)
      yield* AgentPlace.until(() => model.asked.join(), /Brno/u)
      const id = AgentPlace.jobOf({ stderr: running.stderr() })
      // While it runs, another process reads it, and cannot cancel it.
      const meanwhile = yield* place.agent("status", id, "--json")
      assert.deepInclude(bodyOf(meanwhile), { id, status: "processing" })
      const elsewhere = yield* place.agent("cancel", id)
      assert.strictEqual(elsewhere.status, 2)
      assert.include(elsewhere.stderr, `agent job ${id}: `)
      assert.match(elsewhere.stderr, new RegExp(`pid ${running.child.pid} on `, "u"))
      running.child.kill("SIGINT")
      const { status, stderr, stdout } = yield* Effect.promise(() => running.ended)
      assert.deepEqual([status, stdout], [130, ""])
      assert.include(stderr, `agent job ${id}: interrupted, and its cancellation was requested`)
      const after = yield* place.agent("trace", id)
      assert.match(after.stdout, /run\.cancel_requested user[^]*run\.finished cancelled/u)
      assert.strictEqual((yield* place.agent("status", id)).status, 1)
    })
  )

  it.scopedLive("a job whose process was killed has failed, and may be run again", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const model = yield* AgentPlace.model(() => "never")
      const words = ["agent", "run", question, "--over", "docs", "--model", model.target, "--state", "state"]
      const running = yield* place.start(...words)
      yield* AgentPlace.until(() => model.asked.join(), /Brno/u)
      const id = AgentPlace.jobOf({ stderr: running.stderr() })
      running.child.kill("SIGKILL")
      yield* Effect.promise(() => running.ended)
      const { status } = yield* place.agent("status", id)
      assert.strictEqual(status, 1)
      assert.match((yield* place.agent("trace", id, "--json")).stdout, /"code":"internal"[^}]*"retryable":true/u)
    })
  )

  it.scopedLive("runs and shows jobs of a service, and keeps nothing here", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const service = yield* serviceOf(place, AgentPlace.finding)
      const run = yield* place.agent("run", question, "--json", ...service)
      assert.strictEqual(run.status, 0, run.stderr)
      const { id } = bodyOf(run)
      assert.strictEqual((yield* place.agent("status", id, ...service)).status, 0)
      assert.include((yield* place.agent("trace", id, ...service)).stdout, "run.finished succeeded")
      const missing = yield* place.agent("status", nothing, "--json", ...service)
      assert.strictEqual(missing.status, 2)
      assert.deepInclude(bodyOf(missing), { id: nothing, success: false })
      assert.isFalse(existsSync(join(place.folder, "state")))
    })
  )

  it.scopedLive("ends with 1 when a job of a service is cancelled by its id", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const service = ["--service", `${yield* startAgents({ scripts: { [question]: waiting } })}/v2`]
      const running = yield* place.start("agent", "run", question, "--follow", ...service)
      yield* AgentPlace.until(running.stderr, /progress\.reported waiting/u)
      const id = AgentPlace.jobOf({ stderr: running.stderr() })
      assert.strictEqual((yield* place.agent("cancel", id, ...service)).status, 0)
      const { status, stderr } = yield* Effect.promise(() => running.ended)
      assert.strictEqual(status, 1, stderr)
      assert.include(stderr, `agent job ${id}: cancelled: `)
    })
  )

  it.scopedLive("an interrupt cancels a job of a service", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const service = ["--service", `${yield* startAgents({ scripts: { [question]: waiting } })}/v2`]
      const running = yield* place.start("agent", "run", question, ...service)
      const id = AgentPlace.jobOf({ stderr: yield* AgentPlace.until(running.stderr, /agent job/u) })
      running.child.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => running.ended)).status, 130)
      assert.include((yield* place.agent("trace", id, ...service)).stdout, "run.cancel_requested user")
    })
  )

  it.scopedLive("ends with 2 and the id where the service is not there, or the job is not", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const missing = yield* place.agent("status", nothing)
      assert.strictEqual(missing.status, 2)
      assert.include(missing.stderr, `agent job ${nothing}: Agent job not found`)
      assert.deepEqual(readdirSync(place.folder), ["docs"])
    })
  )

  for (const { name, pattern, words } of [
    { name: "no operation", words: [], pattern: /expected docsluice agent run PROMPT/u },
    { name: "an unknown operation", words: ["ask", "x"], pattern: /got "ask"/u },
    { name: "status without an id", words: ["status"], pattern: /expected docsluice agent status ID/u },
    { name: "snapshot without its id", words: ["snapshot", nothing], pattern: /agent snapshot ID SNAPSHOT/u },
    { name: "an empty prompt", words: ["run"], pattern: /the prompt is empty/u },
    { name: "no model", words: ["run", "x", "--over", "docs"], pattern: /--model openai:MODEL/u },
    { name: "no documents", words: ["run", "x", "--model", "openai:m@http://127.0.0.1:9/v1"], pattern: /--over PATH/u },
    {
      name: "--over with a service",
      words: ["run", "x", "--over", "docs", "--service", "http://127.0.0.1:9/v2"],
      pattern: /--over is for the embedded service/u
    },
    {
      name: "--to with a service",
      words: ["run", "x", "--to", "libsql:a.db", "--service", "http://127.0.0.1:9/v2"],
      pattern: /--to is for the embedded service/u
    },
    {
      name: "--over with --to",
      words: ["run", "x", "--over", "docs", "--to", "libsql:a.db"],
      pattern: /give one of them/u
    },
    {
      name: "documents that are not there",
      words: ["run", "x", "--over", "none", "--model", "openai:m@http://127.0.0.1:9/v1"],
      pattern: /none: no such file or folder/u
    },
    {
      name: "a store that is not there",
      words: ["run", "x", "--to", "libsql:none.db", "--model", "openai:m@http://127.0.0.1:9/v1"],
      pattern: /--to: libsql:none\.db: there is no store/u
    },
    {
      name: "a schema that cannot be read",
      words: ["run", "x", "--over", "docs", "--schema", "none.json"],
      pattern: /--schema: the file none\.json cannot be read/u
    },
    {
      name: "credits that are no number",
      words: ["run", "x", "--max-credits", "many"],
      pattern: /--max-credits: expected/u
    }
  ]) {
    it.scopedLive(`refuses ${name} with 64, and leaves nothing`, () =>
      Effect.gen(function* () {
        const place = yield* AgentPlace.make
        const { status, stderr, stdout } = yield* place.agent(...words)
        assert.match(stderr, pattern)
        assert.deepEqual([status, stdout], [64, ""])
        assert.deepEqual(readdirSync(place.folder), ["docs"])
      })
    )
  }
})
