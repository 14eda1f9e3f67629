// @jsxRuntime automatic @jsxImportSource preact
/** The blocks of the layout as a list, page by page, in reading order. */
import type { JSX } from "preact"
import { useMemo, useRef } from "preact/hooks"
import { counted } from "../../internal/base/figures.ts"
import type { Block, PageBlocks } from "../../internal/base/parseResponse.ts"
import { useLight, useLit, useShown } from "../desk/light.ts"
import { Shown } from "../parts/Shown.tsx"
import { Scroller, Slot } from "../parts/Slot.tsx"
import { described } from "./BlockBox.tsx"
import { isFurniture, typeClass, typeName } from "./blockTypes.ts"

/** Code units of a block's text that its row shows. */
const longest = 240

const Row = ({ block }: { block: Block }): JSX.Element => {
  const light = useLight()
  const lit = useLit(({ blocks }) => blocks.has(block.id))
  const mark = { kind: "block", id: block.id } as const
  const text = block.content.trim().slice(0, longest)
  return (
    <li>
      <button
        type="button"
        class={`row ${typeClass(block.type)}${isFurniture(block.type) ? " furniture" : ""}${lit ? " lit" : ""}`}
        data-row={block.id}
        data-lit={lit}
        title={block.source ?? undefined}
        onPointerEnter={() => light.point(mark)}
        onPointerLeave={() => light.point(null)}
        onFocus={() => light.point(mark)}
        onBlur={() => light.point(null)}
        onClick={() => light.pin(mark, "details")}
      >
        <span class="number">{block.readingOrder + 1}</span>
        <span class="kind">
          {typeName(block.type)}
          <small>{described(block).split(" · ").slice(1).join(" · ")}</small>
        </span>
        <span class="content">
          <Shown text={text === "" ? "no text" : text} />
        </span>
      </button>
    </li>
  )
}

export const Blocks = ({ pages }: { pages: ReadonlyArray<PageBlocks> }): JSX.Element => {
  const light = useLight()
  const area = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => pages.filter(({ items }) => items.length > 0), [pages])
  useShown("details", ({ blocks }) => {
    const [id] = blocks
    const page = id === undefined ? undefined : light.links.pageOf(id)
    const group = area.current?.querySelector(`[data-group="${page}"]`)
    if (group === null || group === undefined) return
    group.scrollIntoView({ block: "start" })
    const row = () =>
      Array.from(group.querySelectorAll("[data-row]")).find((element) => element.getAttribute("data-row") === id)
    setTimeout(() => row()?.scrollIntoView({ block: "center" }), 60)
  })
  return (
    <Scroller area={area} class="scroll blocks" tabIndex={0} role="region" aria-label="Blocks of the document">
      {shown.length === 0 && <p class="dim">This answer has no blocks: only PDF documents have a layout.</p>}
      {shown.map(({ items, pageNumber, status }) => (
        <section key={pageNumber} aria-label={`Blocks of page ${pageNumber}`}>
          <h3>
            Page {pageNumber} <span class="dim">{counted(items.length, "block")}</span>
            {status !== "ok" && <span class="warn"> {status}</span>}
          </h3>
          <Slot height={items.length * 44} data-group={pageNumber}>
            {() => (
              <ul>
                {items.map((block) => (
                  <Row key={block.id} block={block} />
                ))}
              </ul>
            )}
          </Slot>
        </section>
      ))}
    </Scroller>
  )
}
