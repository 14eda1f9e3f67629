/**
 * The statements of a state on PostgreSQL, as SQLite understands them: the simulator runs the state's own statements, and only those that they
 * are made of are known here. A statement with something else fails as a syntax error, which fails the run.
 */
import type { Value } from "../../src/internal/state/postgres/connection.ts"

export type Scalar = string | number | Uint8Array | null

/** A statement of SQLite; the values for its parameters are computed from those of the original, and the time. */
export interface Statement {
  readonly sql: string
  readonly parameters: ReadonlyArray<(values: ReadonlyArray<Value>, now: number) => Scalar>
  /** False for one whose rows nobody asks for. */
  readonly reads: boolean
}

/** Text of a list whose items are bytes. */
const bytesMark = "\u0001"
/** Text of any other list. */
const listMark = "\u0002"

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("hex") : typeof value === "boolean" ? Number(value) : value

const listOf = (value: Value | undefined): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const scalar = (value: Value | undefined): Scalar => {
  if (typeof value === "boolean") return Number(value)
  if (value === undefined || value === null) return null
  if (typeof value === "string" || typeof value === "number" || value instanceof Uint8Array) return value
  return JSON.stringify(value.map(plain))
}

/** Reads a column: lists come as texts with a mark. */
export const column = (value: unknown): unknown => {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (typeof value !== "string" || (value[0] !== bytesMark && value[0] !== listMark)) return value
  const items: unknown = JSON.parse(value.slice(1))
  if (!Array.isArray(items)) return value
  return value[0] === bytesMark ? items.map((item) => Buffer.from(String(item), "hex")) : items
}

/** Position of the parenthesis that closes the one at `open`. */
const closing = (sql: string, open: number): number => {
  let depth = 0
  for (let at = open; at < sql.length; at += 1) {
    if (sql[at] === "(") depth += 1
    if (sql[at] === ")") depth -= 1
    if (depth === 0 && sql[at] === ")") return at
  }
  throw new Error(`no closing parenthesis: ${sql.slice(open, open + 80)}`)
}

/** Spellings of one expression in the other dialect, in this order. */
const spellings: ReadonlyArray<readonly [RegExp, string]> = [
  [/\s+FOR UPDATE\b/gu, ""],
  [/\bMATERIALIZED\b/gu, ""],
  [
    /CROSS JOIN LATERAL unnest\((g\.documents)\) AS u \(id\) JOIN document d ON d\.id = u\.id/gu,
    "CROSS JOIN json_each(substr($1, 2)) AS u JOIN document d ON d.id = u.value"
  ],
  [
    /SELECT unnest\(documents\) AS id FROM sight WHERE/gu,
    "SELECT j.value AS id FROM sight, json_each(substr(sight.documents, 2)) j WHERE"
  ],
  [/array_agg\((p\.chunks) ORDER BY ([\w.]+)\)/gu, `'${bytesMark}' || json_group_array(hex($1) ORDER BY $2)`],
  [/array_agg\(([\w.]+) ORDER BY ([\w.]+)\)/gu, `'${listMark}' || json_group_array($1 ORDER BY $2)`],
  [/array_agg\(([\w.]+)\)/gu, `'${listMark}' || json_group_array($1)`],
  [/= ANY\(\$(\d+)(?:::(?:bytea)\[\])\)/gu, "IN (SELECT unhex(value) FROM json_each($$$1))"],
  [/= ANY\(\$(\d+)(?:::\w+\[\])?\)/gu, "IN (SELECT value FROM json_each($$$1))"],
  [/\(extract\(epoch FROM clock_timestamp\(\)\) \* 1000000\)/gu, "($now * 1000)"],
  [/\bclock_timestamp\(\)/gu, "$now"],
  [/\* interval '1 second'/gu, "* 1000"],
  [/interval '1 day'/gu, "86400000"],
  [/greatest\(([\w.]+), ([\w.$]+)\)/gu, "max(coalesce($1, $2), $2)"],
  [/to_jsonb\(root\) ->> 'chunking'/gu, "root.chunking"],
  [
    /json_array_length\(convert_from\((substr\(c\.chunks, 2\)), 'UTF8'\)::json\)/gu,
    "json_array_length(CAST($1 AS TEXT))"
  ],
  [/decode\(u\.key, 'hex'\)/gu, "unhex(u.key)"],
  [/starts_with\((\w+), (\$\d+)\)/gu, "substr($1, 1, length($2)) = $2"],
  [/\bUPDATE (\w+) (?!SET\b)(\w+) SET\b/gu, "UPDATE $1 AS $2 SET"],
  [/\bDELETE FROM ("?[\w"]+) (?!WHERE\b|USING\b|AS\b)(\w+)\b/gu, "DELETE FROM $1 AS $2"],
  [/::\w+(?:\[\])?/gu, ""],
  [/"\w+"\.(\w+)/gu, "$1"]
]

