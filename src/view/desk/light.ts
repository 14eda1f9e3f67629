/** What is pointed at, in whichever pane, and all that lights up with it. */
import { createContext } from "preact"
import { useContext, useEffect, useRef } from "preact/hooks"
import { dark, Links, type Lit, type Mark } from "./links.ts"
import { Store, useStore } from "./store.ts"

export type Pane = "pages" | "details"

export interface LightState {
  readonly pointed: Mark | null
  /** Stays lit after a click until the next one, or Escape. */
  readonly pinned: Mark | null
  readonly lit: Lit
  /** The last click: the other panes bring what belongs to it into view. */
  readonly shown: { readonly lit: Lit; readonly from: Pane } | null
}

const off: LightState = { pointed: null, pinned: null, lit: dark, shown: null }

export class Light extends Store<LightState> {
  links = new Links(null, null)

  constructor() {
    super(off)
  }

  /** Another document or other chunks: nothing is lit any more. */
  relink(links: Links): void {
    this.links = links
    this.set(off)
  }

  point(mark: Mark | null): void {
    const { pinned, pointed } = this.state
    if (mark === pointed) return
    this.set({ ...this.state, pointed: mark, lit: this.links.lit(mark ?? pinned) })
  }

  pin(mark: Mark, from: Pane): void {
    const lit = this.links.lit(mark)
    this.set({ pointed: mark, pinned: mark, lit, shown: { lit, from } })
  }

  clear(): void {
    this.set(off)
  }
}

export const LightContext = createContext(new Light())

export const useLight = (): Light => useContext(LightContext)

export const useLit = (select: (lit: Lit) => boolean): boolean => useStore(useLight(), ({ lit }) => select(lit))

/** Calls `bring` with what belongs to a click in the other pane. */
export const useShown = (pane: Pane, bring: (lit: Lit) => void): void => {
  const light = useLight()
  const current = useRef(bring)
  current.current = bring
  const shown = useStore(light, (state) => state.shown)
  useEffect(() => {
    if (shown !== null && shown.from !== pane) current.current(shown.lit)
  }, [shown, pane])
}
