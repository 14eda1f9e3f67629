import * as Effect from "effect/Effect"
import { Readers } from "../../Readers.ts"
import type { FileTypes } from "./foundFiles.ts"

/** The types that the service takes and those of `Readers`. */
export const all: Effect.Effect<FileTypes> = Effect.map(Readers, ({ whoReads }) => ({
  takes: (extension) => whoReads(extension) !== undefined,
  readsHere: (extension) => whoReads(extension)?._tag === "Here"
}))

/** Those of {@link all} that `only` names; fails with the first name that is not among them. Undefined: all. */
export const make = (only: ReadonlyArray<string> | undefined): Effect.Effect<FileTypes, string> =>
  Effect.flatMap(all, ({ readsHere, takes }) => {
    if (only === undefined) return Effect.succeed({ takes, readsHere })
    const unknown = only.find((extension) => !takes(extension))
    const named = new Set(only)
    return unknown === undefined
      ? Effect.succeed({ takes: (extension) => named.has(extension), readsHere })
      : Effect.fail(unknown)
  })
