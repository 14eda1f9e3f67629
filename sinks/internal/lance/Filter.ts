import { type Condition, datePattern, type Leaf, type Order, type Subject } from "docsluice/Filter"
import * as Conditions from "../shared/Conditions.ts"

/**
 * Conditions in LanceDB's SQL, over the JSON of the column `chunk`, which every version of the table has. It is read from token to token
 * by regular expressions, so that no text in it is taken for syntax; they run in linear time.
 */

const text = `"(?:[^"\\\\]|\\\\(?:u[0-9a-f]{4}|[^u]))*"`
const number = "-?[0-9][0-9.eE+-]*"
const texts = `\\[(?:${text}(?:,${text})*)?\\]`
const value = `(?:${text}|${number}|true|false|${texts})`

/** Pattern of exactly this text. */
const exactly = (plain: string): string => plain.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&")

/** Pattern of a value in JSON, as `JSON.stringify` writes it. */
const written = (json: string | number | boolean): string => exactly(JSON.stringify(json))

/** Pattern of a text in JSON that has this part. */
const having = (part: string): string =>
  `${text.slice(0, -1)}${exactly(JSON.stringify(part).slice(1, -1))}${text.slice(1)}`

const oneOf = (patterns: ReadonlyArray<string>): string => `(?:${patterns.join("|")})`

const literal = (plain: string): string => `'${plain.replaceAll("'", "''")}'`

/** A list as any member of the record has one: of texts, of numbers, of objects with at most lists of numbers in them. */
const list = `\\[(?:${text}|[^"\\[\\]]|\\[[^"\\[\\]]*\\])*\\]`

const members = {
  source: "source",
  documentId: "documentId",
  kind: "kinds",
  page: "pages",
  heading: "headingPath"
} as const

/** Pattern of the record up to the subject's value. Only the metadata have an object as their value. */
const start = (subject: Subject): string =>
  subject.name === "metadata"
    ? `"metadata":\\{(?:${text}:${value},)*${written(subject.key)}:`
    : `^\\{(?:${text}:(?:${text}|${number}|${list}),)*"${members[subject.name]}":`

const heading = (of: string): string => `\\{(?:"depth":[0-9],"text":${of}|"text":${of},"depth":[0-9])\\}`

/** Pattern of a list with an item of this pattern, whatever the others. */
const listWith = (item: string, other: string): string => `\\[(?:${other},)*${item}[,\\]]`

/** Pattern of the subject's values when one of them has this pattern. */
const among = (subject: Subject, item: string): string => {
  switch (subject.name) {
    case "metadata":
      return oneOf([`${item}[,}]`, listWith(item, text)])
    case "source":
    case "documentId":
      return `${item}[,}]`
    case "kind":
      return listWith(item, text)
    case "page":
      return listWith(item, number)
    default:
      return listWith(heading(item), heading(text))
  }
}

const like = (subject: Subject, values: string): string => `regexp_like(chunk, ${literal(start(subject) + values)})`

/** The subject's values as JSON. */
const captured = (subject: Subject, values: string): string =>
  `regexp_match(chunk, ${literal(`${start(subject)}(${values})`)})[1]`

const signs = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

/** Any number of a list compares so when its greatest or its smallest does. */
const extreme = { gt: "array_max", gte: "array_max", lt: "array_min", lte: "array_min" } as const

const replaced = (of: string, pattern: string, by: string): string =>
  `regexp_replace(${of}, ${literal(pattern)}, ${literal(by)}, 'g')`

/** Dates of a value as a list of milliseconds; other texts are null in it. The engine needs seconds in a time. */
const instants = (subject: Subject): string => {
  const values = captured(subject, `${text}|${texts}`)
  const dates = replaced(values, `"(${datePattern})"|${text}|[\\[\\]]`, "\\1")
  const whole = replaced(dates, "([T ][0-9]{2}:[0-9]{2})(Z|[+-]|,|$)", "\\1:00\\2")
  const list = `arrow_cast(string_to_array(${whole}, ',', ''), 'List(Timestamp(Millisecond, None))')`
  return `arrow_cast(${list}, 'List(Int64)')`
}

const compared = (list: string, order: Order, wanted: number): string =>
  order === "eq" ? `array_has(${list}, ${wanted})` : `${extreme[order]}(${list}) ${signs[order]} ${wanted}`

const leaf = (condition: Leaf): string => {
  const { subject } = condition
  switch (condition._tag) {
    case "In": {
      const values = [...condition.texts, ...condition.numbers, ...condition.booleans].map(written)
      return values.length === 0 ? "FALSE" : like(subject, among(subject, oneOf(values)))
    }
    case "Compare": {
      const wanted = `CAST(${literal(JSON.stringify(condition.number))} AS DOUBLE)`
      if (subject.name !== "page") {
        return `CAST(${captured(subject, number)} AS DOUBLE) ${signs[condition.order]} ${wanted}`
      }
      const pages = `regexp_match(chunk, ${literal(`${start(subject)}\\[([0-9,]*)\\]`)})[1]`
      const list = `arrow_cast(string_to_array(${pages}, ',', ''), 'List(Float64)')`
      return `${extreme[condition.order]}(${list}) ${signs[condition.order]} ${wanted}`
    }
    case "CompareTime":
      return compared(instants(subject), condition.order, condition.instant)
    case "Contains": {
      const part = having(condition.text)
      return subject.name === "metadata"
        ? like(subject, oneOf([part, listWith(written(condition.text), text)]))
        : like(subject, among(subject, part))
    }
    default:
      return like(subject, "(?:[^\\[]|\\[[^\\]])")
  }
}

export const translate = (condition: Condition): string => Conditions.toSql(condition, leaf)
