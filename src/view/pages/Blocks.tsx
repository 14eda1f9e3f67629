// @jsxRuntime automatic @jsxImportSource preact
/** The blocks of the layout as a list, page by page, in reading order; tables stand beside the part of the page that they were read from. */
import type { JSX } from "preact"
import { useMemo, useRef, useState } from "preact/hooks"
import { counted } from "../../internal/base/figures.ts"
import type { Block, PageBlocks } from "../../internal/base/parseResponse.ts"
import type { Calls } from "../desk/calls.ts"
import { useLight, useLit, useShown } from "../desk/light.ts"
import { Shown } from "../parts/Shown.tsx"
import { Scroller, Slot } from "../parts/Slot.tsx"
import { described } from "./BlockBox.tsx"
import { isFurniture, typeClass, typeName } from "./blockTypes.ts"
import { ratioOf } from "./PageSheet.tsx"
import { TableBeside } from "./TableBeside.tsx"

/** Code units of a block's text that its row shows. */
const longest = 240

/** Where the pictures of the pages come from; null where none may be made, or the document has none. */
type Drawn = { readonly calls: Calls; readonly path: string } | null

const isTable = ({ type }: Block): boolean => type === "table"

const Row = ({
  block,
  drawn,
  page,
  ratio
}: {
  block: Block
  drawn: Drawn
  page: number
  ratio: number
}): JSX.Element => {
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
        {(!isTable(block) || block.bbox === null) && (
          <span class="content">
            <Shown text={text === "" ? "no text" : text} />
          </span>
        )}
      </button>
      {isTable(block) && block.bbox !== null && (
        <TableBeside
          bbox={block.bbox}
          content={block.content}
          label={`Table ${block.readingOrder + 1}`}
          page={page}
          pictures={drawn}
          ratio={ratio}
        />
      )}
    </li>
  )
}

/** Pixels that a row, and a table beside its picture, are thought to take. */
const heights = { row: 44, table: 320 }

export const Blocks = ({ drawn, pages }: { drawn: Drawn; pages: ReadonlyArray<PageBlocks> }): JSX.Element => {
  const light = useLight()
  const area = useRef<HTMLDivElement>(null)
  const [alone, setAlone] = useState(false)
  const tables = useMemo(() => pages.reduce((sum, { items }) => sum + items.filter(isTable).length, 0), [pages])
  const shown = useMemo(
    () =>
      pages
        .map((page) => (alone ? { ...page, items: page.items.filter(isTable) } : page))
        .filter(({ items }) => items.length > 0),
    [alone, pages]
  )
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
      {tables > 0 && (
        <button type="button" class="small" aria-pressed={alone} onClick={() => setAlone(!alone)}>
          Only {counted(tables, "table")}
        </button>
      )}
      {shown.length === 0 && <p class="dim">This answer has no blocks: only PDF documents have a layout.</p>}
      {shown.map(({ height, items, pageNumber, status, width }) => (
        <section key={pageNumber} aria-label={`Blocks of page ${pageNumber}`}>
          <h2>
            Page {pageNumber} <span class="dim">{counted(items.length, "block")}</span>
            {status !== "ok" && <span class="warn"> {status}</span>}
          </h2>
          <Slot
            height={items.reduce((sum, block) => sum + (isTable(block) ? heights.table : heights.row), 0)}
            data-group={pageNumber}
          >
            {() => (
              <ul>
                {items.map((block) => (
                  <Row key={block.id} block={block} drawn={drawn} page={pageNumber} ratio={ratioOf(width, height)} />
                ))}
              </ul>
            )}
          </Slot>
        </section>
      ))}
    </Scroller>
  )
}
