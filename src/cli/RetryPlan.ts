/** Which dead letters go where: each with what its own run was told, to that run's targets. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as DeadLetter from "../DeadLetter.ts"
import { ofRun } from "../internal/state/ledger/runLedger.ts"
import { Ledger, type LedgerError } from "../Ledger.ts"
import { documentId } from "../SourceFile.ts"
import * as RunRequest from "./RunRequest.ts"
import * as StoredTargets from "./StoredTargets.ts"
import { UsageError } from "./UsageError.ts"

/** Letters of one root whose runs were told the same. */
export interface Batch {
  readonly request: RunRequest.RunRequest
  /** Name of the root. */
  readonly name: string
  /** Folder of the root as it is now: it may have moved since. */
  readonly root: string
  /** POSIX paths below the root. */
  readonly sources: ReadonlyArray<string>
}

/** A letter that cannot be sent again now, and why. */
export interface Left {
  readonly letter: DeadLetter.Entry
  readonly reason: string
}

export interface RetryPlan {
  readonly batches: ReadonlyArray<Batch>
  readonly left: ReadonlyArray<Left>
  /** Their files are gone. */
  readonly gone: ReadonlyArray<DeadLetter.Entry>
}

/** A letter with what it takes to send it again, or the reason why that cannot be. */
type Sorted =
  | {
      readonly _tag: "Ready"
      readonly told: StoredTargets.Told
      readonly letter: DeadLetter.Entry
      readonly root: string
    }
  | ({ readonly _tag: "Left" } & Left)
  | { readonly _tag: "Gone"; readonly letter: DeadLetter.Entry }

/** By what the ledger says failed; nothing is written. Fails where no run of the command line is recorded. */
export const make: Effect.Effect<RetryPlan, UsageError | LedgerError, Ledger | FileSystem.FileSystem | Path.Path> =
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const told = yield* StoredTargets.told
    if (told.length === 0) return yield* new UsageError({ problem: "no run is recorded; run ingest first" })
    const { roots } = yield* ledger.stats
    const folders = new Map(roots.flatMap(({ name, path }) => (path === null ? [] : [[name, path]])))
    const letters = yield* DeadLetter.ofLedger(ledger)
    const there = new Set<string>()
    for (const folder of new Set([...folders.values(), ...told.map(({ request }) => request.root)])) {
      if (yield* isFolder(folder)) there.add(folder)
    }
    const sorted = yield* Effect.forEach(letters, (letter) => sort(letter, { told, folders, there }))
    return {
      batches: batchesOf(sorted),
      left: sorted.filter((one) => one._tag === "Left"),
      gone: sorted.flatMap((one) => (one._tag === "Gone" ? [one.letter] : []))
    }
  })

interface Known {
  readonly told: ReadonlyArray<StoredTargets.Told>
  /** Folder of each root by its name. */
  readonly folders: ReadonlyMap<string, string>
  /** Folders that are there. */
  readonly there: ReadonlySet<string>
}

const sort = (
  letter: DeadLetter.Entry,
  { folders, there, told }: Known
): Effect.Effect<Sorted, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const of = requestOf(letter, told)
    if (of === undefined) {
      const reason = "it failed in a run that was not one of the command line; run that again"
      return { _tag: "Left", letter, reason } as const
    }
    const root = folders.get(letter.root ?? "") ?? of.request.root
    if (!there.has(root)) {
      const reason = `its root ${root} is gone; run ingest where it is now, with --name ${letter.root ?? ""}`
      return { _tag: "Left", letter, reason } as const
    }
    return (yield* isGone(root, letter.source))
      ? ({ _tag: "Gone", letter } as const)
      : ({ _tag: "Ready", told: of, letter, root } as const)
  })

/**
 * What the letter's run was told. A letter of an earlier version says neither that nor its targets: for it, what the latest run over
 * its root was told.
 */
const requestOf = (
  { request, root, targets }: DeadLetter.Entry,
  told: ReadonlyArray<StoredTargets.Told>
): StoredTargets.Told | undefined =>
  request === null && targets.length === 0
    ? told.find((one) => RunRequest.rootName(one.request) === root)
    : told.find(({ digest }) => digest === request)

const batchesOf = (sorted: ReadonlyArray<Sorted>): ReadonlyArray<Batch> => {
  const batches = new Map<string, Batch & { readonly sources: Array<string> }>()
  for (const one of sorted) {
    if (one._tag !== "Ready") continue
    const { letter, root, told } = one
    const known = batches.get(told.digest)
    if (known !== undefined) known.sources.push(letter.source)
    else batches.set(told.digest, { request: told.request, name: letter.root ?? "", root, sources: [letter.source] })
  }
  return [...batches.values()]
}

const isFolder = (path: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.orElseSucceed(
      Effect.map(fs.stat(path), ({ type }) => type === "Directory"),
      () => false
    )
  )

const isGone = (root: string, source: string): Effect.Effect<boolean, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    return yield* Effect.match(fs.stat(path.join(root, source)), {
      onFailure: (error) => error._tag === "SystemError" && error.reason === "NotFound",
      onSuccess: () => false
    })
  })

/** Takes letters out of ledger and file whose files are gone. */
export const forget = (
  gone: ReadonlyArray<DeadLetter.Entry>
): Effect.Effect<void, LedgerError | DeadLetter.DeadLetterError, Ledger | DeadLetter.DeadLetter> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const letters = yield* DeadLetter.DeadLetter
    for (const { root, source } of gone) {
      yield* ledger.forgive({ documentId: documentId(root ?? "", source), path: source })
    }
    yield* letters.replace(yield* DeadLetter.ofLedger(ledger))
  })

/** For a person. */
export const nameOf = ({ root, source }: DeadLetter.Key): string => (root === null ? source : `${root}/${source}`)
