/** A folder of real documents with a `manifest.json`, each with a truth of one of several kinds. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import type { Answer } from "./engines/engine.ts"
import * as Blocks from "./score/blocks.ts"
import * as File from "./score/file.ts"
import * as Metrics from "./score/metrics.ts"
import * as Passages from "./score/passages.ts"
import * as Reading from "./score/reading.ts"

const Row = Schema.Struct({
  id: Schema.String,
  file: Schema.String,
  /** Where the document was found. */
  repo: Schema.String,
  expect: Schema.optional(Schema.String),
  gt: Schema.optional(Schema.NullOr(Schema.String)),
  gtKind: Schema.optional(Schema.NullOr(Schema.String)),
  gtBlocks: Schema.optional(Schema.NullOr(Schema.String))
})

const decodeManifest = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ rows: Schema.Array(Row) })))

const Cell = Schema.Struct({
  r: Schema.Int,
  c: Schema.Int,
  r2: Schema.Int,
  c2: Schema.Int,
  t: Schema.String
})

const decodeTables = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({ tables: Schema.Array(Schema.Array(Cell)) }))
)
const decodeTests = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({ tests: Schema.Array(Passages.Statement) }))
)
const decodeBlocks = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Array(
      Schema.Struct({
        page: Schema.Int,
        type: Schema.String,
        bbox: Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number)
      })
    )
  )
)

const gridOf = (cells: ReadonlyArray<typeof Cell.Type>): Reading.Grid => {
  const grid: Array<Array<string>> = []
  for (const { c, c2, r, r2, t } of cells) {
    for (let row = r; row <= r2; row++) {
      const line = (grid[row] ??= [])
      for (let column = c; column <= c2; column++) {
        line[column] = row === r && column === c ? Reading.cell(t) : (line[column] ?? "")
      }
    }
  }
  return Array.from(grid, (row) => Array.from(row ?? [], (text) => text ?? ""))
}

type Scorer = (answer: Answer, reading: Reading.Reading) => File.Score

const scorers: Readonly<Record<string, (truth: string) => Scorer>> = {
  markdown: (truth) => {
    const wanted = Reading.read(truth)
    return (_, found) => File.ofReadings(wanted, found)
  },
  text: (truth) => {
    const wanted = Reading.read(truth)
    return (_, found) => {
      const { f1, recall } = Metrics.bag(wanted.words, found.words)
      return { score: f1, wordsLost: 1 - recall }
    }
  },
  tables: (truth) => {
    const wanted = decodeTables(truth).tables.map(gridOf)
    return (_, found) => {
      const tables = Metrics.tables(wanted, found.tables)
      return tables === undefined ? {} : { ...tables, score: (tables.cells + tables.adjacency) / 2 }
    }
  },
  tests: (truth) => {
    const { tests } = decodeTests(truth)
    return (_, found) => {
      const share = Passages.share(tests, found)
      return share === undefined ? {} : { score: share }
    }
  }
}

export interface Entry {
  readonly name: string
  readonly source: string
  readonly kind: string
  readonly bytes: () => Uint8Array
  readonly score: (answer: Answer) => File.Score
}

export const isCorpus = (folder: string): boolean => existsSync(join(folder, "manifest.json"))

/** The PDFs of the folder that have a truth. */
export const read = (folder: string): ReadonlyArray<Entry> => {
  const text = (file: string) => readFileSync(join(folder, file), "utf8")
  return decodeManifest(text("manifest.json")).rows.flatMap(({ file, gt, gtBlocks, gtKind, id, repo }) => {
    const make = scorers[gtKind ?? ""]
    if (!/\.pdf$/i.test(file) || gt === undefined || gt === null || make === undefined) return []
    const blocks = typeof gtBlocks === "string" ? decodeBlocks(text(gtBlocks)) : undefined
    const boxes = blocks?.map(({ bbox, page, type }) => ({ page, type, box: bbox }))
    const scorer = make(text(gt))
    return [
      {
        name: id,
        source: repo,
        kind: gtKind ?? "",
        bytes: () => new Uint8Array(readFileSync(join(folder, file))),
        score: (answer) => {
          const boxed =
            boxes === undefined || answer.blocks === undefined ? undefined : Blocks.compare(boxes, answer.blocks)
          return {
            ...scorer(answer, Reading.read(answer.markdown)),
            ...File.present({ blocks: boxed?.f1, types: boxed?.types })
          }
        }
      }
    ]
  })
}
