import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { EmbeddingSpace } from "../../ChunkSink.ts"
import { containerKinds } from "../base/containerKind.ts"
import { OptionError } from "../base/optionError.ts"
import type { Kept } from "../target/address.ts"
import * as ChunkerTarget from "../target/chunkerTarget.ts"
import * as SourceTarget from "../target/sourceTarget.ts"

const texts = Schema.optional(Schema.Array(Schema.String))
const text = Schema.optional(Schema.String)
const whole = Schema.optional(Schema.Int)

/**
 * What can be written down of a run: the files that it looks for, and what it does with them. A member that is missing has its default,
 * unless the run had a part in its place that only its program has ({@link Recorded}). Never holds a secret.
 */
export class Description extends Schema.Class<Description>("docsluice/internal/corpus/Description")({
  /** Absolute path of a folder, or the address of an object store, a list or an archive. */
  root: Schema.String,
  /** First part of every document id; default: the root's own name. */
  name: text,
  /** Default: every file, or those of `filesFrom`. */
  patterns: texts,
  /** The paths of a list. */
  filesFrom: texts,
  ignore: texts,
  gitignore: Schema.optional(Schema.Boolean),
  /** Words as of `--types`. */
  types: texts,
  /** Kinds of files that are opened. */
  expand: Schema.optional(Schema.Array(Schema.Literal(...containerKinds))),
  /** Origin of the object store; default: that of the environment, then Amazon's or Azure's. */
  endpoint: text,
  allowPrivate: texts,
  /** Spellings of targets, without credentials and with absolute paths. */
  to: texts,
  /** Spelling of an embedder; default `none`. */
  embedder: text,
  service: text,
  ocrLanguages: texts,
  /** Spelling of the embedded service's language model; default none. */
  model: text,
  /** The user's parse options without `headers`, which may hold credentials. */
  parseOptions: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  chunker: Schema.optional(ChunkerTarget.Settings),
  tokenizer: Schema.optional(Schema.Literal("o200k_base", "cl100k_base", "chars")),
  mode: Schema.optional(Schema.Literal("append", "upsert", "sync")),
  concurrency: Schema.optional(Schema.Union(Schema.Int, Schema.Literal("adaptive"))),
  /** Milliseconds. */
  outageLimit: whole,
  maxBytesInFlight: whole,
  onFailure: Schema.optional(Schema.Literal("dead-letter", "fail"))
}) {}

/** Parts of a run that a program may have alive. */
const Part = Schema.Literal("to", "embedder", "chunker", "parser", "readers", "describe")

export type Part = typeof Part.Type

/** A run as the ledger keeps it, and as a queue announces it: everything that doing it again needs, but for its secrets. */
export class Recorded extends Schema.Class<Recorded>("docsluice/internal/corpus/Recorded")({
  version: Schema.Literal(2),
  /** `program`: of a corpus, or of `Async`. */
  command: Schema.Literal("ingest", "watch", "retry", "program"),
  run: Description,
  kept: Schema.Struct({
    /** Ids of the sinks, in the order of `to`; empty before they were opened, and in runs of an earlier version. */
    sinks: Schema.Array(Schema.String),
    /** Embedding space that every target was prepared with; null: no vectors. */
    space: Schema.NullOr(EmbeddingSpace),
    /** What has to be given again: credentials of these targets, keys of embedder and service, `headers` of the parse options. */
    secrets: Schema.Struct({
      to: Schema.Array(Schema.String),
      embedder: Schema.Boolean,
      service: Schema.Boolean,
      headers: Schema.Boolean
    }),
    /** Parts that only the run's program has. */
    alive: Schema.Array(Part)
  })
}) {}

const FirstKept = Schema.Struct({ address: Schema.String, credential: Schema.Boolean })

const firstSource = {
  root: Schema.String,
  endpoint: text,
  allowPrivate: texts,
  name: Schema.NullOr(Schema.String),
  /** Empty when only `filesFrom` was given. */
  paths: Schema.Array(Schema.String),
  filesFrom: Schema.NullOr(Schema.Array(Schema.String))
} as const

/** A run of a program, as version 1 kept it: its source alone. */
const FirstProgram = Schema.Struct({
  version: Schema.Literal(1),
  program: Schema.Literal(true),
  ...firstSource
})

