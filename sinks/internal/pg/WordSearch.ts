import type { CheckedQuery as Query, Frequencies, SinkError } from "docsluice/ChunkSink"
import { sought } from "docsluice/Terms"
import * as Effect from "effect/Effect"
import { depth, type Ranking } from "../shared/Fusion.ts"
import { escape } from "../shared/PlainText.ts"
import * as Words from "../shared/Words.ts"
import * as PgBinary from "./Binary.ts"
import { column, quote } from "./Columns.ts"
import { Parameters } from "./Filter.ts"
import { anyOf, countOf, weightsOf } from "./Lexemes.ts"
import { idColumn, matching, ranked, type Store } from "./Ranking.ts"
import { type Table, type Terms, termsIndex } from "./Table.ts"

/** Characters of a text that the full-text search sees: PostgreSQL refuses a document with more than 1 MB of lexemes. */
const searched = 200_000

/** The expression searched: text and, if stored, headings. An index must use exactly the same expression. */
export const documentOf = (table: Table, language: string): string => {
  const configuration = `'${quote(language).replaceAll("'", "''")}'::regconfig`
  const text = `to_tsvector(${configuration}, left(${column(table, "text")}::text, ${searched}))`
  const headings = table.bound.find(({ member }) => member === "headingPath")
  return headings?.type === "jsonb"
    ? `(${text} || jsonb_to_tsvector(${configuration}, ${headings.quoted}, '["string"]'))`
    : text
}

/** Rows of a table from which on the statistics of the server stand for a count of the frequent terms. */
const manyRows = 200

/**
 * Rows in all, and with each term. The statistics know how often the frequent terms of a table are, none of which is counted again; of the others few rows have to be visited.
 * Before `finish` has built the index, the rows that hold any of the terms are read once.
 */
const countRows = Effect.fnUntraced(function* (
  { pool, table }: Store,
  { name, version }: Terms,
  terms: ReadonlyArray<string>
) {
  const parameters = new Parameters()
  const [given, queries] = [terms, terms.map((term) => anyOf([term]))].map((texts) =>
    parameters.add(PgBinary.texts(texts))
  )
  const any = parameters.add(anyOf(terms))
  const sql = `WITH words AS MATERIALIZED (
       SELECT term, query::tsquery AS query FROM unnest(${given}::text[], ${queries}::text[]) AS w (term, query)
     ), usual AS MATERIALIZED (
       SELECT c.reltuples AS total, s.most_common_elems::text::text[] AS terms, s.most_common_elem_freqs AS shares
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = '${Words.nameOf(version)}'
       WHERE c.oid = ${table.relation} AND c.reltuples >= ${manyRows} AND ${table.tenant === null}
     ), frequent AS MATERIALIZED (
       SELECT e.term, e.share * total AS count FROM usual, unnest(terms, shares) AS e (term, share)
     ), visited AS MATERIALIZED (
       SELECT w.term, count(*) AS count
       FROM (SELECT strip(${name}) AS held FROM ${table.rows} WHERE ${name} @@ ${any}::tsquery OFFSET 0) AS r
       JOIN words w ON r.held @@ w.query GROUP BY w.term
     )
     SELECT w.term, coalesce((SELECT total FROM usual), (SELECT count(*) FROM ${table.rows}))::float8 AS total, coalesce(
       f.count,
       CASE WHEN to_regclass(${parameters.add(`${quote(table.schema)}.${quote(termsIndex(table, version))}`)}) IS NULL
         THEN coalesce((SELECT v.count FROM visited v WHERE v.term = w.term), 0)
         ELSE (SELECT count(*) FROM ${table.rows} WHERE ${name} @@ w.query) END
     )::float8 AS count
     FROM words w LEFT JOIN frequent f USING (term)`
  const rows = yield* pool.query(sql, parameters.values)
  const counts = new Map(rows.map((row) => [String(row["term"]), Number(row["count"])]))
  // The statistics may be of fewer rows than there are now.
  const total = Math.max(Number(rows[0]?.["total"] ?? 0), ...counts.values())
  return { total, of: (term: string) => counts.get(term) ?? 0 }
})

/** Rows and those that hold a term of each group: as many as hold its most frequent term. Unknown, and so the same for all, in a table without terms. */
export const frequencies = Effect.fnUntraced(function* (
  store: Store,
  groups: ReadonlyArray<ReadonlyArray<string>>
): Effect.fn.Return<Frequencies, SinkError> {
  const { terms } = store.table
  if (terms === null) return { total: 2000, counts: groups.map(() => 0) }
  const { of, total } = yield* countRows(store, terms, [...new Set(groups.flat())])
  return { total, counts: groups.map((group) => Math.max(0, ...group.map(of))) }
})

/** Terms that have weights. */
type Weighed = Terms & { readonly weights: NonNullable<Terms["weights"]> }

/** Share of a table's rows from which on reading all weights costs less than looking for rows that hold any of the words. */
const mostRows = 0.2

/**
 * Rows that hold any of the words, by BM25: the inner product of their weights and the query's. A word counts by its stem, and once more, by half, by itself.
 */
