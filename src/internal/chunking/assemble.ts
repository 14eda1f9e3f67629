/** Runs of units become chunks. */
import { ChunkId, type DocumentChunk, type Heading, type MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { at } from "../base/at.ts"
import { Places } from "./cite/Places.ts"
import { chunkId, idPrefix } from "./identity.ts"
import { newChunk } from "./newChunk.ts"
import type { Family } from "./pack/Grouper.ts"
import type { Outline } from "./pack/Outline.ts"
import type { Run } from "./pack/Run.ts"
import type { Unit } from "./pack/Unit.ts"
import { BlockCursor, describe } from "./place/blockCursor.ts"
import { type PageStart, pagesOf } from "./place/pages.ts"
import type { PlacedBlock } from "./place/spans.ts"
import type { Steps } from "./steps.ts"

/** Metadata that all chunks of a document get. */
export interface Given {
  readonly metadata: Readonly<Record<string, MetadataValue>>
  /** True when members of the metadata are not whole. */
  readonly shortened: boolean
}

export interface Assembly extends Given {
  readonly document: ParsedDocument
  readonly digest: string
  readonly units: ReadonlyArray<Unit>
  readonly outline: Outline
  readonly pages: ReadonlyArray<PageStart>
  /** Placed blocks in order of their spans; empty when chunks carry none. */
  readonly blocks: ReadonlyArray<PlacedBlock>
  /** Layout confidence below which a chunk is noted. */
  readonly minConfidence: number
  readonly ambiguous: ReadonlyArray<number>
}

const none: ReadonlyArray<never> = []

const addKinds = (kinds: Array<string>, { leaf }: Unit): void => {
  if (leaf.container !== "none" && !kinds.includes(leaf.container)) {
    kinds.push(leaf.container)
  }
  const own = leaf.container === "none" ? leaf.kind !== "empty" : leaf.kind === "code" || leaf.kind === "table"
  if (own && !kinds.includes(leaf.kind)) {
    kinds.push(leaf.kind)
  }
}

const kindsOf = (units: ReadonlyArray<Unit>, run: Run): Array<string> => {
  const kinds: Array<string> = []
  for (let index = run.from; index < run.to; index++) {
    addKinds(kinds, at(units, index))
  }
  return kinds
}

const headMissing = (units: ReadonlyArray<Unit>, run: Run): boolean => {
  for (let index = run.from; index < run.to; index++) {
    const { frame, start } = at(units, index)
    if (frame?.bare === true && start !== frame.first) {
      return true
    }
  }
  return false
}

const notesOf = (assembly: Assembly, run: Run, end: number, path: ReadonlyArray<Heading>): Array<string> => {
  const { start } = run
  const notes: Array<string> = []
  if (assembly.document.truncated) {
    notes.push("truncated-document")
  }
  if (headMissing(assembly.units, run)) {
    notes.push("header-not-repeated")
  }
  if (assembly.ambiguous.length > 0 && assembly.ambiguous.some((offset) => offset >= start && offset < end)) {
    notes.push("ambiguous-marker")
  }
  if (assembly.outline.isCut(path)) {
    notes.push("headings-shortened")
  }
  if (assembly.shortened) {
    notes.push("metadata-shortened")
  }
  return notes
}

/** The innermost section that holds all text of the run after its first headings; in a run of headings only, of the last one. */
const sectionOf = ({ outline, units }: Assembly, { from, to }: Run): number => {
  let first = from
  while (first < to - 1 && isHeading(at(units, first))) {
    first++
  }
  return outline.common(at(units, first).section, at(units, to - 1).section)
}

const isHeading = ({ leaf }: Unit): boolean => leaf.kind === "heading" && leaf.level === 0

/** Data shared by all chunks of a document. */
interface Common {
  readonly assembly: Assembly
  readonly cursor: BlockCursor
  readonly places: Places
  /** Start of every chunk's id. */
  readonly prefix: Uint8Array
}

const chunkOf = (
  { assembly, cursor, places, prefix }: Common,
  run: Run,
  index: number,
  parentId: ChunkId | undefined
): DocumentChunk => {
  const { document, units, outline } = assembly
  const { start } = run
  const { end } = at(units, run.to - 1)
  const text = document.markdown.slice(start, end)
  const before = run.context + run.opening
  const embedText = before === "" && run.closing === "" ? text : before + text + run.closing
  const layout = describe(cursor.take(start, end), assembly.minConfidence)
  const headingPath = outline.path(sectionOf(assembly, run))
  const notes = notesOf(assembly, run, end, headingPath)
  const pages = pagesOf(assembly.pages, start, end)
  return newChunk({
    id: ChunkId.make(chunkId(prefix, start, end, { before, text, closing: run.closing }), true),
    documentId: document.documentId,
    source: document.source,
    index,
    text,
    embedText,
    tokens: run.tokens,
    start,
    end,
    pages,
    boxes: layout?.boxes ?? none,
    headingPath,
    kinds: layout?.kinds ?? kindsOf(units, run),
    blockIds: layout?.ids ?? none,
    parentId,
    notes: layout === undefined ? notes : [...notes, ...layout.notes],
    metadata: { ...places.of({ start, end, headingPath, pages }), ...assembly.metadata, ...layout?.metadata }
  })
}

const commonOf = (assembly: Assembly, places: Places): Common => ({
  assembly,
  places,
  cursor: new BlockCursor(assembly.blocks),
  prefix: idPrefix(assembly.digest, assembly.document.documentId)
})

const placesOf = ({ document, outline, units }: Assembly): Places => new Places(document, units, outline)

export function* assemble(assembly: Assembly, runs: ReadonlyArray<Run>): Steps<ReadonlyArray<DocumentChunk>> {
  const common = commonOf(assembly, placesOf(assembly))
  const chunks: Array<DocumentChunk> = []
  for (const run of runs) {
    chunks.push(chunkOf(common, run, chunks.length, undefined))
    yield
  }
  return chunks
}

/**
 * Every parent, followed by its children.
 *
 * @yields {undefined} After each step.
 */
export function* assembleFamilies(
  assembly: Assembly,
  families: ReadonlyArray<Family>
): Steps<ReadonlyArray<DocumentChunk>> {
  const places = placesOf(assembly)
  const common = commonOf(assembly, places)
  const parents = commonOf(assembly, places)
  const chunks: Array<DocumentChunk> = []
  for (const { parent, children } of families) {
    const chunk = chunkOf(parents, parent, chunks.length, undefined)
    chunks.push(chunk)
    const below = { ...common, prefix: idPrefix(chunk.id, "") }
    for (const child of children) {
      chunks.push(chunkOf(below, child, chunks.length, chunk.id))
    }
    yield
  }
  return chunks
}
