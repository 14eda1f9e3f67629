/** A root that is not there, or has nothing that is wanted: a disk that is not mounted looks like it. */
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"

const reasons: ReadonlySet<unknown> = new Set(["NoMatch", "RootMissing", "RootNotAFolder", "RootUnreadable"])

/** Tests for the error of a discovery or a source that found nothing at all. */
export const isAbsent = (error: unknown): boolean =>
  (Predicate.isTagged(error, "DiscoveryError") || Predicate.isTagged(error, "SourceUnavailable")) &&
  Predicate.hasProperty(error, "reason") &&
  reasons.has(error.reason)

/** The same files; none instead of that error where `isKnown`, which is asked then, so that nothing is found and nothing removed. */
export const orNothing =
  (isKnown: () => boolean) =>
  <A, E, R>(files: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    Stream.catchAll(files, (error) => (isAbsent(error) && isKnown() ? Stream.empty : Stream.fail(error)))
