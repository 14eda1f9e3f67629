/** `.jsonl` and `.ndjson`: a record a line, and each record a block. */
import * as Either from "effect/Either"
import type { FormatReader, Reading } from "./contract.ts"
import { linesOf } from "./textLines.ts"

/** Not by a Schema, whose error for each line takes twenty times as long as the line. */
const isJson = (text: string): boolean => Either.isRight(Either.try((): unknown => JSON.parse(text)))

const read = (text: string): Reading => {
  const lines = linesOf(text)
  const bad = lines.flatMap((line, index) => (line.text !== "" && !isJson(line.text) ? [index + 1] : []))
  const [first] = bad
  return {
    markdown: text,
    blocks: lines.flatMap(({ end, start, text }) => (text === "" ? [] : [{ kind: "paragraph", start, end }])),
    warnings:
      first === undefined
        ? []
        : [bad.length === 1 ? `line ${first} is no JSON` : `${bad.length} lines are no JSON, line ${first} the first`]
  }
}

export const jsonLines: FormatReader = { ofText: read }
