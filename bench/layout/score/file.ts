/** Score of one answer against one truth. */
import * as Align from "../align.ts"
import type { Answer } from "../engines/engine.ts"
import * as Pdf from "../pdf.ts"
import type { Truth } from "../truth.ts"
import * as Blocks from "./blocks.ts"
import * as Furniture from "./furniture.ts"
import * as Metrics from "./metrics.ts"
import * as Reading from "./reading.ts"
import * as TruthReading from "./truthReading.ts"

export const measures = [
  "score",
  "text",
  "order",
  "wordsLost",
  "headings",
  "levels",
  "blocks",
  "types",
  "cells",
  "adjacency",
  "lists",
  "furnitureKept",
  "furnitureLost"
] as const

export type Measure = (typeof measures)[number]

/** Each from 0 to 1; absent where the truth has nothing to compare. */
export type Score = Readonly<Partial<Record<Measure, number>>>

/** The measures that there are. */
export const present = (measured: Readonly<Record<string, number | undefined>>): Score =>
  Object.fromEntries(Object.entries(measured).filter(([, value]) => value !== undefined))

/** Measures of the text alone; `score` is the mean of text, headings and tables. */
export const ofReadings = (truth: Reading.Reading, found: Reading.Reading): Score => {
  const { f1, recall } = Metrics.bag(truth.words, found.words)
  const text = Metrics.similarity(truth.words, found.words)
  const headings = Metrics.headings(truth.headings, found.headings)
  const tables = Metrics.tables(truth.tables, found.tables)
  const parts = [text, headings?.f1, tables === undefined ? undefined : (tables.cells + tables.adjacency) / 2]
  const known = parts.filter((part) => part !== undefined)
  return present({
    score: known.reduce((sum, part) => sum + part, 0) / known.length,
    text,
    order: f1 === 0 ? 0 : Math.min(1, text / f1),
    wordsLost: 1 - recall,
    headings: headings?.f1,
    levels: headings?.levels,
    cells: tables?.cells,
    adjacency: tables?.adjacency,
    lists: Metrics.items(truth.items, found.items)
  })
}

/** Scores any number of answers to one document; the truth is aligned once. */
export const scorer = async (truth: Truth, bytes: Uint8Array): Promise<(answer: Answer) => Score> => {
  const pages = await Pdf.pages(bytes)
  const aligned = Align.align(truth, Align.piecesOf(pages))
  const wanted = TruthReading.reading(truth)
  const boxes = TruthReading.boxes(truth, aligned, pages)
  const lines = aligned.furniture.map((_, at) => TruthReading.line(truth, aligned, pages, at))
  return ({ blocks, markdown }) => {
    const found = Reading.read(markdown)
    const boxed =
      blocks === undefined
        ? undefined
        : Blocks.compare(
            boxes,
            blocks.filter(({ type }) => type !== "figure")
          )
    const furniture = Furniture.compare(truth, { truth: wanted.words, found: found.words }, lines, blocks)
    return {
      ...ofReadings(wanted, found),
      ...present({
        blocks: boxed?.f1,
        types: boxed?.types,
        furnitureKept: furniture?.kept,
        furnitureLost: furniture?.lost
      })
    }
  }
}
