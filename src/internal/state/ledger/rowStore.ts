/** The port of the ledger to its database: rows of documents, scripts of statements, and the findings of a scan. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ScopeRequest } from "../../../Source.ts"
import type { Document } from "./document.ts"
import type { Key } from "./entry.ts"
import type { Holder, Refused } from "./operations.ts"
import type { Bound, Place } from "./places.ts"
import type { Expected, Hold, SeenFile, Standing, Vanished } from "./runLedger.ts"
import type { Dialect, Script, Value } from "./script.ts"

/** A write to one document. `creates`: a document without a row gets one. */
export interface Change<A> {
  readonly key: Key
  readonly creates: boolean
  readonly apply: (document: Document, holder: Holder) => A | Refused
}

/** A document that other scopes claim. */
export interface Claimed {
  readonly id: number
  readonly path: string
  readonly scopes: ReadonlyArray<number>
}

/** The documents of a root, and which of them a run has found. */
export interface Findings<E> {
  /** Documents that the scope claimed at the start. */
  readonly claimed: number
  readonly see: (files: ReadonlyArray<SeenFile>) => Effect.Effect<ReadonlyArray<Standing>, E>
  readonly vanished: Stream.Stream<Vanished, E>
  /**
   * Documents that were not found and that other scopes claim, page by page; those outside the folders may be left out. Empty while another
   * process works on the root.
   */
  readonly claimedElsewhere: (folders: ReadonlyArray<string>) => Stream.Stream<Claimed, E>
}

/** Findings that are kept: see `Scan` for their members. */
export interface Running<E> extends Findings<E> {
  readonly scope: number
  readonly documents: number
  readonly complete: (at: number) => Effect.Effect<void, E>
  readonly end: Effect.Effect<void, E>
}

/** Findings of which nothing is written. */
export interface Previewed<E> extends Findings<E> {
  readonly isSeen: (document: { readonly id: number; readonly path: string }) => boolean
}

/** Documents of the database that have a property. */
export interface Selection {
  /** SQL over the document `d` and its root `r`; $1 is the number of the document before, the values begin at $2. */
  readonly condition: string
  readonly values: ReadonlyArray<Value>
  /** A part of the property that is no SQL; sees the pending chunks. */
  readonly holds: (document: Document) => boolean
}

/** The documents that this process works on, where others may use the same state. */
export interface Holds<E> {
  readonly hold: (key: Key) => Effect.Effect<Hold, E>
  readonly letGo: (key: Key) => Effect.Effect<void, E>
  /** Holds documents that were found, reads them again, and emits those that still have the property. */
  readonly taken: (selection: Selection, found: Stream.Stream<Document, E>) => Stream.Stream<Document, E>
  /** True when the document is held only until its chunks are removed. */
  readonly isLent: (key: Pick<Key, "documentId">) => boolean
  /** To be called when a write ended the hold. */
  readonly ended: (key: Pick<Key, "documentId">) => void
  /** Lets all lent documents go. */
  readonly rest: Effect.Effect<void, E>
  /** True when no other process works on the root. */
  readonly isRootFree: (root: string) => Effect.Effect<boolean, E>
}

export interface RowStore<E> {
  /** False for a state that ends with the process. */
  readonly lasting: boolean
  readonly dialect: Dialect
  readonly read: <A>(script: () => Script<A>) => Effect.Effect<A, E>
  readonly write: <A>(script: () => Script<A>) => Effect.Effect<A, E>
  /** Runs a rule over a document and writes what it changed. */
  readonly change: <A>(change: Change<A>) => Effect.Effect<A, E>
  /** Documents with a condition, as in {@link Selection}, in the order of their numbers; `limit` at most. */
  readonly documents: (
    condition: string,
    values: ReadonlyArray<Value>,
    options: { readonly pending: boolean; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<Document>, E>
  /** As {@link documents}, for one document. */
  readonly find: (key: Key, pending: boolean) => Effect.Effect<Document | null, E>
  readonly holds: Holds<E>
  readonly scan: (bound: Bound, request: ScopeRequest, expected: Expected) => Effect.Effect<Running<E>, E>
  readonly preview: (place: Place, request: ScopeRequest, expected: Expected) => Effect.Effect<Previewed<E>, E>
  /** Makes all writes safe from a power cut. */
  readonly checkpoint: Effect.Effect<void, E>
}
