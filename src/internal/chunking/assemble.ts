/** Runs of units become chunks. */
import { ChunkId, DocumentChunk, type MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { at } from "../at.ts"
import { chunkId } from "./identity.ts"
import type { Outline } from "./outline.ts"
import type { Run } from "./pack.ts"
import { type PageStart, pagesOf } from "./pages.ts"
import type { PlacedBlock } from "./spans.ts"
import type { Unit } from "./Unit.ts"

export interface Assembly {
  readonly document: ParsedDocument
  readonly digest: string
  readonly units: ReadonlyArray<Unit>
  readonly outline: Outline
  readonly pages: ReadonlyArray<PageStart>
  /** Placed blocks in order of their spans; empty when chunks carry none. */
  readonly blocks: ReadonlyArray<PlacedBlock>
  readonly ambiguous: ReadonlyArray<number>
  readonly metadata: Readonly<Record<string, MetadataValue>>
}

const kindOf = ({ leaf }: Unit): ReadonlyArray<string> =>
  leaf.container === "none"
    ? leaf.kind === "empty"
      ? []
      : [leaf.kind]
    : leaf.kind === "code" || leaf.kind === "table"
      ? [leaf.container, leaf.kind]
      : [leaf.container]

const kindsOf = (units: ReadonlyArray<Unit>, run: Run): ReadonlyArray<string> => {
  const kinds: Array<string> = []
  for (let index = run.from; index < run.to; index++) {
    for (const kind of kindOf(at(units, index))) {
      if (!kinds.includes(kind)) {
        kinds.push(kind)
      }
    }
  }
  return kinds
}

/** Walks along sorted spans as chunks come in order. */
class Cursor {
  private index = 0
  private readonly blocks: ReadonlyArray<PlacedBlock>

  constructor(blocks: ReadonlyArray<PlacedBlock>) {
    this.blocks = blocks
  }

  /** Blocks that overlap `[start, end)`. */
  take(start: number, end: number): ReadonlyArray<PlacedBlock> {
    while (this.index < this.blocks.length && (at(this.blocks, this.index).span?.[1] ?? 0) <= start) {
      this.index++
    }
    const found: Array<PlacedBlock> = []
    for (let index = this.index; index < this.blocks.length; index++) {
      const block = at(this.blocks, index)
      if ((block.span?.[0] ?? end) >= end) {
        break
      }
      found.push(block)
    }
    return found
  }
}

const notesOf = (assembly: Assembly, run: Run, start: number, end: number): ReadonlyArray<string> => {
  const notes: Array<string> = []
  if (assembly.document.truncated) {
    notes.push("truncated-document")
  }
  for (let index = run.from; index < run.to; index++) {
    const { frame, stretch } = at(assembly.units, index)
    if (frame?.bare === true && stretch.start !== frame.first) {
      notes.push("header-not-repeated")
      break
    }
  }
  if (assembly.ambiguous.some((offset) => offset >= start && offset < end)) {
    notes.push("ambiguous-marker")
  }
  return notes
}

export const assemble = (assembly: Assembly, runs: ReadonlyArray<Run>): ReadonlyArray<DocumentChunk> => {
  const { document, units, outline, digest } = assembly
  const cursor = new Cursor(assembly.blocks)
  return runs.map((run, index) => {
    const first = at(units, run.from)
    const { start } = first.stretch
    const { end } = at(units, run.to - 1).stretch
    const text = document.markdown.slice(start, end)
    const textAt = run.context.length + run.opening.length
    const embedText = run.context + run.opening + text + run.closing
    const blocks = cursor.take(start, end)
    return new DocumentChunk(
      {
        id: ChunkId.make(chunkId(document.documentId, digest, start, end, text, embedText, textAt), true),
        documentId: document.documentId,
        source: document.source,
        index,
        text,
        embedText,
        tokens: run.tokens,
        start,
        end,
        pages: pagesOf(assembly.pages, start, end),
        boxes: blocks.flatMap(({ block, page }) => (block.bbox === null ? [] : [{ page, bbox: block.bbox }])),
        headingPath: outline.path(first.section),
        kinds: kindsOf(units, run),
        blockIds: blocks.map(({ block }) => block.id),
        notes: notesOf(assembly, run, start, end),
        metadata: assembly.metadata
      },
      true
    )
  })
}
