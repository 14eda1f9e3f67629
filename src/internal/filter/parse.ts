/** From a filter of any origin to its condition, or the first thing that is wrong with it. */
import * as Either from "effect/Either"
import { instantOf } from "./instant.ts"
import {
  bounds,
  type Condition,
  FilterError,
  type Operator,
  operators,
  type Order,
  ownFields,
  type Subject,
  textFields,
  type Use,
  type Value
} from "./syntax.ts"

type Result<A> = Either.Either<A, FilterError>

/** A filter's condition, and the operators that it uses, each at its first place. */
export interface Parsed {
  readonly condition: Condition
  readonly uses: ReadonlyArray<Use>
}

/** Sizes read so far, checked against the bounds. */
interface Reading {
  conditions: number
  values: number
  length: number
  readonly uses: Map<Operator, string>
}

interface Place {
  readonly reading: Reading
  readonly path: string
  readonly depth: number
}

/** A field by its name in a filter; `dates`: its texts are compared in time only. */
interface Field {
  readonly name: string
  readonly subject: Subject
  readonly takes: "any" | "texts" | "numbers" | "dates"
}

const fail = (path: string, problem: string): Result<never> => Either.left(new FilterError({ path, problem }))

const inside = (place: Place, member: string | number): Place => ({
  ...place,
  path:
    typeof member === "string" && /^\$?[a-z]+$/iu.test(member)
      ? `${place.path}.${member}`
      : `${place.path}[${JSON.stringify(member)}]`
})

const deeper = (place: Place): Result<Place> =>
  place.depth === bounds.depth
    ? fail(place.path, `it is nested more than ${bounds.depth} deep; write it flatter`)
    : Either.right({ ...place, depth: place.depth + 1 })

const counted = ({ path, reading }: Place, operator: Operator): Result<void> => {
  if (!reading.uses.has(operator)) reading.uses.set(operator, path)
  reading.conditions += 1
  return reading.conditions > bounds.conditions
    ? fail(path, `the filter has more than ${bounds.conditions} conditions; write several values of one field as $in`)
    : Either.void
}

const measured = ({ path, reading }: Place, text: string): Result<void> => {
  reading.length += text.length
  return reading.length > bounds.length
    ? fail(path, `the filter's names and texts are longer than ${bounds.length} characters together; ask several times`)
    : Either.void
}

/** The members of a plain object that are not undefined; null for any other value. */
const membersOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> | null => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return null
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return "a list"
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

const named = (list: ReadonlyArray<string>): string => list.map((name) => `$${name}`).join(", ")

const all = (parts: ReadonlyArray<Condition>): Condition => {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : { _tag: "And", parts }
}

const any = (parts: ReadonlyArray<Condition>): Condition => {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : { _tag: "Or", parts }
}

const not = (part: Condition): Condition => ({ _tag: "Not", part })

const whole = (place: Place, value: unknown): Result<Condition> =>
  Either.gen(function* () {
    const members = membersOf(value)
    if (members === null) {
      return yield* fail(
        place.path,
        `it is ${shown(value)} instead of an object such as {"metadata.year":{"$gte":2020}}`
      )
    }
    if (members.length > 1) yield* counted(place, "and")
    const parts: Array<Condition> = []
    for (const [member, given] of members) parts.push(yield* part(inside(place, member), member, given))
    return all(parts)
  })

const part = (place: Place, member: string, given: unknown): Result<Condition> => {
  switch (member) {
    case "$and":
      return Either.map(several(place, "and", given), all)
    case "$or":
      return Either.map(several(place, "or", given), any)
    case "$not":
      return Either.gen(function* () {
        yield* counted(place, "not")
        return not(yield* whole(yield* deeper(place), given))
      })
    default:
      return Either.flatMap(fieldOf(place, member, given), (field) => onField(place, field, given))
  }
}