const byWeights = Effect.fnUntraced(function* (store: Store, terms: Weighed, query: Query) {
  const { pool, table } = store
  const { name, version, weights } = terms
  const asked = sought(query.text, version).flatMap((one) => one.terms)
  if (asked.length === 0) return []
  const rows = yield* countRows(store, terms, [...new Set(asked)])
  const words = Words.of(query.text, version, rows.of)
  if (words.length === 0) return []
  const { half, whole } = Words.joined(words)
  const parameters = new Parameters()
  const rarity = (term: string) => Math.log(1 + (rows.total - rows.of(term) + 0.5) / (rows.of(term) + 0.5))
  const wanted = `${parameters.add(weightsOf(words, rarity))}::${weights.type}`
  const all = [...half, ...whole]
  const frequent = all.reduce((sum, term) => sum + rows.of(term), 0) > mostRows * rows.total
  const holding = frequent ? "" : ` AND ${name} @@ ${parameters.add(anyOf(all))}::tsquery`
  const condition = yield* matching(table, query.filter, parameters)
  const product = `${weights.name} OPERATOR(${table.vector?.schema}.<#>) ${wanted}`
  // Of rows without any of the words the product is 0.
  const found = yield* ranked(
    pool,
    `SELECT ${idColumn(table)} AS id, -(${product}) AS score FROM ${table.rows} WHERE ${weights.name} IS NOT NULL${holding}${condition}
     ORDER BY ${product}, ${idColumn(table)} LIMIT ${depth(query)}`,
    parameters
  )
  return found.filter(({ score }) => score !== null && score > 0)
})

/** The part of BM25 that one form of a word gives: its rarity among all rows, by the number of its repetitions. */
const partOf = (rarity: string, count: string): string =>
  `${rarity} * ${count} * ${Words.bm25.k1 + 1} / (${count} + ${Words.bm25.k1} * (${1 - Words.bm25.b} + ${Words.bm25.b} * size / average))`

/**
 * Rows that hold any of the words, by BM25: the rarer a word among those found and the more often it is repeated, the more it weighs; the
 * length is the number of different terms. A word counts by its stem or by itself, whichever the row repeats more, and once more, by half, by
 * itself.
 */
const byPositions = Effect.fnUntraced(function* (store: Store, { name, version }: Terms, query: Query) {
  const { pool, table } = store
  const words = Words.of(query.text, version)
  if (words.length === 0) return []
  const parameters = new Parameters()
  const all = Words.joined(words)
  const any = `${parameters.add(anyOf([...all.whole, ...all.half]))}::tsquery`
  const counts: Array<string> = []
  const rarities: Array<string> = []
  const scores: Array<string> = []
  const counted = (terms: ReadonlyArray<string>): string =>
    terms.length === 0 ? "0" : countOf(name, `${parameters.add(anyOf(terms))}::tsquery`, terms.length)
  const weigh = (count: string, column: string, weight: number) => {
    const held = `count(*) FILTER (WHERE ${column} > 0)`
    counts.push(`${count} AS ${column}`)
    rarities.push(`ln(1 + (total - ${held} + 0.5) / (${held} + 0.5)) AS w_${column}`)
    scores.push(`${weight} * ${partOf(`w_${column}`, column)}`)
  }
  for (const [at, { half, whole }] of words.entries()) {
    const own = counted(half)
    if (whole.length > 0) weigh(half.length === 0 ? counted(whole) : `greatest(${counted(whole)}, ${own})`, `n${at}`, 1)
    if (half.length > 0) weigh(own, `h${at}`, Words.halfWeight)
  }
  const condition = yield* matching(table, query.filter, parameters)
  const sql = `WITH found AS MATERIALIZED (
       SELECT ${idColumn(table)} AS id, length(${name}) AS size, ${counts.join(", ")}
       FROM ${table.rows} WHERE ${name} @@ ${any}${condition}
     ), counted AS (
       SELECT greatest((SELECT count(*) FROM found), (SELECT reltuples FROM pg_class WHERE oid = ${table.relation})) AS total
     ), weights AS (
       SELECT avg(size) AS average, ${rarities.join(", ")} FROM found, counted GROUP BY total
     )
     SELECT id, (${scores.join(" + ")})::float8 AS score FROM found, weights ORDER BY score DESC, id LIMIT ${depth(query)}`
  return yield* ranked(pool, sql, parameters)
})

/** Full-text search of the texts, for rows without terms. Each word is one query, never syntax; any of them may match. */
const byText = Effect.fnUntraced(function* ({ language, pool, table }: Store, query: Query, more = "") {
  const parameters = new Parameters()
  const terms = Words.written(escape(query.text)).map(
    (word) => `phraseto_tsquery('${quote(language).replaceAll("'", "''")}'::regconfig, ${parameters.add(word)})`
  )
  if (terms.length === 0) return []
  const condition = yield* matching(table, query.filter, parameters)
  const document = documentOf(table, language)
  return yield* ranked(
    pool,
    `SELECT ${idColumn(table)} AS id, ts_rank(${document}, q.wanted, 1)::float8 AS score FROM ${table.rows}, (SELECT ${terms.join(" || ")} AS wanted) AS q
     WHERE ${document} @@ q.wanted${condition}${more}
     ORDER BY score DESC, ${idColumn(table)} LIMIT ${depth(query)}`,
    parameters
  )
})

/** The ranking by the words of a query. Rows that still lack their terms are searched as texts, and come after the others. */
export const byWords = Effect.fnUntraced(function* (
  store: Store,
  query: Query
): Effect.fn.Return<Ranking<string>, SinkError> {
  const { terms, waiting } = store.table
  if (terms === null) return yield* byText(store, query)
  const { name, weights } = terms
  const found = yield* weights === null
    ? byPositions(store, terms, query)
    : byWeights(store, { ...terms, weights }, query)
  if (!waiting || found.length >= depth(query)) return found
  const others = yield* byText(store, query, ` AND ${name} IS NULL`)
  return [...found, ...others.map(({ key }) => ({ key, score: null }))]
})
