/** Messages between coordinator and workers: references, outcomes and counts; never bytes of a document, never a secret. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Outcome from "../../Outcome.ts"
import * as Message from "../base/message.ts"
import { known } from "../base/wireFields.ts"
import { RunError } from "../run/runError.ts"
import { Acknowledgement } from "../state/ledger/entry.ts"
import * as StoredError from "../state/storedError.ts"

/** Version of every message; a program reads its own only. */
export const version = 2

const head = { v: Schema.Literal(version) } as const

/** A path below the root that cannot leave it: POSIX, relative, without `..`, U+0000 and backslashes at its start. */
const isBelow = (path: string): boolean =>
  path !== "" && !path.includes("\0") && !/^([/\\]|[A-Za-z]:[/\\])/u.test(path) && !path.split("/").includes("..")

export const Path = Schema.String.pipe(
  Schema.maxLength(4096),
  Schema.filter((path) => isBelow(path) || "a path below the root")
)

const Fingerprint = Schema.Union(
  Schema.TaggedStruct("Stat", { modified: Schema.BigInt, changed: Schema.BigInt, inode: Schema.BigInt }),
  Schema.TaggedStruct("Etag", { value: Schema.String })
)

/** A document to work on. */
export class Task extends Schema.Class<Task>("docsluice/internal/queue/Task")({
  ...head,
  /** The run that it belongs to. */
  run: Schema.String,
  path: Path,
  size: Schema.NonNegativeInt,
  /** Null where the source has none. */
  fingerprint: Schema.NullOr(Fingerprint),
  /** Known to the ledger at the start of the run. */
  known: Schema.Boolean
}) {}

/** Missing from workers of earlier versions. */
const counted = Schema.optionalWith(Schema.NonNegativeInt, { default: () => 0 })

const Totals = Schema.Struct({
  requests: Schema.NonNegativeInt,
  retries: Schema.NonNegativeInt,
  ambiguous: Schema.NonNegativeInt,
  uploaded: Schema.NonNegativeInt,
  parsed: Schema.NonNegativeInt,
  fromCache: Schema.NonNegativeInt,
  /** Those of descriptions too. */
  credits: Schema.Number,
  described: counted,
  descriptionsFromCache: counted,
  undescribed: counted,
  descriptionTokens: counted
})

/** Sums of what a worker sent and received in its part of a run. */
export type Totals = typeof Totals.Type

/** Totals of which each is made by the function of its name. */
export const totals = (of: (name: keyof Totals) => number): Totals => ({
  requests: of("requests"),
  retries: of("retries"),
  ambiguous: of("ambiguous"),
  uploaded: of("uploaded"),
  parsed: of("parsed"),
  fromCache: of("fromCache"),
  credits: of("credits"),
  described: of("described"),
  descriptionsFromCache: of("descriptionsFromCache"),
  undescribed: of("undescribed"),
  descriptionTokens: of("descriptionTokens")
})

/** Counts of one worker. Each message says where its counts begin, since a message may be lost. */
export const Counts = Schema.Struct({
  /** A worker's part in a run: another one after it has left and joined again. */
  part: Schema.String,
  /** Before the documents since its last result, which may not have arrived. */
  before: Totals,
  /** With them. */
  now: Totals,
  /** Warnings about the run rather than a document. */
  warnings: Schema.Array(Schema.Struct({ source: Schema.String, ...Message.fields })),
  waits: Schema.Struct({ count: Schema.NonNegativeInt, total: Schema.NonNegativeInt, longest: Schema.NonNegativeInt }),
  /** Chunks by size: number of the bar, and how many. */
  sizes: Schema.Array(Schema.Tuple(Schema.NonNegativeInt, Schema.NonNegativeInt))
})

export type Counts = typeof Counts.Type

/** Names of a document, which the coordinator knows. */
const names = ["documentId", "root"] as const

/** Outcome of a document as a worker reports it: of a failure, other versions may send or understand the tag and the message alone. */
export const Report = Schema.Union(
  Schema.Struct(Struct.omit(Outcome.Stored.fields, ...names)),
  Schema.Struct(Struct.omit(Outcome.Unchanged.fields, ...names)),
  Schema.Struct({ ...Struct.omit(Outcome.Failed.fields, ...names), ...StoredError.fields }),
  Schema.Struct(Struct.omit(Outcome.Unsupported.fields, ...names)),
  Schema.Struct(Struct.omit(Outcome.NotAttempted.fields, ...names))
)