const several = (place: Place, operator: "and" | "or", given: unknown): Result<ReadonlyArray<Condition>> =>
  Either.gen(function* () {
    yield* counted(place, operator)
    if (!Array.isArray(given) || given.length === 0) {
      return yield* fail(
        place.path,
        `it takes a list of one or more filters, and this is ${given === null ? "null" : Array.isArray(given) ? "an empty list" : shown(given)}`
      )
    }
    const within = yield* deeper(place)
    const parts: Array<Condition> = []
    for (const [at, one] of given.entries()) parts.push(yield* whole(inside(within, at), one))
    return parts
  })

const isTextField = (name: string): name is (typeof textFields)[number] => textFields.some((one) => one === name)

const prefix = "metadata."

const fieldOf = (place: Place, name: string, given: unknown): Result<Field> => {
  if (name.startsWith(prefix)) {
    const key = name.slice(prefix.length)
    return Either.map(measured(place, key), () => ({ name, subject: { name: "metadata", key }, takes: "any" }))
  }
  if (isTextField(name)) return Either.right({ name, subject: { name }, takes: "texts" })
  if (name === "page") return Either.right({ name, subject: { name }, takes: "numbers" })
  if (name === "date") return Either.right({ name, subject: { name: "metadata", key: "date" }, takes: "dates" })
  if (name.startsWith("$")) {
    const isComparison = operators.some((one) => `$${one}` === name)
    return fail(
      place.path,
      isComparison
        ? `it belongs inside a field: {"metadata.year":{${JSON.stringify(name)}: …}}`
        : `there is no such operator; on this level there are $and, $or and $not`
    )
  }
  const [first] = name === "metadata" ? (membersOf(given)?.[0] ?? []) : [name]
  return fail(
    place.path,
    `it is not a field; for a member of the metadata write ${JSON.stringify(`${prefix}${first ?? "NAME"}`)}; the others are ${ownFields.join(", ")}`
  )
}

const onField = (place: Place, field: Field, given: unknown): Result<Condition> =>
  Either.gen(function* () {
    const members = membersOf(given)
    if (members === null) {
      yield* counted(place, "eq")
      return among(field, [yield* valueOf(place, field, given)])
    }
    if (members.length === 0) return yield* fail(place.path, `it has no operator; there are ${named(comparisons)}`)
    if (members.length > 1) yield* counted(place, "and")
    const parts: Array<Condition> = []
    for (const [member, operand] of members) parts.push(yield* compared(inside(place, member), field, member, operand))
    return all(parts)
  })

const comparisons = operators.filter((one) => one !== "and" && one !== "or")

const compared = (place: Place, field: Field, member: string, operand: unknown): Result<Condition> =>
  Either.gen(function* () {
    const operator = comparisons.find((one) => `$${one}` === member)
    if (operator === undefined) {
      const bare = comparisons.find((one) => one === member)
      const remedy =
        bare === undefined ? `inside a field there are ${named(comparisons)}` : `operators begin with $: $${bare}`
      return yield* fail(place.path, `there is no such operator; ${remedy}`)
    }
    yield* counted(place, operator)
    switch (operator) {
      case "eq":
        return among(field, [yield* valueOf(place, field, operand)])
      case "ne":
        return not(among(field, [yield* valueOf(place, field, operand)]))
      case "in":
        return among(field, yield* valuesOf(place, field, operand))
      case "nin":
        return not(among(field, yield* valuesOf(place, field, operand)))
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return yield* ordered(place, field, operator, operand)
      case "contains":
        return yield* containing(place, field, operand)
      case "exists":
        if (typeof operand !== "boolean") {
          return yield* fail(place.path, `it takes true or false, and this is ${shown(operand)}`)
        }
        return operand ? existing(field) : not(existing(field))
      default:
        if (membersOf(operand) === null) {
          return yield* fail(place.path, `it takes an object of operators, and this is ${shown(operand)}; write $ne`)
        }
        return not(yield* onField(yield* deeper(place), field, operand))
    }
  })

