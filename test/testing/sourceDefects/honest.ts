import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Data, Effect, Option, Stream } from "effect"
import { SeenNames } from "../../../src/internal/base/seenNames.ts"

export class StoreError extends Data.TaggedError("StoreError")<{
  readonly message: string
  readonly status: number | null
}> {}

type StoredObject = SourceConformance.StoredObject

/** The parts of a source, of which a defect replaces some. */
export interface Parts {
  /** A value of an answer; fails for one that is refused, empty or broken off. */
  readonly value: <A>(ask: () => SourceConformance.Answer<A>) => Effect.Effect<A, StoreError>
  /** The answer of the last attempt. */
  readonly attempted: <A>(once: Effect.Effect<A, StoreError>) => Effect.Effect<A, StoreError>
  readonly pages: (
    page: (from: string | null) => Effect.Effect<SourceConformance.Page, StoreError>
  ) => Stream.Stream<StoredObject, StoreError>
  /** Objects that are files, each once. */
  readonly wanted: (objects: Stream.Stream<StoredObject, StoreError>) => Stream.Stream<StoredObject, StoreError>
  readonly path: (object: StoredObject) => string
  readonly size: (object: StoredObject) => number
  readonly fingerprint: (object: StoredObject) => SourceFile.Fingerprint | undefined
  readonly bytes: (object: StoredObject) => Stream.Stream<Uint8Array, StoreError>
  readonly source: (files: Stream.Stream<SourceFile.SourceFile, StoreError>) => Source.Source<StoreError>
}

export type Plant = (parts: Parts, store: SourceConformance.Store) => Partial<Parts>

const refused = (status: number | null, message: string): StoreError => new StoreError({ status, message })

const isPassing = ({ status }: StoreError): boolean => status === null || status === 429 || status >= 500

export const name = "model"

const partsOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) => bytes.subarray(at * 65_536, (at + 1) * 65_536))

/** An honest source over the store itself, without a protocol between the two. */
const honest = (store: SourceConformance.Store): Parts => ({
  value: (ask) =>
    Effect.suspend(() => {
      const answer = ask()
      if (answer._tag === "Refused") return Effect.fail(refused(answer.status, `answered with ${answer.status}`))
      if (answer._tag === "Blank" || answer.share < 1) return Effect.fail(refused(null, "an answer broke off"))
      return Effect.succeed(answer.value)
    }),
  attempted: (once) => Effect.retry(once, { times: 3, while: isPassing }),
  pages: (page) =>
    Stream.suspend(() => {
      const came = new Set<string>()
      return Stream.flattenIterables(
        Stream.paginateEffect<string | null, ReadonlyArray<StoredObject>, StoreError, never>(null, (from) =>
          Effect.flatMap(page(from), ({ next, objects }) => {
            if (next !== null && came.has(next)) return Effect.fail(refused(null, "the listing leads back"))
            if (next !== null) came.add(next)
            return Effect.succeed([objects, Option.fromNullable(next)] as const)
          })
        )
      )
    }),
  wanted: (objects) =>
    Stream.suspend(() => {
      const seen = new SeenNames()
      return Stream.filter(objects, ({ path }) => seen.add(path))
    }),
  path: ({ path }) => path,
  size: ({ bytes }) => bytes.length,
  fingerprint: ({ version }) => (store.versioned ? { _tag: "Etag", value: String(version) } : undefined),
  bytes: () => Stream.empty,
  source: (files) => Source.make({ name, files })
})

/** The source that `plant` makes of an honest one. */
export const target = (plant: Plant = () => ({})): SourceConformance.Target<never> => ({
  name,
  abilities: ["pages", "status", "break", "blank", "unversioned"],
  source: (store) =>
    Effect.sync(() => {
      const plain = honest(store)
      const read: Parts["bytes"] = ({ path, version }) => {
        const range = store.versioned ? { version } : {}
        return Stream.unwrap(
          Effect.map(parts.attempted(parts.value(() => store.read(path, range))), ({ bytes }) =>
            Stream.fromIterable(partsOf(bytes))
          )
        )
      }
      const whole = { ...plain, bytes: read }
      const parts: Parts = { ...whole, ...plant(whole, store) }
      const listed = parts.pages((from) => parts.attempted(parts.value(() => store.list(from))))
      return parts.source(
        Stream.map(parts.wanted(listed), (object) => {
          const path = parts.path(object)
          const open = Stream.mapError(
            Stream.suspend(() => parts.bytes(object)),
            (cause) => new SourceFile.FileUnreadable({ path, reason: "Io", problem: cause.message, cause })
          )
          return SourceFile.make({
            root: name,
            path,
            size: parts.size(object),
            fingerprint: parts.fingerprint(object),
            open
          })
        })
      )
    })
})
