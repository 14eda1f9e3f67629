/** Members of the options of programs, with what each may hold: one without types, or a decoded file, may give others. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import type { BudgetOptions, StateOptions } from "../../Pipeline.ts"
import type * as RetryPolicy from "../../RetryPolicy.ts"
import { containerKinds } from "../base/containerKind.ts"
import { OptionError } from "../base/optionError.ts"
import * as Rules from "../base/rules.ts"
import * as Suggestion from "../base/suggestion.ts"
import * as Foreign from "../embedding/foreign.ts"
import type { ReadOptions } from "../target/readOnlyCorpus.ts"
import type * as SourceTarget from "../target/sourceTarget.ts"
import type { SearchOptions } from "../target/storeSearch.ts"
import type { ChangeOptions, FigureOptions, IngestOptions } from "./contract.ts"
import type { Options, PartsOptions, RunOptions } from "./options.ts"

/** Every member of some options, with its rule. */
export type Members<A> = Readonly<Record<A extends unknown ? keyof A : never, Rules.Rule>>

/** For what says itself what it expects: parse options, a chunker, a filter. */
export const elsewhere: Rules.Rule = () => undefined

const texts = Rules.arrayOf(Rules.string, "an array of strings")

const mode = Rules.oneOf(["append", "upsert", "sync"])

