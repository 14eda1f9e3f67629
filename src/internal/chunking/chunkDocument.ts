/** One document through all steps: markers, places of blocks, leaves, units, runs, chunks. */
import type { Chunked } from "../../Chunker.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { type Assembly, assemble, assembleFamilies } from "./assemble.ts"
import { Context } from "./Context.ts"
import { continued } from "./continuation.ts"
import { Grouper } from "./family.ts"
import { configurationDigest } from "./identity.ts"
import { keepTogether, withHeadings } from "./layout.ts"
import type { Leaf } from "./Leaf.ts"
import { find, type Marker } from "./markers.ts"
import { Meter } from "./meter.ts"
import { Outline } from "./outline.ts"
import { Packer } from "./pack.ts"
import { type PageStart, pageStarts } from "./pages.ts"
import type { TooSmall } from "./Parts.ts"
import { divide, hardStarts, regions } from "./regions.ts"
import { Scale } from "./Scale.ts"
import { scan } from "./scan.ts"
import type { Settings } from "./Settings.ts"
import { place, type PlacedBlock } from "./spans.ts"
import { UnitBuilder } from "./units.ts"

/** What is found out before anything is counted. */
interface Survey {
  readonly blocks: ReadonlyArray<PlacedBlock>
  readonly placed: ReadonlyArray<PlacedBlock>
  readonly markers: ReadonlyArray<Marker>
  readonly ambiguous: ReadonlyArray<number>
  readonly pages: ReadonlyArray<PageStart>
}

const survey = (document: ParsedDocument, settings: Settings): Survey => {
  const blocks = document.blocks === null ? [] : place(document.markdown, document.blocks)
  const placed = blocks.filter(({ span }) => span !== undefined)
  const spans = placed.flatMap(({ span }) => (span === undefined ? [] : [span]))
  const { accepted, ambiguous } = find(document, spans)
  return { blocks, placed, markers: accepted, ambiguous, pages: pageStarts(document, settings.pages, accepted, placed) }
}

/** Adds the leaves of the whole document to the builder, region by region. */
const build = (
  document: ParsedDocument,
  settings: Settings,
  { placed, markers, pages }: Survey,
  builder: UnitBuilder
): TooSmall | undefined => {
  const { markdown } = document
  const starts = hardStarts(settings, pages)
  let index = 0
  let last: Leaf | undefined = undefined
  for (const region of regions(markdown.length, settings, markers, placed)) {
    const found = continued(markdown, scan(markdown, region.start, region.end), last)
    last = found.at(-1) ?? last
    const leaves = settings.blocks ? withHeadings(markdown, found, placed) : found
    for (const part of divide(markdown, leaves, region, starts)) {
      const failed = builder.add(part.leaves, index, part.end)
      if (failed !== undefined) {
        return failed
      }
      index++
    }
  }
  return undefined
}

const unplaced = (blocks: ReadonlyArray<PlacedBlock>): ReadonlyArray<string> =>
  blocks.flatMap(({ block, span }) => (span === undefined && block.content.trim() !== "" ? [block.id] : []))

/** The chunks of a document, all with this metadata, or the place in it where a code point is above the budget. */
export const chunkDocument = (
  document: ParsedDocument,
  tokenizer: Tokenizer.Service,
  settings: Settings,
  metadata: DocumentChunk["metadata"]
): Chunked | TooSmall => {
  const found = survey(document, settings)
  const outline = new Outline()
  const meter = new Meter(document.markdown, tokenizer, settings.childTokens || settings.maxTokens)
  const context = new Context(meter, outline, document, settings.template)
  const builder = new UnitBuilder(meter, outline, context)
  const failed = build(document, settings, found, builder)
  if (failed !== undefined) {
    return failed
  }
  const { units } = builder
  if (settings.blocks) {
    keepTogether(units, found.placed)
  }
  const scale = new Scale(units, meter)
  const runs = new Packer(scale, meter, outline, context, settings).run()
  const assembly: Assembly = {
    document,
    digest: configurationDigest(settings.configuration, tokenizer.name),
    units,
    outline,
    pages: found.pages,
    blocks: settings.blocks ? found.placed : [],
    minConfidence: settings.minConfidence,
    ambiguous: found.ambiguous,
    metadata
  }
  const result = { unplaced: settings.blocks ? unplaced(found.blocks) : [], ambiguousMarkers: found.ambiguous }
  if (settings.childTokens === 0) {
    return { chunks: assemble(assembly, runs), ...result }
  }
  const wide = new Meter(document.markdown, tokenizer, settings.maxTokens)
  const around = new Context(wide, outline, document, settings.template)
  const families = new Grouper(scale, wide, outline, around, settings.sections).run(runs)
  return { chunks: assembleFamilies(assembly, families), ...result }
}
