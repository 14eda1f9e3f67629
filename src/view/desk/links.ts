/** Parts of a document that belong together: blocks on pages, stretches of the Markdown, chunks. */
import type { Chunked, Parsed } from "../../internal/look/messages.ts"

/** Something that can be pointed at. */
export type Mark =
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "chunk"; readonly index: number }
  | { readonly kind: "text"; readonly start: number; readonly end: number }

/** All that belongs to a mark. */
export interface Lit {
  readonly blocks: ReadonlySet<string>
  /** Indexes of chunks. */
  readonly chunks: ReadonlySet<number>
  /** `[start, end)` in the Markdown. */
  readonly ranges: ReadonlyArray<readonly [number, number]>
}

export const dark: Lit = { blocks: new Set(), chunks: new Set(), ranges: [] }

export const overlaps = (ranges: Lit["ranges"], start: number, end: number): boolean =>
  ranges.some(([from, to]) => from < end && start < to)

interface Piece<A> {
  readonly start: number
  readonly end: number
  readonly name: A
}

/** Pieces in order of `start`, asked for what overlaps a range. */
class Pieces<A> {
  readonly #pieces: ReadonlyArray<Piece<A>>
  /** Largest `end` of all pieces up to each: before the first one above a range's start nothing overlaps it. */
  readonly #reach: ReadonlyArray<number>

  constructor(pieces: ReadonlyArray<Piece<A>>) {
    this.#pieces = pieces.toSorted((left, right) => left.start - right.start)
    let most = 0
    this.#reach = this.#pieces.map(({ end }) => (most = Math.max(most, end)))
  }

  within(start: number, end: number): ReadonlyArray<A> {
    let low = 0
    let high = this.#pieces.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#reach[middle] ?? 0) > start) high = middle
      else low = middle + 1
    }
    const found: Array<A> = []
    for (let at = low; at < this.#pieces.length; at++) {
      const piece = this.#pieces[at]
      if (piece === undefined || piece.start >= end) break
      if (piece.end > start) found.push(piece.name)
    }
    return found
  }
}

export class Links {
  readonly #spans: Map<string, readonly [number, number]>
  readonly #blocks: Pieces<string>
  readonly #chunks: Pieces<number>
  readonly #holders = new Map<string, Array<number>>()
  readonly #chunked: Chunked | null
  readonly #pages = new Map<string, number>()

  constructor(parsed: Parsed | null, chunked: Chunked | null) {
    const spans = parsed?.spans ?? []
    this.#chunked = chunked
    this.#spans = new Map(spans.map(({ block, end, start }) => [block, [start, end]]))
    this.#blocks = new Pieces(spans.map(({ block, end, start }) => ({ start, end, name: block })))
    const chunks = chunked?.chunks ?? []
    this.#chunks = new Pieces(chunks.map(({ end, index, start }) => ({ start, end, name: index })))
    for (const { blockIds, index } of chunks) {
      for (const id of blockIds) this.#holders.set(id, [...(this.#holders.get(id) ?? []), index])
    }
    for (const { items, pageNumber } of parsed?.answer.data.blocks ?? []) {
      for (const { id } of items) this.#pages.set(id, pageNumber)
    }
  }

  /** Physical page of a block; undefined for one that is not of this document. */
  pageOf(block: string): number | undefined {
    return this.#pages.get(block)
  }

  lit(mark: Mark | null): Lit {
    if (mark === null) return dark
    if (mark.kind === "block") {
      const span = this.#spans.get(mark.id)
      const held = this.#holders.get(mark.id) ?? []
      const around = span === undefined ? [] : this.#chunks.within(...span)
      return {
        blocks: new Set([mark.id]),
        chunks: new Set([...held, ...around]),
        ranges: span === undefined ? [] : [span]
      }
    }
    if (mark.kind === "text") {
      return {
        blocks: new Set(this.#blocks.within(mark.start, mark.end)),
        chunks: new Set(this.#chunks.within(mark.start, mark.end)),
        ranges: [[mark.start, mark.end]]
      }
    }
    const chunk = this.#chunked?.chunks[mark.index]
    if (chunk === undefined) return dark
    const { blockIds, end, start } = chunk
    return {
      blocks: new Set(blockIds.length > 0 ? blockIds : this.#blocks.within(start, end)),
      chunks: new Set([mark.index]),
      ranges: [[start, end]]
    }
  }
}
