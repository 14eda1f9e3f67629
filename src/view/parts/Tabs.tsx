// @jsxRuntime automatic @jsxImportSource preact
/** Tabs with the keyboard of the ARIA pattern: arrows, Home and End move the focus and show the tab. */
import type { ComponentChildren, JSX } from "preact"
import { useRef } from "preact/hooks"

export interface Tab<Name extends string> {
  readonly name: Name
  readonly title: string
  /** A figure after the title. */
  readonly count?: string | undefined
}

const places: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1
}

export const Tabs = <Name extends string>({
  children,
  id,
  label,
  onChoose,
  shown,
  tabs
}: {
  children: ComponentChildren
  id: string
  label: string
  onChoose: (name: Name) => void
  shown: Name
  tabs: ReadonlyArray<Tab<Name>>
}): JSX.Element => {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent, at: number) => {
    const place = places[event.key]?.(at, tabs.length)
    const next = place === undefined ? undefined : tabs[place]
    if (place === undefined || next === undefined) return
    event.preventDefault()
    onChoose(next.name)
    list.current?.querySelectorAll("button")[place]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ count, name, title }, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={(event) => move(event, at)}
          >
            {title}
            {count !== undefined && <span class="count"> {count}</span>}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </>
  )
}
