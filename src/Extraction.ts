/**
 * Typed data out of documents: the `json` format by a schema, decoded by the same schema.
 *
 * @since 0.1.0
 */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import { ArrayFormatter } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { compile, type Mismatch as PlacedMismatch, pathOf } from "./internal/base/jsonSchema.ts"
import type { FormatMembers, ParsedDocument } from "./ParsedDocument.ts"
import { InvalidOptions, type ParseOptions } from "./service/ParseOptions.ts"

/**
 * A JSON Schema: draft 7, or by its `$schema` 2019-09 or 2020-12.
 *
 * @since 0.1.0
 * @category models
 */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * A place in a value that does not conform, as `items[0].total` (empty: the value itself), and the reason.
 *
 * @since 0.1.0
 * @category models
 */
export type Mismatch = PlacedMismatch

/**
 * The shape of the wanted data: the JSON Schema that is sent, and the decoder of the answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface Target<A> {
  readonly jsonSchema: JsonSchema
  readonly decode: (json: unknown) => Effect.Effect<A, ReadonlyArray<Mismatch>>
}

/**
 * Extracted data, and the document that they were found in.
 *
 * @since 0.1.0
 * @category models
 */
export interface Extraction<A> {
  readonly value: A
  readonly document: ParsedDocument
}

/**
 * The service's answer does not conform to the schema. The answer was paid for, and is cached as any other.
 *
 * @since 0.1.0
 * @category errors
 */
export class ExtractionError extends Schema.TaggedError<ExtractionError>("docsluice/ExtractionError")(
  "ExtractionError",
  {
    /** POSIX path below the root. */
    source: Schema.String,
    /** At least one, in the order of the schema. `path` is as `items[0].total`; empty for the whole answer. */
    mismatches: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
    /** The data as the service answered them; null when it found none. */
    json: Schema.Unknown,
    /** The document's warnings, which may tell why. */
    warnings: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    const places = this.mismatches.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
    return [
      `${this.source}: the extracted data do not conform to the schema: ${places.join("; ")}`,
      ...this.warnings
    ].join("; ")
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Description of the wanted data, in words. */
  readonly prompt?: string | undefined
  /** Fail with `PromptInjectionDetected` when the document tries to instruct the model; default false. */
  readonly checkPromptInjection?: boolean | undefined
  /** Further options, over those of the parser; `formats` are added to Markdown and the data. */
  readonly parseOptions?: ParseOptions | undefined
}

const invalid = (problem: string): InvalidOptions => {
  const bound = "a schema that can be written as JSON Schema"
  return new InvalidOptions({
    issues: [{ field: "schema", value: undefined, bound, message: `schema: expected ${bound} (${problem})` }]
  })
}

const problemOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/**
 * The shape of an Effect Schema. Fails for a schema with a part that JSON Schema cannot express.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): Effect.Effect<Target<A>, InvalidOptions> =>
  Effect.try({
    try: (): Target<A> => ({
      jsonSchema: { ...JSONSchema.make(schema) },
      decode: (json) =>
        Effect.mapError(Schema.decodeUnknown(schema, { errors: "all" })(json), (error) =>
          ArrayFormatter.formatErrorSync(error).map(({ message, path }) => ({ path: pathOf(path), message }))
        )
    }),
    catch: (cause) => invalid(problemOf(cause).replaceAll(/\s+/g, " "))
  })

/**
 * The shape of a JSON Schema; the value is checked, not converted. Fails for a schema that is not one.
 *
 * The schema is the program's own: it is compiled and checked in this process, without a bound on time or memory. One that a stranger
 * wrote can block the process by a pattern such as `^(a+)+$`, or by a tree of `$ref`s. The `json` format of a service has no such risk.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromJsonSchema = (jsonSchema: JsonSchema): Effect.Effect<Target<unknown>, InvalidOptions> =>
  Effect.mapBoth(Effect.tryPromise({ try: () => compile(jsonSchema), catch: problemOf }), {
    onFailure: invalid,
    onSuccess: (mismatches) => ({
      jsonSchema,
      decode: (json: unknown) => {
        const found = mismatches(json)
        return found.length === 0 ? Effect.succeed(json) : Effect.fail(found)
      }
    })
  })

/**
 * The shape of a Standard Schema, such as Zod's, which brings its JSON Schema or is given next to one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromStandardSchema = <A>(
  schema: StandardSchemaV1<unknown, A>,
  jsonSchema?: JsonSchema
): Effect.Effect<Target<A>, InvalidOptions> =>
  Effect.try({
    try: (): Target<A> => ({
      jsonSchema: jsonSchema ?? ownJsonSchema(schema),
      decode: (json) => Effect.flatMap(validated(schema, json), (result) => ofResult(result))
    }),
    catch: (cause) => invalid(problemOf(cause))
  })

const ownJsonSchema = (schema: StandardSchemaV1): JsonSchema => {
  if (!bringsJsonSchema(schema)) throw new Error("this schema brings no JSON Schema; give one beside it")
  return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })
}

const bringsJsonSchema = (schema: object): schema is StandardJSONSchemaV1 => {
  const standard: unknown = Reflect.get(schema, "~standard")
  return typeof standard === "object" && standard !== null && "jsonSchema" in standard
}

/** The schema is a stranger's: what it throws is a mismatch of the whole value. */
const validated = <A>(schema: StandardSchemaV1<unknown, A>, json: unknown) =>
  Effect.tryPromise({
    try: async () => schema["~standard"].validate(json),
    catch: (cause): ReadonlyArray<Mismatch> => [{ path: "", message: `the schema failed: ${problemOf(cause)}` }]
  })

const ofResult = <A>(result: StandardSchemaV1.Result<A>): Effect.Effect<A, ReadonlyArray<Mismatch>> =>
  result.issues === undefined
    ? Effect.succeed(result.value)
    : Effect.fail(
        result.issues.map(({ message, path = [] }) => ({
          path: pathOf(path.map((part) => (typeof part === "object" ? part.key : part))),
          message
        }))
      )

/**
 * The parse options that ask for data of the target's shape, next to Markdown and the formats of `parseOptions`.
 *
 * @since 0.1.0
 * @category accessors
 */
export const parseOptionsOf = <A>(target: Target<A>, { checkPromptInjection, parseOptions = {}, prompt }: Options) => {
  const json = {
    type: "json",
    schema: target.jsonSchema,
    ...(prompt !== undefined && { prompt }),
    ...(checkPromptInjection !== undefined && { checkPromptInjection })
  } as const
  return { ...parseOptions, formats: [{ type: "markdown" }, ...(parseOptions.formats ?? []), json] } as const
}

/**
 * The data of a document that was parsed with {@link parseOptionsOf}, decoded.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = <A>(
  document: ParsedDocument & Pick<FormatMembers, "json">,
  target: Target<A>
): Effect.Effect<Extraction<A>, ExtractionError> =>
  Effect.mapBoth(target.decode(document.json), {
    onSuccess: (value) => ({ value, document }),
    onFailure: (mismatches) =>
      new ExtractionError({ source: document.source, mismatches, json: document.json, warnings: document.warnings })
  })
