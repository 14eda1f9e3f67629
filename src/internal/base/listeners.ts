/** Functions to be called once, when something has happened. */
export class Listeners {
  private readonly all = new Set<() => void>()

  /** Returns a function that removes the listener. The same function added twice is called once. */
  readonly add = (listener: () => void): (() => void) => {
    this.all.add(listener)
    return () => {
      this.all.delete(listener)
    }
  }

  /** Calls all of them, in the order in which they were added, and forgets them. */
  notify(): void {
    const listeners = [...this.all]
    this.all.clear()
    for (const listener of listeners) listener()
  }
}
