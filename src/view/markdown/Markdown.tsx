// @jsxRuntime automatic @jsxImportSource preact
/** Markdown, rendered or as its source; what is pointed at lights up here and in the other panes. */
import type { JSX } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { type Pane, useLight, useShown } from "../desk/light.ts"
import { overlaps } from "../desk/links.ts"
import { Shown } from "../parts/Shown.tsx"
import { Scroller, Slot } from "../parts/Slot.tsx"
import { Rendered } from "./Rendered.tsx"
import { guessedHeight, type Segment, segments } from "./segments.ts"

const numberAt = (element: Element, name: string): number => Number(element.getAttribute(name))

/** The smallest element with a place around `target`. */
const placeAround = (target: EventTarget | null): { readonly start: number; readonly end: number } | null => {
  const element = target instanceof Element ? target.closest("[data-start]") : null
  return element === null ? null : { start: numberAt(element, "data-start"), end: numberAt(element, "data-end") }
}

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** The part after or before the one with the focus; without one, the first that is in sight. */
const nextPlace = (all: ReadonlyArray<HTMLElement>, focused: Element | null, step: number): HTMLElement | undefined => {
  const at = all.findIndex((element) => element === focused)
  return at < 0 ? all.find((element) => element.getBoundingClientRect().top > 0) : all[at + step]
}

const Source = ({ markdown, segment: { end, start } }: { markdown: string; segment: Segment }): JSX.Element => (
  <>
    {Array.from(markdown.slice(start, end).matchAll(/[^\n]*\n|[^\n]+/g), (line) => (
      <code
        key={line.index}
        class="line"
        data-start={start + line.index}
        data-end={start + line.index + line[0].length}
      >
        <Shown text={line[0].replace(/\r?\n$/, "") || " "} />
      </code>
    ))}
  </>
)

/** Long, since pointing at parts, lighting them and walking through them share one scroll area. */
export const Markdown = ({
  label,
  markdown,
  pane,
  source
}: {
  label: string
  markdown: string
  pane: Pane
  /** Show the source. */
  source: boolean
}): JSX.Element => {
  const light = useLight()
  const area = useRef<HTMLDivElement>(null)
  const parts = useMemo(() => segments(markdown), [markdown])
  const paint = () => {
    const { ranges } = light.state.lit
    for (const element of area.current?.querySelectorAll("[data-start]") ?? []) {
      const on = overlaps(ranges, numberAt(element, "data-start"), numberAt(element, "data-end"))
      if (element.classList.contains("lit") !== on) element.classList.toggle("lit", on)
    }
  }
  useEffect(() => light.subscribe(paint), [light])
  useEffect(() => {
    // Parts that come into sight are lit as well.
    const observer = new MutationObserver(paint)
    if (area.current !== null) observer.observe(area.current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  const point = (event: Event) => {
    const place = placeAround(event.target)
    const { pointed } = light.state
    const same =
      pointed?.kind === "text" && place !== null && pointed.start === place.start && pointed.end === place.end
    if (!same) light.point(place === null ? null : { kind: "text", ...place })
  }
  const click = (event: Event) => {
    const place = placeAround(event.target)
    if (place !== null && !(event.target instanceof HTMLAnchorElement)) light.pin({ kind: "text", ...place }, pane)
  }
  const walk = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const focused = document.activeElement
    if (event.key === "Enter" && focused?.hasAttribute("data-start") === true) click(event)
    const step = steps[event.key]
    if (step === undefined) return
    const all = Array.from(area.current?.querySelectorAll<HTMLElement>("[data-start]") ?? [])
    const next = nextPlace(all, focused, step)
    if (next === undefined) return
    next.tabIndex = -1
    next.focus()
    light.point({ kind: "text", start: numberAt(next, "data-start"), end: numberAt(next, "data-end") })
  }
  useShown(pane, ({ ranges: [range] }) => {
    if (range === undefined) return
    const at = parts.findIndex(({ end }) => end > range[0])
    const slot = area.current?.querySelector(`[data-segment="${at}"]`)
    const place = () =>
      Array.from(slot?.querySelectorAll("[data-start]") ?? []).find(
        (element) => numberAt(element, "data-end") > range[0]
      )
    if (place() === undefined) slot?.scrollIntoView({ block: "start" })
    setTimeout(() => place()?.scrollIntoView({ block: "center" }), 60)
  })
  return (
    <Scroller
      area={area}
      class={source ? "scroll source" : "scroll prose"}
      tabIndex={0}
      role="region"
      aria-label={label}
      onPointerOver={point}
      onPointerLeave={() => light.point(null)}
      onClick={click}
      onKeyDown={walk}
      aria-description="J and K move to the next and the previous part, Enter shows it in the other pane."
    >
      {markdown.trim() === "" && <p class="dim">The document has no text.</p>}
      {parts.map((segment, at) => (
        <Slot key={`${segment.start}`} height={guessedHeight(segment)} data-segment={at}>
          {() =>
            source ? (
              <Source markdown={markdown} segment={segment} />
            ) : (
              <Rendered markdown={markdown} segment={segment} />
            )
          }
        </Slot>
      ))}
    </Scroller>
  )
}
