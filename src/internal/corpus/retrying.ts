import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as DeadLetter from "../../DeadLetter.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import type { ScopeRequest } from "../../Source.ts"
import { type Message, option, text } from "../base/message.ts"
import { targetOf } from "../sink/generations.ts"
import * as ObjectTarget from "../target/objectTarget.ts"
import * as SourceTarget from "../target/sourceTarget.ts"
import * as Description from "./description.ts"
import * as StoredTargets from "./storedTargets.ts"

/** Failures of one recorded run below one root. */
export interface Batch {
  readonly run: StoredTargets.Told
  /** Scope of that run; the root is where it is now. */
  readonly scope: ScopeRequest
  readonly options: SourceTarget.RootOptions
  /** POSIX paths below the root. */
  readonly sources: ReadonlyArray<string>
}

/** A failure that cannot be sent again from here, with the reason. */
export interface Left {
  readonly letter: DeadLetter.Entry
  readonly reason: Message
}

export interface Plan {
  readonly batches: ReadonlyArray<Batch>
  readonly left: ReadonlyArray<Left>
  /** Failures whose files no longer exist. */
  readonly gone: ReadonlyArray<DeadLetter.Entry>
  /** False where no run is recorded that could be done again. */
  readonly recorded: boolean
}

type Sorted =
  | { readonly _tag: "Ready"; readonly letter: DeadLetter.Entry; readonly batch: Omit<Batch, "sources"> }
  | ({ readonly _tag: "Left" } & Left)
  | { readonly _tag: "Gone"; readonly letter: DeadLetter.Entry }

/**
 * Sorts the failures that the ledger records, or what is stored without text or in part; writes nothing. `own`: ids of the targets that all
 * of it goes to; null: to those of its own run, which must then have no part that only a program has.
 */
export const plan = (
  what: "failures" | "incomplete",
  own: ReadonlySet<string> | null
): Effect.Effect<Plan, LedgerError, Ledger | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const letters = yield* what === "failures" ? DeadLetter.ofLedger(ledger) : DeadLetter.ofIncomplete(ledger)
    const runs = yield* StoredTargets.told
    const folders = new Map((yield* ledger.stats).roots.map(({ name, path }) => [name, path]))
    const sorted = yield* Effect.forEach(letters, (letter) => sort(letter, { own, runs, folders }))
    return {
      batches: batchesOf(sorted),
      left: sorted.filter((one) => one._tag === "Left"),
      gone: sorted.flatMap((one) => (one._tag === "Gone" ? [one.letter] : [])),
      recorded: runs.length > 0
    }
  })

interface Known {
  readonly own: ReadonlySet<string> | null
  readonly runs: ReadonlyArray<StoredTargets.Told>
  /** Folder of each root by its name; null for a source that is not a folder. */
  readonly folders: ReadonlyMap<string, string | null>
}

const sort = (
  letter: DeadLetter.Entry,
  { folders, own, runs }: Known
): Effect.Effect<Sorted, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const left = (reason: Message): Sorted => ({ _tag: "Left", letter, reason })
    const others = own === null ? [] : letter.targets.filter((target) => !own.has(targetOf(target)))
    if (own !== null && (folders.get(letter.root ?? "") ?? null) === null) {
      return left("its bytes are not kept here; add it again")
    }
    if (others.length > 0) return left(`it was to be stored in ${others.join(", ")} too; open that target as well`)
    const run = runOf(letter, runs)
    if (run === undefined) {
      return left("the run that met it was not one of the command line, or of a corpus over a root; run that again")
    }
    const { alive } = run.recorded.kept
    if (own === null && alive.length > 0) {
      return left(`its run was one of a program that has its ${alive.join(", ")} in itself; retry it there`)
    }
    const name = letter.root ?? undefined
    const options = { ...Description.sourceOptions(run.recorded.run), name }
    const { scope } = SourceTarget.open(options)
    // The state knows a root of an object store with the store's host.
    if (ObjectTarget.isAddress(options.root)) return { _tag: "Ready", letter, batch: { run, scope, options } }
    const root = folders.get(letter.root ?? "") ?? options.root
    if (!(yield* isFolder(root))) {
      return left(
        text`its root ${root} is gone; ingest it where it is now, with ${option("name")} ${letter.root ?? ""}`
      )
    }
    if (yield* isGone(root, letter.source)) return { _tag: "Gone", letter }
    const batch = { run, scope: { ...scope, path: root }, options: { ...options, root } }
    return { _tag: "Ready", letter, batch }
  })

/**
 * The run that the letter is of. One of an earlier version records neither request nor targets: it is taken for one of the latest run over
 * its root.
 */
const runOf = (
  { request, root, targets }: DeadLetter.Entry,
  runs: ReadonlyArray<StoredTargets.Told>
): StoredTargets.Told | undefined =>
  request === null && targets.length === 0
    ? runs.find(({ recorded }) => Description.rootName(recorded.run) === root)
    : runs.find(({ digest }) => digest === request)

const batchesOf = (sorted: ReadonlyArray<Sorted>): ReadonlyArray<Batch> => {
  const batches = new Map<string, Batch & { readonly sources: Array<string> }>()
  for (const one of sorted) {
    if (one._tag !== "Ready") continue
    const { batch, letter } = one
    const key = `${letter.root} ${batch.run.digest}`
    const known = batches.get(key)
    if (known === undefined) batches.set(key, { ...batch, sources: [letter.source] })
    else known.sources.push(letter.source)
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
