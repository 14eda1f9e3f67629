/** The rows of a query as a store: their keys and versions from one run of it, and the content of each by its key. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import * as FileType from "../base/fileType.ts"
import { SeenNames } from "../base/seenNames.ts"
import * as FileTypes from "../discovery/fileTypes.ts"
import type { ObjectEntry, ObjectRead, ObjectStore } from "../objects/objectStore.ts"
import type { Database, Query } from "./place.ts"
import * as Postgres from "./postgres.ts"
import { trimmed } from "./query.ts"
import { type Asked, type Content, type Failed, failing, type Listed } from "./rows.ts"
import * as Sqlite from "./sqlite.ts"

/** A row. Its key is the path of the document. */
export interface RowEntry extends ObjectEntry {
  readonly row: Listed
}

/** A query and where it is asked. */
export interface Given extends Omit<Asked, "query"> {
  readonly query: Query
  /** The source in messages. */
  readonly address: string
  readonly database: Database
  /** Extension of a key that names no type. */
  readonly type: string
}

/** Bytes that are passed on at a time. */
const partSize = 262_144

function* parts(bytes: Uint8Array, start: number): Generator<Uint8Array> {
  for (let at = start; at < bytes.length; at += partSize) yield bytes.subarray(at, at + partSize)
}

/** The answer to a read: a row of which there are two now is not the one that was listed. */
const answerOf = ({ version }: Listed, found: ReadonlyArray<Content>, start: number): ObjectRead => {
  const [content] = found
  if (content === undefined) return { _tag: "Gone" }
  if (found.length > 1 || content.version !== version) return { _tag: "Changed", size: content.bytes.length }
  return { _tag: "Bytes", bytes: Stream.fromIterable(parts(content.bytes, start)) }
}

const textOf = (query: Query, failed: Failed): Effect.Effect<string, SourceUnavailable> => {
  const text =
    query._tag === "Text"
      ? Effect.succeed(query.text)
      : Effect.tryPromise({
          try: () => readFile(query.path, "utf8"),
          catch: () => failed("Missing", "the file of the query cannot be read; check its name")
        })
  return Effect.filterOrFail(
    Effect.map(text, trimmed),
    (text) => text !== "",
    () => failed("Invalid", "there is no query")
  )
}

/** Opens the database; fails when the query cannot be run. It is closed with the scope. */
export const open = (given: Given): Effect.Effect<ObjectStore<RowEntry>, SourceUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { address, database, type } = given
    const failed = failing(address)
    const asked = { ...given, query: yield* textOf(given.query, failed) }
    const rows = yield* database._tag === "File"
      ? Sqlite.open(database.path, asked, failed)
      : Postgres.open(database.url, asked, failed)
    const types = yield* FileTypes.all
    const seen = new SeenNames()
    const entryOf = (row: Listed): RowEntry | SourceUnavailable => {
      const { key, size, version } = row
      if (key === null) return failed("Invalid", "a row has no key (NULL); leave it out, or give it one")
      const path = types.takes(FileType.extensionOf(key)) ? key : `${key}.${type}`
      return seen.add(path)
        ? { key: path, size, etag: version === null ? "" : `sql:${version}`, row }
        : failed("Invalid", `two rows have the key ${key}; make it different in each row`)
    }
    const entriesOf = (page: ReadonlyArray<Listed>): Effect.Effect<ReadonlyArray<RowEntry>, SourceUnavailable> =>
      Effect.suspend(() => {
        const entries: Array<RowEntry> = []
        for (const row of page) {
          const entry = entryOf(row)
          if (entry instanceof SourceUnavailable) return Effect.fail(entry)
          entries.push(entry)
        }
        return Effect.succeed(entries)
      })
    return {
      address,
      list: () => Stream.mapEffect(rows.list, entriesOf),
      bytes: {
        _tag: "Answers",
        read: ({ row }, start) => Effect.map(rows.read(row), (found) => answerOf(row, found, start))
      }
    }
  })
