/** A set of numbers of documents, one bit each. */
export class Numbers {
  private readonly blocks = new Map<number, Uint8Array>()

  readonly add = (id: number): void => {
    const at = Math.floor(id / 8192)
    const block = this.blocks.get(at) ?? new Uint8Array(1024)
    this.blocks.set(at, block)
    const byte = (id % 8192) >> 3
    block[byte] = (block[byte] ?? 0) | (1 << (id & 7))
  }

  readonly has = (id: number): boolean =>
    ((this.blocks.get(Math.floor(id / 8192))?.[(id % 8192) >> 3] ?? 0) & (1 << (id & 7))) !== 0
}
