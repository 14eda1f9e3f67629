/** JSON Schemas, and the places where a value does not conform to them. */
import type { ErrorObject, ValidateFunction } from "ajv"
import * as Effect from "effect/Effect"

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

/** Formats are annotations, as JSON Schema has them by default; unknown keywords are ignored. */
const settings = { allErrors: true, strict: false, validateFormats: false, logger: false } as const

const isNewer = (schema: Readonly<Record<string, unknown>>): boolean =>
  /\/(2019-09|2020-12)\//.test(String(schema["$schema"]))

const compile = async (schema: Readonly<Record<string, unknown>>): Promise<ValidateFunction> => {
  const { $schema: _, ...rest } = schema
  const { Ajv, Ajv2020 } = await import("./ajv.ts")
  return new (isNewer(schema) ? Ajv2020 : Ajv)(settings).compile(rest)
}

/** Compiles a schema into a function that lists what does not conform. Fails with the fault of a schema that is none. */
export const validator = (
  schema: Readonly<Record<string, unknown>>
): Effect.Effect<(value: unknown) => ReadonlyArray<Mismatch>, string> =>
  Effect.tryPromise({
    try: async () => {
      const validate = await compile(schema)
      return (value: unknown) => (validate(value) ? [] : (validate.errors ?? []).map(mismatchOf))
    },
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })
