import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type * as Discovery from "../../Discovery.ts"
import type { LedgerError } from "../../Ledger.ts"
import * as Source from "../../Source.ts"
import { isAbsent } from "../run/absent.ts"
import * as SourceTarget from "../target/sourceTarget.ts"

/** Errors of a root that cannot be read, or has nothing that is wanted. */
export type Unfound = Discovery.DiscoveryError | Source.SourceUnavailable

/** The files of one run. */
export interface Located<out E> {
  readonly source: Source.Source<E, SourceTarget.Requirements>
  /**
   * The same files in any order, to look for before anything is created; null for those that only their program has, which may come but
   * once.
   */
  readonly look: Stream.Stream<Discovery.Found, Unfound, SourceTarget.Requirements> | null
  /** Where they are; null for files that only their program has. */
  readonly options: SourceTarget.RootOptions | null
}

/** Files of a program. */
export const own = <E>(source: Source.Source<E, SourceTarget.Requirements>): Located<E> => ({
  source,
  look: null,
  options: null
})

/** The files of a root without `exclude`, the paths of what a run writes. */
export const make = (given: SourceTarget.RootOptions, exclude: ReadonlyArray<string>): Located<Unfound> => {
  const options = { ...given, exclude: [...(given.exclude ?? []), ...exclude] }
  return {
    source: SourceTarget.open(options),
    look: SourceTarget.open({ ...options, ordered: false }).files,
    options: given
  }
}

/** Files of a root by their paths below it, whatever its patterns say. */
export const named = (
  { allowPrivate, endpoint, expand, name, root, types }: SourceTarget.RootOptions,
  filesFrom: ReadonlyArray<string>
): Stream.Stream<Discovery.Found, Unfound, SourceTarget.Requirements> =>
  SourceTarget.open({ root, name, types, expand, endpoint, allowPrivate, filesFrom, ordered: false }).files

/** Some files of a scope, those of a repeated run for instance: nothing else of the scope is gone. */
export const part = (
  options: SourceTarget.RootOptions,
  scope: Source.ScopeRequest,
  paths: ReadonlyArray<string>
): Located<Unfound> => {
  const files = named(options, paths)
  return { source: Source.part(Source.within(scope, files), identity), look: files, options }
}

/** The source with its stream of files changed. */
export const through = <E, R, E2, R2>(
  source: Source.Source<E, R>,
  change: (files: Stream.Stream<Discovery.Found, E, R>) => Stream.Stream<Discovery.Found, E2, R2>
): Source.Source<E2, R2> =>
  source.partial ? Source.part(source, change) : Source.within(source.scope, change(source.files))

/**
 * Treats a root that is not there as an empty one where documents of its scope are known: nothing is found, and nothing removed. `mayBeEmpty`:
 * so is one without a file that is wanted.
 */
export const unlessKnown =
  (claims: Effect.Effect<number, LedgerError>, mayBeEmpty: boolean) =>
  <E, R>(files: Stream.Stream<Discovery.Found, E, R>): Stream.Stream<Discovery.Found, E | LedgerError, R> =>
    Stream.catchAll(files, (error) => {
      if (!isAbsent(error)) return Stream.fail(error)
      if (mayBeEmpty && isNoMatch(error)) return Stream.empty
      return Stream.unwrap(Effect.map(claims, (count) => (count > 0 ? Stream.empty : Stream.fail(error))))
    })

const isNoMatch = (error: unknown): boolean => Predicate.hasProperty(error, "reason") && error.reason === "NoMatch"
