/** Members of the options of programs, with what each may hold: one without types, or a decoded file, may give others. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import { OptionError } from "../../OptionError.ts"
import * as Rules from "../base/rules.ts"
import * as Suggestion from "../base/suggestion.ts"
import type * as SourceTarget from "../target/sourceTarget.ts"
import type { IngestOptions } from "./contract.ts"
import type { Options, PartsOptions, RunOptions } from "./options.ts"

/** Every member of some options, with its rule. */
export type Members<A> = Readonly<Record<A extends unknown ? keyof A : never, Rules.Rule>>

/** What a part checks when it is made, a number of lanes or an embedder for instance. */
export const checkedLater: Rules.Rule = () => undefined

const texts = Rules.arrayOf(Rules.string, "an array of strings")

const mode = Rules.oneOf(["append", "upsert", "sync"])

export const root: Members<SourceTarget.RootOptions> = {
  root: Rules.string,
  name: Rules.string,
  patterns: texts,
  filesFrom: texts,
  ignore: texts,
  exclude: texts,
  types: texts,
  gitignore: Rules.boolean,
  ordered: Rules.boolean,
  followSymbolicLinks: Rules.boolean,
  maxBytes: checkedLater,
  endpoint: Rules.string,
  allowPrivate: texts
}

export const run: Members<RunOptions> = {
  concurrency: checkedLater,
  outageLimit: checkedLater,
  maxBytesInFlight: checkedLater,
  lookAhead: checkedLater,
  sinkRetry: checkedLater
}

export const parts: Members<PartsOptions> = {
  ...run,
  to: checkedLater,
  embedder: checkedLater,
  state: Rules.string,
  chunker: checkedLater,
  uploads: Rules.string,
  mode
}

export const corpus: Members<Options> = {
  ...parts,
  service: Rules.string,
  apiKey: checkedLater,
  parseOptions: checkedLater,
  tokenizer: checkedLater,
  model: checkedLater
}

export const ingest: Members<IngestOptions> = {
  mode,
  allowRemovals: Rules.boolean,
  verify: Rules.boolean,
  redo: Rules.oneOf(["nothing", "failures", "writes", "parses"]),
  claim: Rules.oneOf(["own", "adopt", "shared"]),
  rebuild: Rules.boolean,
  newRoot: Rules.boolean,
  budget: checkedLater,
  onFailure: Rules.oneOf(["dead-letter", "fail"]),
  onProgress: checkedLater,
  onReport: checkedLater,
  ordered: Rules.boolean,
  stop: checkedLater,
  truncated: Rules.oneOf(["store", "warn", "fail"])
}

/** Fails for a member that the options do not have, and for one whose value it cannot be. Undefined counts as absent. */
export const check = <A>(given: object, members: Members<A>): Effect.Effect<void, OptionError> => {
  const rules: Record.ReadonlyRecord<string, Rules.Rule> = members
  return Effect.forEach(
    Object.entries(given),
    ([name, value]) => {
      if (value === undefined) return Effect.void
      const rule = Option.getOrUndefined(Record.get(rules, name))
      if (rule === undefined) {
        const meant = Suggestion.ending(name, Object.keys(rules))
        return new OptionError({ option: name, problem: `there is no such option${meant}` })
      }
      const [issue] = Rules.check(rule, value)
      if (issue === undefined) return Effect.void
      const problem = `expected ${issue.bound}, got ${Rules.show(issue.value)}`
      return new OptionError({ option: name + issue.field, problem })
    },
    { discard: true }
  )
}

/** As `check`, for a root with patterns. */
export const checkRoot = (given: object): Effect.Effect<void, OptionError> =>
  "root" in given && given.root !== undefined
    ? check(given, root)
    : new OptionError({ option: "root", problem: "name the folder or the address that holds the files" })