/** `unnest` of parameters: one list of rows, which the statement gets as JSON. */
const unnested = (sql: string, parameters: Array<Statement["parameters"][number]>): string => {
  const at = sql.indexOf("unnest($")
  if (at < 0) return sql
  const end = closing(sql, at + "unnest".length)
  const lists = sql
    .slice(at + "unnest(".length, end)
    .split(",")
    .map((text) => /\$(\d+)::(\w+)\[\]/u.exec(text.trim()))
  const alias = /^(?: WITH ORDINALITY)? AS (\w+) \(([^)]*)\)/u.exec(sql.slice(end + 1))
  const ordinal = sql.slice(end + 1).startsWith(" WITH ORDINALITY")
  const names = alias?.[2]?.split(",").map((name) => name.trim()) ?? lists.map((_, column) => `c${column}`)
  const columns = lists.map((list, column) => {
    const item = `(value ->> ${column})`
    return `${list?.[2] === "bytea" ? `unhex${item}` : item} AS ${names[column] ?? ""}`
  })
  if (ordinal) columns.push(`key + 1 AS ${names.at(-1) ?? ""}`)
  parameters.push((values) => {
    const all = lists.map((list) => listOf(values[Number(list?.[1]) - 1]))
    return JSON.stringify((all[0] ?? []).map((_, row) => all.map((items) => plain(items[row]))))
  })
  const table = `(SELECT ${columns.join(", ")} FROM json_each($x${parameters.length - 1})) AS ${alias?.[1] ?? "u"}`
  return unnested(sql.slice(0, at) + table + sql.slice(end + 1 + (alias?.[0].length ?? 0)), parameters)
}

/** `DELETE … USING`: SQLite asks for the rows of the other table instead. */
const withoutUsing = (sql: string): string => {
  const found = /^(DELETE FROM \w+ )(\w+) USING /u.exec(sql)
  if (found === null) return sql
  const rest = sql.slice(found[0].length)
  let depth = 0
  for (let at = 0; at < rest.length; at += 1) {
    if (rest[at] === "(") depth += 1
    if (rest[at] === ")") depth -= 1
    if (depth === 0 && /^\s+WHERE\s/u.test(rest.slice(at, at + 12))) {
      const condition = rest.slice(at).replace(/^\s+WHERE\s/u, "")
      return `${found[1]}AS ${found[2]} WHERE EXISTS (SELECT 1 FROM ${rest.slice(0, at)} WHERE ${condition})`
    }
  }
  return sql
}

/** SQLite takes an `ON` after a table for a condition of it, unless there is a `WHERE`. */
const withCondition = (sql: string): string => {
  const at = sql.indexOf(" ON CONFLICT")
  if (at < 0 || !/\bSELECT\b/u.test(sql.slice(0, at))) return sql
  const from = sql.slice(sql.lastIndexOf(" FROM ", at), at)
  return /\bWHERE\b/u.test(from) ? sql : `${sql.slice(0, at)} WHERE true${sql.slice(at)}`
}

