import { SinkError } from "docsluice/ChunkSink"
import { type Condition, datePattern, type Leaf, type Order, type Subject } from "docsluice/Filter"
import * as Conditions from "../shared/Conditions.ts"
import { escape, toJson } from "../shared/PlainText.ts"
import type { Value } from "./Pool.ts"
import type { Table } from "./Table.ts"

/** Parameters of a statement, numbered as they are added. */
export class Parameters {
  readonly values: Array<Value> = []
  add(value: Value): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

const members = {
  metadata: "metadata",
  source: "source",
  documentId: "documentId",
  heading: "headingPath",
  kind: "kinds",
  page: "pages"
} as const

const subjectsOf = (condition: Condition): ReadonlyArray<Subject["name"]> =>
  Conditions.translate<ReadonlyArray<Subject["name"]>>(condition, {
    and: (parts) => parts.flat(),
    or: (parts) => parts.flat(),
    not: (part) => part,
    leaf: ({ subject }) => [subject.name]
  })

const columnOf = (table: Table, name: Subject["name"]): string =>
  table.bound.find(({ member }) => member === members[name])?.quoted ?? "NULL"

/** The error of a condition on a column that a user's table does not have; null when it has all. */
export const unmapped = (table: Table, condition: Condition): SinkError | null => {
  const missing = subjectsOf(condition).find((name) => columnOf(table, name) === "NULL")
  return missing === undefined
    ? null
    : new SinkError({
        sink: table.sink,
        reason: "Unsupported",
        problem: `a search cannot be filtered by ${missing}, since no column is mapped to \`${members[missing]}\`; map one with the option \`columns\``
      })
}

const list = (json: string): string => `CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE '[]' END`

/** A table of the subject's values, `item` as JSON; a metadata list gives its items, any other value itself. */
const itemsOf = (table: Table, subject: Subject, parameters: Parameters): string => {
  const column = columnOf(table, subject.name)
  switch (subject.name) {
    case "metadata":
      return `(SELECT listed, item FROM (SELECT value, jsonb_typeof(value) = 'array' AS listed
          FROM (SELECT ${column}::jsonb -> ${parameters.add(escape(subject.key))}::text AS value) AS member) AS member,
        jsonb_array_elements(CASE WHEN listed THEN value ELSE jsonb_build_array(value) END) AS item)`
    case "heading":
      return `(SELECT heading -> 'text' AS item FROM jsonb_array_elements(${list(`${column}::jsonb`)}) AS heading)`
    case "kind":
    case "page":
      return `jsonb_array_elements(${list(`${column}::jsonb`)})`
    default:
      return `(SELECT to_jsonb(${column}::text) AS item)`
  }
}

const signs: Readonly<Record<Order, string>> = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" }

/**
 * Milliseconds since 1970 of the text `t`, which is a date as `Filter.instantOf` has it. In whole numbers: a `timestamptz` would round
 * the decimals and depend on the session's time zone.
 */
const instant = `((left(t, 10)::date - DATE '1970-01-01')::int8 * 86400
    + CASE WHEN length(t) = 10 THEN 0 ELSE substr(t, 12, 2)::int * 3600 + substr(t, 15, 2)::int * 60 END
    + CASE WHEN substr(t, 17, 1) = ':' THEN substr(t, 18, 2)::int ELSE 0 END
    - coalesce((substring(t FROM '([+-])[0-9]{2}:[0-9]{2}$') || '60')::int
      * (substring(t FROM '[+-]([0-9]{2}):[0-9]{2}$')::int * 60 + substring(t FROM '[+-][0-9]{2}:([0-9]{2})$')::int), 0)) * 1000
    + coalesce(rpad(left(substring(t FROM '[.]([0-9]+)'), 3), 3, '0')::int, 0)`

/** The test of one value, `item`; casts stand in a `CASE`, so that a value of another type is never cast. */
const test = (leaf: Exclude<Leaf, { readonly _tag: "In" }>, parameters: Parameters): string => {
  const text = "item #>> '{}' COLLATE \"C\""
  switch (leaf._tag) {
    case "Compare": {
      const wanted = `${parameters.add(JSON.stringify(leaf.number))}::text::numeric`
      return `CASE jsonb_typeof(item) WHEN 'number' THEN (item #>> '{}')::numeric ${signs[leaf.order]} ${wanted} ELSE FALSE END`
    }
    case "CompareTime": {
      const wanted = `${parameters.add(String(leaf.instant))}::text::int8`
      const isDate = `jsonb_typeof(item) = 'string' AND item #>> '{}' ~ '^(?:${datePattern})$'`
      return `CASE WHEN ${isDate} THEN (SELECT ${instant} ${signs[leaf.order]} ${wanted} FROM (SELECT item #>> '{}' AS t) AS date) ELSE FALSE END`
    }
    case "Contains": {
      const wanted = `${parameters.add(escape(leaf.text))}::text COLLATE "C"`
      const part = `strpos(${text}, ${wanted}) > 0`
      const found =
        leaf.subject.name === "metadata" ? `CASE WHEN listed THEN ${text} = ${wanted} ELSE ${part} END` : part
      return `jsonb_typeof(item) = 'string' AND ${found}`
    }
    default:
      return "jsonb_typeof(item) IN ('string', 'number', 'boolean')"
  }
}

/** Equality by `@>`, which an index on the column serves; it compares types too, and numbers by value. */
const contained = (
  table: Table,
  { booleans, numbers, subject, texts }: Extract<Leaf, { readonly _tag: "In" }>,
  parameters: Parameters
): string => {
  const column = columnOf(table, subject.name)
  const values = [...texts, ...numbers, ...booleans]
  const holds = (json: unknown) => `${column}::jsonb @> ${parameters.add(toJson(json))}::text::jsonb`
  switch (subject.name) {
    case "metadata": {
      const { key } = subject
      return Conditions.anyOf(values.flatMap((value) => [holds({ [key]: value }), holds({ [key]: [value] })]))
    }
    case "heading":
      return Conditions.anyOf(values.map((text) => holds([{ text }])))
    case "kind":
    case "page":
      return Conditions.anyOf(values.map((value) => holds([value])))
    default:
      return Conditions.anyOf(
        texts.map((text) => `${column}::text COLLATE "C" = ${parameters.add(escape(text))}::text`)
      )
  }
}

/** The condition in SQL. Texts of a filter are parameters only; what is null counts as false. */
export const translate = (table: Table, condition: Condition, parameters: Parameters): string =>
  Conditions.toSql(condition, (leaf) =>
    leaf._tag === "In"
      ? contained(table, leaf, parameters)
      : `EXISTS (SELECT 1 FROM ${itemsOf(table, leaf.subject, parameters)} AS item WHERE ${test(leaf, parameters)})`
  )
