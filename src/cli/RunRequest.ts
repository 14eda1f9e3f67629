/**
 * What a run was asked, as the ledger keeps it (`Ledger.startRun`): everything that a later `retry`, `doctor` or `remove` needs
 * to do its work, and no secret.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { EmbeddingSpace } from "../ChunkSink.ts"
import type { ParseOptions } from "../service/ParseOptions.ts"
import * as Address from "./Address.ts"
import { UsageError } from "./UsageError.ts"

/** An address without the credentials that it held. */
const Kept = Schema.Struct({
  /** As the flag takes it; a path in it is absolute. */
  address: Schema.String,
  /** It held a credential, or needed a key beside it: to be given again. */
  credential: Schema.Boolean
})

export class RunRequest extends Schema.Class<RunRequest>("docsluice/cli/RunRequest")({
  version: Schema.Literal(1),
  command: Schema.Literal("ingest", "watch", "retry"),
  /** Absolute. */
  root: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** Empty when only `filesFrom` was given. */
  paths: Schema.Array(Schema.String),
  /** What `--files-from` listed; null without it. */
  filesFrom: Schema.NullOr(Schema.Array(Schema.String)),
  ignore: Schema.Array(Schema.String),
  gitignore: Schema.Boolean,
  to: Schema.Array(Kept),
  /** The space that every target was prepared with. */
  space: Schema.NullOr(EmbeddingSpace),
  service: Kept,
  /** The user's own, without `headers`, which may hold credentials. */
  parseOptions: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** `headers` were among them. */
  headers: Schema.Boolean,
  /** Every other flag that changes what is stored, by its name and as text: `{"max-tokens": "512"}`. */
  flags: Schema.Record({ key: Schema.String, value: Schema.String })
}) {}

const json = Schema.parseJson(RunRequest)

/** For `Ledger.startRun`. */
export const encode: (request: RunRequest) => string = Schema.encodeSync(json)

/** Of `Ledger.lastRun`; a text that a later version wrote is refused. */
export const decode = (text: string): Effect.Effect<RunRequest, UsageError> =>
  Effect.mapError(
    Schema.decode(json)(text),
    () => new UsageError({ problem: "the last run was recorded in a form that this version does not read; run ingest" })
  )

/** What `make` is told: flags as they were given. */
export interface Given {
  readonly command: RunRequest["command"]
  readonly root: string
  readonly name: string | undefined
  readonly paths: ReadonlyArray<string>
  readonly filesFrom: ReadonlyArray<string> | undefined
  readonly ignore: ReadonlyArray<string>
  readonly gitignore: boolean
  readonly to: ReadonlyArray<string>
  readonly space: EmbeddingSpace | null
  readonly service: string
  /** An API key was given. */
  readonly keyed: boolean
  readonly parseOptions: ParseOptions
  readonly flags: Readonly<Record<string, string>>
}

/** Takes credentials out and makes paths absolute. */
export const make = (given: Given): RunRequest => {
  const { headers, ...parseOptions } = given.parseOptions
  const service = Address.stripped(given.service)
  return RunRequest.make({
    version: 1,
    command: given.command,
    root: Address.absolute(given.root),
    name: given.name ?? null,
    paths: given.paths,
    filesFrom: given.filesFrom ?? null,
    ignore: given.ignore,
    gitignore: given.gitignore,
    to: given.to.map(Address.target),
    space: given.space,
    service: { address: service.address, credential: service.credential || given.keyed },
    parseOptions,
    headers: headers !== undefined,
    flags: given.flags
  })
}
