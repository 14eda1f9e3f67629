import { spawn } from "node:child_process"
import { it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Layer, Stream } from "effect"
import { assert, describe } from "vitest"
import { model as scripted } from "./cli/agentPlace.ts"
import { agentDouble, clientOf, jobId } from "./service/agentDouble.ts"
import { key } from "./service/collaborators.ts"

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("resolved"),
    (error: unknown) => error
  )

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const seen: Array<A> = []
  for await (const item of items) seen.push(item)
  return seen
}

const request = { prompt: "x" }

const fast = { firstPause: "5 millis" } as const

const running = Effect.gen(function* () {
  const double = yield* agentDouble
  double.on("POST /agent", [200, { success: true, id: jobId }])
  double.on(`GET /agent/${jobId}`, [200, { status: "processing" }], [200, { status: "completed", data: 42 }])
  double.on(`DELETE /agent/${jobId}`, [200, { success: true }])
  double.on(`GET /agent/${jobId}/trace`, [
    200,
    {
      events: [
        { type: "artifact.updated", snapshotId: "s" },
        { type: "run.finished", outcome: "succeeded" }
      ]
    }
  ])
  double.on(`GET /agent/${jobId}/snapshots/s`, [200, { snapshotId: "s", snapshot: "# Text" }])
  return { double, agent: Async.agent({ service: double.base, apiKey: key }) }
})

