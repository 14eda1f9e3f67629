import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { languages, places, sought } from "../../../src/internal/terms/terms.ts"
import { words } from "../../../src/internal/terms/words.ts"

/** What `places` and `sought` gave when indices of version 1 were written. */
const Recorded = Schema.parseJson(
  Schema.Struct({
    texts: Schema.Array(
      Schema.Struct({
        text: Schema.String,
        language: Schema.NullOr(Schema.String),
        /** Start, end, terms. */
        places: Schema.Array(Schema.Tuple([Schema.Number, Schema.Number], Schema.String))
      })
    ),
    queries: Schema.Array(
      Schema.Struct({
        query: Schema.String,
        /** Kind, run, whether it is a function word, terms. */
        sought: Schema.Array(
          Schema.Tuple([Schema.Literal("word", "part", "chain"), Schema.Number, Schema.Boolean], Schema.String)
        )
      })
    )
  })
)

const { queries, texts } = Schema.decodeSync(Recorded)(readFileSync(new URL("version1.json", import.meta.url), "utf8"))

describe("terms of version 1", () => {
  it.each(texts)("are what stores of that version hold of: $text", (recorded) => {
    const all = words(recorded.text, 1)
    const found = places(all, languages(all, recorded.language ?? undefined, 1), 1)
    assert.deepEqual(
      found.map(({ end, start, terms }) => ({ start, end, terms })),
      recorded.places.map(([start, end, ...terms]) => ({ start, end, terms }))
    )
  })

  it.each(queries)("are what a question asks of such a store: $query", (recorded) => {
    assert.deepEqual(
      sought(recorded.query, 1).map(({ idle, kind, run, terms }) => ({ kind, run, idle, terms })),
      recorded.sought.map(([kind, run, idle, ...terms]) => ({ kind, run, idle, terms }))
    )
  })
})
