import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { nightly } from "../fixtures/seed.ts"
import * as Plan from "./Plan.ts"
import * as Shrink from "./Shrink.ts"
import { run } from "./Simulation.ts"

/** Shortest plans of seeds that broke a promise. */
const kept = new URL("kept/", import.meta.url)

type Planned = (seed: string) => Plan.Plan

const traceOf = async (seed: string, planned: Planned = Plan.make): Promise<string> =>
  (await run(planned(seed))).trace.map(({ at, what, who }) => `${at} ${who} ${what}`).join("\n")

/** The shortest story of a seed that breaks a promise; empty for one that breaks none. */
const broken = async (seed: string, planned: Planned): Promise<string> => {
  const result = await run(planned(seed))
  const [first] = result.violations
  if (first === undefined) return ""
  const plan = await Shrink.shrunk(planned(seed), first.invariant, 60)
  return `seed ${seed}\n${Shrink.outline(plan)}\n\n${Shrink.story(await run(plan))}`
}

/** Milliseconds for which seeds are begun, and seeds that run all the same. */
const budget = 25_000
const least = 10

/** All of these ran without a broken promise. */
const fixed = Array.from({ length: 150 }, (_, at) => String(at + 1))

/** Other seeds each day, from a thousand times the number of the day on. */
const day = Math.floor(Date.now() / 86_400_000)
const ofTheDay = Array.from({ length: 300 }, (_, at) => String(1000 * day + at + 1))

/** The story of the first of these seeds that breaks a promise; those are left out for which there is no time. */
const firstBroken = async (seeds: ReadonlyArray<string>, planned: Planned = Plan.make): Promise<string> => {
  const end = performance.now() + budget
  for (const [at, seed] of seeds.entries()) {
    if (at >= least && performance.now() > end) break
    const story = await broken(seed, planned)
    if (story !== "") return story
  }
  return ""
}

describe("simulation", () => {
  it("is the same for the same seed, byte for byte, whatever ran before", async () => {
    const before = [await traceOf("1"), await traceOf("2"), await traceOf("2", Plan.onDisk)]
    await traceOf("3")
    assert.deepEqual([await traceOf("1"), await traceOf("2"), await traceOf("2", Plan.onDisk)], before)
    assert.notStrictEqual(before[0], before[1])
  })

  for (const file of readdirSync(kept)) {
    it(`breaks no promise by the plan of ${file}, which did once`, async () => {
      const plan: Plan.Plan = JSON.parse(readFileSync(new URL(file, kept), "utf8"))
      assert.deepEqual((await run(plan)).violations, [])
    })
  }

  it("breaks no promise for the fixed seeds", async () => assert.strictEqual(await firstBroken(fixed), ""))

  it("breaks no promise for the fixed seeds of a machine with its state in a folder", async () =>
    assert.strictEqual(await firstBroken(fixed, Plan.onDisk), ""))

  // Not left out by `it.runIf`: a test that is left out counts as one whose server is missing.
  for (const seeds of nightly ? [ofTheDay] : []) {
    it("breaks no promise for the seeds of the day", async () => {
      assert.strictEqual(await firstBroken(seeds), "")
      assert.strictEqual(await firstBroken(seeds, Plan.onDisk), "")
    })
  }
})
