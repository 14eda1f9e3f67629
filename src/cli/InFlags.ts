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

const inMessage = <A extends { readonly message: string }>(one: A): A => ({ ...one, message: inFlags(one.message) })

/** A summary whose messages name flags. */
export const ofSummary = (summary: Summary): Summary =>
  Summary.make({
    ...summary,
    warnings: summary.warnings.map(inMessage),
    failures: summary.failures.map(inMessage),
    ...(summary.stopped === undefined ? {} : { stopped: inMessage(summary.stopped) })
  })
