/**
 * What a run was asked, as the ledger keeps it (`Ledger.requests`): everything that a later `retry`, `doctor` or `remove` needs
 * to do its work, and no secret.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EmbeddingSpace } from "../ChunkSink.ts"
import * as Address from "../internal/target/address.ts"
import * as SourceTarget from "../internal/target/sourceTarget.ts"
import type { ParseOptions } from "../service/ParseOptions.ts"
import * as Origin from "./Origin.ts"
import type { RunFlags } from "./RunFlags.ts"
import { UsageError } from "./UsageError.ts"

/** An address without the credentials that it held. */
const Kept = Schema.Struct({
  /** The flag's value; a path in it is absolute. */
  address: Schema.String,
  /** True if it held a credential, or needed a key in addition: that has to be given again. */
  credential: Schema.Boolean
})

/** A recorded target. */
const KeptTarget = Schema.Struct({
  ...Kept.fields,
  /** Id of its sink; missing before it was opened, and in runs of an earlier version. */
  sink: Schema.optional(Schema.String)
})

export class RunRequest extends Schema.Class<RunRequest>("docsluice/cli/RunRequest")({
  version: Schema.Literal(1),
  command: Schema.Literal("ingest", "watch", "retry"),
  /** Absolute path, or the address of an object store, a list or an archive. */
  root: Schema.String,
  /** Origin of that store; missing for Amazon's, and for a folder. */
  endpoint: Schema.optional(Schema.String),
  /** Values of `--allow-private`; missing without the flag. */
  allowPrivate: Schema.optional(Schema.Array(Schema.String)),
  name: Schema.NullOr(Schema.String),
  /** Empty when only `filesFrom` was given. */
  paths: Schema.Array(Schema.String),
  /** Paths that `--files-from` listed; null without it. */
  filesFrom: Schema.NullOr(Schema.Array(Schema.String)),
  ignore: Schema.Array(Schema.String),
  gitignore: Schema.Boolean,
  /** Values of `--types`; missing in runs of an earlier version. */
  types: Schema.optional(Schema.Array(Schema.String)),
  to: Schema.Array(KeptTarget),
  /** Value of `--embedder`. */
  embedder: Kept,
  /** Embedding space that every target was prepared with. */
  space: Schema.NullOr(EmbeddingSpace),
  service: Kept,
  /** Value of `--ocr-languages`; missing without the flag. */
  ocrLanguages: Schema.optional(Schema.Array(Schema.String)),
  /** The user's parse options without `headers`, which may hold credentials. */
  parseOptions: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** True if `headers` were among them. */
  headers: Schema.Boolean,
  chunker: Schema.Literal("auto", "pages", "blocks", "markdown"),
  maxTokens: Schema.Int,
  overlap: Schema.Int,
  /** This and the next two are missing in runs of an earlier version, which had none of them. */
  minTokens: Schema.optional(Schema.Int),
  pageBoundaries: Schema.optional(Schema.Literal("soft", "hard")),
  /** Values of `--metadata`. */
  metadata: Schema.optional(Schema.Array(Schema.String)),
  tokenizer: Schema.Literal("o200k_base", "cl100k_base", "chars"),
  mode: Schema.Literal("append", "upsert", "sync"),
  concurrency: Schema.Union(Schema.Int, Schema.Literal("adaptive")),
  /** Milliseconds; missing in runs of an earlier version. */
  outageLimit: Schema.optional(Schema.Int),
  maxBytesInFlight: Schema.Int,
  onFailure: Schema.Literal("dead-letter", "fail")
}) {}

const json = Schema.parseJson(RunRequest)

/** The request with its embedding space and sinks, once these are known. */
export const within = (request: RunRequest, space: EmbeddingSpace | null, sinks: ReadonlyArray<string>): RunRequest => {
  const to = request.to.map(({ address, credential }, at) => ({ address, credential, sink: sinks[at] }))
  return RunRequest.make({ ...request, space, to })
}

/** Name of the run's root. */
export const rootName = ({ endpoint, name, root }: RunRequest): string =>
  Origin.nameOf({ root, name: name ?? undefined, endpoint })

/** The text that the ledger keeps with the run. */
export const encode: (request: RunRequest) => string = Schema.encodeSync(json)

/** Reads the text of `Ledger.lastRun`; fails for one that a later version wrote. */
export const decode = (text: string): Effect.Effect<RunRequest, UsageError> =>
  Effect.mapError(
    Schema.decode(json)(text),
    () => new UsageError({ problem: "the last run was recorded in a form that this version does not read; run ingest" })
  )

/** Input of {@link make}. */
export interface Asked {
  readonly command: RunRequest["command"]
  readonly given: RunFlags
  /** Targets, with the default filled in. */
  readonly to: ReadonlyArray<Address.Kept>
  readonly embedder: Address.Kept
  /** The user's own parse options. */
  readonly parseOptions: ParseOptions
  readonly discovery: Origin.Options
}

/** Removes credentials and makes paths absolute. The embedding space is not known yet. */
export const make = ({ command, discovery, embedder, given, to, ...asked }: Asked): RunRequest => {
  const { headers, ...parseOptions } = asked.parseOptions
  const service = Address.stripped(given.service)
  return RunRequest.make({
    version: 1,
    command,
    root: SourceTarget.absolute(discovery.root),
    ...(discovery.endpoint !== undefined && { endpoint: discovery.endpoint }),
    ...(given.allowPrivate.length > 0 && { allowPrivate: given.allowPrivate }),
    name: discovery.name ?? null,
    paths: given.paths,
    filesFrom: discovery.filesFrom ?? null,
    ignore: given.ignore,
    gitignore: given.gitignore,
    types: given.types,
    to,
    embedder,
    space: null,
    service: {
      address: service.address,
      credential: service.credential || Option.exists(given.apiKey, (key) => key !== "none")
    },
    ocrLanguages: Option.getOrUndefined(given.ocrLanguages),
    parseOptions,
    headers: headers !== undefined,
    chunker: given.chunker,
    maxTokens: given.maxTokens,
    overlap: given.overlap,
    minTokens: given.minTokens,
    pageBoundaries: Option.getOrUndefined(given.pageBoundaries),
    metadata: given.metadata,
    tokenizer: given.tokenizer,
    mode: given.mode,
    concurrency: given.concurrency,
    outageLimit: given.outageLimit,
    maxBytesInFlight: given.maxBytesInFlight,
    onFailure: given.onFailure
  })
}
