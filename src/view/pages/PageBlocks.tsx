// @jsxRuntime automatic @jsxImportSource preact
/** One page of the document with its picture and its blocks. */
import type { JSX } from "preact"
import { useRef, useState } from "preact/hooks"
import { counted } from "../../internal/base/figures.ts"
import type { PageBlocks as Blocks } from "../../internal/base/parseResponse.ts"
import { type Store, useStore } from "../desk/store.ts"
import { useNear } from "../parts/Slot.tsx"
import { BlockBox } from "./BlockBox.tsx"
import { PageSheet, paper } from "./PageSheet.tsx"
import type { PicturesState } from "./pictures.ts"

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

export const PageBlocks = ({
  blocks,
  hidden,
  number,
  parsed,
  pictures,
  ratio
}: {
  blocks: Blocks | undefined
  /** Types that are switched off. */
  hidden: ReadonlySet<string>
  number: number
  /** False until the parse is done. */
  parsed: boolean
  pictures: Store<PicturesState>
  /** Height by width, as the parse tells it; undefined before. */
  ratio: number | undefined
}): JSX.Element => {
  const [reached, setReached] = useState(0)
  const box = useRef<HTMLElement>(null)
  const near = useNear(box)
  const picture = useStore(pictures, (state) => state.pictures.get(number))
  const trouble = useStore(pictures, (state) => state.troubles.get(number))
  const guess = useStore(pictures, (state) => state.pictures.values().next().value?.ratio ?? paper)
  const placed = (blocks?.items ?? []).flatMap((block) =>
    block.bbox === null || hidden.has(block.type) ? [] : [{ block, bbox: block.bbox }]
  )
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const all = Array.from(box.current?.querySelectorAll<SVGElement>("[data-block]") ?? [])
    const at = all.findIndex((element) => element === document.activeElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const next = Math.min(all.length - 1, Math.max(0, at + step))
    setReached(next)
    all[next]?.focus()
  }
  const about = !parsed
    ? "Blocks appear after the parse"
    : blocks === undefined
      ? "Not parsed"
      : counted(placed.length, "block")
  return (
    <figure class="page" data-slot={number} ref={box} onKeyDown={move}>
      <PageSheet
        number={number}
        ratio={ratio ?? picture?.ratio ?? guess}
        label={`Page ${number}: ${about}`}
        picture={picture?.url}
        note={trouble}
      >
        {near &&
          placed.map(({ bbox, block }, at) => (
            <BlockBox
              key={block.id}
              bbox={bbox}
              block={block}
              number={block.readingOrder + 1}
              reachable={at === Math.min(reached, placed.length - 1)}
            />
          ))}
      </PageSheet>
      <figcaption>
        Page {number}
        {parsed && <span class="dim"> · {blocks === undefined ? "not parsed" : counted(placed.length, "block")}</span>}
        {blocks !== undefined && blocks.status !== "ok" && <span class="warn"> · {blocks.status}</span>}
      </figcaption>
    </figure>
  )
}
