/** Headings, and units that belong together, as the layout blocks tell them. */
import { at } from "../../base/at.ts"
import type { Unit } from "../pack/Unit.ts"
import { type Leaf, trimStart } from "../scan/Leaf.ts"
import { BlockCursor } from "./blockCursor.ts"
import type { PlacedBlock } from "./spans.ts"

const headingDepths: Readonly<Record<string, number>> = { title: 1, section_header: 2 }

/** Leaves within a `title` or `section_header` block become headings, of depth 1 and 2, where Markdown has none. */
export const withHeadings = (
  text: string,
  leaves: ReadonlyArray<Leaf>,
  blocks: ReadonlyArray<PlacedBlock>
): ReadonlyArray<Leaf> => {
  const cursor = new BlockCursor(blocks)
  return leaves.map((leaf) => {
    const textStart = trimStart(text, leaf.start, leaf.end)
    const block = cursor.take(textStart, textStart + 1)[0]
    const depth = block === undefined ? undefined : headingDepths[block.block.type]
    const whole = block?.span !== undefined && block.span[0] <= textStart && block.span[1] >= leaf.end
    return depth !== undefined && whole && leaf.kind === "paragraph" && leaf.level === 0
      ? { ...leaf, kind: "heading", depth, textStart, textEnd: leaf.end }
      : leaf
  })
}

const floats: ReadonlySet<string> = new Set(["figure", "table"])

/** Text that does not end a sentence. */
const isOpen = (content: string): boolean => !/[.!?:;。！？]["'”’)\]]*\s*$/.test(content)

const startsLow = (content: string): boolean => /^\s*\p{Ll}/u.test(content)

const continues = (left: PlacedBlock, right: PlacedBlock): boolean =>
  right.page > left.page &&
  left.block.type === right.block.type &&
  (left.block.type === "table" ||
    (left.block.type === "text" && isOpen(left.block.content) && startsLow(right.block.content)))

const belongs = (left: PlacedBlock, right: PlacedBlock, leftIsKept: boolean): boolean => {
  const a = left.block.type
  const b = right.block.type
  return (
    (b === "caption" && floats.has(a)) ||
    (a === "caption" && floats.has(b) && !leftIsKept) ||
    (b === "formula" && a === "text" && isOpen(left.block.content)) ||
    (a === "formula" && b === "text" && startsLow(right.block.content)) ||
    continues(left, right)
  )
}

/** Marks the units that belong with the one before them. */
export const keepTogether = (units: ReadonlyArray<Unit>, blocks: ReadonlyArray<PlacedBlock>): void => {
  const cursor = new BlockCursor(blocks)
  let before: PlacedBlock | undefined = undefined
  for (let index = 0; index < units.length; index++) {
    const unit = at(units, index)
    const found: ReadonlyArray<PlacedBlock> = cursor.take(unit.start, unit.end)
    const first = found[0]
    if (before !== undefined && first !== undefined && before !== first) {
      unit.keep = belongs(before, first, at(units, index - 1).keep)
    }
    before = found[found.length - 1]
  }
}
