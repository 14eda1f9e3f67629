/** The objects of a store as found files, and their bytes. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import * as SourceFile from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import * as plainBytes from "../base/plainBytes.ts"
import * as FileTypes from "../discovery/fileTypes.ts"
import { type FileTypes as Types, type Found, unusableFile } from "../discovery/foundFiles.ts"
import * as KeyPatterns from "./keyPatterns.ts"
import type { Answers, ObjectChanged, ObjectEntry, ObjectStore, Parts } from "./objectStore.ts"

/** A root in a store, and what is wanted of it. */
export interface Wanted extends KeyPatterns.Given {
  /** Name of the root, first part of the documents' ids. */
  readonly name: string
  /** Prefix of every key, which ends with a slash unless it is empty. */
  readonly prefix: string
  /** Extensions to which the types are limited; undefined: all that can be read. */
  readonly types: ReadonlyArray<string> | undefined
  readonly maxBytes: number
}

/** A key that can be no path below a root, whatever a sink makes of paths. */
export const isPath = (path: string): boolean =>
  !path.includes("\0") && path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..")

/** What is left of a key without the segments that lead nowhere. */
const plain = (path: string): string =>
  path
    .split("/")
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..")
    .join("/")

/** Breaks in one read after which it fails; each is followed by a request for the rest. */
const maxResumes = 3

/** Longest wait for the next bytes of a read. */
const stalled = "60 seconds"

const unreadable = (path: string, cause: unknown): SourceFile.FileUnreadable =>
  new SourceFile.FileUnreadable({
    path,
    reason: "Io",
    problem: cause instanceof SourceUnavailable ? cause.problem : undefined,
    cause
  })

const changed = (path: string, { size }: ObjectEntry): SourceFile.FileChanged =>
  new SourceFile.FileChanged({ path, expected: size, actual: size })

/** The parts in one array. */
const wholeOf =
  (parts: () => AsyncIterable<Uint8Array>): plainBytes.Whole =>
  (onBytes, onFailure) => {
    let cancelled = false
    const gather = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const all: Array<Uint8Array> = []
      for await (const part of parts()) {
        if (cancelled) break
        all.push(part)
      }
      return new Uint8Array(Buffer.concat(all))
    }
    gather().then(onBytes, onFailure)
    return () => {
      cancelled = true
    }
  }

/** The bytes of a file of this machine, from the start each time it is run. */
const local = <Entry extends ObjectEntry>(
  { failure, parts }: Parts<Entry>,
  entry: Entry,
  path: string
): SourceFile.SourceFile["open"] => {
  const failed = (cause: unknown): SourceFile.FileUnreadable | SourceFile.FileChanged => {
    if (cause instanceof SourceFile.FileUnreadable || cause instanceof SourceFile.FileChanged) return cause
    const error = failure(cause)
    return error._tag === "ObjectChanged" ? changed(path, entry) : unreadable(path, error)
  }
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* parts(entry)
    } catch (cause) {
      throw failed(cause)
    }
  }
  return plainBytes.attach(
    Stream.suspend(() => Stream.fromAsyncIterable(bytes(), failed)),
    { parts: bytes, whole: wholeOf(bytes) }
  )
}

/** The bytes from the start each time it is run. A read that breaks off goes on where it ended, of the same version only: not without one. */
const opened = <Entry extends ObjectEntry>(
  { read }: Answers<Entry>,
  entry: Entry,
  path: string
): SourceFile.SourceFile["open"] => {
  const from = (start: number, resumes: number): SourceFile.SourceFile["open"] =>
    Stream.unwrap(
      Effect.map(
        Effect.mapError(read(entry, start), (error) => unreadable(path, error)),
        (answer): SourceFile.SourceFile["open"] => {
          switch (answer._tag) {
            case "Gone":
              return Stream.fail(new SourceFile.FileUnreadable({ path, reason: "NotFound" }))
            case "Denied":
              return Stream.fail(new SourceFile.FileUnreadable({ path, reason: "PermissionDenied" }))
            case "Changed":
              return Stream.fail(new SourceFile.FileChanged({ path, expected: entry.size, actual: answer.size }))
            default:
              return resuming(answer.bytes, start, resumes)
          }
        }
      )
    )
  const resuming = (
    bytes: Stream.Stream<Uint8Array, SourceUnavailable | ObjectChanged>,
    start: number,
    resumes: number
  ): SourceFile.SourceFile["open"] =>
    Stream.suspend(() => {
      let at = start
      const counted = bytes.pipe(
        Stream.timeoutFail(
          () => new SourceUnavailable({ source: path, reason: "Timeout", problem: "a read stalled" }),
          stalled
        ),
        Stream.map((part) => {
          at += part.length
          return part
        })
      )
      return Stream.catchAll(counted, (error): SourceFile.SourceFile["open"] =>
        error._tag === "ObjectChanged"
          ? Stream.fail(changed(path, entry))
          : resumes < maxResumes && (at < entry.size || entry.estimated === true) && (at === 0 || entry.etag !== "")
            ? from(at, resumes + 1)
            : Stream.fail(unreadable(path, error))
      )
    })
  return from(0, 0)
}

