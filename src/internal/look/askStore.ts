/** Questions to a store as the calls of the page: every failure is a status and a body. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Ask from "./ask.ts"
import { type AskError, refusal } from "./askError.ts"
import type { Store, StoreRefusal } from "./store.ts"

const answering = <A>(call: Effect.Effect<A, AskError>): Effect.Effect<A, StoreRefusal> =>
  Effect.mapError(call, refusal)

/** As `Ask.make`. */
export const make = (
  options: Ask.Options
): Effect.Effect<Store, never, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.map(Ask.make(options), ({ picture, search, settings, view }) => ({
    settings,
    search: (request, caller) => answering(search(request, caller)),
    view: (hit, caller) => answering(view(hit, caller)),
    picture: (hit, page, width, caller) => answering(picture(hit, page, width, caller))
  }))
