// @jsxRuntime automatic @jsxImportSource preact
/** The pages that a hit is on, with its boxes; where they are not drawn the reason, and the passage in their place. */
import type { JSX } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { counted } from "../../internal/base/figures.ts"
import type { Hit } from "../../internal/look/messages.ts"
import type { Calls } from "../desk/calls.ts"
import { Store, useStore } from "../desk/store.ts"
import { Box, PageSheet, ratioOf } from "../pages/PageSheet.tsx"
import { Pictures, type PicturesState } from "../pages/pictures.ts"
import { Shown } from "../parts/Shown.tsx"
import { HitFigure } from "./HitFigure.tsx"
import { HitPassage } from "./HitPassage.tsx"
import type { Looked } from "./question.ts"

/** Most pages that are shown of one hit. */
const most = 12

const nothing = new Store<PicturesState>({ pictures: new Map(), troubles: new Map() })

const Missing = ({ missing }: { missing: NonNullable<Looked["missing"]> }): JSX.Element => (
  <div class="missing" role="note" data-reason={missing.reason}>
    <p>
      {missing.reason !== "no-pages" && <b>No picture of the page. </b>}
      <Shown text={missing.message} />
    </p>
    {missing.remedy !== null && (
      <p>
        <b>What helps:</b> <Shown text={missing.remedy} />
      </p>
    )}
  </div>
)

export const HitSheets = ({
  calls,
  hit,
  looked,
  pictured
}: {
  calls: Calls
  hit: Hit
  looked: Looked
  /** False where no picture may be made. */
  pictured: boolean
}): JSX.Element => {
  const area = useRef<HTMLElement>(null)
  const { done, missing } = looked
  const pages = looked.pages.slice(0, most)
  const drawn = pictured && done && missing === null
  const last = pages.at(-1)?.number ?? 0
  const pictures = useMemo(() => (drawn ? new Pictures(calls, `hits/${hit.id}`, last) : null), [calls, drawn, hit.id])
  const { pictures: shown, troubles } = useStore<PicturesState, PicturesState>(pictures ?? nothing, (state) => state)
  useEffect(() => {
    const width = area.current?.querySelector(".sheet")?.clientWidth ?? 0
    pictures?.see(
      pages.map(({ number }) => number),
      width * window.devicePixelRatio
    )
    return () => pictures?.close()
  }, [pictures])
  useEffect(() => {
    if (done) area.current?.querySelector(".boxes rect")?.scrollIntoView({ block: "center" })
  }, [hit.id, done])
  const noteOf = (page: number): string | undefined => {
    if (missing !== null) return undefined
    return pictured ? (troubles.get(page) ?? "Reading the document …") : "Pictures are switched off on this server."
  }
  return (
    <section class="sheets" aria-label={`Pages of ${hit.citation}`} aria-busy={!done} ref={area} tabIndex={0}>
      {missing !== null && (
        <>
          <Missing missing={missing} />
          <HitPassage hit={hit} />
        </>
      )}
      {drawn &&
        hit.figures
          .slice(0, most)
          .map((box) => (
            <HitFigure
              key={box}
              box={box}
              calls={calls}
              hit={hit.id}
              label={`Figure on page ${hit.chunk.boxes[box]?.page ?? 0}`}
            />
          ))}
      {pages.map(({ height, number, width }) => {
        const boxes = hit.chunk.boxes.filter(({ page }) => page === number)
        const picture = shown.get(number)
        return (
          <figure class="page" key={number}>
            <PageSheet
              number={number}
              ratio={picture?.ratio ?? ratioOf(width, height)}
              label={`Page ${number}: ${counted(boxes.length, "box", "boxes")} of the passage`}
              picture={picture?.url}
              note={noteOf(number)}
            >
              {boxes.map(({ bbox }, at) => (
                <Box key={at} bbox={bbox} kind="hit-box" />
              ))}
            </PageSheet>
            <figcaption>
              Page {number}
              {boxes.length === 0 && <span class="dim"> · nothing tells where on it the passage is</span>}
            </figcaption>
          </figure>
        )
      })}
      {looked.pages.length > most && (
        <p class="dim">The passage goes on over {counted(looked.pages.length - most, "more page")}.</p>
      )}
    </section>
  )
}
