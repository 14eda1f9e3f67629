import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { invariants } from "./Oracle.ts"
import { bundledWith, defects } from "./planted.ts"

/** Seeds within which each defect is found. */
const seeds = 60

interface Report {
  readonly runs: number
  readonly failures: ReadonlyArray<{ readonly invariant: string; readonly problem: string }>
}

describe("planted defects", () => {
  it("are at least twenty, and violate invariants that there are", () => {
    assert.isAtLeast(defects.length, 20)
    const named: ReadonlyArray<string> = invariants
    assert.deepEqual(
      defects.filter(({ violates }) => !violates.every((one) => named.includes(one))),
      []
    )
  })

  for (const defect of defects) {
    it(`are found: ${defect.text}`, async () => {
      const program = await bundledWith(defect)
      const told = execFileSync(process.execPath, [program, "--seeds", String(seeds), "--until", ""], {
        encoding: "utf8"
      })
      const { failures }: Report = JSON.parse(told)
      assert.include(defect.violates, failures[0]?.invariant)
    })
  }
})
