import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Source from "../../Source.ts"
import type { Store } from "./Store.ts"

/**
 * A fault that a double of a store can show. `pages`: listings come in pages with tokens, and may repeat an object or lead back to an
 * earlier page. `status`: requests are refused with a status of HTTP. `break`: answers break off. `blank`: a page of a listing is a success
 * without a body. `unversioned`: the store tells no version of an object.
 */
export type Ability = "pages" | "status" | "break" | "blank" | "unversioned"

/** A source under test. All but `name` and `source` is optional. */
export interface Target<E = unknown> {
  /** Name of the source in reports. */
  readonly name: string
  /**
   * Makes the source over a double that serves the store; ended with the scope. Its documents are the objects of the store under their
   * paths. The store is empty then, and is filled and changed later: each run of the source's files lists what is there at that time.
   */
  readonly source: (store: Store) => Effect.Effect<Source.Source<unknown, Scope.Scope>, E, Scope.Scope>
  /** Faults that the double shows; default none: then the cases that need one are not verifiable. */
  readonly abilities?: ReadonlyArray<Ability> | undefined
  /**
   * Evidence that an object did not change: `objects` of its own, so that it is not read again; `store`: of all objects together, so that
   * after any change all may be read again; `none`. Default `objects`.
   */
  readonly fingerprints?: "objects" | "store" | "none" | undefined
  /** Milliseconds that lie between two versions of one size, if the source tells them apart by time; default 0. */
  readonly grain?: number | undefined
  /** Requests for one object while it is listed; default 0. */
  readonly looks?: number | undefined
  /**
   * True for a source that knows no path before its listing came to its end, since the store names the folder of an object by its id: all
   * pages are asked for before the first file is given. Default false.
   */
  readonly listsWhole?: boolean | undefined
  /** True for a path that the store can have; default all. */
  readonly takes?: ((path: string) => boolean) | undefined
}
