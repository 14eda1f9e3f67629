// @jsxRuntime automatic @jsxImportSource preact
/** The chunks of the document as they are split now, and what lies between them. */
import type { JSX } from "preact"
import { useMemo, useRef } from "preact/hooks"
import type { Chunk, Chunked, ChunkRequest, Gap, Received } from "../../internal/look/messages.ts"
import type { Calls } from "../desk/calls.ts"
import { useLight, useLit, useShown } from "../desk/light.ts"
import { Scroller, Slot } from "../parts/Slot.tsx"
import { ChunkCard } from "./ChunkCard.tsx"
import { Export } from "./Export.tsx"
import { ChunkFacts } from "./Facts.tsx"
import { figuresOf } from "./figuresOf.ts"
import { GapCard } from "./GapCard.tsx"
import { SizeBars } from "./SizeBars.tsx"

/** Most bars that a chart can show. */
const mostBars = 400

export type Item =
  | { readonly kind: "chunk"; readonly chunk: Chunk; readonly end: number }
  | { readonly kind: "gap"; readonly gap: Gap }

/** Chunks and gaps in order of the Markdown; `end` is that of the previous chunk. */
export const inOrder = ({ chunks, gaps }: Pick<Chunked, "chunks" | "gaps">): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  let next = 0
  let end = 0
  for (const chunk of chunks) {
    for (let gap = gaps[next]; gap !== undefined && gap.start < chunk.start; gap = gaps[++next]) {
      items.push({ kind: "gap", gap })
    }
    items.push({ kind: "chunk", chunk, end })
    end = chunk.end
  }
  return [...items, ...gaps.slice(next).map((gap): Item => ({ kind: "gap", gap }))]
}

const guessedHeight = (item: Item): number =>
  item.kind === "gap"
    ? 60 + ((item.gap.end - item.gap.start) / 80) * 20
    : 130 + (item.chunk.text.length / 70) * 20 + item.chunk.text.split("\n").length * 8

const LitCard = ({ chunk, end, maxTokens }: { chunk: Chunk; end: number; maxTokens: number }): JSX.Element => {
  const light = useLight()
  const lit = useLit(({ chunks }) => chunks.has(chunk.index))
  const mark = { kind: "chunk", index: chunk.index } as const
  return (
    <ChunkCard
      chunk={chunk}
      end={end}
      maxTokens={maxTokens}
      class={lit ? " lit" : ""}
      data-chunk={chunk.index}
      data-lit={lit}
      onPointerEnter={() => light.point(mark)}
      onPointerLeave={() => light.point(null)}
      onFocusCapture={() => light.point(mark)}
      onBlurCapture={() => light.point(null)}
      onClick={(event) => {
        const target = event.target instanceof Element ? event.target : null
        if (target?.closest("details") !== null) return
        // The link names the chunk in a page without script.
        if (target.closest("a") !== null) event.preventDefault()
        light.pin(mark, "details")
      }}
    />
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Moves the focus from one chunk's title to that of the next or previous chunk. */
const walk = (event: KeyboardEvent) => {
  const step = steps[event.key]
  const card =
    event.target instanceof Element && event.target.closest("h3") !== null && event.target.closest("[data-chunk]")
  if (step === undefined || card === false || card === null) return
  const index = Number(card.getAttribute("data-chunk")) + step
  const next = card.closest(".scroll")?.querySelector<HTMLElement>(`[data-chunk="${index}"] h3 a`)
  if (next === null || next === undefined) return
  event.preventDefault()
  next.focus()
}

export const Chunks = ({
  calls,
  chunked,
  markdown,
  pages,
  received,
  request
}: {
  calls: Calls
  chunked: Chunked
  markdown: string
  pages: number
  received: Received
  request: ChunkRequest
}): JSX.Element => {
  const area = useRef<HTMLDivElement>(null)
  const items = useMemo(() => inOrder(chunked), [chunked])
  const figures = useMemo(() => figuresOf(markdown, chunked.chunks, chunked.gaps), [markdown, chunked])
  const bring = (index: number) =>
    area.current?.querySelector(`[data-place="${index}"]`)?.scrollIntoView({ block: "center" })
  useShown("details", ({ chunks }) => {
    const [index] = chunks
    if (index !== undefined) bring(index)
  })
  return (
    <Scroller
      area={area}
      class="scroll chunks"
      tabIndex={0}
      role="region"
      aria-label="Chunks of the document"
      onKeyDown={(event) => {
        const typed = event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey
        if (event.key === "s" && !typed) area.current?.querySelector("form")?.requestSubmit()
        else walk(event)
      }}
      onClick={(event) => {
        // A bar of the chart is a link to its chunk, which may not be rendered.
        const bar = event.target instanceof Element ? event.target.closest(".bars a") : null
        if (bar === null) return
        event.preventDefault()
        bring(Number(bar.getAttribute("href")?.slice(2)) - 1)
      }}
    >
      <h2 class="unseen">Chunks</h2>
      <Export calls={calls} received={received} request={request} />
      <ChunkFacts figures={figures} pages={pages} terms={request} />
      {chunked.chunks.length > 0 && chunked.chunks.length <= mostBars && (
        <SizeBars chunks={chunked.chunks} maxTokens={request.maxTokens} />
      )}
      {chunked.chunks.length === 0 && <p class="dim">No chunks: the document has no text.</p>}
      {items.map((item) => (
        <Slot
          key={item.kind === "chunk" ? item.chunk.id : `gap-${item.gap.start}`}
          height={guessedHeight(item)}
          class="item"
          data-place={item.kind === "chunk" ? item.chunk.index : undefined}
        >
          {() =>
            item.kind === "chunk" ? (
              <LitCard chunk={item.chunk} end={item.end} maxTokens={request.maxTokens} />
            ) : (
              <GapCard gap={item.gap} markdown={markdown} />
            )
          }
        </Slot>
      ))}
    </Scroller>
  )
}
