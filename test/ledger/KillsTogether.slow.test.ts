import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Postgres from "../sinks/postgres.ts"
import { play } from "./killingTogether.ts"
import { server } from "./places.ts"

const postgres = server()

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-together-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** Numbers of a fixed sequence, so that the victims are the same ones; the moments depend on the machine. */
const numbered = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

describe.skipIf(Postgres.missing() !== null)("processes over one folder and one state", () => {
  it.scopedLive("store each document once, though they are killed, and stopped for longer than their lease", () =>
    Effect.gen(function* () {
      const { url } = yield* postgres
      const directory = yield* folder
      const numbers = {
        documents: 30,
        processes: 2,
        kills: 3,
        stops: 1,
        changes: 3,
        concurrency: 3,
        lease: 1500,
        delay: 80
      }
      const result = yield* Effect.promise(() => play(directory, url, "together", numbers, numbered(7)))
      assert.deepInclude(result, { wrong: [], missing: 0, ghosts: 0, unsettled: 0, ok: true })
      assert.isAtMost(result.parses, result.bound)
    })
  )
})
