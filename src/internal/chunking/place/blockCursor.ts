import type { DocumentChunk, MetadataValue } from "../../../DocumentChunk.ts"
import { at } from "../../base/at.ts"
import type { PlacedBlock } from "./spans.ts"

/** Walks along blocks in order of their spans as chunks come in order. */
export class BlockCursor {
  private index = 0
  private readonly blocks: ReadonlyArray<PlacedBlock>

  constructor(blocks: ReadonlyArray<PlacedBlock>) {
    this.blocks = blocks
  }

  /** Blocks that overlap `[start, end)`; the starts must not descend. */
  take(start: number, end: number): ReadonlyArray<PlacedBlock> {
    while (this.index < this.blocks.length && (at(this.blocks, this.index).span?.[1] ?? 0) <= start) {
      this.index++
    }
    let stop = this.index
    while (stop < this.blocks.length && (at(this.blocks, stop).span?.[0] ?? end) < end) {
      stop++
    }
    return this.blocks.slice(this.index, stop)
  }
}

/** The members of a chunk that come from its blocks. */
export interface Layout {
  readonly boxes: DocumentChunk["boxes"]
  readonly ids: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  readonly metadata: Readonly<Record<string, MetadataValue>>
}

const least = (values: ReadonlyArray<number | null>): number | undefined => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** Boxes, ids and types of the blocks, and the least confidence of any of them; undefined when there are none. */
export const describe = (blocks: ReadonlyArray<PlacedBlock>, minConfidence: number): Layout | undefined => {
  if (blocks.length === 0) {
    return undefined
  }
  const layout = least(blocks.map(({ block }) => block.confidence.layout))
  const ocr = least(blocks.map(({ block }) => block.confidence.ocr))
  const sources = [...new Set(blocks.flatMap(({ block }) => (block.source === null ? [] : [block.source])))]
  const figures = blocks.flatMap(({ block }) => (block.type === "figure" ? [block.id] : []))
  return {
    boxes: blocks.flatMap(({ block, page }) => (block.bbox === null ? [] : [{ page, bbox: block.bbox }])),
    ids: blocks.map(({ block }) => block.id),
    kinds: [...new Set(blocks.map(({ block }) => block.type))],
    notes: Math.min(layout ?? 1, ocr ?? 1) < minConfidence ? ["low-confidence"] : [],
    metadata: {
      ...(layout === undefined ? {} : { layoutConfidence: layout }),
      ...(ocr === undefined ? {} : { ocrConfidence: ocr }),
      ...(sources.length === 0 ? {} : { blockSources: sources }),
      ...(figures.length === 0 ? {} : { figureBlocks: figures })
    }
  }
}
