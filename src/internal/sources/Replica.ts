/** A copy of a store that is kept in step through a source alone, by the rules of a run in mode `sync` over the ledger. */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Source } from "../../Source.ts"
import * as SourceFile from "../../SourceFile.ts"
import type { Found } from "../discovery/foundFiles.ts"
import type { Sighting } from "../state/ledger/entry.ts"
import { untouched } from "../state/ledger/verdict.ts"
import { hastened } from "./hastened.ts"
import type { Request, Store } from "./Store.ts"

/** A promise of every source that this one did not keep, in words. */
export class Violation extends Data.TaggedError("Violation")<{ readonly problem: string }> {}

/** The result of one run. */
export interface Run {
  /** The error with which the listing ended; null when it came to its end. */
  readonly error: unknown
  /** Paths of the files that were opened and read to their end. */
  readonly read: ReadonlyArray<string>
  /** Messages of the files that could not be read, by their paths. */
  readonly failed: ReadonlyMap<string, string>
  /** Requests that the store got. */
  readonly requests: ReadonlyArray<Request>
}

export interface Options {
  /** Called before each file that is opened. */
  readonly before?: ((path: string) => void) | undefined
  /** Requests after which the run is called endless. */
  readonly most: number
}

export interface Replica {
  /** Bytes by path, as they were read last. */
  readonly documents: ReadonlyMap<string, Uint8Array>
  /** One run over all files of the source; fails when the source breaks a promise. */
  readonly run: (options: Options) => Effect.Effect<Run, Violation>
}

interface Entry {
  readonly bytes: Uint8Array
  readonly sighting: Sighting
}

const violated = (problem: string): Effect.Effect<never, Violation> => Effect.fail(new Violation({ problem }))

const equal = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, at) => byte === right[at])

/** The words of an error of any kind. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Watches which objects are in the store all the time, and which versions they have. */
const watched = (store: Store): Effect.Effect<{ readonly since: Map<string, number> }, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const since = new Map(store.objects.map(({ path, version }) => [path, version]))
        const stop = store.listen((path) => {
          if (store.get(path) === undefined) since.delete(path)
        })
        return { since, stop }
      }),
      ({ stop }) => Effect.sync(stop)
    ),
    ({ since }) => ({ since })
  )

/** Ends as soon as the store got so many requests. */
const endless = (store: Store, most: number): Effect.Effect<never, Violation, Scope.Scope> =>
  Effect.gen(function* () {
    const exceeded = yield* Deferred.make<never, Violation>()
    const { fault } = store
    let count = 0
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        store.fault = (request) => {
          count += 1
          if (count > most) {
            const problem = `a run sends more than ${most} requests to a store of ${store.objects.length} objects`
            Deferred.unsafeDone(exceeded, violated(problem))
          }
          return fault(request)
        }
      }),
      () =>
        Effect.sync(() => {
          store.fault = fault
        })
    )
    return yield* Deferred.await(exceeded)
  })

export const make = (store: Store, source: Source<unknown, Scope.Scope>): Replica => {
  const entries = new Map<string, Entry>()

  /** Bytes of no version that was there since the run began are a mixture, or are too old. */
  const verified = (path: string, bytes: Uint8Array, since: number): Effect.Effect<void, Violation> => {
    const version = store.past(path).findLast((one) => equal(one.bytes, bytes))?.version
    if (version === undefined) return violated(`${path} is read with bytes that no version of it ever had`)
    const next = store.past(path).find((one) => one.version > version)
    return next !== undefined && next.version <= since
      ? violated(`${path} is read with the bytes of a version that was gone before the run began`)
      : Effect.void
  }

  const pass = (options: Options) =>
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis
      const { since } = yield* watched(store)
      const began = new Map(since)
      const seen = new Set<string>()
      const read: Array<string> = []
      const failed = new Map<string, string>()
      let whole = !source.partial

      const opened = (file: SourceFile.SourceFile) =>
        Effect.gen(function* () {
          options.before?.(file.path)
          const got = yield* Effect.either(SourceFile.bytes(file))
          if (got._tag === "Left") {
            failed.set(file.path, got.left.message)
            return
          }
          yield* verified(file.path, got.right, began.get(file.path) ?? 0)
          read.push(file.path)
          const { fingerprint, size } = file
          entries.set(file.path, { bytes: got.right, sighting: { size, fingerprint, checkedAt: startedAt } })
        })

      const taken = (found: Found): Effect.Effect<void, Violation> => {
        const { path } = found
        if (found._tag === "Unusable" && found.folder) {
          whole = false
          return Effect.void
        }
        if (seen.has(path)) return violated(`a run finds ${path} twice`)
        if (store.past(path).length === 0) return violated(`a run finds ${path}, which the store never had`)
        seen.add(path)
        if (found._tag !== "SourceFile") {
          if (found._tag === "Unusable" && found.uncertain === true) whole = false
          failed.set(path, found._tag === "Unsupported" ? "its type is not supported" : found.error.message)
          return Effect.void
        }
        const known = entries.get(path)
        return known !== undefined && untouched(known.sighting, found, startedAt) ? Effect.void : opened(found)
      }

      const from = store.requests.length
      const consumed = Stream.runForEach(source.files, taken).pipe(Effect.scoped, Effect.withClock(yield* hastened))
      const ended = yield* Effect.raceFirst(consumed, endless(store, options.most)).pipe(
        Effect.scoped,
        Effect.map(() => null),
        Effect.catchAll((error) => (error instanceof Violation ? Effect.fail(error) : Effect.succeed({ error })))
      )
      if (ended === null && whole) {
        const missed = [...since.keys()].find((path) => !seen.has(path))
        if (missed !== undefined) {
          return yield* violated(`a listing came to its end without ${missed}, which was there: it would be removed`)
        }
        for (const path of entries.keys()) if (!seen.has(path)) entries.delete(path)
      }
      const error = ended === null ? null : ended.error
      return { error, read, failed, requests: store.requests.slice(from) }
    })

  return {
    get documents() {
      return new Map(Array.from(entries, ([path, { bytes }]) => [path, bytes]))
    },
    run: (options) => Effect.scoped(pass(options))
  }
}

/** Fails unless the replica holds exactly the objects of the store. */
export const expectEqual = (store: Store, { documents }: Replica): Effect.Effect<void, Violation> => {
  for (const { bytes, path } of store.objects) {
    const held = documents.get(path)
    if (held === undefined) return violated(`${path} is there and was not read after two runs`)
    if (!equal(held, bytes)) return violated(`${path} was changed, and its old bytes are kept after two runs`)
  }
  const stale = [...documents.keys()].find((path) => store.get(path) === undefined)
  return stale === undefined ? Effect.void : violated(`${stale} is gone, and is kept after two runs`)
}

/** Fails with the first problem of a run in which nothing was at fault. */
export const expectSound = ({ error, failed }: Run): Effect.Effect<void, Violation> => {
  if (error !== null) return violated(`a run over a store without a fault fails: ${messageOf(error)}`)
  const [first] = failed
  return first === undefined
    ? Effect.void
    : violated(`${first[0]} cannot be read from a store without a fault: ${first[1]}`)
}
