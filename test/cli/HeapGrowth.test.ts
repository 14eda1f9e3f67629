import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const program = fileURLToPath(new URL("heapChild.ts", import.meta.url))

/** Largest heap in MiB of a process. */
const heapOf = (how: "limited" | "unlimited") =>
  Effect.map(
    Effect.promise(() => promisify(execFile)(process.execPath, ["--import", tsx, program, how])),
    ({ stdout }) => Number(stdout)
  )

describe("HeapGrowth", () => {
  it.effect("keeps the garbage of a process below what is alive in it", () =>
    Effect.gen(function* () {
      const limited = yield* heapOf("limited")
      const unlimited = yield* heapOf("unlimited")
      assert.isAbove(limited, 40)
      assert.isBelow(limited, 0.75 * unlimited)
    })
  )
})
