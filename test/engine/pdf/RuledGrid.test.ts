import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Rule } from "../../../src/engine/pdf/PageItem.ts"
import * as RuledGrid from "../../../src/engine/pdf/RuledGrid.ts"
import { runs } from "../../fixtures/seed.ts"

const across = (at: number, from: number, to: number): Rule => ({ horizontal: true, at, from, to })
const down = (at: number, from: number, to: number): Rule => ({ horizontal: false, at, from, to })

const full = (columns: number, rows: number): ReadonlyArray<Rule> => [
  ...Array.from({ length: rows + 1 }, (_, at) => across(100 + at * 20, 50, 50 + columns * 60)),
  ...Array.from({ length: columns + 1 }, (_, at) => down(50 + at * 60, 100, 100 + rows * 20))
]

describe("RuledGrid.find", () => {
  it("finds each cell of a full grid once, whatever the order of its rules and into what pieces they are cut", () => {
    const size = fc.integer({ min: 2, max: 7 })
    fc.assert(
      fc.property(size, size, fc.infiniteStream(fc.nat()), fc.boolean(), (columns, rows, chance, cut) => {
        const rules = full(columns, rows).flatMap((rule) => {
          const middle = (rule.from + rule.to) / 2
          return cut
            ? [
                { ...rule, to: middle + 1 },
                { ...rule, from: middle - 1 }
              ]
            : [rule]
        })
        const order = new Map(rules.map((rule) => [rule, chance.next().value]))
        const [grid, ...others] = RuledGrid.find(
          rules.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0))
        )
        assert.strictEqual(others.length, 0)
        assert.strictEqual(grid?.columns, columns)
        assert.strictEqual(grid?.rows, rows)
        assert.deepStrictEqual(
          grid?.cells.map((cell) => cell.row * columns + cell.column),
          Array.from({ length: columns * rows }, (_, at) => at)
        )
      }),
      { numRuns: runs(100) }
    )
  })

  it("takes cells without a rule between them for one", () => {
    const rules = [
      across(100, 50, 230),
      across(120, 50, 230),
      across(140, 50, 230),
      down(50, 100, 140),
      down(110, 120, 140),
      down(170, 120, 140),
      down(230, 100, 140)
    ]
    const [grid] = RuledGrid.find(rules)
    assert.deepStrictEqual(
      grid?.cells.map((cell) => [cell.row, cell.column, cell.box.x0, cell.box.x1]),
      [
        [0, 0, 50, 230],
        [1, 0, 50, 110],
        [1, 1, 110, 170],
        [1, 2, 170, 230]
      ]
    )
  })

  it("closes a table whose sides are open where its rules end", () => {
    const rules = [across(100, 50, 200), across(120, 50, 200), across(140, 50, 200), down(120, 100, 140)]
    const [grid] = RuledGrid.find(rules)
    assert.strictEqual(grid?.columns, 2)
    assert.strictEqual(grid?.rows, 2)
  })

  it("keeps tables apart that do not touch, and sees none in a frame or in underlines", () => {
    const second = [across(400, 50, 170), across(420, 50, 170), across(440, 50, 170), down(110, 400, 440)]
    assert.strictEqual(RuledGrid.find([...full(3, 3), ...second]).length, 2)
    assert.strictEqual(RuledGrid.find(full(1, 1)).length, 0)
    assert.strictEqual(RuledGrid.find([across(100, 50, 90), across(140, 50, 90)]).length, 0)
  })
})
