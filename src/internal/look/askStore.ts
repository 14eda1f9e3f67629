/** Questions to a store as the calls of the page: every failure is a status and a body. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Ask from "./ask.ts"
import { type AskError, refusal } from "./askError.ts"

const inWords = <A>(call: Effect.Effect<A, AskError>) => Effect.mapError(call, refusal)

export const make = (options: Ask.Options) =>
  Effect.map(Ask.make(options), ({ picture, search, settings, view }) => ({
    settings,
    search: (request: unknown, caller: string) => inWords(search(request, caller)),
    view: (hit: string, caller: string) => inWords(view(hit, caller)),
    picture: (hit: string, page: number, width: number, caller: string) => inWords(picture(hit, page, width, caller))
  })) satisfies Effect.Effect<unknown, never, FileSystem.FileSystem | Path.Path | Scope.Scope>
