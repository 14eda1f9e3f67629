/** Compares found files with the ledger, a batch at a time. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { LedgerError } from "../../Ledger.ts"
import type { Found } from "../discovery/foundFiles.ts"
import type { Scan, Standing } from "../state/ledger/runLedger.ts"
import type { RunMemory } from "./memory.ts"
import type { Session } from "./session.ts"

/** A found file and its standing in the ledger. */
export interface Compared {
  readonly found: Found
  /** `new` without a ledger; `known` when the ledger could not be asked, which stops the run. */
  readonly standing: Standing
}

/** Exists, but cannot be stored as it is: it counts as found, so that its document is not taken for gone. */
const nothingSeen = { size: 0, fingerprint: undefined } as const

const isFolder = (found: Found): boolean => found._tag === "Unusable" && found.folder

/** Marks the files of a batch as found and returns their standings in its order; that of a folder is `new`. */
export const standings = (
  scan: Pick<Scan<LedgerError>, "see">,
  batch: ReadonlyArray<Found>
): Effect.Effect<ReadonlyArray<Standing>, LedgerError> => {
  const files = batch.some(isFolder) ? batch.filter((found) => !isFolder(found)) : batch
  const seen = scan.see(
    files.map((found) => (found._tag === "SourceFile" ? found : { ...nothingSeen, path: found.path }))
  )
  if (files === batch) return seen
  return Effect.map(seen, (all) => {
    const rest = all.values()
    return batch.map((found): Standing => (isFolder(found) ? "new" : (rest.next().value ?? "known")))
  })
}

const foundIn = (batch: ReadonlyArray<Found>): number => {
  let found = 0
  for (const item of batch) if (item._tag === "SourceFile" || (item._tag === "Unusable" && !item.folder)) found += 1
  return found
}

const compared = (
  session: Session,
  memory: RunMemory,
  batch: ReadonlyArray<Found>
): Effect.Effect<Chunk.Chunk<Compared>> => {
  memory.found += foundIn(batch)
  return Effect.match(standings(memory.scan, batch), {
    onSuccess: (all) => Chunk.unsafeFromArray(batch.map((found, at) => ({ found, standing: all[at] ?? "known" }))),
    onFailure: (error) => {
      session.halt(error._tag, error.message)
      return Chunk.unsafeFromArray(batch.map((found): Compared => ({ found, standing: "known" })))
    }
  })
}

/** The items of a part with their standings, in their order. A ledger that cannot be asked stops the run. */
export const compare =
  (session: Session, memory: RunMemory | null) =>
  (items: Chunk.Chunk<Found>): Effect.Effect<Chunk.Chunk<Compared>> =>
    memory === null
      ? Effect.succeed(Chunk.map(items, (found): Compared => ({ found, standing: "new" })))
      : compared(session, memory, Chunk.toReadonlyArray(items))
