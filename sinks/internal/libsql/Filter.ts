import type { Condition, Leaf, Order, Subject } from "docsluice/Filter"
import * as Conditions from "../shared/Conditions.ts"
import { escape, toJson } from "../shared/PlainText.ts"
import type { Value } from "./Database.ts"

/** A condition on a row of `chunks`, true or false and never null. Texts of a filter are parameters only. */
export interface Sql {
  readonly sql: string
  readonly parameters: ReadonlyArray<Value>
}

const sql = (text: string, ...parameters: ReadonlyArray<Value>): Sql => ({ sql: text, parameters })

/** A column of JSON; empty where another program wrote something else. */
const json = (column: string, empty: string): string =>
  `CASE WHEN json_valid(chunks.${column}) THEN chunks.${column} ELSE '${empty}' END`

/**
 * A metadata member, or the items of a list. Not by `json_array(value)`, which would write a number with fewer digits; a null and an
 * object, which only other programs write, are no values.
 */
const members = `(SELECT listed, CASE WHEN listed THEN item.type ELSE member.type END AS type,
     CASE WHEN listed THEN item.value ELSE member.value END AS value
   FROM (SELECT key, type, value, type = 'array' AS listed FROM json_each(${json("metadata", "{}")})) AS member,
     json_each(CASE WHEN listed THEN member.value ELSE '[0]' END) AS item
   WHERE member.key = ? AND member.type NOT IN ('null', 'object'))`

/** A table `item` of the subject's values, with the columns `type` and `value` of `json_each`. */
const valuesOf = (subject: Subject): Sql => {
  switch (subject.name) {
    case "metadata":
      return sql(members, escape(subject.key))
    case "heading":
      return sql(
        `(SELECT 'text' AS type, value ->> 'text' AS value FROM json_each(${json("heading_path", "[]")}) WHERE type = 'object')`
      )
    case "kind":
      return sql(`json_each(${json("kinds", "[]")})`)
    case "page":
      return sql(`json_each(${json("pages", "[]")})`)
    case "source":
      return sql("(SELECT 'text' AS type, chunks.source AS value)")
    default:
      return sql("(SELECT 'text' AS type, chunks.document_id AS value)")
  }
}

const signs: Readonly<Record<Order, string>> = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" }

/** Numbers of both sides are read by the same conversion, so that equal ones stay equal. */
const number = "item.type IN ('integer', 'real') AND CAST(item.value AS REAL)"

/** Milliseconds since 1970 of the text `item.value`, null where it is no date as `Filter.instantOf` has it. */
const instant = `(SELECT CASE WHEN
     t GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]*' AND t >= '0001' AND date(substr(t, 1, 10)) = substr(t, 1, 10)
     AND (length(t) = 10 OR (substr(t, 11, 1) IN ('T', ' ') AND substr(t, 12, 5) GLOB '[0-2][0-9]:[0-5][0-9]'
       AND substr(t, 12, 2) < '24' AND s GLOB '[0-5][0-9]' AND length(f) <= 9 AND (f <> '' OR NOT dotted)
       AND (z IN ('', 'Z') OR (z GLOB '[+-][0-2][0-9]:[0-5][0-9]' AND substr(z, 2, 2) < '24'))))
   THEN 1000 * (unixepoch(substr(t, 1, 10)) + 3600 * substr(t, 12, 2) + 60 * substr(t, 15, 2) + s
       - CASE WHEN z IN ('', 'Z') THEN 0 ELSE (substr(z, 1, 1) || 1) * (3600 * substr(z, 2, 2) + 60 * substr(z, 5, 2)) END)
     + substr(f || '000', 1, 3) END
   FROM (SELECT t, s, dotted, CASE WHEN dotted THEN ltrim(substr(tail, 2), '0123456789') ELSE tail END AS z,
       CASE WHEN dotted THEN substr(tail, 2, length(tail) - 1 - length(ltrim(substr(tail, 2), '0123456789'))) ELSE '' END AS f
     FROM (SELECT t, s, tail, timed AND substr(tail, 1, 1) = '.' AS dotted
       FROM (SELECT t, timed, CASE WHEN timed THEN substr(t, 18, 2) ELSE '00' END AS s, substr(t, CASE WHEN timed THEN 20 ELSE 17 END) AS tail
         FROM (SELECT item.value AS t, substr(item.value, 17, 1) = ':' AS timed)))))`

/** The test of one value. */
const test = (leaf: Leaf): Sql => {
  switch (leaf._tag) {
    case "In": {
      const among = "IN (SELECT value FROM json_each(?))"
      const tests: Array<Sql> = []
      if (leaf.texts.length > 0) tests.push(sql(`(item.type = 'text' AND item.value ${among})`, toJson(leaf.texts)))
      if (leaf.numbers.length > 0) {
        tests.push(sql(`(${number} IN (SELECT CAST(value AS REAL) FROM json_each(?)))`, toJson(leaf.numbers)))
      }
      if (leaf.booleans.length > 0) tests.push(sql(`item.type ${among}`, toJson(leaf.booleans.map(String))))
      return {
        sql: Conditions.anyOf(tests.map((one) => one.sql)),
        parameters: tests.flatMap(({ parameters }) => parameters)
      }
    }
    case "Compare":
      return sql(`${number} ${signs[leaf.order]} CAST(? AS REAL)`, JSON.stringify(leaf.number))
    case "CompareTime":
      return sql(`item.type = 'text' AND ${instant} ${signs[leaf.order]} ?`, leaf.instant)
    case "Contains": {
      const [text, part] = [escape(leaf.text), "item.type = 'text' AND instr(item.value, ?) > 0"]
      return leaf.subject.name === "metadata"
        ? sql(`CASE WHEN item.listed THEN item.value = ? ELSE ${part} END`, text, text)
        : sql(part, text)
    }
    default:
      return sql("TRUE")
  }
}

/** The condition in SQL, over the columns that every version of the table has. */
export const translate = (condition: Condition): Sql => {
  const parameters: Array<Value> = []
  const text = Conditions.toSql(condition, (leaf) => {
    const [values, one] = [valuesOf(leaf.subject), test(leaf)]
    parameters.push(...values.parameters, ...one.parameters)
    return `EXISTS (SELECT 1 FROM ${values.sql} AS item WHERE ${one.sql})`
  })
  return { sql: text, parameters }
}
