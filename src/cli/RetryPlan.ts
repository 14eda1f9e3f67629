/** Groups dead letters by the request and the targets of the run that they failed in. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as DeadLetter from "../DeadLetter.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import { Ledger, type LedgerError } from "../Ledger.ts"
import * as RunRequest from "./RunRequest.ts"
import * as StoredTargets from "./StoredTargets.ts"
import { UsageError } from "./UsageError.ts"

/** Letters of one root whose runs had the same request. */
export interface Batch {
  readonly request: RunRequest.RunRequest
  /** Name of the root. */
  readonly name: string
  /** Current folder of the root, which may have moved since the run. */
  readonly root: string
  /** POSIX paths below the root. */
  readonly sources: ReadonlyArray<string>
}

/** A letter that cannot be sent again now, with the reason. */
export interface Left {
  readonly letter: DeadLetter.Entry
  readonly reason: string
}

export interface RetryPlan {
  readonly batches: ReadonlyArray<Batch>
  readonly left: ReadonlyArray<Left>
  /** Letters whose files no longer exist. */
  readonly gone: ReadonlyArray<DeadLetter.Entry>
}

/** A letter with the data to send it again, or the reason why that is impossible. */
type Sorted =
  | {
      readonly _tag: "Ready"
      readonly run: StoredTargets.Told
      readonly letter: DeadLetter.Entry
      readonly root: string
    }
  | ({ readonly _tag: "Left" } & Left)
  | { readonly _tag: "Gone"; readonly letter: DeadLetter.Entry }

/**
 * Groups the failures that the ledger records, or what is stored without text or in part; writes nothing. Fails when no run of the command
 * line is recorded.
 */
export const make = (
  what: "failures" | "incomplete"
): Effect.Effect<RetryPlan, UsageError | LedgerError, Ledger | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const runs = yield* StoredTargets.told
    if (runs.length === 0) return yield* new UsageError({ problem: "no run is recorded; run ingest first" })
    const { roots } = yield* ledger.stats
    const folders = new Map(roots.flatMap(({ name, path }) => (path === null ? [] : [[name, path]])))
    const letters = yield* what === "failures" ? DeadLetter.ofLedger(ledger) : DeadLetter.ofIncomplete(ledger)
    const there = new Set<string>()
    for (const folder of new Set([...folders.values(), ...runs.map(({ request }) => request.root)])) {
      if (ObjectTarget.isAddress(folder) || (yield* isFolder(folder))) there.add(folder)
    }
    const sorted = yield* Effect.forEach(letters, (letter) => sort(letter, { runs, folders, there }))
    return {
      batches: batchesOf(sorted),
      left: sorted.filter((one) => one._tag === "Left"),
      gone: sorted.flatMap((one) => (one._tag === "Gone" ? [one.letter] : []))
    }
  })

interface Recorded {
  readonly runs: ReadonlyArray<StoredTargets.Told>
  /** Folder of each root by its name. */
  readonly folders: ReadonlyMap<string, string>
  /** Folders that exist. */
  readonly there: ReadonlySet<string>
}

const sort = (
  letter: DeadLetter.Entry,
  { folders, there, runs }: Recorded
): Effect.Effect<Sorted, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const of = requestOf(letter, runs)
    if (of === undefined) {
      const reason = "it failed in a run that was not one of the command line; run that again"
      return { _tag: "Left", letter, reason } as const
    }
    // The state knows a root of an object store with the store's host.
    const remote = ObjectTarget.isAddress(of.request.root)
    const root = remote ? of.request.root : (folders.get(letter.root ?? "") ?? of.request.root)
    if (!there.has(root)) {
      const reason = `its root ${root} is gone; run ingest where it is now, with --name ${letter.root ?? ""}`
      return { _tag: "Left", letter, reason } as const
    }
    return !remote && (yield* isGone(root, letter.source))
      ? ({ _tag: "Gone", letter } as const)
      : ({ _tag: "Ready", run: of, letter, root } as const)
  })

/**
 * Request of the letter's run. A letter of an earlier version records neither request nor targets: it gets the request of the latest run
 * over its root.
 */
const requestOf = (
  { request, root, targets }: DeadLetter.Entry,
  runs: ReadonlyArray<StoredTargets.Told>
): StoredTargets.Told | undefined =>
  request === null && targets.length === 0
    ? runs.find((one) => RunRequest.rootName(one.request) === root)
    : runs.find(({ digest }) => digest === request)

const batchesOf = (sorted: ReadonlyArray<Sorted>): ReadonlyArray<Batch> => {
  const batches = new Map<string, Batch & { readonly sources: Array<string> }>()
  for (const one of sorted) {
    if (one._tag !== "Ready") continue
    const { letter, root, run } = one
    const known = batches.get(run.digest)
    if (known !== undefined) known.sources.push(letter.source)
    else batches.set(run.digest, { request: run.request, name: letter.root ?? "", root, sources: [letter.source] })
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

/** Name of a letter in messages. */
export const nameOf = ({ root, source }: DeadLetter.Key): string => (root === null ? source : `${root}/${source}`)
