import * as Effect from "effect/Effect"
import type { Chunker } from "../../Chunker.ts"
import type { LedgerError } from "../../Ledger.ts"
import * as Kept from "../chunking/kept.ts"
import type { RunLedger } from "../state/ledger/runLedger.ts"

/** The root of a run, and where its documents go. */
export interface Filling {
  readonly ledger: Pick<RunLedger<LedgerError>, "filledWith">
  readonly root: string
  readonly sinks: ReadonlyArray<string>
  /** True for a run that splits with its own settings, whatever the root was filled with. */
  readonly rechunk: boolean | undefined
}

/**
 * The chunker of a run: settings that it was not told are those that the root was filled with. Logs which, where they are not its
 * defaults.
 */
export const chunkerOf = (
  chunker: Chunker,
  { ledger, rechunk, root, sinks }: Filling
): Effect.Effect<Chunker, LedgerError> => {
  const { keeping } = chunker
  if (rechunk === true || keeping === undefined) return Effect.succeed(chunker)
  return Effect.flatMap(ledger.filledWith(root, sinks), (configuration) => {
    if (configuration === null) return Effect.succeed(chunker)
    const kept = keeping(configuration)
    const differences = Kept.differences(kept.configuration, chunker.configuration)
    return differences.length === 0
      ? Effect.succeed(kept)
      : Effect.as(
          Effect.logInfo(
            `documents are split as "${root}" was filled, with ${differences.join(", ")}; rechunk splits all of them anew`
          ),
          kept
        )
  })
}