export const whole = Rules.when(
  "a whole number of at least 1",
  (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1
)

const amount = Rules.when("a number of at least 0", (value) => typeof value === "number" && value >= 0)

const duration = Rules.when(
  "milliseconds or a duration such as 5 minutes",
  (value) => !Number.isNaN(value) && Option.isSome(Duration.decodeUnknown(value))
)

export const callback = Rules.when("a function", Predicate.isFunction)

/** Layers, effects and tags are objects or functions. */
const isPart = (value: unknown): boolean => Rules.isRecord(value) || Predicate.isFunction(value)

const part = (what: string) => Rules.when(what, isPart)

export const spelledOrPart = (what: string): Rules.Rule =>
  Rules.when(`the spelling of ${what}, or one of the program`, (value) => typeof value === "string" || isPart(value))

const target = spelledOrPart("a target")

/** Vectors are named after their model. */
const nameless = Rules.hidden("a model that says its name; give { model: NAME, embed: the model }", () => false)

const embedder = Rules.choose((value) =>
  Foreign.is(value) && Foreign.nameOf(value) === undefined ? nameless : spelledOrPart("an embedder")
)

export const targets = Rules.arrayOf(target, "an array of targets")

export const concurrency = Rules.choose((value) => (typeof value === "string" ? Rules.oneOf(["adaptive"]) : whole))

export const root: Members<SourceTarget.RootOptions> = {
  root: Rules.string,
  name: Rules.string,
  patterns: texts,
  filesFrom: texts,
  ignore: texts,
  exclude: texts,
  types: texts,
  expand: Rules.arrayOf(Rules.oneOf(containerKinds), `an array of ${containerKinds.join(", ")}`),
  gitignore: Rules.boolean,
  ordered: Rules.boolean,
  followSymbolicLinks: Rules.boolean,
  maxBytes: amount,
  endpoint: Rules.string,
  allowPrivate: texts
}

const retry: Members<RetryPolicy.Options> = {
  attempts: whole,
  base: duration,
  maxRetryAfter: duration,
  maxElapsed: duration,
  retryAmbiguous: Rules.boolean
}

export const run: Members<RunOptions> = {
  concurrency,
  outageLimit: duration,
  maxBytesInFlight: whole,
  lookAhead: whole,
  sinkRetry: Rules.struct({ what: "a retry policy", optional: retry })
}

export const parts: Members<PartsOptions> = {
  ...run,
  to: Rules.choose((value) => (Array.isArray(value) ? targets : target)),
  embedder,
  rerank: spelledOrPart("a reranker"),
  state: Rules.string,
  chunker: elsewhere,
  describe: spelledOrPart("a model that describes figures"),
  uploads: Rules.string,
  mode
}

export const corpus: Members<Options> = {
  ...parts,
  service: Rules.string,
  apiKey: Rules.hidden('a Redacted key, or "none"', (value) => value === "none" || Redacted.isRedacted(value)),
  parseOptions: elsewhere,
  tokenizer: Rules.oneOf(["o200k_base", "cl100k_base", "chars"]),
  model: spelledOrPart("a model")
}

const budget: Members<BudgetOptions> = { pages: amount, credits: amount, pagesOf: callback }

export const state: Members<Omit<StateOptions, "request">> = {
  mode,
  allowRemovals: Rules.boolean,
  verify: Rules.boolean,
  redo: Rules.oneOf(["nothing", "failures", "writes", "parses"]),
  beside: Rules.boolean,
  claim: Rules.oneOf(["own", "adopt", "shared"]),
  rebuild: Rules.boolean,
  rechunk: Rules.boolean,
  newRoot: Rules.boolean
}

export const ingest: Members<IngestOptions> = {
  ...state,
  budget: Rules.struct({ what: "a budget", optional: budget }),
  onFailure: Rules.oneOf(["dead-letter", "fail"]),
  onProgress: callback,
  onReport: callback,
  ordered: Rules.boolean,
  stop: part("an effect"),
  truncated: Rules.oneOf(["store", "warn", "fail"])
}

export const figure: Members<FigureOptions> = { width: amount }

export const change: Members<ChangeOptions> = { adopt: Rules.boolean }

export const read: Members<ReadOptions> = { tenant: Rules.string }

/** Every store checks the values of a query. */
export const search: Members<SearchOptions> = {
  limit: elsewhere,
  minScore: elsewhere,
  mode: Rules.oneOf(["hybrid", "words", "vectors"]),
  filter: elsewhere,
  neighbours: elsewhere,
  parent: elsewhere,
  tenant: Rules.string,
  offset: elsewhere,
  vectorWeight: elsewhere,
  window: elsewhere,
  diversity: elsewhere,
  perDocument: elsewhere,
  rerank: Rules.when('a function, a reranker, or "none"', (value) => value === "none" || isPart(value)),
  expand: callback
}

/** Fails for a member that the options do not have, and for one whose value it cannot be. Undefined counts as absent. */
export const check = <A>(given: object, members: Members<A>): Effect.Effect<void, OptionError> => {
  const rules: Record.ReadonlyRecord<string, Rules.Rule> = members
  const refusal = ([name, value]: readonly [string, unknown]): Effect.Effect<void, OptionError> => {
    if (value === undefined) return Effect.void
    const rule = Option.getOrUndefined(Record.get(rules, name))
    if (rule === undefined) {
      const meant = Suggestion.ending(name, Object.keys(rules))
      return new OptionError({ option: name, problem: `there is no such option${meant}` })
    }
    return checkValue(rule, value, name)
  }
  return Effect.forEach(Object.entries(given), refusal, { discard: true })
}

/** As `check`, for options that need a target. */
export const checkParts = <A>(given: { readonly to: unknown }, members: Members<A>): Effect.Effect<void, OptionError> =>
  Effect.zipRight(check(given, members), checkValue(parts.to, given.to, "to"))

/** Fails for a value that the rule refuses. */
export const checkValue = (rule: Rules.Rule, value: unknown, name: string): Effect.Effect<void, OptionError> => {
  const issues: Array<Rules.Issue> = []
  rule(value, name, issues)
  const [issue] = issues
  if (issue === undefined) return Effect.void
  const { bound, field, message } = issue
  if (field !== name) return new OptionError({ option: field, problem: message.slice(field.length + 1) })
  const got = issue.value === undefined ? "" : `, got ${Rules.show(issue.value)}`
  return new OptionError({ option: field, problem: `expected ${bound}${got}` })
}

/** As `check`, for a root with patterns. */
export const checkRoot = (given: unknown): Effect.Effect<void, OptionError> => {
  if (!Rules.isRecord(given)) {
    const problem = `name a file, a folder, an address or a root with patterns, got ${Rules.show(given)}`
    return new OptionError({ option: "source", problem })
  }
  return given["root"] === undefined
    ? new OptionError({ option: "root", problem: "name the folder or the address that holds the files" })
    : check(given, root)
}
