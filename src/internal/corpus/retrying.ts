import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as DeadLetter from "../../DeadLetter.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import type { ScopeRequest } from "../../Source.ts"
import { forgetLetters } from "../run/forgetLetters.ts"
import * as ObjectTarget from "../target/objectTarget.ts"
import * as SourceTarget from "../target/sourceTarget.ts"
import * as Request from "./request.ts"

/** Failures of one root that were found by the same patterns. */
export interface Batch {
  readonly scope: ScopeRequest
  /** Options of its source; the root is where it is now. */
  readonly options: SourceTarget.RootOptions
  readonly request: string
  /** POSIX paths below the root. */
  readonly sources: ReadonlyArray<string>
}

/** A failure that cannot be sent again from here, with the reason. */
export interface Left {
  readonly source: string
  readonly message: string
}

export interface Plan {
  readonly batches: ReadonlyArray<Batch>
  readonly left: ReadonlyArray<Left>
}

type Sorted =
  | { readonly _tag: "Ready"; readonly batch: Batch }
  | { readonly _tag: "Left"; readonly reason: string }
  | { readonly _tag: "Gone" }

/** Sorts the failures that the ledger records, or what is stored without text or in part, and forgets those whose file is gone. */
export const plan = (
  targets: ReadonlySet<string>,
  what: "failures" | "incomplete"
): Effect.Effect<Plan, LedgerError, Ledger | DeadLetter.DeadLetter | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const letters = yield* what === "failures" ? DeadLetter.ofLedger(ledger) : DeadLetter.ofIncomplete(ledger)
    const runs = yield* ledger.requests
    const requests = new Map(runs.map(({ digest, text }) => [digest, text]))
    const folders = new Map((yield* ledger.stats).roots.map(({ name, path }) => [name, path]))
    const batches = new Map<string, Batch & { readonly sources: Array<string> }>()
    const left: Array<Left> = []
    const gone: Array<DeadLetter.Entry> = []
    for (const letter of letters) {
      const request = letter.request ?? runs.find(({ text }) => rootOf(text) === letter.root)?.digest ?? null
      const sorted = yield* sort({ ...letter, request }, { targets, requests, folders })
      if (sorted._tag === "Gone") gone.push(letter)
      if (sorted._tag === "Left") left.push({ source: letter.source, message: sorted.reason })
      if (sorted._tag === "Ready") {
        const key = `${letter.root} ${request}`
        const known = batches.get(key)
        if (known === undefined) batches.set(key, { ...sorted.batch, sources: [letter.source] })
        else known.sources.push(letter.source)
      }
    }
    yield* Effect.catchTag(forgetLetters(gone), "DeadLetterError", (error) => Effect.logWarning(error.message))
    return { batches: [...batches.values()], left }
  })

/** Name of the root of a recorded run; null for a text of another kind. */
const rootOf = (request: string): string | null => {
  const options = Request.optionsOf(request)
  return options === null ? null : SourceTarget.open(options).scope.root
}

interface Known {
  /** Ids of the corpus's targets. */
  readonly targets: ReadonlySet<string>
  readonly requests: ReadonlyMap<string, string>
  /** Folder of each root by its name; null for a source that is not a folder. */
  readonly folders: ReadonlyMap<string, string | null>
}

const sort = (
  letter: DeadLetter.Entry,
  { folders, requests, targets }: Known
): Effect.Effect<Sorted, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const root = folders.get(letter.root ?? "")
    const others = letter.targets.filter((target) => !targets.has(target))
    const request = requests.get(letter.request ?? "")
    const recorded = request === undefined ? null : Request.optionsOf(request)
    const left = (reason: string): Sorted => ({ _tag: "Left", reason })
    if (root === undefined || root === null) return left("its bytes are not kept here; add it again")
    if (others.length > 0) return left(`it was to be stored in ${others.join(", ")} too; open that target as well`)
    if (request === undefined || recorded === null)
      return left("the run that found it is not recorded; ingest its source again")
    const name = letter.root ?? undefined
    const { scope } = SourceTarget.open({ ...recorded, name })
    if (ObjectTarget.isAddress(recorded.root)) {
      return { _tag: "Ready", batch: { scope, options: { ...recorded, name }, request, sources: [letter.source] } }
    }
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (!(yield* Effect.orElseSucceed(fs.exists(root), () => false))) {
      return left(`its root ${root} is gone; ingest it where it is now, with the \`name\` ${letter.root ?? ""}`)
    }
    const there = yield* Effect.match(fs.stat(path.join(root, letter.source)), {
      onFailure: (error) => !(error._tag === "SystemError" && error.reason === "NotFound"),
      onSuccess: () => true
    })
    if (!there) return { _tag: "Gone" }
    const options = { ...recorded, name: scope.root, root }
    return { _tag: "Ready", batch: { scope: { ...scope, path: root }, options, request, sources: [letter.source] } }
  })
