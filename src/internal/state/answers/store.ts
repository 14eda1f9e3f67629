import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ParseData } from "../../base/parseResponse.ts"
import { closing, migrate, NewerSchema, restrict } from "../directory.ts"
import * as GroupCommit from "../groupCommit.ts"
import { codeOf, corrupted, type Database, type DatabaseFailure, failure, open, settle } from "../libsql.ts"
import { look } from "../looking.ts"
import * as Renewable from "../renewable.ts"
import * as CacheFolder from "./folder.ts"
import * as CacheIndex from "./index.ts"
import * as AnswerRecord from "./record.ts"

/** An answer to be kept. */
export interface Content extends AnswerRecord.Content {
  /** Bytes of its file, where they are known. */
  readonly size?: number | undefined
}

/** Database and files of a cache, as one store of records. */
export interface CacheStore<E = DatabaseFailure> {
  /** Null for a missing entry, or for a damaged one, which is removed. */
  readonly get: (key: string) => Effect.Effect<{ readonly created: number; readonly data: ParseData } | null, E>
  readonly createdAt: (key: string) => Effect.Effect<number | null, E>
  /** False when no answer in the store can be for a file of that many bytes; never fails, true when that is not known. */
  readonly mayHold: (size: number) => boolean
  /** False when the answer is larger than the whole cache. */
  readonly put: (key: string, content: Content, created: number) => Effect.Effect<boolean, E>
  readonly remove: (key: string) => Effect.Effect<void, E>
  readonly removeAll: (prefix: string) => Effect.Effect<void, E>
  readonly clear: Effect.Effect<void, E>
  readonly trim: (maxBytes: number) => Effect.Effect<void, E>
  readonly stats: Effect.Effect<CacheIndex.IndexStats, E>
}

const attempt = <A>(body: () => A): Effect.Effect<A, DatabaseFailure> => Effect.try({ try: body, catch: failure })

const attemptPromise = <A>(body: () => Promise<A>): Effect.Effect<A, DatabaseFailure> =>
  Effect.tryPromise({ try: body, catch: failure })

/** Passing errors (too many open files, no permission) are not evidence of a damaged record. */
const tellsDamage = (failed: DatabaseFailure): boolean => {
  const code = codeOf(failed.cause)
  return code === "" || code === "ENOENT" || code.startsWith("Z_") || code.startsWith("ERR_")
}

/** Most writes of one transaction. */
const batchLimit = 32

interface Options {
  readonly db: Database
  /** Null when everything is in the database. */
  readonly files: string | null
  readonly maxBytes: number
  /** True for a store that writes nothing, not even to remove damaged entries. */
  readonly readOnly?: boolean | undefined
  readonly watch?: Renewable.Watch | undefined
}

