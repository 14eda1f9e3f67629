/** JSON Schemas, and the places where a value does not conform to them. */
import type { ErrorObject } from "ajv"

/** A place in a value that does not conform. */
export interface Mismatch {
  /** `items[0].total`; empty for the value itself. */
  readonly path: string
  readonly message: string
}

/** `items[0].total` of the members on the way to a value. */
export const pathOf = (members: ReadonlyArray<PropertyKey>): string =>
  members.reduce<string>((path, member) => {
    if (typeof member === "number" || /^\d+$/.test(String(member))) return `${path}[${String(member)}]`
    return path === "" ? String(member) : `${path}.${String(member)}`
  }, "")

const fromPointer = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))

const mismatchOf = ({ instancePath, keyword, message = keyword, params }: ErrorObject): Mismatch => {
  const extra: unknown = keyword === "additionalProperties" ? params["additionalProperty"] : undefined
  const members = typeof extra === "string" ? [...fromPointer(instancePath), extra] : fromPointer(instancePath)
  return { path: pathOf(members), message: typeof extra === "string" ? "is not in the schema" : message }
}

/**
 * Formats are annotations, as JSON Schema has them by default; unknown keywords are ignored. A property named as a member of every object,
 * such as `constructor`, is there only when the value has it.
 */
const settings = { allErrors: true, strict: false, validateFormats: false, logger: false, ownProperties: true } as const

/** Places that are told of one value. */
const mostMismatches = 50

const isNewer = (schema: Readonly<Record<string, unknown>>): boolean =>
  /\/(2019-09|2020-12)\//.test(String(schema["$schema"]))

/**
 * Compiles a schema into a function that lists the first places where a value does not conform, at most 50. Rejects with the fault of a
 * schema that is none, or that refers to itself without an end. Neither the compilation nor the function is bounded in time or memory.
 */
export const compile = async (
  schema: Readonly<Record<string, unknown>>
): Promise<(value: unknown) => ReadonlyArray<Mismatch>> => {
  const { $schema: _, ...rest } = schema
  const { Ajv, Ajv2020 } = await import("./ajv.ts")
  const validate = new (isNewer(schema) ? Ajv2020 : Ajv)(settings).compile(rest)
  const check = (value: unknown): ReadonlyArray<Mismatch> =>
    validate(value) ? [] : (validate.errors ?? []).slice(0, mostMismatches).map(mismatchOf)
  try {
    check(null)
  } catch (cause) {
    throw cause instanceof RangeError ? new Error("it refers to itself without an end") : cause
  }
  return (value) => {
    try {
      return check(value)
    } catch (cause) {
      if (cause instanceof RangeError) return [{ path: "", message: "is nested too deeply to be checked" }]
      throw cause
    }
  }
}
