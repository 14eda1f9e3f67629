import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import type * as Accounts from "docsluice/service/Accounts"
import { AgentJob, AgentSubmitted, isTerminal, Snapshot, Trace } from "docsluice/service/Agent"
import { catalogue } from "docsluice/service/AgentClient"
import type { AgentRunner } from "docsluice/service/AgentJobs"
import * as AgentJobs from "docsluice/service/AgentJobs"
import * as Server from "docsluice/service/Server"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Layer, Schema, type Scope } from "effect"
import { make as createServer } from "../../src/internal/server/nodeHttpServer.ts"
import { bundled } from "../fixtures/bundled.ts"
import * as ScriptedRunner from "../fixtures/ScriptedRunner.ts"
import { addressOf, type Answer, assertError, request } from "./serverFixture.ts"

/** A server of agent jobs on a free port; gives its address without the version segment. */
export const startAgents = (options: {
  readonly scripts?: ScriptedRunner.Scripts
  /** Default the scripted one. */
  readonly runner?: Layer.Layer<AgentRunner>
  readonly server?: Server.Options
  /** Default in memory. */
  readonly accounts?: Layer.Layer<Accounts.Accounts>
  /** Default in memory. */
  readonly directory?: string
  readonly concurrency?: number
}): Effect.Effect<string, never, Scope.Scope> => {
  const {
    accounts = Layer.empty,
    concurrency,
    directory,
    runner = ScriptedRunner.layer(options.scripts),
    server
  } = options
  const jobs =
    directory === undefined ? AgentJobs.layerMemory({ concurrency }) : AgentJobs.layer({ directory, concurrency })
  return Server.layer(server).pipe(
    Layer.provide([ScriptedEngine.layer(), Layer.provide(jobs, runner), accounts]),
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
    Layer.build,
    Effect.flatMap((context) => Effect.provide(HttpServer.addressWith(addressOf), context)),
    Effect.orDie
  )
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

export const get = (base: string, path: string, key = "a"): Effect.Effect<Answer> =>
  request(`${base}/v2/agent${path}`, { headers: bearer(key) })

export const cancel = (base: string, id: string, key = "a"): Effect.Effect<Answer> =>
  request(`${base}/v2/agent/${id}`, { method: "DELETE", headers: bearer(key) })

export const submit = (base: string, body: unknown, key = "a"): Effect.Effect<Answer> =>
  request(`${base}/v2/agent`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer(key) },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

/** Submits a job that must be taken; its id. */
export const submitted = (base: string, prompt: string, more: object = {}): Effect.Effect<string> =>
  Effect.map(submit(base, { prompt, ...more }), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return Schema.decodeUnknownSync(AgentSubmitted)(body).id
  })

const decoded =
  <A, I>(schema: Schema.Schema<A, I>) =>
  ({ body, status }: Answer): A => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return Schema.decodeUnknownSync(schema)(body)
  }

export const statusOf = (base: string, id: string) => Effect.map(get(base, `/${id}`), decoded(AgentJob))

export const traceOf = (base: string, id: string) => Effect.map(get(base, `/${id}/trace`), decoded(Trace))

export const snapshotOf = (base: string, id: string, snapshotId: string) =>
  Effect.map(get(base, `/${id}/snapshots/${snapshotId}`), decoded(Snapshot))

/** The job once it does not change any more. */
export const ended = (base: string, id: string) =>
  statusOf(base, id).pipe(
    Effect.delay("10 millis"),
    Effect.repeat({ until: ({ status }) => isTerminal(status) }),
    Effect.timeout("2 minutes"),
    Effect.orDie
  )

/** Waits until the trace of a job has an event of the type. */
export const until = (base: string, id: string, type: string) =>
  traceOf(base, id).pipe(
    Effect.delay("10 millis"),
    Effect.repeat({ until: ({ events }) => events.some((event) => event.type === type) }),
    Effect.timeout("2 minutes"),
    Effect.orDie
  )

/** The id of no job and no snapshot. */
export const unknown = "3f0d8a52-6d3c-4a0b-9d0a-0d3c6c1f7e55"

/** Checks that an answer is a row of the catalogue. */
export const isRow = (answer: Answer, row: keyof typeof catalogue) =>
  assertError(answer, catalogue[row].status, catalogue[row].error)

/** A run that does not end by itself. */
export const waiting: ScriptedRunner.Script = {
  run: (agent) =>
    Effect.zipRight(agent.emit({ type: "progress.reported", phase: "working", message: "waiting" }), Effect.never)
}

/** A folder that is deleted with the test. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-agent-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A server in a process of its own. */
export interface Killable {
  readonly base: string
  /** Kills it, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

/**
 * The process of `agentChild.ts`, whose jobs are in the folder `jobs` of the directory. The effect inside begins to serve, on the port
 * that it is given.
 */
export const standby = (
  directory: string,
  credits?: number
): Effect.Effect<(port: number) => Effect.Effect<Killable>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const from = [bundled(new URL("agentChild.ts", import.meta.url)), directory]
    const child = spawn(process.execPath, credits === undefined ? from : [...from, String(credits)], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    const kill = Effect.async<void>((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done(Effect.void)
      child.once("exit", () => done(Effect.void))
      child.kill("SIGKILL")
    })
    yield* Effect.addFinalizer(() => kill)
    return (port) =>
      Effect.async<Killable>((resume) => {
        child.once("exit", () => resume(Effect.dieMessage("the server did not start")))
        child.stdout.once("data", (line) => resume(Effect.succeed({ base: String(line).trim(), kill })))
        child.stdin.write(`${port}\n`)
      })
  })

/** A server of {@link standby} on a free port. */
export const killable = (directory: string, credits?: number): Effect.Effect<Killable, never, Scope.Scope> =>
  Effect.flatMap(standby(directory, credits), (begin) => begin(0))
