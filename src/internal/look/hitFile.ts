/** Files of hits: found below their root, and read only when their bytes are those that the chunk was made of. */
import * as Effect from "effect/Effect"
import * as SourceFile from "../../SourceFile.ts"
import { fileHash } from "../discovery/fileHash.ts"
import * as LocalFile from "../discovery/localFile.ts"
import { HitMissing } from "./hitMissing.ts"
import * as HitPlace from "./hitPlace.ts"
import * as HitSources from "./hitSources.ts"

/** A file that is there and has the size of the chunk's document. */
export interface Located extends HitPlace.Place {
  /** SHA-256 of the bytes that the chunk was made of. */
  readonly hash: string
}

/** Finds the file of a chunk without reading it. */
export const locate = Effect.fnUntraced(function* (
  sources: HitSources.HitSources,
  chunk: HitSources.Cited
): Effect.fn.Return<Located, HitMissing> {
  const below = yield* HitPlace.below(chunk)
  const folder = yield* sources.folder(below)
  const place = yield* HitPlace.find(folder, below)
  const { hash, size } = yield* sources.bytes(chunk)
  return place.size === size ? { ...place, hash } : yield* changed(chunk.source)
})

export interface HitFiles {
  /** The file with the bytes that the chunk was made of; they are hashed once for each version of the file. */
  readonly verified: (chunk: HitSources.Cited) => Effect.Effect<Located, HitMissing>
  /** All bytes of the file, verified. Holds the file once. */
  readonly read: (chunk: HitSources.Cited) => Effect.Effect<Uint8Array, HitMissing>
}

/** Versions of files whose hash is remembered. */
const remembered = 512

/** Files that are hashed at a time; each is read in parts of 256 KB. */
const readers = 2

export const make = (options: HitSources.Options): Effect.Effect<HitFiles> =>
  Effect.map(Effect.makeSemaphore(readers), (reading) => {
    const hashes = new Map<string, { readonly version: string; readonly hash: string }>()
    const remember = ({ absolute, version }: HitPlace.Place, hash: string): void => {
      hashes.delete(absolute)
      hashes.set(absolute, { version, hash })
      const [oldest] = hashes.keys()
      if (hashes.size > remembered && oldest !== undefined) hashes.delete(oldest)
    }
    const hashOf = (place: HitPlace.Place, source: string): Effect.Effect<string, HitMissing> =>
      reading.withPermits(1)(
        Effect.suspend(() => {
          const known = hashes.get(place.absolute)
          if (known?.version === place.version) return Effect.succeed(known.hash)
          const hash = Effect.mapError(fileHash(fileOf(place, source)), unread)
          return Effect.tap(hash, (found) => remember(place, found))
        })
      )
    const located = (chunk: HitSources.Cited) => HitSources.using(options, (sources) => locate(sources, chunk))
    const verified = (chunk: HitSources.Cited) =>
      Effect.tap(located(chunk), (place) =>
        Effect.filterOrFail(
          hashOf(place, chunk.source),
          (hash) => hash === place.hash,
          () => changed(chunk.source)
        )
      )
    return {
      verified,
      read: Effect.fnUntraced(function* (chunk) {
        const place = yield* verified(chunk)
        const bytes = yield* Effect.mapError(SourceFile.bytes(fileOf(place, chunk.source)), unread)
        const { version } = yield* located(chunk)
        return version === place.version ? bytes : yield* changed(chunk.source)
      })
    }
  })

/** The file under any root: only its bytes are of interest. */
const fileOf = ({ absolute, size }: HitPlace.Place, source: string): SourceFile.SourceFile =>
  SourceFile.make({ root: "hits", path: source, size, open: LocalFile.read(absolute, source, size) })

const changed = (source: string): HitMissing =>
  new HitMissing({
    reason: "changed",
    problem: `${source} was changed after it was ingested.`,
    remedy: "Ingest again; then search again."
  })

const unread = (error: SourceFile.FileUnreadable | SourceFile.FileChanged): HitMissing =>
  error._tag === "FileChanged" ? changed(error.path) : HitPlace.notReadable(error.path, LocalFile.codeOf(error.cause))
