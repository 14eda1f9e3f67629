import { type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Column, columns, type Member } from "../shared/ChunkRow.ts"
import type { Connection } from "./Pool.ts"

/** Names of the user's columns; a member that is left out is not stored. */
export type Mapping = Partial<Readonly<Record<Member | "embedding", string>>>

/** An existing column. */
export interface Bound extends Column {
  /** Name in the table. */
  readonly column: string
  /** The same, quoted. */
  readonly quoted: string
  /** As `format_type` says it: `text`, `jsonb`, `character varying(40)`. */
  readonly type: string
}

/** Quoted name of the column of a member; empty where it has none. */
export const column = ({ bound }: { readonly bound: ReadonlyArray<Bound> }, member: Member): string =>
  bound.find((one) => one.member === member)?.quoted ?? ""

export interface Place {
  readonly sink: string
  readonly schema: string
  readonly table: string
  /** Null for a table of our own. */
  readonly mapping: Mapping | null
  /** The tenant whose rows are read and written, of a table with a column `tenant`; null for a table without. Needs no quoting. */
  readonly tenant: string | null
  /** Type of the vectors' column that was asked for; null: any. */
  readonly vectorType: VectorColumn["type"] | null
}

/** A column for vectors. */
export interface VectorColumn {
  /** Quoted. */
  readonly name: string
  readonly type: "vector" | "halfvec"
}

/** Columns of the terms and of their weights in a table of our own; they name the version of the terms. */
export const [termsColumn, weightsColumn] = [`terms${Terms.version}`, `weights${Terms.version}`]

export const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

export const nameOf = ({ schema, table }: Place): string => `${quote(schema)}.${quote(table)}`

/** The rows of the place, for a FROM. */
export const rowsOf = (place: Place): string =>
  place.tenant === null ? nameOf(place) : `(SELECT * FROM ${nameOf(place)} WHERE tenant = '${place.tenant}') AS mine`

export const mismatch = (sink: string, problem: string) => new SinkError({ sink, reason: "Mismatch", problem })

export const ownTypes = { text: "text", integer: "integer", json: "jsonb" } as const

/** Types that a column of the user's table may have. */
const fitting = {
  text: /^(?:text|character varying)/u,
  integer: /^(?:integer|bigint)$/u,
  json: /^jsonb?$/u
} as const

const AttributeRows = Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String, unique: Schema.Boolean }))

/** Columns of a table by their names. */
export type Attributes = ReadonlyMap<string, (typeof AttributeRows.Type)[number]>

export const attributesOf = (connection: Connection, relation: number): Effect.Effect<Attributes, SinkError> =>
  connection
    .query(
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, EXISTS (
         SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indpred IS NULL
         AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
       ) AS unique
       FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped`,
      [relation]
    )
    .pipe(
      Effect.map((rows) => (Schema.is(AttributeRows)(rows) ? rows : [])),
      Effect.map((rows) => new Map(rows.map((row) => [row.name, row])))
    )

/** The columns that the members go to, checked by type. */
export const bind = (place: Place, attributes: Attributes): Effect.Effect<ReadonlyArray<Bound>, SinkError> =>
  Effect.gen(function* () {
    const bound: Array<Bound> = []
    if (place.mapping === null && attributes.has("tenant") !== (place.tenant !== null)) {
      return yield* mismatch(
        place.sink,
        place.tenant === null
          ? `the table ${nameOf(place)} serves several tenants; give the option \`tenant\`, or choose another table`
          : `the table ${nameOf(place)} has no column \`tenant\`; choose another table`
      )
    }
    for (const wanted of columns) {
      const name = place.mapping === null ? wanted.name : place.mapping[wanted.member]
      if (name === undefined) {
        if (wanted.member === "id" || wanted.member === "documentId" || wanted.member === "text") {
          return yield* mismatch(place.sink, `the option \`columns\` must name a column for \`${wanted.member}\``)
        }
        continue
      }
      const found = attributes.get(name)
      if (found === undefined || !fitting[wanted.kind].test(found.type)) {
        return yield* mismatch(
          place.sink,
          `the table ${nameOf(place)} should have a column ${quote(name)} of type ${ownTypes[wanted.kind]}, and ${
            found === undefined ? "has none of that name" : `its type is ${found.type}`
          }; map it with the option \`columns\`, or choose another table`
        )
      }
      bound.push({ ...wanted, column: name, quoted: quote(name), type: found.type })
    }
    const id = bound.find(({ member }) => member === "id")
    if (place.tenant === null && id !== undefined && attributes.get(id.column)?.unique !== true) {
      return yield* mismatch(
        place.sink,
        `the column ${id.quoted} of ${nameOf(place)} has no unique index; CREATE UNIQUE INDEX ON ${nameOf(place)} (${id.quoted})`
      )
    }
    return bound
  })

/** Type of a column for vectors, with its dimensions where it has any, in whatever schema the extension was put. */
const vectorColumn = /(?:^|\.)(vector|halfvec)(?:\((\d+)\))?$/u

/** The column for vectors, checked by type and dimensions. */
export const bindVector = (
  place: Place,
  attributes: Attributes,
  space: EmbeddingSpace | null
): Effect.Effect<VectorColumn | null, SinkError> => {
  const name = place.mapping === null ? "embedding" : place.mapping.embedding
  const type = name === undefined ? undefined : attributes.get(name)?.type
  const [, kind, dimensions] = vectorColumn.exec(type ?? "") ?? []
  const found =
    name === undefined || kind === undefined ? null : ({ name: quote(name), type: typeNamed(kind) } as const)
  if (space === null) return Effect.succeed(found)
  const wanted = place.vectorType ?? "vector"
  if (found === null || (dimensions !== undefined && Number(dimensions) !== space.dimensions)) {
    return mismatch(
      place.sink,
      `the table ${nameOf(place)} should have a column ${quote(name ?? "embedding")} of type ${wanted}(${space.dimensions}) for ${space.model}, and ${
        type === undefined ? "has none" : `its type is ${type}`
      }`
    )
  }
  return found.type === wanted || place.vectorType === null
    ? Effect.succeed(found)
    : mismatch(
        place.sink,
        `the vectors of ${nameOf(place)} have the type ${found.type}, and the option \`vectorType\` asks for ${wanted}: leave it out, or rebuild the store`
      )
}

const typeNamed = (kind: string): VectorColumn["type"] => (kind === "halfvec" ? "halfvec" : "vector")
