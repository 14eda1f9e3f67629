import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Layer from "effect/Layer"
import * as DeadLetter from "../../DeadLetter.ts"
import * as Ledger from "../../Ledger.ts"
import * as ParseCache from "../../ParseCache.ts"

/** The places in a state directory, as the command line has them. */
export const placesOf = (state: string) => ({
  cache: `${state}/cache`,
  deadLetters: `${state}/dead-letter.jsonl`,
  embeddings: `${state}/embeddings`
})

/** What a run remembers with; without a directory in memory, gone with the run, and no answers. */
export const layer = (
  state: string | undefined,
  deadLetters: string | undefined
): Layer.Layer<
  Ledger.Ledger | DeadLetter.DeadLetter,
  Ledger.LedgerError | ParseCache.ParseCacheError | DeadLetter.DeadLetterError,
  FileSystem.FileSystem | Path.Path
> => {
  const places = state === undefined ? undefined : placesOf(state)
  const letters = deadLetters ?? places?.deadLetters
  return Layer.mergeAll(
    state === undefined ? Ledger.layerMemory : Ledger.layer({ directory: state }),
    places === undefined ? Layer.empty : ParseCache.layer({ directory: places.cache }),
    letters === undefined ? DeadLetter.layerMemory : DeadLetter.layer(letters)
  )
}
