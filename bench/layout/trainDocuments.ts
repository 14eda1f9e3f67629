/** Documents to learn from: their pages as the engine reads them, with the truth next to each. Pages are kept in a folder once read. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { deserialize, serialize } from "node:v8"
import type { PageItems } from "../../src/engine/pdf/PageItem.ts"
import * as PdfReader from "../../src/engine/pdf/PdfReader.ts"
import * as PdfModule from "../../src/engine/PdfModule.ts"
import { readTruth } from "./trainTruth.ts"
import type { Truth } from "./truth.ts"

export interface Learned {
  readonly name: string
  readonly pages: ReadonlyArray<PageItems>
  readonly truth: Truth
}

const module = await PdfModule.load()

/** Most pages of a document: long ones say little more than their beginning. */
const mostPages = 40

export const readPages = async (bytes: Uint8Array): Promise<ReadonlyArray<PageItems>> => {
  const reader = await PdfReader.open(module, bytes, mostPages)
  if (PdfReader.isFailure(reader)) return []
  const pages: Array<PageItems> = []
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one batch follows the other
    const batch = await reader.next()
    if (batch === undefined || PdfReader.isFailure(batch)) return pages
    pages.push(...batch.pages)
  }
}

/** Pages of a PDF, from the cache when it was read before. */
export const pagesOf = async (file: string, cache: string): Promise<ReadonlyArray<PageItems>> => {
  mkdirSync(cache, { recursive: true })
  const place = join(cache, `${basename(file)}.v8`)
  if (existsSync(place)) return deserialize(readFileSync(place))
  const pages = await readPages(readFileSync(file))
  writeFileSync(place, serialize(pages))
  return pages
}

/** All documents of a folder that have a truth. */
export const documents = async (folder: string, cache: string): Promise<ReadonlyArray<Learned>> => {
  const found: Array<Learned> = []
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith(".pdf"))
    .toSorted()) {
    const truth = join(folder, name.replace(/\.pdf$/u, ".json"))
    if (!existsSync(truth)) continue
    // oxlint-disable-next-line no-await-in-loop -- the engine reads one document at a time
    const pages = await pagesOf(join(folder, name), cache)
    if (pages.length > 0) found.push({ name, pages, truth: readTruth(truth) })
  }
  return found
}
