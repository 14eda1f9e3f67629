/** A store that the page asks. Where none is given, its calls are refused. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PageDrawing } from "../../engine/PageDrawing.ts"
import type * as Messages from "./messages.ts"

/** Status and body of a call that is refused or failed. */
export interface StoreRefusal {
  readonly status: number
  readonly body: Messages.Refusal
}

/** `caller` is the owner of what the call is about: a hit belongs to the caller that found it. */
export interface Store {
  readonly settings: Effect.Effect<Messages.StoreSettings>
  /** Takes the body of a request as it came. */
  readonly search: (request: unknown, caller: string) => Effect.Effect<Messages.Found, StoreRefusal>
  /** The body of `GET hits/ID`. */
  readonly view: (hit: string, caller: string) => Effect.Effect<unknown, StoreRefusal>
  /** A PNG of a page of the hit; `width` is within the bounds of the page's pictures. */
  readonly picture: (
    hit: string,
    page: number,
    width: number,
    caller: string
  ) => Effect.Effect<Uint8Array, StoreRefusal>
}

/** Opens the store that the page asks, once for each page; used where it is provided. */
export class AskedStore extends Context.Tag("docsluice/look/AskedStore")<
  AskedStore,
  (drawing: PageDrawing) => Effect.Effect<Store, never, Scope.Scope>
>() {}
