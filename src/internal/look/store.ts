/** A store that the page asks. Where none is given, its calls are refused. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PageDrawing } from "../../engine/PageDrawing.ts"
import type * as Messages from "./messages.ts"
import type { Refused } from "./refused.ts"

/** `caller` is the owner of what the call is about: a hit belongs to the caller that found it. */
export interface Store {
  /** The store as the page names it. Figures that are not to be had in a moment are null. */
  readonly settings: Effect.Effect<Messages.StoreSettings>
  /** Takes the body of a request as it came. An interrupted search is given up. */
  readonly search: (request: unknown, caller: string) => Effect.Effect<Messages.Found, Refused>
  /** The pages of a hit, after its document's file was read. */
  readonly view: (hit: string, caller: string) => Effect.Effect<Messages.HitView, Refused>
  /** A PNG of a page that the hit is on, `width` pixels wide; no other page of the document is drawn. */
  readonly picture: (hit: string, page: number, width: number, caller: string) => Effect.Effect<Uint8Array, Refused>
  /** A PNG of the figure in a box of the hit, by its position among the boxes; no other part of the document is drawn. */
  readonly figure: (hit: string, at: number, width: number, caller: string) => Effect.Effect<Uint8Array, Refused>
}

/** Opens the store that the page asks, once for each page; used where it is provided. */
export class AskedStore extends Context.Tag("docsluice/look/AskedStore")<
  AskedStore,
  (drawing: PageDrawing) => Effect.Effect<Store, never, Scope.Scope>
>() {}
