/** Members of the options of the promise interface, next to those of a corpus. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Verification from "../../Verification.ts"
import type { OptionError } from "../base/optionError.ts"
import * as Rules from "../base/rules.ts"
import * as Members from "../corpus/members.ts"
import type {
  AsyncState,
  CallOptions,
  ChunksOptions,
  ExtractCall,
  ExtractOptions,
  HandleIngestOptions,
  IngestOptions,
  OpenOptions,
  RetryOptions,
  RootOptions,
  ServiceOptions,
  SourceOptions
} from "./options.ts"

const { chunker, describe, embedder, model, parseOptions, service, tokenizer } = Members.corpus

const signal = Rules.when("an AbortSignal", (value) => value instanceof AbortSignal)

export const call: Members.Members<CallOptions> = { signal }

/** What a handle adds to a corpus' `ingest`, or has in another type. */
export const progress: Members.Members<Pick<HandleIngestOptions, "onProgress" | "stop">> = {
  onProgress: Members.callback,
  stop: signal
}

const plain: Members.Members<Pick<ServiceOptions, "logger" | "readers" | "signal">> = {
  ...call,
  logger: Rules.record,
  readers: Rules.arrayOf(Rules.record, "an array of readers")
}

export const parse: Members.Members<ServiceOptions> = {
  ...plain,
  service,
  apiKey: Rules.secret,
  parseOptions,
  model,
  tokenizer,
  dispatcher: Rules.record,
  layer: Rules.when("a layer", Layer.isLayer)
}

const extraction = { prompt: Rules.string, checkPromptInjection: Rules.boolean }

export const extract: Members.Members<ExtractOptions> = { ...parse, ...extraction }

export const extractCall: Members.Members<ExtractCall> = { ...call, ...extraction, parseOptions }

export const parseCall: Members.Members<CallOptions & Pick<ServiceOptions, "parseOptions">> = { ...call, parseOptions }

export const retry: Members.Members<RetryOptions> = { ...call, empty: Rules.boolean }

export const verification: Members.Members<Verification.Options> = {
  source: Rules.string,
  places: Members.whole,
  filter: Members.search.filter,
  tenant: Members.search.tenant
}

const isIterable = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)

const files = {
  files: Rules.when("an iterable of files", isIterable),
  name: Rules.string,
  partial: Rules.boolean
}

export const open: Members.Members<OpenOptions> = { ...Members.corpus, ...parse }

export const discover: Members.Members<RootOptions & Pick<ServiceOptions, keyof typeof plain>> = {
  ...Members.root,
  ...plain
}

export const chunks: Members.Members<ChunksOptions> = {
  ...parse,
  ...Members.root,
  ...files,
  chunker,
  embedder,
  concurrency: Members.whole,
  onFailure: Members.callback
}

const state: Members.Members<AsyncState> = { ...Members.state, directory: Rules.string }

export const ingest: Members.Members<IngestOptions> = {
  ...parse,
  ...Members.root,
  ...files,
  ...Members.run,
  chunker,
  describe,
  embedder,
  sinks: Members.targets,
  ordered: Members.ingest.ordered,
  state: Rules.choose((value) =>
    Rules.isRecord(value)
      ? Rules.struct({ what: "a state", required: { directory: Rules.string }, optional: state })
      : Rules.string
  ),
  deadLetters: Rules.string,
  onFailure: Members.ingest.onFailure,
  ...progress
}

/** Files of a program need a name, and no root. */
const checkFiles = ({ name, root }: { readonly name?: unknown; readonly root?: unknown }) => {
  const noRoot = Rules.when("no root next to files, which have a name", (value) => value === undefined)
  return Effect.zipRight(Members.checkValue(noRoot, root, "root"), Members.checkValue(Rules.string, name, "name"))
}

/** Fails for options that the call does not have, and for those without files. */
export const check = <A>(options: SourceOptions, members: Members.Members<A>): Effect.Effect<void, OptionError> =>
  Effect.zipRight(
    Members.check(options, members),
    options.files === undefined ? Members.checkRoot({ root: options.root }) : checkFiles(options)
  )

/** As `check`, for the files of a handle's call. */
export const checkOwn = (given: SourceOptions): Effect.Effect<void, OptionError> =>
  Effect.zipRight(Members.check(given, { ...files, root: Members.elsewhere }), checkFiles(given))
