/** Scores engines on a folder of documents with known truth. */
import * as Engines from "./engines/all.ts"
import * as Folder from "./folder.ts"
import { type Score, scorer } from "./score/file.ts"
import type { Row } from "./score/summary.ts"

export const groupings = ["split", "producer", "kind", "script", "tagged"] as const

/** Of a document that the engine did not answer: nothing was read. */
const nothing: Score = { text: 0, order: 0, wordsLost: 1, headings: 0, blocks: 0 }

export const rows = async (folder: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<Row>> => {
  const engines = (await Engines.all()).filter(({ name }) => names.length === 0 || names.includes(name))
  const rows: Array<Row> = []
  for (const { bytes, name, truth } of Folder.read(folder)) {
    const score = await scorer(truth, bytes())
    const [, kind = truth.template] = truth.template.split("-")
    const groups = {
      split: truth.split,
      producer: truth.producer,
      kind,
      script: truth.script,
      tagged: truth.tagged ? "tagged" : "untagged"
    }
    for (const engine of engines) {
      const row = { engine: engine.name, groups, name }
      try {
        rows.push({ ...row, score: score(await engine.parse(bytes())) })
      } catch (cause) {
        rows.push({ ...row, score: nothing, error: String(cause) })
      }
    }
  }
  return rows
}