const valuesOf = (place: Place, field: Field, given: unknown): Result<ReadonlyArray<Value>> =>
  Either.gen(function* () {
    if (!Array.isArray(given)) return yield* fail(place.path, `it takes a list of values, and this is ${shown(given)}`)
    place.reading.values += given.length
    if (place.reading.values > bounds.values) {
      return yield* fail(place.path, `the filter lists more than ${bounds.values} values; ask several times`)
    }
    const values: Array<Value> = []
    for (const [at, one] of given.entries()) values.push(yield* valueOf(inside(place, at), field, one))
    return values
  })

const isoDate = `an ISO 8601 date such as "2024-05-31" or "2024-05-31T09:30:00Z"`

const valueOf = (place: Place, { name, takes }: Field, given: unknown): Result<Value> => {
  const wrong = (remedy: string) => fail(place.path, `${shown(given)} is no value here; ${remedy}`)
  if (given === null) return wrong(`write {"$exists":false} for chunks without ${name}`)
  if (Array.isArray(given)) return wrong("write $in for any of several values")
  if (typeof given === "string") {
    if (takes === "numbers") return wrong(`${name} is a number`)
    if (takes === "dates" && instantOf(given) === null) return wrong(`${name} takes ${isoDate}`)
    return Either.map(measured(place, given), () => given)
  }
  if (typeof given === "number") {
    if (!Number.isFinite(given)) return wrong("a number must be finite")
    return takes === "any" || takes === "numbers" ? Either.right(given) : wrong(`${name} is ${kinds[takes]}`)
  }
  if (typeof given === "boolean") return takes === "any" ? Either.right(given) : wrong(`${name} is ${kinds[takes]}`)
  return wrong("it takes a text, a number or a boolean")
}

const kinds = { texts: "a text", numbers: "a number", dates: isoDate } as const

/** Any value of the field is one of these. */
const among = ({ subject, takes }: Field, values: ReadonlyArray<Value>): Condition => {
  const texts = values.filter((value) => typeof value === "string")
  if (takes === "dates" && texts.length > 0) return any(texts.map((text) => inTime(subject, "eq", text)))
  const numbers = values.filter((value) => typeof value === "number")
  const booleans = values.filter((value) => typeof value === "boolean")
  return { _tag: "In", subject, texts, numbers, booleans }
}

const inTime = (subject: Subject, order: Order, text: string): Condition => ({
  _tag: "CompareTime",
  subject,
  order,
  instant: instantOf(text) ?? Number.NaN
})

const existing = ({ subject, takes }: Field): Condition =>
  takes === "dates"
    ? { _tag: "CompareTime", subject, order: "gte", instant: Number.MIN_SAFE_INTEGER }
    : { _tag: "Exists", subject }

const ordered = (place: Place, field: Field, order: Exclude<Order, "eq">, operand: unknown): Result<Condition> =>
  Either.gen(function* () {
    const { name, subject, takes } = field
    if (takes === "texts")
      return yield* fail(place.path, `${name} is a text, which has no order; use $eq, $in or $contains`)
    const value = yield* valueOf(place, field, operand)
    if (typeof value === "number") return { _tag: "Compare", subject, order, number: value }
    if (typeof value === "string" && instantOf(value) !== null) return inTime(subject, order, value)
    return yield* fail(place.path, `it takes a number or ${isoDate}, and this is ${shown(value)}`)
  })

const containing = (place: Place, { name, subject, takes }: Field, operand: unknown): Result<Condition> =>
  Either.gen(function* () {
    if (takes === "numbers" || takes === "dates")
      return yield* fail(place.path, `${name} is ${kinds[takes]}, which has no parts; use $eq or $in`)
    if (typeof operand !== "string" || operand === "") {
      return yield* fail(place.path, `it takes a text that is not empty, and this is ${shown(operand)}`)
    }
    yield* measured(place, operand)
    return { _tag: "Contains", subject, text: operand }
  })

/** Reads a filter of any origin. */
export const parse = (filter: unknown): Result<Parsed> => {
  const reading: Reading = { conditions: 0, values: 0, length: 0, uses: new Map() }
  return Either.map(whole({ reading, path: "filter", depth: 0 }, filter), (condition) => ({
    condition,
    uses: [...reading.uses].map(([operator, path]) => ({ operator, path }))
  }))
}
