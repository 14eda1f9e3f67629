import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as HeadingLevels from "../../../src/engine/pdf/lines/HeadingLevels.ts"

const heading = (size: number, more: Partial<HeadingLevels.Heading> = {}): HeadingLevels.Heading => ({
  size,
  bold: true,
  italic: false,
  capitals: false,
  depth: 0,
  given: undefined,
  ...more
})

const anyHeading: fc.Arbitrary<HeadingLevels.Heading> = fc.record({
  size: fc.double({ min: 0.5, max: 4, noNaN: true }),
  bold: fc.boolean(),
  italic: fc.boolean(),
  capitals: fc.boolean(),
  depth: fc.integer({ min: 0, max: 9 }),
  given: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined })
})

describe("HeadingLevels.of", () => {
  it("begins at the top and goes down by one level at most, for any headings", () => {
    fc.assert(
      fc.property(fc.array(anyHeading, { maxLength: 40 }), fc.integer({ min: 1, max: 2 }), (headings, top) => {
        const levels = HeadingLevels.of(headings, top)
        assert.lengthOf(levels, headings.length)
        levels.forEach((level, at) => {
          assert.isAtLeast(level, top)
          assert.isAtMost(level, Math.min(6, (levels[at - 1] ?? top - 1) + 1))
        })
      })
    )
  })

  it("gives neighbours of one look the same level", () => {
    fc.assert(
      fc.property(fc.array(anyHeading, { maxLength: 20 }), anyHeading, (headings, same) => {
        const levels = HeadingLevels.of([...headings, same, same], 1)
        assert.strictEqual(levels.at(-1), levels.at(-2))
      })
    )
  })

  it("ranks by size, then weight", () => {
    const headings = [heading(2), heading(1.5), heading(1.5, { bold: false }), heading(1.5), heading(2)]
    assert.deepStrictEqual(HeadingLevels.of(headings, 1), [1, 2, 3, 2, 1])
  })

  it("follows numbers where sizes do not differ", () => {
    const depths = [1, 2, 3, 2, 1, 2]
    assert.deepStrictEqual(
      HeadingLevels.of(
        depths.map((depth) => heading(1, { depth })),
        2
      ),
      [2, 3, 4, 3, 2, 3]
    )
  })

  it("puts a heading without a number at the level of the numbered ones in its style", () => {
    const headings = [heading(1.5, { depth: 1 }), heading(1.2, { depth: 2 }), heading(1.5, { depth: 1 }), heading(1.5)]
    assert.deepStrictEqual(HeadingLevels.of(headings, 1), [1, 2, 1, 1])
  })

  it("follows bookmarks and tags before styles, without jumps", () => {
    const headings = [heading(1, { given: 1 }), heading(2, { given: 3 }), heading(1, { given: 2 })]
    assert.deepStrictEqual(HeadingLevels.of(headings, 1), [1, 2, 2])
  })
})
