/** Objects of a store as files: listing by prefix, patterns, requests that are tried again, and reads that go on where they broke off. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { SourceUnavailable } from "../../Source.ts"

/** An object as a listing names it. */
export interface ObjectEntry {
  /** Whole key, as the store spells it. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Changes when the bytes change. */
  readonly etag: string
}

/** One answer to a request for an object's bytes. */
export type ObjectRead =
  | { readonly _tag: "Bytes"; readonly bytes: Stream.Stream<Uint8Array, SourceUnavailable> }
  /** The object is not the one that was listed; `size`: bytes of the one that is there. */
  | { readonly _tag: "Changed"; readonly size: number }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Denied" }

/** A bucket or container, or what else holds objects under keys. */
export interface ObjectStore {
  /** Address without credentials, such as `s3://bucket`, that tells it from all others. */
  readonly address: string
  /** Every object whose key begins with the prefix, a page at a time, each page asked for when it is wanted. */
  readonly list: (prefix: string) => Stream.Stream<ReadonlyArray<ObjectEntry>, SourceUnavailable>
  /** The bytes from `start` on, of exactly the object that was listed. */
  readonly read: (entry: ObjectEntry, start: number) => Effect.Effect<ObjectRead, SourceUnavailable>
}