/** A run of the command line, as version 1 kept it. */
const FirstCommand = Schema.Struct({
  version: Schema.Literal(1),
  command: Schema.Literal("ingest", "watch", "retry"),
  ...firstSource,
  ignore: Schema.Array(Schema.String),
  gitignore: Schema.Boolean,
  types: texts,
  to: Schema.Array(Schema.Struct({ ...FirstKept.fields, sink: text })),
  embedder: FirstKept,
  space: Schema.NullOr(EmbeddingSpace),
  service: FirstKept,
  ocrLanguages: texts,
  parseOptions: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  headers: Schema.Boolean,
  chunker: ChunkerTarget.Name,
  maxTokens: Schema.Int,
  overlap: Schema.Int,
  minTokens: whole,
  pageBoundaries: Schema.optional(Schema.Literal("soft", "hard")),
  metadata: texts,
  tokenizer: Schema.Literal("o200k_base", "cl100k_base", "chars"),
  mode: Schema.Literal("append", "upsert", "sync"),
  concurrency: Schema.Union(Schema.Int, Schema.Literal("adaptive")),
  outageLimit: whole,
  maxBytesInFlight: Schema.Int,
  onFailure: Schema.Literal("dead-letter", "fail")
})

/** Parts of a program of version 1: nobody knows which of them had a spelling. */
const unknown: ReadonlyArray<Part> = ["to", "embedder", "chunker", "parser"]

const sourceOf = ({ filesFrom, name, paths, ...rest }: Pick<typeof FirstProgram.Type, keyof typeof firstSource>) => ({
  root: rest.root,
  endpoint: rest.endpoint,
  allowPrivate: rest.allowPrivate,
  name: name ?? undefined,
  patterns: paths.length === 0 ? undefined : paths,
  filesFrom: filesFrom ?? undefined
})

const ofFirst = (first: typeof FirstProgram.Type | typeof FirstCommand.Type): Recorded => {
  if ("program" in first) {
    const secrets = { to: [], embedder: false, service: false, headers: false }
    const kept = { sinks: [], space: null, secrets, alive: unknown }
    return Recorded.make({ version: 2, command: "program", run: Description.make(sourceOf(first)), kept })
  }
  const { chunker, command, embedder, headers, service, space, to, ...rest } = first
  const { maxTokens, metadata, minTokens, overlap, pageBoundaries } = rest
  const run = Description.make({
    ...sourceOf(first),
    ignore: rest.ignore,
    gitignore: rest.gitignore,
    types: rest.types,
    to: to.map(({ address }) => address),
    embedder: embedder.address,
    service: service.address,
    ocrLanguages: rest.ocrLanguages,
    parseOptions: rest.parseOptions,
    chunker: { kind: chunker, maxTokens, overlap, minTokens, pageBoundaries, metadata },
    tokenizer: rest.tokenizer,
    mode: rest.mode,
    concurrency: rest.concurrency,
    outageLimit: rest.outageLimit,
    maxBytesInFlight: rest.maxBytesInFlight,
    onFailure: rest.onFailure
  })
  const secrets = {
    to: to.flatMap(({ address, credential }) => (credential ? [address] : [])),
    embedder: embedder.credential,
    service: service.credential,
    headers
  }
  const sinks = to.flatMap(({ sink }) => sink ?? [])
  const kept = { sinks: sinks.length === to.length ? sinks : [], space, secrets, alive: [] }
  return Recorded.make({ version: 2, command, run, kept })
}

const decodeAny = Schema.decodeEither(Schema.parseJson(Schema.Union(Recorded, FirstCommand, FirstProgram)))

/** The text that the ledger keeps with the run, and a queue with its announcement. */
export const encode: (recorded: Recorded) => string = Schema.encodeSync(Schema.parseJson(Recorded))

/** Reads such a text, of an earlier version too; fails for one that a later version, or a program itself, wrote. */
export const decode = (text: string): Either.Either<Recorded, OptionError> =>
  Either.mapBoth(decodeAny(text), {
    onLeft: () =>
      new OptionError({
        option: null,
        problem: "the last run was recorded in a form that this version does not read; run ingest"
      }),
    onRight: (read) => (read instanceof Recorded ? read : ofFirst(read))
  })

/** Members of a source that a description has too. Types are words of a person, and stay with the description. */
export const sourceOptions = ({
  allowPrivate,
  endpoint,
  expand,
  filesFrom,
  gitignore,
  ignore,
  name,
  patterns,
  root
}: Omit<SourceTarget.RootOptions, "types">): Omit<SourceTarget.RootOptions, "types"> => ({
  root,
  endpoint,
  allowPrivate,
  name,
  patterns,
  filesFrom,
  ignore,
  expand,
  gitignore
})

/** Name of the run's root. */
export const rootName = ({ endpoint, name, root }: Description): string =>
  SourceTarget.open({ root, name, endpoint }).scope.root

/** A recorded target. */
export interface KeptTarget extends Kept {
  /** Id of its sink; undefined where that was not recorded. */
  readonly sink: string | undefined
}

/** The targets that have a spelling. */
export const targetsOf = ({ kept, run }: Recorded): ReadonlyArray<KeptTarget> =>
  (run.to ?? []).map((address, at) => ({
    address,
    credential: kept.secrets.to.includes(address),
    sink: kept.sinks[at]
  }))
