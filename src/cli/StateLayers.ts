/** `--state` and `--no-state`: what a run remembers with. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DeadLetter from "../DeadLetter.ts"
import * as Ledger from "../Ledger.ts"
import * as ParseCache from "../ParseCache.ts"

/** Ledger, parse cache and dead letters of a state directory; null: in memory, and gone with the run. */
export const at = (directory: string | null) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (directory === null) {
      return {
        exists: false,
        layer: Layer.mergeAll(Ledger.layerMemory, ParseCache.layerMemory(), DeadLetter.layerMemory)
      }
    }
    return {
      /** Whether an earlier run has left a ledger there. */
      exists: yield* Effect.orElseSucceed(fs.exists(path.join(directory, "ledger.db")), () => false),
      layer: Layer.mergeAll(
        Ledger.layer({ directory }),
        ParseCache.layer({ directory: path.join(directory, "cache") }),
        DeadLetter.layer(path.join(directory, "dead-letter.jsonl"))
      )
    }
  })
