import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import * as Workspace from "./workspace.ts"

const script = fileURLToPath(new URL("killedRun.ts", import.meta.url))

/** Runs in a process that kills itself at the step; gives the signal that ended it. */
const killed = (ws: Workspace.Workspace, step: string, nth: number, way: "replace" | "write") =>
  Effect.async<NodeJS.Signals | null>((resume) => {
    const child = spawn(
      process.execPath,
      ["--conditions=docsluice:source", "--import=tsx", script, ws.directory, step, String(nth), way],
      { stdio: ["ignore", "ignore", "inherit"] }
    )
    child.on("close", (_, signal) => resume(Effect.succeed(signal)))
  })

/** Chunks that count, by source: as the next one to open the file sees them. */
const findable = (ws: Workspace.Workspace) =>
  Effect.gen(function* () {
    const sink = yield* Workspace.jsonl(ws)
    yield* sink.prepare(null)
    const listed = yield* Stream.runCollect(sink.list ?? Stream.empty)
    return new Set<string>(Chunk.toReadonlyArray(listed).map(({ id }) => id))
  }).pipe(Effect.scoped)

const steps: ReadonlyArray<readonly [step: string, nth: number, way: "replace" | "write"]> = [
  ["after announce", 2, "write"],
  ["after write", 1, "write"],
  ["before remove", 1, "write"],
  ["before removed", 1, "write"],
  ["before write", 2, "replace"],
  ["before commit", 1, "replace"],
  ["before forget", 1, "replace"],
  ["before finish", 1, "replace"]
]

describe("a run that is killed", () => {
  it.scopedLive.each([...steps])(
    "%s (%i, %s): each document is found old or new, and the next run stores every one exactly once",
    ([step, nth, way]) =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(6)
        yield* Workspace.run(ws, { mode: "sync" })
        const old = Workspace.grouped(Workspace.lines(Workspace.target(ws)))
        for (const path of ["0/0.pdf", "1/1.pdf", "2/2.pdf"]) ws.write(path, `another ${path}`)
        ws.write("new.pdf", "a new one")
        ws.remove("0/3.pdf")
        yield* Workspace.settle
        assert.strictEqual(yield* killed(ws, step, nth, way), "SIGKILL")
        const there = yield* findable(ws)
        const wanted = yield* Workspace.wanted(ws)
        const fresh = yield* Workspace.wantedBySource(ws)
        for (const [source, ids] of old) {
          if (source === "0/3.pdf") continue
          const oldOnes = ids.every((id) => there.has(id))
          const newOnes = (fresh.get(source) ?? []).every((id) => there.has(id))
          assert.isTrue(oldOnes || newOnes, `${source} is in neither generation`)
        }
        const asked = readFileSync(join(ws.directory, "requests.log"), "utf8").trim().split("\n")
        const resumed = yield* Workspace.run(ws, { mode: "sync" })
        assert.deepInclude(resumed, { discovered: 6, failed: 0, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), wanted)
        // An answer that was on its way when the process died is asked for again; nothing else is.
        assert.isAtMost(asked.length + resumed.requests, 5)
        assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { unchanged: 6, requests: 0, removed: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), wanted)
      }),
    60_000
  )
})
