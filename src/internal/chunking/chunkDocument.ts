/** One document through all steps: markers, places of blocks, leaves, units, runs, chunks. */
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { type Assembly, assemble, assembleFamilies, type Given } from "./assemble.ts"
import type { Chunked } from "./contract.ts"
import { configurationDigest } from "./identity.ts"
import { Context } from "./pack/Context.ts"
import { Grouper } from "./pack/Grouper.ts"
import { Outline } from "./pack/Outline.ts"
import { Packer } from "./pack/Packer.ts"
import { RunCounter } from "./pack/RunCounter.ts"
import { UnitBuilder } from "./pack/UnitBuilder.ts"
import { continued } from "./place/continuation.ts"
import { keepTogether, withHeadings } from "./place/layout.ts"
import { find, type Marker } from "./place/markers.ts"
import { type PageStart, pageStarts } from "./place/pages.ts"
import { divide, hardStarts, regions } from "./place/regions.ts"
import { mayBeOutside, place, type PlacedBlock } from "./place/spans.ts"
import type { Leaf } from "./scan/Leaf.ts"
import { scanSteps } from "./scan/scanSteps.ts"
import { StructureScan } from "./scan/structure.ts"
import type { Settings } from "./Settings.ts"
import type { Steps } from "./steps.ts"
import type { TooSmall } from "./tokens/cut.ts"
import { openMap } from "./tokens/openMap.ts"

/** Everything that is known before a token is counted. */
interface Survey {
  readonly blocks: ReadonlyArray<PlacedBlock>
  readonly placed: ReadonlyArray<PlacedBlock>
  readonly markers: ReadonlyArray<Marker>
  readonly ambiguous: ReadonlyArray<number>
  readonly pages: ReadonlyArray<PageStart>
}

const noMarkers = { accepted: [], ambiguous: [] }

/** True when every block of the text is Markdown or in no chunk; a marker in another format would be text. */
const isMarkdown = ({ structure = [] }: ParsedDocument): boolean =>
  structure.every(({ kind }) => kind === "markdown" || kind === "omitted")

const survey = (document: ParsedDocument, settings: Settings): Survey => {
  const blocks = document.blocks === null ? [] : place(document.markdown, document.blocks)
  const placed = blocks.filter(({ span }) => span !== undefined)
  const spans = placed.flatMap(({ span }) => (span === undefined ? [] : [span]))
  const { accepted, ambiguous } = isMarkdown(document) ? find(document, spans) : noMarkers
  return { blocks, placed, markers: accepted, ambiguous, pages: pageStarts(document, settings.pages, accepted, placed) }
}

/**
 * Adds the leaves of the whole document to the builder, region by region.
 *
 * @yields {undefined} After each step.
 */
function* build(
  document: ParsedDocument,
  settings: Settings,
  { placed, markers, pages }: Survey,
  builder: UnitBuilder
): Steps<TooSmall | undefined> {
  const { markdown, structure } = document
  const own = structure && new StructureScan(markdown, structure)
  const starts = hardStarts(settings, pages)
  let index = 0
  let last: Leaf | undefined = undefined
  for (const region of regions(document, settings, markers, placed)) {
    const scanned = yield* own?.leaves(region.start, region.end) ?? scanSteps(markdown, region.start, region.end)
    const found = continued(markdown, scanned, last)
    last = found.at(-1) ?? last
    const leaves = settings.blocks ? withHeadings(markdown, found, placed) : found
    for (const part of divide(markdown, leaves, region, starts)) {
      const failed = yield* builder.add(part.leaves, index, part.end)
      if (failed !== undefined) {
        return failed
      }
      index++
    }
  }
  return undefined
}

const unplaced = (blocks: ReadonlyArray<PlacedBlock>): ReadonlyArray<string> =>
  blocks.flatMap(({ block, span }) =>
    span === undefined && block.content.trim() !== "" && !mayBeOutside(block) ? [block.id] : []
  )

/**
 * The chunks of a document, or the place in it where a code point is above the budget.
 *
 * @yields {undefined} After each step.
 */
export function* chunkDocument(
  document: ParsedDocument,
  tokenizer: Tokenizer.Service,
  settings: Settings,
  given: Given
): Steps<Chunked | TooSmall> {
  const found = survey(document, settings)
  yield
  const outline = new Outline()
  const map = yield* openMap(document.markdown, tokenizer)
  const maxTokens = settings.childTokens || settings.maxTokens
  const measures = { map, maxTokens, outline }
  const packing = { ...measures, context: new Context(measures, document, settings.template) }
  const builder = new UnitBuilder(packing)
  const failed = yield* build(document, settings, found, builder)
  if (failed !== undefined) {
    return failed
  }
  const { units } = builder
  if (settings.blocks) {
    keepTogether(units, found.placed)
  }
  const counter = new RunCounter(units, map)
  yield
  const runs = yield* new Packer(counter, packing, settings).run()
  const assembly: Assembly = {
    document,
    digest: configurationDigest(settings.configuration, tokenizer.name),
    units,
    outline,
    pages: found.pages,
    blocks: settings.blocks ? found.placed : [],
    minConfidence: settings.minConfidence,
    ambiguous: found.ambiguous,
    ...given
  }
  const result = { unplaced: settings.blocks ? unplaced(found.blocks) : [], ambiguousMarkers: found.ambiguous }
  if (settings.childTokens === 0) {
    return { chunks: yield* assemble(assembly, runs), ...result }
  }
  const wider = { ...measures, maxTokens: settings.maxTokens }
  const parents = { ...wider, context: new Context(wider, document, settings.template) }
  const families = yield* new Grouper(units, parents, settings.sections).run(runs)
  return { chunks: yield* assembleFamilies(assembly, families), ...result }
}
