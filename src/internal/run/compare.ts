/** Compares found files with the ledger, a batch at a time. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { LedgerError } from "../../Ledger.ts"
import { documentId } from "../../SourceFile.ts"
import { SeenNames } from "../base/seenNames.ts"
import { faultOf } from "../client/fileValues.ts"
import type { Found } from "../discovery/foundFiles.ts"
import type { Scan, SeenFile, Standing } from "../state/ledger/runLedger.ts"
import type { RunMemory } from "./memory.ts"
import type { Session } from "./session.ts"

/** A found file and its standing in the ledger. */
export interface Compared {
  readonly found: Found
  /**
   * `new` without a ledger; `known` when the ledger could not be asked, which stops the run; `duplicate` where an earlier file of the run
   * has the same id.
   */
  readonly standing: Standing | "duplicate"
}

/** What exists, but cannot be stored as it is, counts as found, so that its document is not taken for gone. */
const seenAs = (found: Found): SeenFile =>
  found._tag === "SourceFile" ? found : { path: found.path, size: 0, fingerprint: undefined }

const isFolder = (found: Found): boolean => found._tag === "Unusable" && found.folder

/** The same, or the failure of a file of which a value cannot be used. */
export const sound = (found: Found): Found => {
  if (found._tag !== "SourceFile") return found
  const error = faultOf(found)
  if (error === null) return found
  // What is stored under a name that cannot be told is not gone.
  return { _tag: "Unusable", path: error.path, error, folder: false, uncertain: error.path !== found.path }
}

/** Tests for a file of an id that came already. */
export type Repeated = (found: Found) => boolean

/**
 * Remembers the ids that came, in 24 to 48 bytes for each. What is of no supported type has none. `root`: of what is found without one of
 * its own.
 */
export const repeats = (root: string): Repeated => {
  const names = new SeenNames()
  return (found) => {
    if (found._tag === "SourceFile") return !names.add(found.documentId)
    return found._tag === "Unusable" && !found.folder && !names.add(documentId(found.root ?? root, found.path))
  }
}

/**
 * Marks the files of a batch as found and returns their standings in its order; that of a folder is `new`. The ledger is not told of a
 * duplicate, which is not the document that it knows.
 */
export const standings = (
  scan: Pick<Scan<LedgerError>, "see">,
  repeated: Repeated,
  batch: ReadonlyArray<Found>
): Effect.Effect<ReadonlyArray<Compared["standing"]>, LedgerError> => {
  const known = batch.map((found): Compared["standing"] | null => {
    if (repeated(found)) return "duplicate"
    return isFolder(found) ? "new" : null
  })
  const files = batch.filter((_, at) => known[at] === null)
  return Effect.map(scan.see(files.map(seenAs)), (all) => {
    const rest = all.values()
    return known.map((standing) => standing ?? rest.next().value ?? "known")
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
  repeated: Repeated,
  batch: ReadonlyArray<Found>
): Effect.Effect<Chunk.Chunk<Compared>> => {
  memory.found += foundIn(batch)
  return Effect.match(standings(memory.scan, repeated, batch), {
    onSuccess: (all) => Chunk.unsafeFromArray(batch.map((found, at) => ({ found, standing: all[at] ?? "known" }))),
    onFailure: (error) => {
      session.halt(error)
      return Chunk.unsafeFromArray(batch.map((found): Compared => ({ found, standing: "known" })))
    }
  })
}

/** The items of a part with their standings, in their order. A ledger that cannot be asked stops the run. */
export const compare =
  (session: Session, memory: RunMemory | null, repeated: Repeated) =>
  (items: Chunk.Chunk<Found>): Effect.Effect<Chunk.Chunk<Compared>> =>
    memory === null
      ? Effect.sync(() =>
          Chunk.map(items, (found): Compared => ({ found, standing: repeated(found) ? "duplicate" : "new" }))
        )
      : compared(session, memory, repeated, Chunk.toReadonlyArray(items))
