/** Lane side of redaction: reads the job's bytes and redacts. */
import type { ParseData } from "../../internal/base/parseResponse.ts"
import type { RedactJob } from "../jobs.ts"
import * as Redaction from "./Redaction.ts"
import type { Term } from "./TermSearch.ts"

interface Input {
  readonly data: ParseData
  readonly terms: ReadonlyArray<Term>
}

/** Does not check the members: the host wrote them. */
const isInput = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && "data" in value && "terms" in value

/** Rejects when a value cannot be removed. */
export const redact = async ({ bytes, entities, replaceStyle, rules }: RedactJob): Promise<ParseData> => {
  const input: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"))
  if (!isInput(input)) throw new TypeError("not an answer to redact")
  return Redaction.redact(input.data, { rules, entities, replaceStyle, terms: input.terms })
}
