/** Texts of the library, which name options in backticks, with each option as its flag. */
import { Summary } from "../Outcome.ts"

/** Options that texts of the library name: as they write them, and as a person writes them here. */
const flags: ReadonlyMap<string, string> = new Map([
  ["allowPrivate", "--allow-private"],
  ["allowRemovals", "--allow-removals"],
  ['claim: "adopt"', "--adopt"],
  ['claim: "shared"', "--shared"],
  ["maxTokens", "--max-tokens"],
  ["name", "--name"],
  ["newRoot", "--new-root"],
  ["rebuild", "--rebuild"],
  ["root", "--root"],
  ["to", "--to"]
])

/** All flags that a text may get. */
export const all: ReadonlyArray<string> = [...flags.values()]

/** Replaces each option in backticks by its flag; other texts in backticks stay. */
export const inFlags = (text: string): string =>
  text.replaceAll(/`([^`]{1,40})`/gu, (given, option: string) => flags.get(option) ?? given)

/**
 * Errors whose messages are this package's own words. Any other may repeat what a service, a model or a file says, which is shown as it
 * was said.
 */
const own: ReadonlySet<string> = new Set([
  "DiscoveryError",
  "InvalidOptions",
  "LedgerError",
  "OptionError",
  "RemovalError",
  "SinkError",
  "SourceUnavailable"
])

/** The message of an error, with options as flags where they are options. */
export const ofError = ({ message, tag }: { readonly tag: string; readonly message: string }): string =>
  own.has(tag) ? inFlags(message) : message

const inMessage = <A extends { readonly tag: string; readonly message: string }>(one: A): A => ({
  ...one,
  message: ofError(one)
})

/** The messages of warnings: those of the run are named after its root, and those of documents say what others said. */
export const ofWarnings = <A extends { readonly source: string; readonly message: string }>(
  warnings: ReadonlyArray<A>,
  root: string
): ReadonlyArray<A> => warnings.map((one) => (one.source === root ? { ...one, message: inFlags(one.message) } : one))

/** A summary of a run of that root, whose messages name flags. */
export const ofSummary = (summary: Summary, root: string): Summary =>
  Summary.make({
    ...summary,
    warnings: ofWarnings(summary.warnings, root),
    failures: summary.failures.map(inMessage),
    ...(summary.stopped === undefined ? {} : { stopped: inMessage(summary.stopped) })
  })
