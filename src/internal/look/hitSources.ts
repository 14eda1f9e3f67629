/** Knowledge of the documents behind hits: the folders of their roots, and the bytes that their chunks were made of. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Ledger from "../../Ledger.ts"
import { HitMissing } from "./hitMissing.ts"
import type { Below } from "./hitPlace.ts"

export interface Options {
  /** Folders of roots by their names; they win over those that the state knows. */
  readonly roots: ReadonlyMap<string, string>
  /** The state, a folder or an address, or its open ledger; null for none. It is read while a run writes to it, and never changed. */
  readonly state: string | Known | null
}

/** What is asked of a ledger. */
type Known = Pick<Ledger.Ledger.Service, "get" | "stats">

/** A chunk, or a document as a whole. */
export type Cited = Pick<DocumentChunk, "documentId" | "source"> & Partial<Pick<DocumentChunk, "id">>

/** Bytes that a chunk was made of. */
export interface Bytes {
  readonly size: number
  /** SHA-256, lower-case hexadecimal. */
  readonly hash: string
}

export interface HitSources {
  readonly folder: (below: Below) => Effect.Effect<string, HitMissing>
  readonly bytes: (chunk: Cited) => Effect.Effect<Bytes, HitMissing>
}

/** Uses what is known at this time: the state is open for as long as `use` runs. */
export const using = <A, E, R>(
  { roots, state }: Options,
  use: (sources: HitSources) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const known = yield* Effect.either(
        typeof state === "string" ? Ledger.openReadOnly(state) : Effect.succeed<Known | null>(state)
      )
      if (known._tag === "Left") {
        const refused = unreadable(known.left)
        return yield* use(of(roots, { folder: () => refused, bytes: () => refused }))
      }
      return yield* use(of(roots, known.right === null ? stateless : yield* recorded(known.right)))
    })
  )

/** Sources for which the folders given win. */
const of = (roots: Options["roots"], sources: HitSources): HitSources => ({
  ...sources,
  folder: (below) => {
    const given = roots.get(below.root)
    return given === undefined ? sources.folder(below) : Effect.succeed(given)
  }
})

const stateless: HitSources = {
  folder: ({ root }) => unknownRoot(root),
  bytes: () => unverified("There is no state")
}

const recorded = (ledger: Known): Effect.Effect<HitSources> =>
  Effect.map(
    Effect.cached(Effect.map(ledger.stats, ({ roots }) => new Map(roots.map(({ name, path }) => [name, path])))),
    (folders) => ({
      folder: ({ root }) =>
        Effect.flatMap(Effect.mapError(folders, unreadable), (known) => {
          const folder = known.get(root)
          if (folder === null) return noFolder(root)
          return folder === undefined ? unknownRoot(root) : Effect.succeed(folder)
        }),
      bytes: ({ documentId, id, source }) =>
        Effect.flatMap(Effect.mapError(ledger.get({ documentId, path: source }), unreadable), (entry) => {
          const stored = Option.isSome(entry) ? entry.value.stored : null
          if (stored === null) return unverified("The state knows nothing of this document")
          return id === undefined || stored.chunkIds.includes(id)
            ? Effect.succeed({ size: stored.size, hash: stored.contentHash })
            : otherGeneration(source)
        })
    })
  )

const unverified = (fact: string): HitMissing =>
  new HitMissing({
    reason: "unverified",
    problem: `${fact}, so nothing tells if the file still has the bytes that the passage is from.`,
    remedy: "Start with --state DIR, the state of the run that filled the store."
  })

/** Without the directory, which stays private to this machine. */
const unreadable = ({ reason }: Ledger.LedgerError): HitMissing =>
  new HitMissing({
    reason: "unverified",
    problem: `The state cannot be read (${reason}), so nothing tells which file the passage is from.`,
    remedy:
      "Start with --state DIR, the state of the run that filled the store; docsluice status --state DIR says more."
  })

const unknownRoot = (root: string): HitMissing =>
  new HitMissing({
    reason: "no-root",
    problem: `Nothing tells which folder the root ${JSON.stringify(root)} is.`,
    remedy: "Start with --root NAME=FOLDER, or with --state DIR, the state of the run that filled the store."
  })

const noFolder = (root: string): HitMissing =>
  new HitMissing({
    reason: "no-root",
    problem: `The root ${JSON.stringify(root)} is no folder of this machine.`,
    remedy: "Start with --root NAME=FOLDER, a folder with copies of its files."
  })

const otherGeneration = (source: string): HitMissing =>
  new HitMissing({
    reason: "changed",
    problem: `The passage is from another version of ${source} than the one that the state knows.`,
    remedy: "Ingest again, so that store and state are in step."
  })
