// @jsxRuntime automatic @jsxImportSource preact
/** The types of the blocks with their colours; each is a switch. */
import type { JSX } from "preact"
import { grouped } from "../../internal/base/figures.ts"
import type { PageBlocks } from "../../internal/base/parseResponse.ts"
import { isFurniture, typeClass, typeName } from "./blockTypes.ts"

/** Number of blocks of each type, the most frequent first, furniture last. */
export const countTypes = (pages: ReadonlyArray<PageBlocks>): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const { items } of pages) {
    for (const { bbox, type } of items) if (bbox !== null) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return Array.from(counts).toSorted(
    ([left, few], [right, many]) => Number(isFurniture(left)) - Number(isFurniture(right)) || many - few
  )
}

export const Legend = ({
  hidden,
  onHide,
  types
}: {
  hidden: ReadonlySet<string>
  onHide: (hidden: ReadonlySet<string>) => void
  types: ReadonlyArray<readonly [string, number]>
}): JSX.Element => {
  const toggle = (type: string) => {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    onHide(next)
  }
  return (
    <div class="legend" role="group" aria-label="Types of blocks that are shown">
      {types.map(([type, count]) => (
        <button
          key={type}
          type="button"
          class={`chip ${typeClass(type)}${isFurniture(type) ? " furniture" : ""}`}
          aria-pressed={!hidden.has(type)}
          onClick={() => toggle(type)}
        >
          {typeName(type)} <span class="count">{grouped(count)}</span>
        </button>
      ))}
    </div>
  )
}
