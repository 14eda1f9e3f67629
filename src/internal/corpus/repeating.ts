import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SinkError } from "../../ChunkSink.ts"
import type { EmbeddingCacheError } from "../../EmbeddingCache.ts"
import type { InvalidAddress } from "../../service/Client.ts"
import * as ParseOptions from "../../service/ParseOptions.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import type { InvalidProxy } from "../../UndiciHttpClient.ts"
import { option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import * as EmbedderTarget from "../target/embedderTarget.ts"
import * as Secret from "../target/secret.ts"
import * as TypeWords from "../target/typeWords.ts"
import type { Recorded } from "./description.ts"
import * as Description from "./description.ts"
import * as Means from "./means.ts"
import * as Parts from "./parts.ts"
import * as StoredTargets from "./storedTargets.ts"

/** What is not recorded, and given again. */
export interface Secrets {
  /** Targets, by spellings with their credentials. */
  readonly to: ReadonlyArray<string>
  readonly apiKey: Redacted.Redacted | "none" | undefined
  readonly headers: ParseOptions.ParseOptions["headers"]
}

/** Where a recorded run is done again. */
export interface Here {
  readonly state: string
  /** Default: that of the run. */
  readonly concurrency?: number | "adaptive" | undefined
}

/** A recorded run that can be done again. */
export interface Again {
  readonly means: Means.Means<SinkError>
  /** The types of files that it takes; undefined: all that can be read. */
  readonly types: ReadonlyArray<string> | undefined
}

/** True if the run needs its service's key, or headers, again. */
const isSecretive = ({ kept: { secrets } }: Recorded): boolean => secrets.headers || secrets.service

/** Fails if the runs need secrets of several services: a secret is given for one service and must not go to another. */
export const checkService = (runs: ReadonlyArray<Recorded>): Effect.Effect<void, OptionError> => {
  const services = new Set(runs.filter(isSecretive).map(({ run }) => run.service ?? "embedded"))
  const words = `the dead letters are of several services that need a key: ${[...services].join(", ")}; run ingest with the key of one of them first`
  return services.size < 2 ? Effect.void : new OptionError({ option: null, problem: words })
}

/** The means of a run in words alone, with its secrets; fails before any work with what is missing. */
export const make = (
  recorded: Recorded,
  given: Secrets,
  { concurrency = recorded.run.concurrency, state }: Here
): Effect.Effect<
  Again,
  OptionError | EmbeddingCacheError | InvalidAddress | InvalidProxy | ParseOptions.InvalidOptions,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    const {
      kept: { secrets },
      run
    } = recorded
    const { embedder = "none", mode, ocrLanguages, onFailure, service = "embedded", tokenizer = "o200k_base" } = run
    const lacking = [
      ...(secrets.service && given.apiKey === undefined ? [text`${option("apiKey")} of ${service}`] : []),
      ...(secrets.headers && given.headers === undefined ? [text`${option("parseOptions")} with the headers`] : [])
    ]
    if (lacking.length > 0) {
      const all = lacking.flatMap((one, at) => text`${at === 0 ? "" : " and "}${one}`)
      return yield* new OptionError({ option: null, ...problem(text`give ${all} again, which is not kept`) })
    }
    yield* EmbedderTarget.again({ address: embedder, credential: secrets.embedder }, yield* Secret.environment)
    const targets = yield* StoredTargets.credited(given.to, Description.targetsOf(recorded))
    const { only, readers } = yield* TypeWords.parse(run.types ?? [])
    const headers = secrets.headers ? { headers: given.headers } : {}
    const parseOptions = yield* ParseOptions.decode({ ...run.parseOptions, ...headers })
    // A service that the run used without a key does not get one now.
    const apiKey = secrets.service ? given.apiKey : ("none" as const)
    const words = { service, apiKey, ocrLanguages, model: run.model, parseOptions }
    const means = yield* Means.make<SinkError>({
      to: targets.map(({ spelling }) => spelling),
      embedder,
      chunker: run.chunker,
      parser: yield* Parts.parser({ ...words, concurrency }),
      service: { ...words, key: secrets.service },
      tokenizer: yield* Parts.tokenizer(Tokenizer.layer(tokenizer)),
      tokenizerName: tokenizer,
      readers,
      state,
      mode,
      concurrency,
      outageLimit: run.outageLimit,
      maxBytesInFlight: run.maxBytesInFlight,
      onFailure
    })
    return { means, types: only }
  })
