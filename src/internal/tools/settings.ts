/** What tools are limited to, and what they may do: options that were checked. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as EffectScope from "effect/Scope"
import * as Filter from "../../Filter.ts"
import type { Summary } from "../../Outcome.ts"
import { OptionError } from "../base/optionError.ts"
import type { Progress as RunProgress } from "../run/progress.ts"
import type { Failure, ReadOnlyCorpus } from "../target/readOnlyCorpus.ts"
import * as Library from "./library.ts"
import * as Pictures from "./pictures.ts"

/** Options of tools. */
export interface Options {
  /** Only chunks for which it holds are searched, read and listed; what a call asks for is looked for among them. Default: all. */
  readonly filter?: Filter.Filter | undefined
  /** The tenant whose documents are searched, read and listed; default: the store has none, or the corpus is one tenant's. */
  readonly tenant?: string | undefined
  /** Folders of the documents by the names of their roots, for `look` and `ingest`. Default: those that the state knows. */
  readonly roots?: Readonly<Record<string, string>> | undefined
  /**
   * The state of the run that filled the store, a folder or an address, for `look`: it tells if a file still has the bytes that a passage
   * is from. It is read, never changed. Default: none, and pages have no pictures.
   */
  readonly state?: string | undefined
  /** Adds the tools that change the store; not together with `filter` or `tenant`. Default false. */
  readonly write?: boolean | undefined
}

/** A corpus, as far as tools change it and tell of it. */
export interface WritableCorpus extends ReadOnlyCorpus {
  readonly ingest: (
    files: { readonly root: string; readonly name: string; readonly patterns?: ReadonlyArray<string> },
    options: { readonly onProgress?: (progress: RunProgress) => Effect.Effect<void> }
  ) => Effect.Effect<Summary, Failure>
  readonly remove: (source: string) => Effect.Effect<unknown, Failure>
  readonly status: Effect.Effect<
    { readonly roots: ReadonlyArray<{ readonly name: string; readonly path: string | null }> },
    Failure
  >
  readonly failures: Effect.Effect<ReadonlyArray<unknown>, Failure>
}

export interface Settings extends Library.Library {
  readonly corpus: WritableCorpus
  readonly pictures: Pictures.Pictures
  readonly roots: ReadonlyMap<string, string>
  readonly write: boolean
}

export const make = (
  corpus: WritableCorpus,
  { filter, roots = {}, state, tenant, write = false }: Options
): Effect.Effect<Settings, OptionError, EffectScope.Scope> =>
  Effect.gen(function* () {
    const refused = (option: string, problem: string) => new OptionError({ option, problem })
    if (write && (filter !== undefined || tenant !== undefined)) {
      return yield* refused(
        "write",
        "tools that are limited to a filter or a tenant change nothing; leave out one of the two"
      )
    }
    const parsed = filter === undefined ? undefined : Filter.parse(filter)
    if (parsed?._tag === "Left") return yield* refused("filter", parsed.left.message)
    const scope = { filter, condition: parsed?.right.condition, tenant }
    const folders = new Map(Object.entries(roots))
    return {
      ...(yield* Library.make(corpus, scope)),
      corpus,
      pictures: yield* Pictures.make({ roots: folders, state: state ?? null }),
      roots: folders,
      write
    }
  })

/** Told how far a call has come; provided by what calls tools, where its caller wants to know. */
export class Progress extends Context.Tag("docsluice/tools/Progress")<
  Progress,
  (progress: { readonly done: number; readonly total: number | null; readonly message: string }) => Effect.Effect<void>
>() {}
