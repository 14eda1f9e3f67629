/** Output of `search --verify`: each sentence with its place, or the mark that it has none. */
import * as Schema from "effect/Schema"
import { type Place, Verdict } from "../Verification.ts"
import * as Columns from "./Columns.ts"
import * as Line from "./Line.ts"
import * as Snippet from "./Snippet.ts"

const encode = Schema.encodeSync(Schema.Array(Verdict))

/** The verdicts as one JSON value. */
export const json = (verdicts: ReadonlyArray<Verdict>): string => JSON.stringify(encode(verdicts))

const quoted = (words: string): string => `“${Snippet.plain(words)}”`

const differing = ({ differences }: Place): string =>
  differences
    .map(({ document, quote }) =>
      quote === ""
        ? `${quoted(document)} is left out`
        : document === ""
          ? `${quoted(quote)} is not there`
          : `${quoted(document)} stands there, not ${quoted(quote)}`
    )
    .join("; ")

/** What is said below a sentence: its places, or that of the best with what differs there. */
const told = ({ places: [first, ...others], stands }: Verdict): ReadonlyArray<Line.Part> => {
  if (first === undefined) return [Line.bad("no source")]
  return stands === "close"
    ? [Line.notice(`nearly in ${Snippet.plain(first.label)}: ${differing(first)}`)]
    : [first, ...others].map(({ label }) => Snippet.plain(label))
}

/** Each sentence, and below it where it stands. */
export const text = (verdicts: ReadonlyArray<Verdict>, columns: number): ReadonlyArray<Line.Line> => {
  const width = Math.min(columns, 100)
  return verdicts.flatMap((verdict) => [
    ...Columns.wrap(Snippet.plain(verdict.quote), width),
    ...told(verdict).flatMap((part) =>
      Columns.wrap(Line.textOf(part), width - 4).map((line) => Line.indented([Line.withText(part, line)], 4))
    )
  ])
}