export type Report = typeof Report.Type

export const reportOf = (outcome: Outcome.Outcome | Extract<Report, { readonly _tag: "NotAttempted" }>): Report =>
  outcome._tag === "Failed" ? { ...outcome, ...StoredError.of(outcome.error) } : outcome

/** Result of one document. */
export class Result extends Schema.Class<Result>("docsluice/internal/queue/Result")({
  ...head,
  run: Schema.String,
  /** Name of the worker. */
  worker: Schema.String,
  outcome: Report,
  /**
   * Set where the refusal of the document may be about the run: what is equal for two identical refusals. Its failure is not recorded yet.
   */
  refusal: Schema.optional(Schema.Struct({ key: Schema.String, final: Schema.Boolean })),
  /** Set where the worker cannot get at the file: why. Nothing of it is recorded, since the coordinator looks for itself. */
  unseen: Schema.optional(Schema.String),
  /** Set where the worker found a reason that concerns every document of the run. */
  stopped: Schema.optional(Schema.Struct({ tag: Schema.String, ...Message.fields, error: known(RunError) })),
  /** True when the service was asked for the document and answered with its content. */
  answered: Schema.Boolean,
  /** From claim to commit. */
  millis: Schema.NonNegativeInt,
  /** Requests a second that the worker has learned; null while it does not space them out. */
  pace: Schema.NullOr(Schema.Number),
  counts: Counts
}) {}

/** A run that needs workers. */
export class Announcement extends Schema.Class<Announcement>("docsluice/internal/queue/Announcement")({
  ...head,
  run: Schema.String,
  /** `opening`: nothing to claim yet; `open`: work; `stopped`: nothing may be begun any more. */
  status: Schema.Literal("opening", "open", "stopped"),
  /** Name of the coordinator, as host and process. */
  coordinator: Schema.String,
  /** Grows with each sign of life of the coordinator. */
  beat: Schema.NonNegativeInt,
  /** Name of the queue of its documents. */
  lane: Schema.String,
  /** Id of the state, by which a worker knows that its own is the same. */
  state: Schema.String,
  root: Schema.String,
  /** Path or address of the root; null for a source that has neither. */
  path: Schema.NullOr(Schema.String),
  patterns: Schema.String,
  /** Number of the scope in the ledger. */
  scope: Schema.NonNegativeInt,
  startedAt: Schema.NonNegativeInt,
  mode: Schema.Literal("append", "upsert", "sync"),
  redo: Schema.Literal("nothing", "failures", "writes", "parses"),
  verify: Schema.Boolean,
  claim: Schema.Literal("own", "adopt", "shared"),
  truncated: Schema.Literal("store", "warn", "fail"),
  /** Values that a worker must compute alike: digests of options, chunking and vectors, and the stores of the sinks. */
  expected: Schema.Struct({
    optionsHash: Schema.String,
    configuration: Schema.String,
    embedder: Schema.NullOr(Schema.String),
    sinks: Schema.Array(Acknowledgement)
  }),
  /** Ids of sinks that the coordinator found unavailable: nothing is written there in this run. */
  down: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  /** The run's request, without secrets, from which a worker of the command line makes its settings; may be empty. */
  request: Schema.String,
  discovered: Schema.NonNegativeInt,
  complete: Schema.Boolean,
  finished: Schema.NonNegativeInt,
  failed: Schema.NonNegativeInt,
  /** Workers that take nothing for now, since they do not get at files that the coordinator can read. */
  aside: Schema.Array(Schema.Struct({ worker: Schema.String, problem: Schema.String }))
}) {}

export const encodeTask = Schema.encodeSync(Task)
export const decodeTask = Schema.decodeUnknownEither(Task)
export const encodeResult = Schema.encodeSync(Result)
export const decodeResult = Schema.decodeUnknownEither(Result)
export const encodeAnnouncement = Schema.encodeSync(Announcement)
export const decodeAnnouncement = Schema.decodeUnknownEither(Announcement)