const make = ({
  db,
  files,
  maxBytes,
  readOnly = false,
  watch = Renewable.unwatched
}: Options): Renewable.Made<CacheStore> => {
  const index = CacheIndex.make(db, maxBytes, !readOnly)
  const group = GroupCommit.make(db, batchLimit, index.reset)
  const folder = files === null ? null : CacheFolder.make(files, index.clock())
  if (!readOnly && files !== null) {
    restrict(files, 0o700)
    folder?.sweep(index.files())
  }

  const dropping = (body: () => ReadonlyArray<string>): Effect.Effect<void, DatabaseFailure> =>
    Effect.flatMap(group.write(body), (names) => attempt(() => folder?.unlink(names)))

  const record = (key: string, { body }: CacheIndex.Found): Effect.Effect<ParseData | null, DatabaseFailure> => {
    if (body._tag === "File") {
      return folder === null
        ? Effect.succeed(null)
        : attemptPromise(() => AnswerRecord.readFile(key, folder.pathOf(body.file)))
    }
    return AnswerRecord.isShort(body.packed)
      ? attempt(() => AnswerRecord.unpackShort(key, body.packed))
      : attemptPromise(() => AnswerRecord.unpack(key, body.packed))
  }

  const readable = (
    key: string,
    found: CacheIndex.Found
  ): Effect.Effect<{ readonly created: number; readonly data: ParseData } | null, DatabaseFailure> =>
    Effect.matchEffect(record(key, found), {
      onSuccess: (data) => {
        if (data === null) return damaged(found)
        index.use(found.id)
        return Effect.succeed({ created: found.created, data })
      },
      onFailure: (failed) => (tellsDamage(failed) ? damaged(found) : Effect.fail(failed))
    })

  const damaged = (found: CacheIndex.Found): Effect.Effect<null, DatabaseFailure> =>
    readOnly
      ? Effect.succeed(null)
      : Effect.as(
          dropping(() => index.remove(found.id)),
          null
        )

  const get = (key: string) =>
    Effect.flatMap(
      attempt(() => index.find(key)),
      (found) => (found === null ? Effect.succeed(null) : readable(key, found))
    )

  const add = (addition: CacheIndex.Addition) =>
    Effect.as(
      dropping(() => index.put(addition)),
      true
    )

  const putFile = (
    added: Pick<CacheIndex.Addition, "key" | "created" | "size">,
    parts: Iterable<string>,
    into: CacheFolder.CacheFolder
  ) =>
    Effect.gen(function* () {
      const file = yield* attempt(into.fresh)
      const discard = attempt(() => into.unlink([file]))
      const written = Effect.gen(function* () {
        yield* attemptPromise(() => AnswerRecord.writeFile(parts, into.pathOf(file)))
        const bytes = yield* attempt(() => into.size(file))
        if (bytes > maxBytes) return yield* Effect.as(discard, false)
        return yield* add({ ...added, bytes, body: { _tag: "File", file } })
      })
      return yield* Effect.onError(written, () => Effect.ignore(discard))
    })

  const addEncoded = (added: Pick<CacheIndex.Addition, "key" | "created" | "size">, encoded: AnswerRecord.Encoded) => {
    if (encoded._tag === "Large") {
      return folder === null ? Effect.succeed(false) : putFile(added, encoded.parts, folder)
    }
    const { packed } = encoded
    return packed.length > maxBytes
      ? Effect.succeed(false)
      : add({ ...added, bytes: packed.length, body: { _tag: "Packed", packed } })
  }

  // Uninterruptible: the answer is paid for.
  const put = (key: string, content: Content, created: number) => {
    const short = AnswerRecord.packShort(key, content)
    const encoded =
      short === null
        ? attemptPromise(() => AnswerRecord.pack(key, content.data, folder === null ? Infinity : AnswerRecord.step))
        : Effect.succeed(short)
    const added = { key, created, size: content.size ?? null }
    return Effect.uninterruptible(Effect.flatMap(encoded, (encoded) => addEncoded(added, encoded)))
  }

  const mayHold = (size: number): boolean => {
    try {
      return index.mayHold(size)
    } catch {
      return true
    }
  }

  const store: CacheStore = {
    get: (key) => watch(get(key)),
    createdAt: (key) => watch(attempt(() => index.find(key)?.created ?? null)),
    mayHold,
    put: (key, content, created) => watch(put(key, content, created)),
    remove: (key) =>
      watch(
        dropping(() => {
          const found = index.find(key)
          return found === null ? [] : index.remove(found.id)
        })
      ),
    removeAll: (prefix) => watch(dropping(() => index.removeAll(prefix))),
    clear: watch(
      Effect.zipRight(
        dropping(index.clear),
        attempt(() => db.exec("VACUUM"))
      )
    ),
    trim: (limit) => watch(dropping(() => index.trim(limit))),
    stats: watch(attempt(index.stats))
  }
  const close = (): void => {
    group.flush()
    db.transaction(index.settle)
    settle(db)
  }
  return { store, close }
}

const names = { name: "parse cache", database: "index.db", files: "answers" } as const

/** The store of a directory that exists and is locked by the caller. */
export const scoped = (
  directory: string,
  maxBytes: number
): Effect.Effect<CacheStore | NewerSchema, DatabaseFailure, Scope.Scope> =>
  Renewable.scoped(directory, {
    ...names,
    migrations: CacheIndex.migrations,
    make: (db, watch) => make({ db, files: join(directory, names.files), maxBytes, watch })
  })

/**
 * The store of a directory, read-only, also while another process has it locked. Empty when there is none, and when it is
 * damaged, since the next session begins with an empty one.
 */
export const readOnly = (
  directory: string,
  maxBytes: number
): Effect.Effect<CacheStore | NewerSchema, DatabaseFailure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.catchIf(
      attempt(() => look(directory, names.database, CacheIndex.migrations)),
      ({ reason }) => reason === "Corrupted",
      () => Effect.as(Renewable.tellRenewal(directory, names), null)
    ),
    (db) => closing(directory, () => void (db !== null && !(db instanceof NewerSchema) && db.close()))
  ).pipe(
    Effect.flatMap((db) =>
      db === null
        ? memory(maxBytes)
        : attempt(() =>
            db instanceof NewerSchema
              ? db
              : make({ db, files: join(directory, names.files), maxBytes, readOnly: true }).store
          )
    )
  )

/** A store in memory, gone with its scope. */
export const memory = (maxBytes: number): Effect.Effect<CacheStore, DatabaseFailure, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      attempt(() => {
        const db = open(":memory:")
        if (migrate(db, CacheIndex.migrations) !== null) throw corrupted("a new database has a version")
        return { db, store: make({ db, files: null, maxBytes }).store }
      }),
      ({ db }) => Effect.sync(db.close)
    ),
    ({ store }) => store
  )
