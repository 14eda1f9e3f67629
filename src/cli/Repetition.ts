/** Flags that repeat a recorded run; secrets are not recorded and come from the flags given now. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as EmbedderTarget from "./EmbedderTarget.ts"
import * as OptionsText from "./OptionsText.ts"
import type { Batch } from "./RetryPlan.ts"
import type { RunFlags } from "./RunFlags.ts"
import type { RunRequest } from "./RunRequest.ts"
import * as SinkTarget from "./SinkTarget.ts"
import * as StoredTargets from "./StoredTargets.ts"
import { UsageError } from "./UsageError.ts"

/** Flags given now. */
export interface Given {
  readonly to: ReadonlyArray<string>
  readonly apiKey: Option.Option<string>
  readonly parseOptions: Option.Option<string>
  /** Documents that are stored without text or in part, instead of the failures. */
  readonly empty: boolean
  readonly state: string
  readonly progress: RunFlags["progress"]
  readonly json: boolean
  readonly quiet: boolean
}

/** Flags of each batch's run; fails before any work with everything that is missing for any of them. */
export const ofBatches = (
  batches: ReadonlyArray<Batch>,
  given: Given
): Effect.Effect<
  ReadonlyArray<{ readonly batch: Batch; readonly flags: RunFlags }>,
  UsageError,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    yield* oneService(batches)
    const made = yield* Effect.forEach(batches, (batch) =>
      Effect.either(Effect.map(flagsOf(batch, given), (flags) => ({ batch, flags })))
    )
    const [problems, all] = Array.separate(made)
    if (problems.length === 0) return all
    return yield* new UsageError({ problem: [...new Set(problems.map(({ problem }) => problem))].join("; ") })
  })

/** True if the run needs its service's key, or headers, again. */
const isSecretive = ({ headers, service }: RunRequest): boolean => headers || service.credential

/** Fails if the batches need secrets of several services: a secret is given for one service and must not go to another. */
const oneService = (batches: ReadonlyArray<Batch>): Effect.Effect<void, UsageError> => {
  const services = new Set(
    batches.filter(({ request }) => isSecretive(request)).map(({ request }) => request.service.address)
  )
  return services.size < 2
    ? Effect.void
    : new UsageError({
        problem: `the dead letters are of several services that need a key: ${[...services].join(", ")}; run ingest with the key of one of them first`
      })
}

const flagsOf = (
  { name, request, root }: Batch,
  given: Given
): Effect.Effect<RunFlags, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const lacking = [
      ...(request.service.credential && Option.isNone(given.apiKey) ? [`--api-key of ${request.service.address}`] : []),
      ...(request.headers && Option.isNone(given.parseOptions) ? ["--parse-options with the headers"] : [])
    ]
    if (lacking.length > 0) {
      return yield* new UsageError({ problem: `give ${lacking.join(" and ")} again, which is not kept` })
    }
    yield* EmbedderTarget.again(request.embedder, process.env)
    const now = yield* Effect.forEach(given.to, (spelling) => SinkTarget.parse(spelling))
    const targets = yield* StoredTargets.ofRequest(now, request.to)
    const { headers } = request.headers ? yield* OptionsText.read(given.parseOptions) : {}
    const parseOptions = { ...request.parseOptions, ...(headers === undefined ? {} : { headers }) }
    const again: RunFlags = {
      paths: request.paths.length === 0 ? ["."] : [...request.paths],
      root: Option.some(root),
      name: Option.some(name),
      ignore: request.ignore,
      gitignore: request.gitignore,
      filesFrom: Option.none(),
      types: request.types ?? [],
      endpoint: Option.fromNullable(request.endpoint),
      allowPrivate: request.allowPrivate ?? [],
      to: targets.map(({ spelling }) => spelling),
      embedder: request.embedder.address,
      service: request.service.address,
      // A service that the run used without a key does not get one now.
      apiKey: request.service.credential ? given.apiKey : Option.some("none"),
      ocrLanguages: Option.fromNullable(request.ocrLanguages),
      parseOptions: Option.some(JSON.stringify(parseOptions)),
      chunker: request.chunker,
      maxTokens: request.maxTokens,
      overlap: request.overlap,
      minTokens: request.minTokens ?? 0,
      pageBoundaries: Option.fromNullable(request.pageBoundaries),
      metadata: request.metadata ?? [],
      tokenizer: request.tokenizer,
      state: given.state,
      noState: false,
      newRoot: false,
      shared: false,
      adopt: false,
      mode: request.mode,
      allowRemovals: false,
      verify: false,
      refresh: given.empty,
      rebuild: false,
      budgetPages: Option.none(),
      budgetCredits: Option.none(),
      concurrency: request.concurrency,
      outageLimit: request.outageLimit ?? 600_000,
      maxBytesInFlight: request.maxBytesInFlight,
      ordered: false,
      onFailure: request.onFailure,
      progress: given.progress,
      json: given.json,
      quiet: given.quiet
    }
    return again
  })