describe("Async.agent", () => {
  it.scopedLive("has the methods of the client and the streams", () =>
    Effect.gen(function* () {
      const { agent, double } = yield* running
      yield* Effect.promise(async () => {
        assert.strictEqual((await agent.result(request, fast)).data, 42)
        assert.strictEqual(await agent.submit(request), jobId)
        assert.strictEqual((await agent.status(jobId)).status, "completed")
        assert.lengthOf((await agent.trace(jobId)).events, 2)
        assert.strictEqual((await agent.snapshot(jobId, "s")).snapshot, "# Text")
        await agent.cancel(jobId)
        const updates = await all(agent.run(request, fast))
        assert.deepStrictEqual(
          updates.map(({ _tag }) => _tag),
          ["Submitted", "Completed"]
        )
        assert.lengthOf(await all(agent.follow(jobId)), 1)
        const events = await all(agent.events(jobId))
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["artifact.updated", "run.finished"]
        )
        assert.deepStrictEqual(
          (await all(agent.artifacts(jobId))).map(({ snapshot }) => snapshot),
          ["# Text"]
        )
      })
      for (const { headers } of double.log) assert.strictEqual(headers.authorization, `Bearer ${key}`)
    })
  )

  it.scopedLive("leaving the loop of run cancels the job, leaving that of follow does not", () =>
    Effect.gen(function* () {
      const { agent, double } = yield* running
      double.on(`GET /agent/${jobId}`, [200, { status: "processing" }])
      yield* Effect.promise(async () => {
        for await (const update of agent.follow(jobId)) if (update._tag === "Changed") break
        assert.notInclude(double.asked(), `DELETE /agent/${jobId}`)
        for await (const update of agent.run(request)) if (update._tag === "Changed") break
      })
      assert.strictEqual(double.asked().at(-1), `DELETE /agent/${jobId}`)
    })
  )

  it.scopedLive("an aborted signal cancels the job and rejects with its reason", () =>
    Effect.gen(function* () {
      const { double } = yield* running
      double.on(`GET /agent/${jobId}`, [200, { status: "processing" }])
      const controller = new AbortController()
      const agent = Async.agent({ service: double.base, apiKey: key, signal: controller.signal })
      const result = rejection(agent.result(request, fast))
      const waiting = Effect.repeat(Effect.sleep("5 millis"), { until: () => double.log.length >= 3 })
      yield* waiting
      controller.abort("enough")
      assert.strictEqual(yield* Effect.promise(() => result), "enough")
      assert.strictEqual(double.asked().at(-1), `DELETE /agent/${jobId}`)
    })
  )

  it.scopedLive("rejects with the tagged error itself", () =>
    Effect.gen(function* () {
      const { agent, double } = yield* running
      double.on(`GET /agent/${jobId}`, [200, { status: "failed", error: "no", creditsUsed: 0 }])
      double.on(`GET /agent/${jobId}/trace`, [200, { events: [{ type: "run.finished", outcome: "refused" }] }])
      const failed = yield* Effect.promise(() => rejection(agent.result(request, fast)))
      assert.deepInclude(failed, { _tag: "AgentRunFailed", jobId, code: "refused", creditsUsed: 0 })
      const wrong = yield* Effect.promise(() => rejection(agent.submit({ prompt: "" })))
      assert.deepInclude(wrong, { _tag: "InvalidOptions" })
      const keyless = Async.agent({ service: "http://example.com" })
      assert.deepInclude(yield* Effect.promise(() => rejection(keyless.status(jobId))), { _tag: "InvalidAddress" })
    })
  )

  it.scopedLive("takes a client as a layer", () =>
    Effect.gen(function* () {
      const { double } = yield* running
      let opened = 0
      const counted = Layer.tap(clientOf(double), () => Effect.sync(() => void (opened += 1)))
      const agent = Async.agent({ layer: counted })
      assert.strictEqual((yield* Effect.promise(() => agent.status(jobId))).jobId, jobId)
      assert.strictEqual(opened, 1)
    })
  )

  it.scopedLive("shares one pool of connections among its calls, which rejects after close", () =>
    Effect.gen(function* () {
      const { agent, double } = yield* running
      yield* Effect.promise(async () => {
        for (let call = 0; call < 10; call++) await agent.status(jobId)
        assert.isAtMost(double.connections(), 2)
        await agent.close()
        await rejection(agent.status(jobId))
        assert.lengthOf(double.log, 10)
      })
    })
  )

  it.scopedLive("lets a process end that never closes it", () =>
    Effect.gen(function* () {
      const { double } = yield* running
      const script = `import * as Async from "docsluice/Async"
        await Async.agent({ service: ${JSON.stringify(double.base)} }).status(${JSON.stringify(jobId)})
        console.log("read")`
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [
            "--import",
            "tsx",
            "--conditions=docsluice:source",
            "--input-type=module",
            "-e",
            script
          ])
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const out = yield* Effect.async<string>((resume) => {
        let text = ""
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)))
        child.on("close", (status) => resume(Effect.succeed(`${status} ${text}`)))
      })
      assert.strictEqual(out, "0 read\n")
    })
  )

  it.scopedLive("answers from documents given directly, and stores the artifacts of the run", () =>
    Effect.gen(function* () {
      const model = yield* scripted()
      yield* Effect.promise(async () => {
        const content = new TextEncoder().encode("<h1>Rain</h1><p>Brno measured 612 millimetres.</p>")
        const documents = [await Async.parse({ path: "rain.html", content })]
        const [, name = "", baseUrl = ""] = /^openai:(.+)@(.+)$/u.exec(model.target) ?? []
        const agent = Async.agent({ documents, model: { model: name, baseUrl } })
        const { data, jobId } = await agent.result({ prompt: "How much did Brno measure?" }, fast)
        assert.nestedPropertyVal(data, "answer", "Brno measured 612 millimetres.")
        assert.nestedPropertyVal(data, "citations[0].document", "rain.html")
        assert.strictEqual((await agent.status(jobId)).status, "completed")
        const sink = await Effect.runPromise(MemorySink.make())
        const summary = await agent.ingest(jobId, { sinks: [sink] })
        assert.deepInclude(summary, { exit: 0, stored: 1, failed: 0 })
        const [chunk] = await Effect.runPromise(Stream.runCollect(sink.list ?? Stream.empty)).then((all) => [...all])
        assert.strictEqual(String(chunk?.documentId), `${jobId}/citations.json`)
        await agent.close()
      })
    })
  )
})
