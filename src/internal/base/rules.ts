/** Small things that several rooms need and none of them owns. */

/** One problem of an unknown value, in plain words. */
export interface Issue {
  /** Path of the field, such as `parsers[0].maxPages`; empty for the value itself. */
  readonly field: string
  readonly value: unknown
  /** Allowed values, such as `an integer from 1 to 10000`. */
  readonly bound: string
  /** Field, value and bound in one line. */
  readonly message: string
}

/** Appends the problems of `value` to `issues`. */
export type Rule = (value: unknown, field: string, issues: Array<Issue>) => void

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const longest = 80

/** A value as shown in messages: short, one line, without members of objects, since they may be secrets. */
export const show = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value)
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object"
    case "function":
      return "a function"
    default:
      return String(value)
  }
}

const add = (issues: Array<Issue>, issue: Omit<Issue, "message">, wrong: string): void => {
  const { bound, field } = issue
  issues.push({ ...issue, message: `${field === "" ? "options" : field} ${wrong}; expected ${bound}` })
}

/** A rule that a predicate decides. */
export const when =
  (bound: string, right: (value: unknown) => boolean): Rule =>
  (value, field, issues) => {
    if (!right(value)) add(issues, { field, value, bound }, `is ${show(value)}`)
  }

export const boolean = when("true or false", (value) => typeof value === "boolean")

export const string = when("a string", (value) => typeof value === "string")

/** As {@link when}, without the value in the message, since it may be a secret. */
export const hidden =
  (bound: string, right: (value: unknown) => boolean): Rule =>
  (value, field, issues) => {
    if (!right(value)) add(issues, { field, value: undefined, bound }, `is not ${bound}`)
  }

export const secret = hidden("a string", (value) => typeof value === "string")

/** True for a text of at most `longest` characters, counted in code points as in JSON Schema. */
export const hasAtMost = (text: string, longest: number): boolean =>
  text.length <= longest || (text.length <= 2 * longest && Array.from(text).length <= longest)

export const shortString = (longest: number): Rule =>
  when(`a string of at most ${longest} characters`, (value) => typeof value === "string" && hasAtMost(value, longest))

export const stringOrNull = when("a string or null", (value) => value === null || typeof value === "string")

export const record = when("an object", isRecord)

export const integer = (min: number, max: number): Rule =>
  when(
    `an integer from ${min} to ${max}`,
    (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max
  )

/** Bound of a choice, as shown in messages. */
export const choice = (values: ReadonlyArray<string>): string =>
  values.length === 1 ? show(values[0]) : `one of ${values.join(", ")}`

export const oneOf = (values: ReadonlyArray<string>): Rule =>
  when(choice(values), (value) => typeof value === "string" && values.includes(value))

export const arrayOf =
  (item: Rule, bound: string): Rule =>
  (value, field, issues) => {
    if (!Array.isArray(value)) return add(issues, { field, value, bound }, `is ${show(value)}`)
    value.forEach((each, index) => item(each, `${field}[${index}]`, issues))
  }

export const recordOf =
  (item: Rule, bound: string): Rule =>
  (value, field, issues) => {
    if (!isRecord(value)) return add(issues, { field, value, bound }, `is ${show(value)}`)
    for (const key of Object.keys(value)) item(value[key], `${field}.${key}`, issues)
  }

/** An object with only these members. A member whose value is undefined counts as absent. */
export const struct =
  (options: {
    readonly what: string
    readonly required?: Readonly<Record<string, Rule>>
    readonly optional?: Readonly<Record<string, Rule>>
  }): Rule =>
  (value, field, issues) => {
    if (!isRecord(value)) return add(issues, { field, value, bound: options.what }, `is ${show(value)}`)
    const prefix = field === "" ? "" : `${field}.`
    const members = new Map(Object.entries({ ...options.required, ...options.optional }))
    for (const name of Object.keys(options.required ?? {})) {
      if (value[name] !== undefined) continue
      add(issues, { field: prefix + name, value: undefined, bound: `${options.what} with ${name}` }, "is missing")
    }
    for (const name of Object.keys(value)) {
      const rule = members.get(name)
      if (rule === undefined) {
        const bound = `one of ${[...members.keys()].join(", ")}`
        add(issues, { field: prefix + name, value: value[name], bound }, "is not an option")
      } else if (value[name] !== undefined) {
        rule(value[name], prefix + name, issues)
      }
    }
  }

/** Selects the rule by the value; for unions. */
export const choose =
  (rule: (value: unknown) => Rule): Rule =>
  (value, field, issues) =>
    rule(value)(value, field, issues)

/** All problems of a value, in the order of its members. */
export const check = (rule: Rule, value: unknown): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  rule(value, "", issues)
  return issues
}
