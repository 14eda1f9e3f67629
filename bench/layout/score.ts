/** Scores engines on a folder of documents with known truth. */
import * as Corpus from "./corpus.ts"
import * as Engines from "./engines/all.ts"
import type { Answer } from "./engines/engine.ts"
import * as Folder from "./folder.ts"
import { type Score, scorer } from "./score/file.ts"
import type { Row } from "./score/summary.ts"
import { stripTags } from "./stripTags.ts"

/** Of a document that the engine did not answer: nothing was read. */
const nothing: Score = { score: 0, text: 0, order: 0, wordsLost: 1, headings: 0, blocks: 0 }

export interface Options {
  /** All of those that are there if empty. */
  readonly engines: ReadonlyArray<string>
  /** Hides the structure trees. */
  readonly stripTags: boolean
}

interface Entry {
  readonly name: string
  readonly groups: Row["groups"]
  readonly bytes: Uint8Array
  readonly score: (answer: Answer) => Score
}

const generated = async ({ bytes, name, truth }: Folder.Entry): Promise<Entry> => {
  const [, kind = truth.template] = truth.template.split("-")
  const groups = {
    split: truth.split,
    producer: truth.producer,
    kind,
    script: truth.script,
    language: `${truth.language}, ${truth.producer}`,
    tagged: truth.tagged ? "tagged" : "untagged",
    source: truth.producer
  }
  const file = bytes()
  return { name, groups, bytes: file, score: await scorer(truth, file) }
}

async function* entries(folder: string): AsyncGenerator<Entry> {
  if (Corpus.isCorpus(folder)) {
    for (const { bytes, kind, name, score, source } of Corpus.read(folder)) {
      yield { name, groups: { kind, source }, bytes: bytes(), score }
    }
  } else for (const entry of Folder.read(folder)) yield await generated(entry)
}

/** Groupings of the documents of a folder. */
export const groupingsOf = (folder: string): ReadonlyArray<string> =>
  Corpus.isCorpus(folder) ? ["kind"] : ["split", "producer", "kind", "script", "tagged"]

export const rows = async (folder: string, options: Options): Promise<ReadonlyArray<Row>> => {
  const engines = (await Engines.all()).filter(
    ({ name }) => options.engines.length === 0 || options.engines.includes(name)
  )
  const rows: Array<Row> = []
  for await (const { bytes, groups, name, score } of entries(folder)) {
    const file = options.stripTags ? stripTags(bytes) : bytes
    for (const engine of engines) {
      const row = { engine: engine.name, groups, name }
      try {
        rows.push({ ...row, score: score(await engine.parse(file)) })
      } catch (cause) {
        rows.push({ ...row, score: nothing, error: String(cause) })
      }
    }
  }
  return rows
}
