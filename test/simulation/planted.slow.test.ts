import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { nightly } from "../fixtures/seed.ts"
import { invariants } from "./Oracle.ts"
import { bundledWith, type Defect, defects, patched } from "./planted.ts"

/** Seeds within which each defect is found, if its own does not find it any more. */
const seeds = 100

interface Report {
  readonly failures: ReadonlyArray<{ readonly invariant: string }>
}

/** The invariant that the first of so many seeds violates. */
const firstOf = (program: string, { onDisk }: Defect, from: number, count: number): string | undefined => {
  const place = onDisk ? ["--disk"] : []
  const given = [program, "--from", String(from), "--seeds", String(count), "--until", "", ...place]
  const { failures }: Report = JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" }))
  return failures[0]?.invariant
}

describe("planted defects", () => {
  it("violate invariants that there are", () => {
    const named: ReadonlyArray<string> = invariants
    assert.deepEqual(
      defects.filter(({ violates }) => !violates.every((one) => named.includes(one))),
      []
    )
  })

  it("fit the source", () => {
    for (const defect of defects) assert.isAbove(patched(defect).size, 0, defect.name)
  })

  // Each takes five to fifteen seconds of a core.
  for (const defect of nightly ? defects : defects.filter((_, at) => at % 3 === 0)) {
    it(`are found: ${defect.text}`, async () => {
      const program = await bundledWith(defect)
      assert.include(defect.violates, firstOf(program, defect, defect.seed, 1) ?? firstOf(program, defect, 1, seeds))
    })
  }
})
