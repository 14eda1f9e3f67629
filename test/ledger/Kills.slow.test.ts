import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Ledger from "docsluice/Ledger"
import * as Source from "docsluice/Source"
import { Chunk, Deferred, Effect, Fiber, type Scope, Stream } from "effect"
import { bundled } from "../fixtures/bundled.ts"
import * as Steps from "./steps.ts"
import * as Workspace from "./workspace.ts"

const script = new URL("killedRun.ts", import.meta.url)

/** Runs in a process that kills itself with SIGKILL at the step; gives the number of requests that it made. */
const killed = (ws: Workspace.Workspace, step: string, way: Steps.Way) =>
  Effect.async<number>((resume) => {
    const child = spawn(process.execPath, [bundled(script), ws.directory, step, "1", way], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    child.on("close", (_, signal) => {
      assert.strictEqual(signal, "SIGKILL")
      const log = join(ws.directory, "requests.log")
      resume(Effect.succeed(existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0))
    })
  })

/** Runs here and is interrupted at the step. */
const interrupted = (ws: Workspace.Workspace, step: string, way: Steps.Way) =>
  Effect.gen(function* () {
    const there = yield* Deferred.make<void>()
    const reached: Steps.Reached = (name) =>
      name === step ? Effect.zipRight(Deferred.succeed(there, undefined), Effect.never) : Effect.void
    const fiber = yield* Effect.fork(
      Workspace.run(ws, {
        mode: "sync",
        sinks: [Effect.map(Workspace.jsonl(ws), (sink) => Steps.sink(sink, way, reached))],
        ledgerWith: (ledger) => Steps.ledger(ledger, reached),
        change: (options) => ({ ...options, concurrency: 1 })
      })
    )
    yield* Deferred.await(there)
    yield* Fiber.interrupt(fiber)
    return 0
  })

/** Ids of the chunks that count, as the next one to open the file sees them. */
const findable = (ws: Workspace.Workspace) =>
  Effect.gen(function* () {
    const sink = yield* Workspace.jsonl(ws)
    yield* sink.prepare(null)
    const listed = yield* Stream.runCollect(sink.list ?? Stream.empty)
    return new Set<string>(Chunk.toReadonlyArray(listed).map(({ id }) => id))
  }).pipe(Effect.scoped)

/** Changes three documents of six, adds one and removes one. */
const change = (ws: Workspace.Workspace) => {
  for (const path of ["0/0.pdf", "1/1.pdf", "2/2.pdf"]) ws.write(path, `another ${path}`)
  ws.write("new.pdf", "a new one")
  ws.remove("0/3.pdf")
  return Workspace.settle
}

const check = (
  end: (ws: Workspace.Workspace) => Effect.Effect<number>,
  mayAsk: number
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const ws = yield* Workspace.make(6)
    yield* Workspace.run(ws, { mode: "sync" })
    const old = Workspace.grouped(Workspace.lines(Workspace.target(ws)))
    yield* change(ws)
    const asked = yield* end(ws)
    const there = yield* findable(ws)
    const fresh = yield* Workspace.wantedBySource(ws)
    for (const [source, ids] of old) {
      const whole = (all: ReadonlyArray<string> | undefined) => all?.every((id) => there.has(id)) === true
      if (source !== "0/3.pdf") assert.isTrue(whole(ids) || whole(fresh.get(source)), `${source} is in no generation`)
    }
    const resumed = yield* Workspace.run(ws, { mode: "sync" })
    assert.deepInclude(resumed, { discovered: 6, failed: 0, exit: 0 })
    assert.isAtMost(asked + resumed.requests, mayAsk)
    const wanted = [...fresh.values()].flat().toSorted()
    assert.deepStrictEqual(Workspace.inFile(ws), wanted)
    const again = yield* Workspace.run(ws, { mode: "sync" })
    assert.deepInclude(again, { unchanged: 6, requests: 0, removed: 0, exit: 0 })
    assert.deepStrictEqual(Workspace.inFile(ws), wanted)
  })

const promise = "each document is found old or new, and the next run stores every one exactly once"

describe("a run that ends in the middle", () => {
  for (const way of ["write", "replace"] as const) {
    for (const step of Steps.all[way]) {
      it.scopedLive(`interrupted ${step}, by ${way}: ${promise}`, () => check((ws) => interrupted(ws, step, way), 4))
    }
  }

  for (const [step, way] of [
    ["after write", "write"],
    ["before remove", "write"],
    ["before commit", "replace"],
    ["before forget", "replace"]
  ] as const) {
    it.scopedLive(`killed ${step}, by ${way}: ${promise}, and pays again at most for what was on its way`, () =>
      check((ws) => killed(ws, step, way), 5)
    )
  }
})

/** The letters as their file has them, and as the ledger would have them. */
const bothLetters = (ws: Workspace.Workspace) =>
  Effect.gen(function* () {
    const state = join(ws.directory, "state")
    const inFile = yield* Effect.provide(DeadLetter.read(join(state, "dead-letter.jsonl")), NodeContext.layer)
    const inLedger = yield* Effect.scoped(Effect.flatMap(Ledger.make({ directory: state }), DeadLetter.ofLedger))
    return { inFile, inLedger }
  })

/** Two files fail; then one of them has bytes, one is gone, one goes on failing and a new one fails. */
const failing = Effect.gen(function* () {
  const ws = yield* Workspace.make(2)
  for (const name of ["gone.pdf", "mended.pdf", "still.pdf"]) ws.write(name, "")
  yield* Workspace.settle
  assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { failed: 3, exit: 1 })
  ws.write("mended.pdf", "mended")
  ws.write("new.pdf", "")
  ws.remove("gone.pdf")
  yield* Workspace.settle
  return ws
})

const checkLetters = (
  end: (ws: Workspace.Workspace) => Effect.Effect<number>
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const ws = yield* failing
    yield* end(ws)
    const known = (yield* bothLetters(ws)).inLedger.map(({ source }) => source)
    // A run's work before its first document: afterwards the letters are exactly the ledger's failures.
    const begins = yield* Deferred.make<void>()
    const stopped = yield* Workspace.run(ws, {
      mode: "sync",
      change: (options) => ({
        ...options,
        source: Source.within(
          options.source.scope,
          Stream.concat(Stream.drain(Stream.fromEffect(Deferred.succeed(begins, undefined))), Stream.never)
        ),
        stop: Deferred.await(begins)
      })
    })
    assert.strictEqual(stopped.exit, 130)
    const begun = yield* bothLetters(ws)
    assert.sameDeepMembers([...begun.inFile], [...begun.inLedger])
    assert.includeMembers(
      begun.inFile.map(({ source }) => source),
      known
    )
    assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { failed: 2, exit: 1 })
    const ended = yield* bothLetters(ws)
    assert.sameDeepMembers([...ended.inFile], [...ended.inLedger])
    assert.deepStrictEqual(ended.inFile.map(({ source }) => source).toSorted(), ["new.pdf", "still.pdf"])
  })

describe("the dead letters of a run that ends in the middle", () => {
  for (const step of ["before fail", "after fail", "after commit", "before forgive", "after forgive"]) {
    it.scopedLive(`interrupted ${step}: the next run begins by making them what the ledger says`, () =>
      checkLetters((ws) => interrupted(ws, step, "replace"))
    )
  }

  for (const step of ["after fail", "after commit", "after forgive"]) {
    it.scopedLive(`killed ${step}: the next run begins by making them what the ledger says`, () =>
      checkLetters((ws) => killed(ws, step, "replace"))
    )
  }
})
