import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const program = fileURLToPath(new URL("heapChild.ts", import.meta.url))

/** Largest heap in MiB of three processes, the median: the collector runs on other threads, which a busy machine may hold up. */
const heapOf = (how: "limited" | "unlimited") =>
  Effect.map(
    Effect.forEach([1, 2, 3], () =>
      Effect.promise(() => promisify(execFile)(process.execPath, ["--import", tsx, program, how]))
    ),
    (runs) => runs.map(({ stdout }) => Number(stdout)).toSorted((a, b) => a - b)[1] ?? 0
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
