/** A value that changes over time, and the hook that shows a part of it. */
import { useEffect, useReducer, useRef } from "preact/hooks"

/** One value with listeners; listeners are called after each change. */
export class Store<S> {
  #state: S
  readonly #listeners = new Set<() => void>()

  constructor(state: S) {
    this.#state = state
  }

  get state(): S {
    return this.#state
  }

  set(next: S): void {
    if (Object.is(next, this.#state)) return
    this.#state = next
    for (const listener of Array.from(this.#listeners)) listener()
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}

/** The part of a store that `select` gives; the component is rendered again only when that part changes. */
export const useStore = <S, A>(store: Store<S>, select: (state: S) => A): A => {
  const [, again] = useReducer<number, null>((count) => count + 1, 0)
  const shown = useRef(select)
  const value = select(store.state)
  const last = useRef(value)
  shown.current = select
  last.current = value
  useEffect(() => {
    const check = () => {
      if (!Object.is(shown.current(store.state), last.current)) again(null)
    }
    check()
    return store.subscribe(check)
  }, [store])
  return value
}