const problemOf = (path: string, { size }: ObjectEntry, { maxBytes, types }: Place): SourceFile.FileError | null => {
  if (size === 0 && !types.readsHere(FileType.extensionOf(path)))
    return new SourceFile.FileUnreadable({ path, reason: "Empty" })
  return size > maxBytes ? new SourceFile.FileTooLarge({ path, bytes: size, maxBytes }) : null
}

/** Where files are found, and which of them are taken. */
export interface Place {
  /** Name of the root, first part of the documents' ids. */
  readonly name: string
  readonly types: Types
  readonly maxBytes: number
}

/** What the object at a path is for a run. `named`: it was named literally, so that an unsupported type is an error. */
export const found = <Entry extends ObjectEntry>(
  store: Pick<ObjectStore<Entry>, "bytes">,
  place: Place,
  entry: Entry,
  path: string,
  named = false
): Found => {
  const unusable = (error: SourceFile.FileError): Found => ({
    ...unusableFile(place.name, path, error),
    ...(entry.problem?.uncertain === true && { uncertain: true })
  })
  if (!isPath(path)) return unusable(new SourceFile.FileUnreadable({ path, reason: "Name" }))
  const extension = FileType.extensionOf(path)
  if (!place.types.takes(extension) && entry.problem?.reason !== "Address") {
    return named
      ? unusable(new SourceFile.UnsupportedFile({ path, extension }))
      : { _tag: "Unsupported", path, extension }
  }
  if (entry.problem !== undefined) {
    const { cause, problem, reason } = entry.problem
    return unusable(new SourceFile.FileUnreadable({ path, reason, problem, cause }))
  }
  const problem = problemOf(path, entry, place)
  if (problem !== null) return unusable(problem)
  return SourceFile.make({
    root: place.name,
    path,
    size: entry.size,
    estimated: entry.estimated,
    fingerprint: entry.etag === "" ? undefined : { _tag: "Etag", value: entry.etag },
    open: store.bytes._tag === "Parts" ? local(store.bytes, entry, path) : opened(store.bytes, entry, path)
  })
}

/** What an object is for a run; null for what is not wanted, and for the marker of a folder. */
const foundOf = <Entry extends ObjectEntry>(
  store: ObjectStore<Entry>,
  wanted: Wanted,
  patterns: KeyPatterns.KeyPatterns,
  types: Types,
  entry: Entry
): Found | null => {
  const path = entry.key.slice(wanted.prefix.length)
  if (path === "" || path.endsWith("/") || !patterns.wants(isPath(path) ? path : plain(path))) return null
  return found(store, { ...wanted, types }, entry, path, patterns.named.includes(path))
}

/** A missing name is a finding where something else was found; nothing at all ends the listing. */
const ending = (
  store: Pick<ObjectStore, "address">,
  { name }: Wanted,
  patterns: KeyPatterns.KeyPatterns,
  found: Stream.Stream<Found, SourceUnavailable>
): Stream.Stream<Found, SourceUnavailable> =>
  Stream.suspend(() => {
    const missing = new Set(patterns.named.filter((path) => path !== ""))
    let some = false
    const counted = Stream.mapChunks(found, (items) => {
      some ||= Chunk.isNonEmpty(items)
      if (missing.size > 0) for (const { path } of items) for (const part of partsOf(path)) missing.delete(part)
      return items
    })
    const rest = Stream.suspend((): Stream.Stream<Found, SourceUnavailable> => {
      if (!some) {
        return Stream.fail(
          new SourceUnavailable({ source: store.address, reason: "NoMatch", problem: "nothing matches" })
        )
      }
      return Stream.fromIterable(
        Array.from(missing, (path) =>
          unusableFile(name, path, new SourceFile.FileUnreadable({ path, reason: "NotFound" }))
        )
      )
    })
    return Stream.concat(counted, rest)
  })

/** A path and every prefix of it that ends at a slash, without that. */
const partsOf = (path: string): ReadonlyArray<string> => {
  const segments = path.split("/")
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"))
}

/** The wanted files in the order of the keys below each prefix; holds one page of the listing. */
export const files = <Entry extends ObjectEntry>(
  store: ObjectStore<Entry>,
  wanted: Wanted
): Stream.Stream<Found, SourceUnavailable> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const types = yield* Effect.mapError(
        FileTypes.make(wanted.types),
        (type) =>
          new SourceUnavailable({
            source: store.address,
            reason: "Invalid",
            problem: `types: nothing reads files of type .${type}; give a reader of your own, or name the extension in lower case without the dot`
          })
      )
      const patterns = KeyPatterns.make(wanted)
      const classified = (entry: Entry) => foundOf(store, wanted, patterns, types, entry)
      const prefixes = patterns.prefixes.map((prefix) => `${wanted.prefix}${prefix}`)
      const listed = Stream.mapChunks(
        store.list(
          prefixes,
          (entry) => classified(entry)?._tag === "SourceFile",
          (folder) => patterns.enters(folder.slice(wanted.prefix.length))
        ),
        (pages) =>
          Chunk.flatMap(pages, (page) =>
            Chunk.filterMap(Chunk.unsafeFromArray(page), (entry) => Option.fromNullable(classified(entry)))
          )
      )
      return ending(store, wanted, patterns, listed)
    })
  )