const isChange = (sql: string): boolean => /^\s*(?:INSERT|UPDATE|DELETE)\b/u.test(sql)

const whole = (sql: string): Statement => {
  const parameters: Array<Statement["parameters"][number]> = []
  let text = unnested(withoutUsing(sql.replaceAll(/\s+/gu, " ").trim()), parameters)
  for (const [pattern, other] of spellings) text = text.replaceAll(pattern, other)
  // Which texts of others are lost is only of interest where somebody empties tables.
  text = text.replace(/ RETURNING \(.*$/u, "")
  text = withCondition(text)
  const used: Array<Statement["parameters"][number]> = []
  text = text.replaceAll(/\$(now|x\d+|\d+)/gu, (_, name: string) => {
    const listed = name.startsWith("x") ? parameters[Number(name.slice(1))] : undefined
    used.push(listed ?? (name === "now" ? (_values, now) => now : (values) => scalar(values[Number(name) - 1])))
    return "?"
  })
  return { sql: text, parameters: used, reads: !isChange(text) || text.includes(" RETURNING ") }
}

/** Takes a statement apart whose `WITH` changes rows; what follows it reads what is left. */
const parts = (sql: string): ReadonlyArray<string> => {
  const text = sql.trim()
  if (!text.startsWith("WITH ")) return [text]
  const reading: Array<string> = []
  const changing: Array<string> = []
  let rest = text.slice("WITH ".length)
  for (;;) {
    const found = /^\s*(\w+) AS (?:MATERIALIZED )?\(/u.exec(rest)
    if (found === null) break
    const end = closing(rest, found[0].length - 1)
    const body = rest.slice(found[0].length, end)
    if (isChange(body)) changing.push(body)
    else reading.push(`${found[1]} AS (${body})`)
    rest = rest.slice(end + 1)
    if (!rest.trimStart().startsWith(",")) break
    rest = rest.trimStart().slice(1)
  }
  const before = reading.length === 0 ? "" : `WITH ${reading.join(", ")} `
  const last = /\bpart\d+\b/u.test(rest) ? [] : [before + rest.trim()]
  return [...changing.map((change) => (change.includes("FROM found") ? before + change : change)), ...last]
}

const titles = new Map<string, string>()

/** The beginning of a statement, for a trace. */
export const titleOf = (sql: string): string => {
  const before = titles.get(sql)
  if (before !== undefined) return before
  const title = sql.slice(0, 60).replaceAll(/\s+/gu, " ")
  titles.set(sql, title)
  return title
}

const known = new Map<string, ReadonlyArray<Statement>>()

/** The statements of SQLite for one of PostgreSQL; the rows of the last one count. */
export const translated = (sql: string): ReadonlyArray<Statement> => {
  const before = known.get(sql)
  if (before !== undefined) return before
  const made = parts(sql).map(whole)
  known.set(sql, made)
  return made
}

/** Definitions of tables. */
export const schema = (sql: string): string =>
  sql
    .replaceAll(/bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY/gu, "integer PRIMARY KEY AUTOINCREMENT")
    .replaceAll(/\buuid\b|\bbigint\[\]/gu, "text")
    .replaceAll(/\bbytea\b/gu, "blob")
    .replaceAll(/\bbigint\b/gu, "integer")
    .replaceAll(/timestamptz NOT NULL DEFAULT clock_timestamp\(\)/gu, "real")
    .replaceAll(/\btimestamptz\b/gu, "real")
    .replaceAll(/COLLATE "C"/gu, "")
    .replaceAll(/WITH \(fillfactor = \d+\)/gu, "")
    .replaceAll(/ALTER TABLE \w+ ALTER COLUMN [^;]*;/gu, "")
    .replaceAll(/UPDATE root SET[^;]*;/gu, "")
