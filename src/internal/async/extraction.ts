import type { StandardSchemaV1 } from "@standard-schema/spec"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Extraction from "../../Extraction.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import { isRecord } from "../base/rules.ts"

/** A Standard Schema that brings no JSON Schema of its own, with one beside it. */
export interface SchemaPair<A> {
  readonly schema: StandardSchemaV1<unknown, A>
  readonly jsonSchema: Extraction.JsonSchema
}

/** The schema's services are in its type, which the overloads check. */
const isSchema = (given: object): given is Schema.Schema<unknown, unknown> => Schema.isSchema(given)

const isStandard = (schema: object): schema is StandardSchemaV1 => "~standard" in schema

/** The target of an Effect Schema, a Standard Schema, one with its JSON Schema, or a JSON Schema. */
export const target = (given: object): Effect.Effect<Extraction.Target<unknown>, InvalidOptions> => {
  if (isSchema(given)) return Extraction.fromSchema(given)
  if (isStandard(given)) return Extraction.fromStandardSchema(given)
  const { jsonSchema, schema }: { jsonSchema?: unknown; schema?: unknown } = given
  return isRecord(jsonSchema) && typeof schema === "object" && schema !== null && isStandard(schema)
    ? Extraction.fromStandardSchema(schema, jsonSchema)
    : Extraction.fromJsonSchema({ ...given })
}
