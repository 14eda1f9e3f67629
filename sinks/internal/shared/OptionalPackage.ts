import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/**
 * Loads an engine that is not installed with this package. Fails with `Unsupported`, naming the command that installs it, or
 * what it said of the machine when it is installed and does not load.
 */
export const load = <A>(
  sink: string,
  /** With their versions, as `npm install` takes them. */
  packages: ReadonlyArray<string>,
  importing: () => Promise<A>
): Effect.Effect<A, SinkError> =>
  Effect.tryPromise({
    try: importing,
    catch: (cause) =>
      new SinkError({
        sink,
        reason: "Unsupported",
        problem: missing(cause)
          ? `it needs ${packages.length === 1 ? "a package" : "packages"} that ${packages.length === 1 ? "is" : "are"} not installed here; run: npm install ${packages.join(" ")}`
          : `${packages.join(" and ")} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })
  })

const missing = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && (cause.code === "ERR_MODULE_NOT_FOUND" || cause.code === "MODULE_NOT_FOUND")
