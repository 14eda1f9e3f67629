/** A root in an object store as a source: its scope, and its files once the store is open. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Source from "../../Source.ts"
import { canonicalJson } from "../base/canonicalJson.ts"
import * as Limits from "../base/limits.ts"
import { loaded } from "../base/loaded.ts"
import { sha256 } from "../base/sha256.ts"
import type { ObjectEntry, ObjectStore } from "./objectStore.ts"

/** Options that sources of all object stores share. */
export interface Options extends Source.Selection {
  /** Address as given, for messages. */
  readonly root: string
  readonly name?: string | undefined
}

/** A root whose address could be read. */
export interface Root<R, Entry extends ObjectEntry = ObjectEntry> {
  /** Name that it has without one of its own. */
  readonly name: string
  /** Address that tells it from all others, hosts and accounts included. */
  readonly address: string
  /** Prefix of every key, which ends with a slash unless it is empty. */
  readonly prefix: string
  readonly open: Effect.Effect<ObjectStore<Entry>, Source.SourceUnavailable, R>
}

const objectFiles = loaded(() => import("./objectFiles.ts"))

/** The files of a root; a problem of its address in words fails when they are asked for. */
export const source = <R, Entry extends ObjectEntry = ObjectEntry>(
  options: Options,
  root: Either.Either<Root<R, Entry>, string>
): Source.Source<Source.SourceUnavailable, R> => {
  const listed = options.filesFrom !== undefined
  const patterns = options.patterns ?? (listed ? [] : ["."])
  const named = patterns.filter((pattern) => !pattern.startsWith("!")).toSorted()
  const digest = sha256(canonicalJson({ patterns: named, listed }))
  if (Either.isLeft(root)) {
    const refused = new Source.SourceUnavailable({ source: options.root, reason: "Invalid", problem: root.left })
    const scope = { root: options.name ?? options.root, path: options.root, patterns: digest }
    return Source.within(scope, Stream.fail(refused))
  }
  const { address, open, prefix } = root.right
  const name = options.name ?? root.right.name
  const files = Effect.zipWith(open, objectFiles, (store, { files: list }) =>
    list(store, {
      name,
      prefix,
      patterns,
      names: options.filesFrom ?? [],
      ignore: options.ignore ?? [],
      types: options.types,
      maxBytes: options.maxBytes ?? Limits.maxUploadBytes
    })
  )
  return Source.within({ root: name, path: address, patterns: digest }, Stream.unwrap(files))
}

/** True for an origin without a user. */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).username === ""
