/** Compares found files with the ledger, a batch at a time. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { LedgerError } from "../../Ledger.ts"
import { Unsupported } from "../../Outcome.ts"
import { documentId, DuplicateDocument, type SourceFile } from "../../SourceFile.ts"
import { SeenNames } from "../base/seenNames.ts"
import { faultOf } from "../client/fileValues.ts"
import type { Found } from "../discovery/foundFiles.ts"
import type { Scan, SeenFile, Standing } from "../state/ledger/runLedger.ts"
import { type Ended, ended } from "./item.ts"
import { keyOf, recordFailure, type RunMemory } from "./memory.ts"
import { failed, namesIn, namesOf, unchanged, unchecked } from "./outcome.ts"
import type { Session } from "./session.ts"

/** A found file and its standing in the ledger. */
export interface Compared {
  readonly found: Found
  /**
   * `new` without a ledger; `known` when the ledger could not be asked, which stops the run; `duplicate` where an earlier file of the run
   * has the same id.
   */
  readonly standing: Standing | "duplicate"
  /** True for a document that was put off, whose turn it is now. */
  readonly postponed?: boolean | undefined
}

/** An unusable file counts as found: it exists, so its document is not gone. */
const seenAs = (found: Found): SeenFile =>
  found._tag === "SourceFile" ? found : { path: found.path, size: 0, fingerprint: undefined }

const isFolder = (found: Found): boolean => found._tag === "Unusable" && found.folder

/** The same, or the failure of a file with a value that cannot be used. */
export const sound = (found: Found): Found => {
  if (found._tag !== "SourceFile") return found
  const error = faultOf(found)
  if (error === null) return found
  // A document stored under a name that is not known is not gone.
  return { _tag: "Unusable", path: error.path, error, folder: false, uncertain: error.path !== found.path }
}

/** Tests for a file with the id of an earlier one. */
export type Repeated = (found: Found) => boolean

/**
 * Remembers the ids of files, in 24 to 48 bytes each. A file of no supported type has none. `root`: of unusable files whose source names no
 * root.
 */
export const repeats = (root: string): Repeated => {
  const names = new SeenNames()
  return (found) => {
    if (found._tag === "SourceFile") return !names.add(found.documentId)
    return found._tag === "Unusable" && !found.folder && !names.add(found.documentId ?? documentId(root, found.path))
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

/** Names of a found file; `root`: of one whose source names no root. */
const namesOfFound = (root: string | null, found: Found) => {
  const id = found._tag === "Unsupported" ? undefined : found.documentId
  return id === undefined ? namesIn(root, found.path) : namesOf({ documentId: id, path: found.path })
}

/**
 * Outcome of an unchanged file or a duplicate, computed synchronously; a repeated run has thousands of the former. Nothing of a duplicate is
 * recorded under its name, which is that of another document.
 */
export const endedAtOnce =
  ({ root, session }: { readonly root: string | null; readonly session: Session }) =>
  ({ found, standing }: Compared): Ended | undefined => {
    if (standing === "duplicate") {
      const { path } = found
      return ended(null, failed(namesOfFound(root, found), new DuplicateDocument({ path })), { keep: false })
    }
    return standing === "unchanged" && found._tag === "SourceFile" && session.stopped() === null
      ? ended(null, unchanged(found))
      : undefined
  }

/**
 * Outcome of an item that is no usable file. A folder gets no dead letter, since it cannot be retried; its content is unknown, so the scope
 * counts as incomplete.
 */
export const unusable = (
  { memory, root: own }: { readonly memory: RunMemory | null; readonly root: string | null },
  found: Exclude<Found, SourceFile>
): Ended => {
  const root = memory === null ? null : memory.options.scope.root
  const names = namesOfFound(own, found)
  if (found._tag === "Unsupported") {
    return ended(root, new Unsupported({ ...names, extension: found.extension }, unchecked))
  }
  const outcome = failed(names, found.error)
  if (memory === null) return ended(found.documentId ? names.root : null, outcome, { keep: !found.folder })
  if (found.folder || found.uncertain === true) memory.incomplete ??= found.error.message
  if (found.folder) return ended(root, outcome, { keep: false })
  const seen = { size: 0, fingerprint: undefined, checkedAt: memory.expected.startedAt }
  const note = recordFailure(memory, keyOf(memory, found.path), seen, { outcome, final: false })
  return ended(root, outcome, { note })
}
