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
const switches = 10

/** Most processes that are killed, and the milliseconds that the longest of them has. */
const kills = 8
const longest = 1500

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

/** Exit status of a process that makes changes, or null when it was killed `after` milliseconds after its beginning. */
const changing = (directory: string, target: string, changes: number, after: number | null) =>
  Effect.async<number | null>((resume) => {
    const words = [bundled(change), directory, target, String(documents), String(changes)]
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
    child.stdout.on("data", () => {
      if (after !== null) setTimeout(() => child.kill("SIGKILL"), after)
    })
    child.on("close", (code) => resume(Effect.succeed(code)))
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

for (const kind of ["libsql", "pgvector"] as const) {
  describe(`generations of ${kind}`, () => {
    it.scopedLive(
      `a reader finds every document, of one model, during ${switches} switches and rollbacks whose processes are killed`,
      () =>
        Effect.gen(function* () {
          const directory = yield* Effect.acquireRelease(
            Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "generations-"))),
            (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
          )
          const places = Models.placesIn(directory)
          Models.writeDocuments(places.docs, documents)
          const target = yield* freshTarget(kind, places.file)
          assert.strictEqual(yield* changing(directory, target, 0, null), 0)
          const { report } = yield* reading(target)
          let killed = 0
          while (killed < kills) {
            const status = yield* changing(directory, target, switches, yield* Random.nextIntBetween(0, longest))
            if (status !== null) break
            killed += 1
          }
          assert.isAbove(killed, 5)
          assert.strictEqual(yield* changing(directory, target, switches, null), 0)
          const told = yield* report
          assert.notInclude(told, "wrong", told)
          const [, searches = "0", changes = "0"] = /searches (\d+) changes (\d+)/u.exec(told) ?? []
          assert.isAbove(Number(searches), 100)
          assert.isAtLeast(Number(changes), switches, told)
        }).pipe(Effect.withRandom(Random.make(`generations of ${kind}`))),
      300_000
    )
  })
}
