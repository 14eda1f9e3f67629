import { assert, describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect } from "effect"
import * as honest from "./sourceDefects/honest.ts"
import { defects } from "./sourceDefects/index.ts"

const named = (report: SourceConformance.Report, result: SourceConformance.Result["result"]) =>
  report.results.filter((one) => one.result === result).map(({ name }) => name)

SourceConformance.suite(honest.target(), { describe, it })

describe("check", () => {
  it.live("passes every case on a source that keeps its promises, and says so", () =>
    Effect.gen(function* () {
      const report = yield* SourceConformance.check(honest.target())
      assert.deepEqual(named(report, "failed"), [])
      assert.deepEqual(named(report, "not verifiable"), [])
      assert.isTrue(report.conforms)
      assert.include(SourceConformance.lines(report).at(-1), "model conforms: ")
    })
  )
})

describe("planted defects", () => {
  const caseOf = (part: string) => SourceConformance.cases.find(({ name }) => name.includes(part))

  it("are at least twenty, each of another name, and each to be caught by a case that there is", () => {
    assert.isAtLeast(defects.length, 20)
    assert.strictEqual(new Set(defects.map(({ name }) => name)).size, defects.length)
    assert.deepEqual(
      defects.filter(({ caughtBy }) => caseOf(caughtBy) === undefined),
      []
    )
  })

  it("leave no case without a defect that it catches", () => {
    const catching = new Set(defects.map(({ caughtBy }) => caseOf(caughtBy)?.name))
    const idle = SourceConformance.cases.filter(({ name }) => !catching.has(name)).map(({ name }) => name)
    assert.deepEqual(idle, [])
  })

  it.live("are each caught by the case that is there for them", () =>
    Effect.gen(function* () {
      const missed: Array<string> = []
      for (const { caughtBy, name, plant } of defects) {
        const found = caseOf(caughtBy)
        if (found === undefined) continue
        const end = yield* Effect.exit(Effect.scoped(found.run(honest.target(plant))))
        if (end._tag === "Success") missed.push(`${name}: ${found.name}`)
      }
      assert.deepEqual(missed, [])
    })
  )
})
