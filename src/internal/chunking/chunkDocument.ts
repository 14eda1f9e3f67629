/** One document through all steps: markers, places of blocks, leaves, units, runs, chunks. */
import type { Chunked } from "../../Chunker.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { assemble } from "./assemble.ts"
import { Context } from "./Context.ts"
import { configurationDigest } from "./identity.ts"
import { find, type Marker } from "./markers.ts"
import { inherited } from "./metadata.ts"
import { Meter } from "./meter.ts"
import { Packer } from "./pack.ts"
import { pageAt, type PageStart, pageStarts } from "./pages.ts"
import type { TooSmall } from "./parts.ts"
import { scan } from "./scan.ts"
import type { Settings } from "./Settings.ts"
import { place, type PlacedBlock } from "./spans.ts"
import { UnitBuilder } from "./units.ts"

const furniture: ReadonlySet<string> = new Set(["page_header", "page_footer", "page_number"])

interface Stretch {
  readonly start: number
  readonly end: number
}

/** What lies between holes, in order; holes are disjoint and sorted. */
const between = (length: number, holes: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const regions: Array<Stretch> = []
  let at = 0
  for (const hole of holes) {
    if (hole.start > at) {
      regions.push({ start: at, end: hole.start })
    }
    at = Math.max(at, hole.end)
  }
  return at < length ? [...regions, { start: at, end: length }] : regions
}

const holesOf = (
  settings: Settings,
  markers: ReadonlyArray<Marker>,
  blocks: ReadonlyArray<PlacedBlock>
): ReadonlyArray<Stretch> => {
  const dropped =
    settings.blocks && !settings.furniture
      ? blocks.flatMap(({ block, span }) =>
          span !== undefined && furniture.has(block.type) ? [{ start: span[0], end: span[1] }] : []
        )
      : []
  return [...markers, ...dropped].toSorted((left, right) => left.start - right.start)
}

const spansOf = (blocks: ReadonlyArray<PlacedBlock>): ReadonlyArray<readonly [number, number]> =>
  blocks.flatMap(({ span }) => (span === undefined ? [] : [span]))

/** Starts of pages that a chunk may not reach over. */
const hardStarts = (settings: Settings, starts: ReadonlyArray<PageStart>): ReadonlyArray<Stretch> =>
  settings.hardPages ? starts.slice(1).map(({ start }) => ({ start, end: start })) : []

export const chunkDocument = (
  document: ParsedDocument,
  tokenizer: Tokenizer.Service,
  settings: Settings
): Chunked | TooSmall => {
  const { markdown } = document
  const blocks = document.blocks === null ? [] : place(markdown, document.blocks)
  const markers = find(document, spansOf(blocks))
  const pages = pageStarts(document, settings.pages, markers.accepted, blocks)
  const holes = [...holesOf(settings, markers.accepted, blocks), ...hardStarts(settings, pages)].toSorted(
    (left, right) => left.start - right.start
  )
  const meter = new Meter(markdown, tokenizer, settings.maxTokens)
  const contexts = new Map<object, Context>()
  const builder = new UnitBuilder(meter, (outline, section) => {
    const context = contexts.get(outline) ?? new Context(meter, outline, settings.context)
    contexts.set(outline, context)
    return context.of(section).tokens
  })
  for (const [region, { start, end }] of between(markdown.length, holes).entries()) {
    const failed = builder.add(scan(markdown, start, end), region, end)
    if (failed !== undefined) {
      return failed
    }
  }
  const context = contexts.get(builder.outline) ?? new Context(meter, builder.outline, settings.context)
  const runs = new Packer(builder.units, meter, builder.outline, context, {
    sections: settings.sections,
    minTokens: settings.minTokens,
    breaks: (left, right) =>
      settings.hardPages && pageAt(pages, left.stretch.start) !== pageAt(pages, right.stretch.start)
  }).run()
  const chunks = assemble(
    {
      document,
      digest: configurationDigest(settings.configuration, tokenizer.name),
      units: builder.units,
      outline: builder.outline,
      pages,
      blocks: settings.blocks ? blocks.filter(({ span }) => span !== undefined) : [],
      minConfidence: settings.minConfidence,
      ambiguous: markers.ambiguous,
      metadata: inherited(document.metadata)
    },
    runs
  )
  const unplaced = settings.blocks
    ? blocks.flatMap(({ block, span }) => (span === undefined && block.content.trim() !== "" ? [block.id] : []))
    : []
  return { chunks, unplaced, ambiguousMarkers: markers.ambiguous }
}
