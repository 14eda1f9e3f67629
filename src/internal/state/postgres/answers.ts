/** Answers of the service in a table, as they are in the index of an embedded cache. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ParseData } from "../../base/parseResponse.ts"
import * as AnswerRecord from "../answers/record.ts"
import type { CacheStore, Content } from "../answers/store.ts"
import { bytes, integer } from "../columns.ts"
import { NewerSchema } from "../directory.ts"
import { codeOf } from "../libsql.ts"
import { failed, type ServerFailure } from "../serverFailure.ts"
import * as Bounds from "./bound.ts"
import type { Connection } from "./connection.ts"
import { type Options, reading, writing } from "./open.ts"

const codec = <A>(body: () => Promise<A>): Effect.Effect<A, ServerFailure> =>
  Effect.tryPromise({
    try: body,
    catch: (thrown) => failed("Corrupted", `an answer is not readable (${codeOf(thrown)})`)
  })

const packed = (key: string, content: Content): Effect.Effect<Uint8Array, ServerFailure> => {
  const short = AnswerRecord.packShort(key, content)
  if (short?._tag === "Small") return Effect.succeed(short.packed)
  return Effect.flatMap(
    codec(() => AnswerRecord.pack(key, content.data, Infinity)),
    (encoded) =>
      encoded._tag === "Small" ? Effect.succeed(encoded.packed) : failed("Io", "an answer was not packed in memory")
  )
}

const table: Bounds.Table = { name: "answer", key: "u.key" }

const make = (
  connection: Connection,
  maxBytes: number,
  bound: Bounds.Bound,
  readOnly: boolean
): CacheStore<ServerFailure> => {
  const answers = connection.table(table.name)
  const remove = (condition: string, value: string) =>
    Effect.asVoid(connection.transaction(({ query }) => query(`DELETE FROM answer WHERE ${condition}`, [value])))

  const marked = (key: string): void => {
    if (!readOnly) bound.used(key)
  }

  const get = (key: string) =>
    Effect.flatMap(
      connection.whole(`SELECT created, packed FROM ${answers} WHERE key = $1`, [key], (row) => ({
        created: integer(row, 0),
        packed: bytes(row, 1)
      })),
      ([found]) => {
        if (found === undefined) return Effect.succeed(null)
        const data: Effect.Effect<ParseData | null, ServerFailure> = AnswerRecord.isShort(found.packed)
          ? Effect.try({
              try: () => AnswerRecord.unpackShort(key, found.packed),
              catch: () => failed("Corrupted", "an answer is not readable")
            })
          : codec(() => AnswerRecord.unpack(key, found.packed))
        return Effect.flatMap(
          Effect.orElseSucceed(data, () => null),
          (read) => {
            if (read !== null) {
              marked(key)
              return Effect.succeed({ created: found.created, data: read })
            }
            // A damaged entry is none.
            return readOnly ? Effect.succeed(null) : Effect.as(remove("key = $1", key), null)
          }
        )
      }
    )

  return {
    get,
    createdAt: (key) =>
      Effect.map(
        connection.whole(`SELECT created FROM ${answers} WHERE key = $1`, [key], (row) => integer(row, 0)),
        ([created]) => created ?? null
      ),
    // Another process may have put one since.
    mayHold: () => true,
    // Uninterruptible: the answer is paid for.
    put: (key, content, created) =>
      Effect.uninterruptible(
        Effect.flatMap(packed(key, content), (body) =>
          body.length > maxBytes
            ? Effect.succeed(false)
            : Effect.as(
                connection.transaction((transaction) =>
                  Effect.zipRight(
                    transaction.query(
                      `INSERT INTO answer (key, created, used, bytes, packed) VALUES ($1, $2, ${Bounds.tick}, $3, $4)
                       ON CONFLICT (key) DO UPDATE SET created = excluded.created, used = excluded.used, bytes = excluded.bytes,
                         packed = excluded.packed`,
                      [key, created, body.length, body]
                    ),
                    bound.added(transaction, body.length)
                  )
                ),
                true
              )
        )
      ),
    remove: (key) => remove("key = $1", key),
    removeAll: (prefix) => remove("starts_with(key, $1)", prefix),
    clear: Effect.asVoid(connection.transaction(({ query }) => query("DELETE FROM answer"))),
    trim: bound.trim,
    stats: bound.stats
  }
}

/** The answers of a state, which is created when missing. */
export const scoped = (
  options: Options,
  maxBytes: number
): Effect.Effect<CacheStore<ServerFailure> | NewerSchema, ServerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* writing(options)
    if (connection instanceof NewerSchema) return connection
    const bound = Bounds.make(connection, table, maxBytes)
    yield* Bounds.settling(bound)
    return make(connection, maxBytes, bound, false)
  })

/** The answers of a state that is read only; null where there is none. */
export const readOnly = (
  options: Options
): Effect.Effect<CacheStore<ServerFailure> | NewerSchema | null, ServerFailure, Scope.Scope> =>
  Effect.map(reading(options), (connection) =>
    connection === null || connection instanceof NewerSchema
      ? connection
      : make(connection, 0, Bounds.make(connection, table, 0), true)
  )
