import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { bundled } from "../fixtures/bundled.ts"
import * as Models from "../fixtures/generationModels.ts"
import { postgres } from "../fixtures/servers.ts"

const documents = 8
const rounds = 10

const change = new URL("../fixtures/generationChange.ts", import.meta.url)
const reader = new URL("../fixtures/generationReader.ts", import.meta.url)

/** A store that is not there yet. */
const freshTarget = (kind: "libsql" | "pgvector", file: string) =>
  kind === "libsql"
    ? Effect.succeed(`libsql:${file}`)
    : Effect.map(
        Effect.acquireRelease(
          Effect.promise(() => postgres()),
          ({ stop }) => Effect.promise(() => stop())
        ),
        ({ url }) => `pgvector:${url}`
      )

/** Exit status of a step, or null when it was killed `after` milliseconds after its corpus was open. */
const step = (name: string, directory: string, target: string, after: number | null): Effect.Effect<number | null> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, [bundled(change), name, directory, target, String(documents)], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.on("data", (part: Buffer) => {
      if (after !== null && part.toString().includes("open")) setTimeout(() => child.kill("SIGKILL"), after)
    })
    let said = ""
    child.stderr.on("data", (part: Buffer) => {
      said += part.toString()
    })
    child.on("close", (code) => {
      if (code === 1 && after === null) process.stderr.write(said)
      resume(Effect.succeed(code))
    })
  })

/** A reader that runs until it is asked for its report. */
const reading = (target: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly child: ChildProcess; readonly report: Effect.Effect<string> }>((resume) => {
      const child = spawn(process.execPath, [bundled(reader), target, String(documents)], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      let text = ""
      const closed = new Promise<string>((done) => child.on("close", () => done(text)))
      const report = Effect.promise(() => {
        child.stdin.end()
        return closed
      })
      child.stdout.on("data", (part: Buffer) => {
        text += part.toString()
        if (text.startsWith("reading")) resume(Effect.succeed({ child, report }))
      })
      child.on("close", () => resume(Effect.succeed({ child, report })))
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Repeats a step that is killed at a random moment until it has ended by itself; what it did before counts. */
const insisted = (name: string, directory: string, target: string) =>
  Effect.gen(function* () {
    const longest = name.startsWith("fill") ? 400 : 60
    for (let kills = 0; kills < 2; kills++) {
      yield* step(name, directory, target, yield* Random.nextIntBetween(0, longest))
    }
    // It may have been done before the kill, and is refused then.
    return yield* step(name, directory, target, null)
  })

for (const kind of ["libsql", "pgvector"] as const) {
  describe(`generations of ${kind}`, () => {
    it.scopedLive(
      `a reader finds every document, of one model, during ${rounds} switches whose processes are killed`,
      () =>
        Effect.gen(function* () {
          const directory = yield* Effect.acquireRelease(
            Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "generations-"))),
            (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
          )
          const places = Models.placesIn(directory)
          Models.writeDocuments(places.docs, documents)
          const target = yield* freshTarget(kind, places.file)
          assert.strictEqual(yield* step("ingest-first", directory, target, null), 0)
          const { report } = yield* reading(target)
          for (let round = 0; round < rounds; round++) {
            const next = round % 2 === 0 ? "fill-next" : "fill-first"
            assert.strictEqual(yield* insisted(next, directory, target), 0, `${next} in round ${round}`)
            yield* insisted("switch", directory, target)
            yield* insisted("drop", directory, target)
          }
          const told = yield* report
          assert.notInclude(told, "wrong", told)
          const [, searches = "0", changes = "0"] = /searches (\d+) changes (\d+)/u.exec(told) ?? []
          assert.isAbove(Number(searches), 100)
          assert.strictEqual(Number(changes), rounds, told)
        }).pipe(Effect.withRandom(Random.make(`generations of ${kind}`))),
      600_000
    )

    it.scopedLive(
      "a rollback whose process is killed leaves one of both generations",
      () =>
        Effect.gen(function* () {
          const directory = yield* Effect.acquireRelease(
            Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "generations-"))),
            (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
          )
          const places = Models.placesIn(directory)
          Models.writeDocuments(places.docs, documents)
          const target = yield* freshTarget(kind, places.file)
          yield* step("ingest-first", directory, target, null)
          yield* step("fill-next", directory, target, null)
          const { report } = yield* reading(target)
          for (let round = 0; round < 5; round++) {
            for (const name of ["switch", "rollback"]) yield* insisted(name, directory, target)
          }
          const told = yield* report
          assert.notInclude(told, "wrong", told)
          assert.match(told, /searches \d+/u)
        }).pipe(Effect.withRandom(Random.make(`rollbacks of ${kind}`))),
      600_000
    )
  })
}
