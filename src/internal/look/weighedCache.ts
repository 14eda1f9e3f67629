/** Values by key within a bound of their weights: the one used longest ago goes first. */
export class WeighedCache<A> {
  readonly #entries = new Map<string, { readonly value: A; readonly weight: number }>()
  readonly #bound: number
  #weight = 0

  constructor(bound: number) {
    this.#bound = bound
  }

  get(key: string): A | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found.value
  }

  /** A value above the bound is not kept. */
  set(key: string, value: A, weight: number): void {
    this.delete(key)
    if (weight > this.#bound) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#bound) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }

  /** Sum of all weights. */
  get weight(): number {
    return this.#weight
  }
}
