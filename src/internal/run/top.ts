/** The largest of many items, in constant memory. */
export class Top<A> {
  private readonly items: Array<A> = []
  private readonly most: number
  private readonly size: (item: A) => number

  constructor(most: number, size: (item: A) => number) {
    this.most = most
    this.size = size
  }

  /** True when an item of this size would be kept. */
  readonly admits = (size: number): boolean => {
    const last = this.items.at(-1)
    return this.items.length < this.most || (last !== undefined && size > this.size(last))
  }

  readonly add = (item: A): void => {
    const size = this.size(item)
    if (!this.admits(size)) return
    let at = this.items.length
    for (let before = this.items[at - 1]; before !== undefined && this.size(before) < size; before = this.items[at - 1])
      at -= 1
    this.items.splice(at, 0, item)
    if (this.items.length > this.most) this.items.pop()
  }

  /** The largest first; of equal ones the earlier first. */
  readonly all = (): ReadonlyArray<A> => [...this.items]
}
