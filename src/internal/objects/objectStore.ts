/** Objects of a store as files: listing by prefix, patterns, requests that are tried again, and reads that go on where they broke off. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { SourceUnavailable } from "../../Source.ts"
import type { FileUnreadable } from "../../SourceFile.ts"

/** An object as a listing names it. */
export interface ObjectEntry {
  /** Whole key, as the store spells it. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** True when `size` is an estimate, which only the bytes correct. */
  readonly estimated?: boolean | undefined
  /** Changes when the bytes change; empty where the store names no version: then the bytes are read to be compared. */
  readonly etag: string
  /** An object that is known to be unreadable when it is listed. */
  readonly problem?: EntryProblem | undefined
}

/** The reason why an object cannot be read. */
export interface EntryProblem {
  readonly reason: FileUnreadable["reason"]
  /** More in words, next to those of the reason. */
  readonly problem?: string | undefined
  readonly cause?: SourceUnavailable | undefined
  /** True when the object may have another name than the one here: then the listing is not complete. */
  readonly uncertain?: boolean | undefined
}

/** Shown by the bytes only: the object is not the one that was listed. */
export class ObjectChanged {
  readonly _tag = "ObjectChanged"
}

/** One answer to a request for an object's bytes. */
export type ObjectRead =
  | { readonly _tag: "Bytes"; readonly bytes: Stream.Stream<Uint8Array, SourceUnavailable | ObjectChanged> }
  /** The object is not the one that was listed; `size`: bytes of the one that is there. */
  | { readonly _tag: "Changed"; readonly size: number }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Denied" }

/** A bucket or container, or what else holds objects under keys. `Entry`: an object with all that is needed to read it. */
export interface ObjectStore<Entry extends ObjectEntry = ObjectEntry> {
  /** Address without credentials, such as `s3://bucket`, that tells it from all others. */
  readonly address: string
  /**
   * Every object whose key begins with one of the prefixes, a page at a time, each page asked for when it is wanted; others may be among
   * them. No prefix begins with another. `opens`: true for an entry that may be read afterwards. `enters`: false for the key of a folder,
   * without a slash at its end, below which nothing is wanted.
   */
  readonly list: (
    prefixes: ReadonlyArray<string>,
    opens: (entry: Entry) => boolean,
    enters: (folder: string) => boolean
  ) => Stream.Stream<ReadonlyArray<Entry>, SourceUnavailable>
  readonly bytes: Answers<Entry> | Parts<Entry>
}

/** Bytes as a server answers them. */
export interface Answers<Entry extends ObjectEntry> {
  readonly _tag: "Answers"
  /** The bytes from `start` on, of exactly the object that was listed. */
  readonly read: (entry: Entry, start: number) => Effect.Effect<ObjectRead, SourceUnavailable>
}

/** Bytes of this machine, without requests and without fibers. */
export interface Parts<Entry extends ObjectEntry> {
  readonly _tag: "Parts"
  /** All bytes from the start, of exactly the object that was listed. */
  readonly parts: (entry: Entry) => AsyncIterable<Uint8Array>
  /** The meaning of what the parts fail with. */
  readonly failure: (cause: unknown) => SourceUnavailable | ObjectChanged
}
