import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { invariants } from "./Oracle.ts"
import { bundledWith, type Defect, defects } from "./planted.ts"

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

  for (const defect of defects) {
    it(`are found: ${defect.text}`, async () => {
      const program = await bundledWith(defect)
      assert.include(defect.violates, firstOf(program, defect, defect.seed, 1) ?? firstOf(program, defect, 1, seeds))
    })
  }
})
