import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Summary } from "docsluice/Outcome"
import { Effect, Exit, Schedule, Schema, Scope } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import * as serverFixture from "../service/serverFixture.ts"
import { run, runHere, start } from "./run.ts"

const summaryOf = Schema.decodeSync(Schema.parseJson(Summary))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-serve-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

/** A page that takes a while to parse. */
const large = `<h1>Large</h1><p>${"<b>x</b> ".repeat(10_000)}`

const listening = (server: ReturnType<typeof start>) =>
  Effect.promise(async () => {
    while (!server.stdout().includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20))
    return Schema.decodeSync(Schema.parseJson(Schema.Struct({ base: Schema.String })))(server.stdout()).base
  })

const started = (cwd: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => start(cwd, args)),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Processes that a process has started. */
const children = (pid: number | undefined): ReadonlyArray<number> => {
  const all = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return all.split(" ").filter(Boolean).map(Number)
}

describe("docsluice serve", () => {
  it.scopedLive("finishes a parse that is in flight when it is asked to end", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const server = yield* started(cwd, ["serve", "--port", "0", "--json", "--grace", "2m"])
      const base = (yield* listening(server)).replace(/\/v2$/, "")
      yield* serverFixture.upload(base, { name: "small.html", bytes: "<p>x" })
      const parse = yield* Effect.fork(
        serverFixture.upload(base, { name: "large.html", bytes: large, options: { timeout: 120_000 } })
      )
      yield* serverFixture.metricsWith(base, "docsluice_requests_in_flight 2\n")
      server.child.kill("SIGTERM")
      assert.strictEqual((yield* parse).status, 200)
      assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 130)
    })
  )

  it.scopedLive("ends at once when it is asked twice", () =>
    Effect.gen(function* () {
      const server = yield* started(yield* folder, ["serve", "--port", "0", "--json"])
      const base = (yield* listening(server)).replace(/\/v2$/, "")
      const half = yield* Effect.fork(
        serverFixture.exchange(base, [
          "POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 9\r\n\r\n"
        ])
      )
      yield* serverFixture.metricsWith(base, "docsluice_requests_in_flight 2\n")
      server.child.kill("SIGINT")
      yield* serverFixture
        .exchange(base, ["GET /health HTTP/1.1\r\n\r\n"])
        .pipe(Effect.repeat({ until: (answer) => answer.startsWith("HTTP/1.1 503") }))
      assert.isNull(server.child.exitCode)
      server.child.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 130)
      yield* half
    })
  )

  it.scopedLive("restarted five times in the middle of parses loses no document of a client", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      mkdirSync(join(cwd, "docs"))
      const names = Array.from({ length: 20 }, (_, index) => `${index}.html`)
      for (const name of names) writeFileSync(join(cwd, "docs", name), `<p>${name}`)
      const scripts = Object.fromEntries(names.map((name) => [name, { delay: "250 millis" }] as const))
      const port = yield* Effect.promise(freePort)
      const serve = Effect.gen(function* () {
        const scope = yield* Scope.make()
        yield* serverFixture
          .start({ port, server: { grace: "50 millis" }, engine: { scripts } })
          .pipe(Scope.extend(scope))
        return scope
      })
      let scope = yield* serve
      yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(scope, Exit.void)))
      const restart = Effect.gen(function* () {
        yield* Scope.close(scope, Exit.void)
        yield* Effect.sleep("300 millis")
        scope = yield* serve
      })
      const ingest = Effect.promise(() =>
        run(cwd, ["ingest", "docs", "--json", "--concurrency", "4", "--service", `http://127.0.0.1:${port}/v2`])
      ).pipe(Effect.map(({ stdout }) => summaryOf(stdout)))
      const first = yield* Effect.fork(ingest)
      yield* serverFixture.metricsWith(`http://127.0.0.1:${port}`, 'docsluice_requests_total{status="200"} 2')
      yield* Effect.repeat(restart, Schedule.intersect(Schedule.recurs(4), Schedule.spaced("600 millis")))
      const summary = yield* first
      assert.deepStrictEqual(
        summary.failures.filter(({ retryable }) => !retryable),
        []
      )
      const second = yield* ingest
      assert.strictEqual(second.stored + second.unchanged, 20)
    })
  )

  it.each([
    [["--cors", "app.example"], /--cors: expected an origin such as https:\/\/app\.example, got "app\.example"/],
    [["--allow-host", "http://x"], /--allow-host: expected HOST or HOST:PORT, got "http:\/\/x"/],
    [["--grace", "soon"], /--grace: expected a time such as 30s, got "soon"/]
  ] as const)("answers 64 to %s", async (args, word) => {
    const { status, stderr } = await runHere(["serve", ...args])
    assert.match(stderr, word)
    assert.strictEqual(status, 64)
  })
})

describe("docsluice ingest", () => {
  it.scopedLive(
    "interrupted from the terminal, parsers included, stores what is in flight and blames no document",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder
        mkdirSync(join(cwd, "docs"))
        writeFileSync(join(cwd, "docs/large.html"), large)
        const ingest = yield* started(cwd, ["ingest", "docs", "--json", "--parse-options", '{"timeout":120000}'])
        const lanes = yield* Effect.sync(() => children(ingest.child.pid)).pipe(
          Effect.delay("20 millis"),
          Effect.repeat({ until: (pids) => pids.length > 0 })
        )
        yield* Effect.sleep("300 millis")
        // A terminal signals every process of the command.
        for (const pid of [ingest.child.pid, ...lanes]) if (pid !== undefined) process.kill(pid, "SIGINT")
        const { status, stdout } = yield* Effect.promise(() => ingest.ended)
        assert.strictEqual(status, 130)
        const { failed, stored } = summaryOf(stdout)
        assert.deepStrictEqual({ failed, stored }, { failed: 0, stored: 1 })
      })
  )
})
