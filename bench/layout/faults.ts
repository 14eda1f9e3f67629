/**
 * Faults in the text of parsed PDFs that can be seen without knowing what a document should read like: for each fault the number of
 * documents touched, the number of occurrences, and examples.
 *
 *     npm run bench -- layout/faults FOLDER... [--pages 40] [--examples 3] [--each]
 *
 * `--each` prints a line of faults per document on the standard error.
 */
import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg } from "node:os"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import * as Composition from "../../src/engine/pdf/Composition.ts"
import type { PageItems } from "../../src/engine/pdf/PageItem.ts"
import * as PdfEngine from "../../src/engine/pdf/PdfEngine.ts"
import * as PdfReader from "../../src/engine/pdf/PdfReader.ts"
import * as PdfModule from "../../src/engine/PdfModule.ts"
import { detectors, type Found } from "./faultDetectors.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: "string", default: "40" },
    examples: { type: "string", default: "3" },
    each: { type: "boolean", default: false }
  }
})
const mostPages = Number(values.pages)
const mostExamples = Number(values.examples)

const pdfs = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.pdf$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** The first pages of a file; undefined when it cannot be opened. */
const read = async (file: string): Promise<ReadonlyArray<PageItems> | undefined> => {
  const reader = await PdfEngine.open(readFileSync(file), mostPages, { module: await PdfModule.load() })
  if (PdfReader.isFailure(reader)) return undefined
  const pages: Array<PageItems> = []
  for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) {
    if (PdfReader.isFailure(batch)) return undefined
    pages.push(...batch.pages)
  }
  return pages
}

interface Tally {
  documents: number
  occurrences: number
  readonly examples: Array<string>
}

const tallies = new Map<string, Tally>(
  detectors.map(({ name }) => [name, { documents: 0, occurrences: 0, examples: [] }])
)
let documents = 0
let pages = 0
let refused = 0

const note = (file: string, name: string, found: Found): void => {
  const tally = tallies.get(name)
  if (tally === undefined || found.length === 0) return
  tally.documents++
  tally.occurrences += found.length
  const middle = found[found.length >> 1] ?? ""
  tally.examples.push(`${basename(file)}: ${middle}`)
}

for (const folder of positionals) {
  for (const file of pdfs(folder)) {
    const items = await read(file)
    if (items === undefined) {
      refused++
      continue
    }
    documents++
    pages += items.length
    const composition = Composition.compose(items, false, [])
    const counts: Array<string> = []
    for (const { find, name } of detectors) {
      const found = find({ pages: items, composition })
      note(file, name, found)
      if (found.length > 0) counts.push(`${name} ${found.length}`)
    }
    if (values.each) console.error(`${file}: ${counts.join(", ")}`)
  }
}

/** As many examples as wanted, from documents far apart. */
const spread = (examples: ReadonlyArray<string>): ReadonlyArray<string> => {
  const step = Math.max(1, Math.ceil(examples.length / Math.max(1, mostExamples)))
  return examples.filter((_, at) => at % step === 0).slice(0, mostExamples)
}

const ours = Object.fromEntries(
  [...tallies].map(([name, tally]) => [
    name,
    { documents: tally.documents, occurrences: tally.occurrences, examples: spread(tally.examples) }
  ])
)
console.log(
  JSON.stringify(
    {
      bench: "layout/faults",
      documents,
      pages,
      refused,
      ours,
      peers: {},
      ratio: null,
      machine: { cpus: cpus()[0]?.model, parallelism: availableParallelism(), load: loadavg()[0] }
    },
    undefined,
    1
  )
)
