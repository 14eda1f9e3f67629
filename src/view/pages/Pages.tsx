// @jsxRuntime automatic @jsxImportSource preact
/** The pages of the document, one below the other. */
import type { JSX } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Parsed } from "../../internal/look/messages.ts"
import type { Calls } from "../desk/calls.ts"
import { useLight, useShown } from "../desk/light.ts"
import { Store } from "../desk/store.ts"
import { Scroller } from "../parts/Slot.tsx"
import { countTypes, Legend } from "./Legend.tsx"
import { PageBlocks } from "./PageBlocks.tsx"
import { ratioOf } from "./PageSheet.tsx"
import { Pictures, type PicturesState } from "./pictures.ts"

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

/** Without pictures. */
const nothing = new Store<PicturesState>({ pictures: new Map(), troubles: new Map() })

/** Pages in sight are told to the pictures once the scrolling rests for this time in milliseconds. */
const settled = 80

/** Tells `pictures` the pages that are in sight of `root`. */
const useSight = (pictures: Pictures | null, pages: ReadonlyArray<number>, zoom: number) => {
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = area.current
    if (root === null || pictures === null) return undefined
    const seen = new Set<number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      const width = root.querySelector(".sheet")?.clientWidth ?? root.clientWidth
      pictures.see(
        Array.from(seen).toSorted((left, right) => left - right),
        width * window.devicePixelRatio
      )
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          const page = Number(target.getAttribute("data-slot"))
          if (isIntersecting) seen.add(page)
          else seen.delete(page)
        }
        clearTimeout(timer)
        timer = setTimeout(tell, settled)
      },
      { root }
    )
    for (const slot of root.querySelectorAll(".page")) observer.observe(slot)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [pictures, pages, zoom])
  return area
}

/** The pages that are shown: those that can be drawn, and those that were parsed. */
const numbersOf = (drawn: number, parsed: Parsed | null): ReadonlyArray<number> => {
  const numbers = new Set(Array.from({ length: drawn }, (_, at) => at + 1))
  for (const { number } of parsed?.pages ?? []) numbers.add(number)
  return Array.from(numbers).toSorted((left, right) => left - right)
}

/** Long, since pages, pictures and what is lit depend on the same scroll area. */
export const Pages = ({
  calls,
  count,
  id,
  parsed,
  pictured
}: {
  calls: Calls
  /** Pages that can be drawn. */
  count: number
  id: string
  parsed: Parsed | null
  /** False where no picture may be made. */
  pictured: boolean
}): JSX.Element => {
  const light = useLight()
  const [zoom, setZoom] = useState(1)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const pictures = useMemo(
    () => (pictured && count > 0 ? new Pictures(calls, `documents/${id}`, count) : null),
    [calls, count, id, pictured]
  )
  useEffect(() => () => pictures?.close(), [pictures])
  const numbers = useMemo(() => numbersOf(count, parsed), [count, parsed])
  const area = useSight(pictures, numbers, zoom)
  const blocks = useMemo(
    () => new Map((parsed?.answer.data.blocks ?? []).map((page) => [page.pageNumber, page])),
    [parsed]
  )
  const types = useMemo(() => countTypes(Array.from(blocks.values())), [blocks])
  const sizes = useMemo(
    () => new Map((parsed?.pages ?? []).map(({ height, number, width }) => [number, ratioOf(width, height)])),
    [parsed]
  )
  useShown("pages", ({ blocks: lit }) => {
    const [block] = lit
    const page = block === undefined ? undefined : light.links.pageOf(block)
    const slot = area.current?.querySelector(`[data-slot="${page}"]`)
    if (slot === null || slot === undefined) return
    const place = () =>
      Array.from(slot.querySelectorAll("[data-block]")).find((element) => element.getAttribute("data-block") === block)
    if (place() === undefined) slot.scrollIntoView({ block: "start" })
    requestAnimationFrame(() => setTimeout(() => place()?.scrollIntoView({ block: "center", inline: "nearest" }), 30))
  })
  return (
    <section class="pane pages" aria-label="Pages">
      <div class="bar">
        <Legend types={types} hidden={hidden} onHide={setHidden} />
        <div class="zoom" role="group" aria-label="Size of the pages">
          <button
            type="button"
            class="small"
            aria-label="Smaller"
            disabled={zoom === zooms[0]}
            onClick={() => setZoom(zooms.findLast((step) => step < zoom) ?? zoom)}
          >
            −
          </button>
          <button type="button" class="small" title="Fit the width" onClick={() => setZoom(1)}>
            {Math.round(zoom * 100)} %
          </button>
          <button
            type="button"
            class="small"
            aria-label="Larger"
            disabled={zoom === zooms.at(-1)}
            onClick={() => setZoom(zooms.find((step) => step > zoom) ?? zoom)}
          >
            +
          </button>
        </div>
      </div>
      <Scroller area={area} class="scroll" tabIndex={0} aria-label="Pages of the document" role="region">
        <div class="column" style={{ width: `${zoom * 100}%` }}>
          {numbers.map((number) => (
            <PageBlocks
              key={number}
              number={number}
              pictures={pictures ?? nothing}
              ratio={sizes.get(number)}
              hidden={hidden}
              parsed={parsed !== null}
              blocks={blocks.get(number)}
            />
          ))}
        </div>
      </Scroller>
    </section>
  )
}
