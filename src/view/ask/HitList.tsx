// @jsxRuntime automatic @jsxImportSource preact
/** The hits of an answer, best first; arrow keys, Home and End go from one to the next. */
import type { JSX } from "preact"
import { useRef } from "preact/hooks"
import type { Hit } from "../../internal/look/messages.ts"
import { HitCard } from "./HitCard.tsx"

const places: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1
}

/** Moves the focus to a hit of a list. */
export const focusHit = (list: Element | null | undefined, at: number): void => {
  const name = list?.querySelector<HTMLElement>(`[data-hit="${at}"] .hit-name`)
  name?.focus()
}

export const HitList = ({
  chosen,
  hits,
  onChoose,
  onLeave
}: {
  chosen: number
  hits: ReadonlyArray<Hit>
  onChoose: (at: number) => void
  /** Called for the arrow above the first hit, and for Escape. */
  onLeave: () => void
}): JSX.Element => {
  const list = useRef<HTMLOListElement>(null)
  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    // Arrow keys scroll a long passage.
    if (event.key !== "Escape" && event.target instanceof Element && event.target.closest(".passage") !== null) return
    const next = event.key === "Escape" ? -1 : places[event.key]?.(chosen, hits.length)
    if (next === undefined) return
    event.preventDefault()
    if (next < 0) return onLeave()
    onChoose(next)
    focusHit(list.current, next)
  }
  return (
    <ol class="hits" aria-label="Hits, best first" ref={list} onKeyDown={move}>
      {hits.map((hit, at) => (
        <HitCard key={hit.id} at={at} hit={hit} chosen={at === chosen} onChoose={() => onChoose(at)} />
      ))}
    </ol>
  )
}
