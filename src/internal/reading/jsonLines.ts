/** `.jsonl` and `.ndjson`: a record a line, and each record a block. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Format, Reading } from "./contract.ts"
import { linesOf } from "./textLines.ts"

const decode = Schema.decodeEither(Schema.parseJson())

const read = (text: string): Reading => {
  const lines = linesOf(text)
  const bad = lines.flatMap((line, index) => (line.text !== "" && Either.isLeft(decode(line.text)) ? [index + 1] : []))
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

export const jsonLines: Format = { extensions: ["jsonl", "ndjson"], mimeType: "application/x-ndjson", ofText: read }
