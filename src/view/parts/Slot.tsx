// @jsxRuntime automatic @jsxImportSource preact
/** A long list of parts, each rendered only while it is near the visible part of its scroll area: as high as it was, or is thought to be. */
import { type ComponentChildren, createContext, type HTMLAttributes, type JSX, type RefObject } from "preact"
import { useContext, useEffect, useRef, useState } from "preact/hooks"

/** Pixels around the visible part in which parts are rendered. */
const margin = 900

/** One observer for all slots of a scroll area. */
export class Watcher {
  readonly #calls = new Map<Element, (near: boolean) => void>()
  #observer: IntersectionObserver | null = null

  /** Called with the element that scrolls, or null for the window. */
  start(root: Element | null): void {
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) this.#calls.get(target)?.(isIntersecting)
      },
      { root, rootMargin: `${margin}px 0px` }
    )
    for (const element of this.#calls.keys()) this.#observer.observe(element)
  }

  stop(): void {
    this.#observer?.disconnect()
    this.#observer = null
  }

  watch(element: Element, call: (near: boolean) => void): () => void {
    this.#calls.set(element, call)
    this.#observer?.observe(element)
    return () => {
      this.#calls.delete(element)
      this.#observer?.unobserve(element)
    }
  }
}

const WatcherContext = createContext<Watcher | null>(null)

/** A scroll area with slots. */
export const Scroller = ({
  area,
  children,
  ...props
}: HTMLAttributes<HTMLDivElement> & {
  area?: RefObject<HTMLDivElement | null>
  children: ComponentChildren
}): JSX.Element => {
  const [watcher] = useState(() => new Watcher())
  const own = useRef<HTMLDivElement>(null)
  const box = area ?? own
  useEffect(() => {
    watcher.start(box.current)
    return () => watcher.stop()
  }, [watcher, box])
  return (
    <WatcherContext.Provider value={watcher}>
      <div {...props} ref={box}>
        {children}
      </div>
    </WatcherContext.Provider>
  )
}

/** True while the element is near the visible part of its scroll area; always true without a scroll area, as on paper. */
export const useNear = (box: RefObject<HTMLElement | null>, onFar?: (element: HTMLElement) => void): boolean => {
  const watcher = useContext(WatcherContext)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null || watcher === null) return undefined
    return watcher.watch(element, (next) => {
      if (!next) onFar?.(element)
      // A part with the focus stays, so that the keyboard does not lose its place.
      if (next || !element.contains(document.activeElement)) setNear(next)
    })
  }, [watcher])
  return near || watcher === null
}

/** One part of the list; `height` in pixels is a guess for as long as it was never rendered. */
export const Slot = ({
  children,
  height,
  ...props
}: Omit<HTMLAttributes<HTMLDivElement>, "height"> & {
  children: () => ComponentChildren
  height: number
}): JSX.Element => {
  const box = useRef<HTMLDivElement>(null)
  const measured = useRef<number | null>(null)
  const near = useNear(box, (element) => {
    if (element.childElementCount > 0) measured.current = element.offsetHeight
  })
  return (
    <div {...props} ref={box} style={near ? undefined : { height: `${measured.current ?? height}px` }}>
      {near ? children() : null}
    </div>
  )
}
