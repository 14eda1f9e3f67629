import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Layer from "effect/Layer"
import * as DeadLetter from "../../DeadLetter.ts"
import * as Ledger from "../../Ledger.ts"
import * as ParseCache from "../../ParseCache.ts"

/** Paths in a state directory, the same as the command line's. */
export const placesOf = (state: string) => ({
  cache: `${state}/cache`,
  deadLetters: `${state}/dead-letter.jsonl`,
  embeddings: `${state}/embeddings`
})

/** State of a run, in the directory; without one in memory, for this run only. */
export const layer = (
  state: string | undefined,
  deadLetters: string | undefined
): Layer.Layer<
  Ledger.Ledger | ParseCache.ParseCache | DeadLetter.DeadLetter,
  Ledger.LedgerError | ParseCache.ParseCacheError | DeadLetter.DeadLetterError,
  FileSystem.FileSystem | Path.Path
> => {
  const places = state === undefined ? undefined : placesOf(state)
  const letters = deadLetters ?? places?.deadLetters
  return Layer.mergeAll(
    state === undefined ? Ledger.layerMemory : Ledger.layer({ directory: state }),
    places === undefined ? ParseCache.layerMemory() : ParseCache.layer({ directory: places.cache }),
    letters === undefined ? DeadLetter.layerMemory : DeadLetter.layer(letters)
  )
}
