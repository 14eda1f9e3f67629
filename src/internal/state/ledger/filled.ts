/** The chunk settings that roots were filled with. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { text } from "../columns.ts"
import { corrupted } from "../libsql.ts"
import { type Dialect, query, rows, type Script } from "./script.ts"

/** Settings, and the sinks of the run that recorded them. */
export interface Filled {
  /** The configuration of the chunker. */
  readonly configuration: string
  /** Ids; null: not known, of an earlier version. */
  readonly sinks: ReadonlyArray<string> | null
}

const Stored = Schema.parseJson(
  Schema.Struct({ configuration: Schema.String, sinks: Schema.NullOr(Schema.Array(Schema.String)) })
)

const decode = Schema.decodeEither(Stored)
const encode = Schema.encodeSync(Stored)

const filledOf = (source: string): Filled =>
  Either.getOrThrowWith(decode(source), () => corrupted("the chunk settings of a root are not readable"))

function* all({ chunking }: Dialect): Script<ReadonlyArray<Filled & { readonly root: string }>> {
  return yield* rows(
    `SELECT name, ${chunking} FROM root WHERE ${chunking} IS NOT NULL ORDER BY id DESC`,
    [],
    (row) => ({
      root: text(row, 0),
      ...filledOf(text(row, 1))
    })
  )
}

/** The configuration of the root, for a new one that of the root that came last into one of the sinks; null when there is none. */
export function* configurationOf(dialect: Dialect, root: string, sinks: ReadonlyArray<string>): Script<string | null> {
  const roots = yield* all(dialect)
  const found =
    roots.find((one) => one.root === root) ??
    roots.find((one) => one.sinks === null || one.sinks.some((sink) => sinks.includes(sink)))
  return found?.configuration ?? null
}

/** The configurations of all roots, each once. */
export function* configurations(dialect: Dialect): Script<ReadonlyArray<string>> {
  return [...new Set((yield* all(dialect)).map(({ configuration }) => configuration))]
}

export const fill = (root: string, filled: Filled): Script<void> =>
  query("UPDATE root SET chunking = $2 WHERE name = $1", [root, encode(filled)])

/**
 * The defaults of the version that recorded no settings, for the roots that it filled: part of a released migration, so that they never
 * change.
 */
const first = (() => {
  const common = {
    childTokens: 0,
    context: "heading-path",
    maxTokens: 512,
    minTokens: 0,
    overlapTokens: 0,
    pages: "auto"
  }
  const strategies = {
    blocks: { blocks: true, sections: true, pageBoundaries: "soft", furniture: false, minConfidence: 0.5 },
    pages: { blocks: false, sections: false, pageBoundaries: "hard", furniture: true, minConfidence: 0 },
    markdown: { blocks: false, sections: true, pageBoundaries: "soft", furniture: true, minConfidence: 0 }
  }
  const parts = Object.entries(strategies).map(([name, own]) =>
    JSON.stringify([name, ...Object.entries({ ...common, ...own })])
  )
  return JSON.stringify(["auto", ...parts])
})()

export const firstFilled = encode({ configuration: first, sinks: null })
