/**
 * Parses documents with the service. One interface, two layers: over HTTP (here) and in this process (`Embedded`).
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Limits from "../internal/base/limits.ts"
import type { ParseData } from "../internal/base/parseResponse.ts"
import { parseDocument } from "../internal/client/attempts.ts"
import { connection } from "../internal/client/connection.ts"
import { idleConnections } from "../internal/client/idleConnections.ts"
import { CurrentRun, type RunStopped } from "../internal/client/runState.ts"
import { refusal } from "../internal/server/refusedOptions.ts"
import type { RequestGate } from "../RequestGate.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { FileError, SourceFile } from "../SourceFile.ts"
import type { Ability } from "./Engine.ts"
import { type ParseOptions, validate } from "./ParseOptions.ts"
import type { BadRequest, ServiceError } from "./ServiceError.ts"

export * as Limits from "../internal/base/limits.ts"

/**
 * An answer, and the hash of the bytes that were sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Answer {
  readonly data: ParseData
  /** SHA-256 of the bytes that were sent, lower-case hexadecimal. */
  readonly contentHash: string
}

/**
 * @since 0.1.0
 * @category services
 */
export class Client extends Context.Tag("docsluice/service/Client")<Client, Client.Service>() {}

export declare namespace Client {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Base address without credentials, or `embedded` with the engine's version; part of a cache key. */
    readonly identity: string
    /** True for answers that cost nothing, as those of the embedded service; default false. */
    readonly free?: boolean | undefined
    /** Those of the service's engine, as far as they are known; default none. */
    readonly abilities?: ReadonlyArray<Ability> | undefined
    /** The gate that its requests pass; none for a client that sends no requests. */
    readonly gate?: RequestGate.Service | undefined
    /**
     * Parses one file, retries included. Interruption aborts the upload and frees socket and file. `keep` is called with the answer while
     * its request still counts as in flight, and no interruption comes between the two. Options that the interface does not allow fail with
     * the `BadRequest` that names them, before anything is sent.
     */
    readonly parse: (
      file: SourceFile,
      options: ParseOptions,
      keep?: (answer: Answer) => Effect.Effect<void>
    ) => Effect.Effect<Answer, ServiceError | FileError | RunStopped>
  }
}

/**
 * The address or the key cannot be used; nothing was sent. Contains neither, since both may be secret.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidAddress extends Schema.TaggedError<InvalidAddress>("docsluice/InvalidAddress")("InvalidAddress", {
  reason: Schema.Literal("Malformed", "Scheme", "KeyMissing", "KeyMalformed")
}) {
  override get message(): string {
    return problems[this.reason]
  }
}

const problems = {
  Malformed: "the base address is not an absolute address such as https://host/v2",
  Scheme: "the base address begins with neither http:// nor https://",
  KeyMissing: "an API key is needed: the base address is not a loopback address",
  KeyMalformed: "the API key holds a character that no header may carry; only visible ASCII is allowed"
} as const

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Base address, http or https, with or without `/v2`, `/v2/parse` or `/v2/agent` at its end; credentials in it are ignored. */
  readonly baseUrl: string
  /**
   * Sent as `Authorization: Bearer`. May be omitted for a loopback address only; `"none"` states that the service needs no key, at any
   * address.
   */
  readonly apiKey?: Redacted.Redacted | "none" | undefined
  /** Largest file in bytes that is sent; default 52,428,799. */
  readonly maxUploadBytes?: number | undefined
  /** Bytes a second; an upload slower than this runs into its deadline; default 262,144. */
  readonly floorRate?: number | undefined
  /** Time of an attempt in addition to `size ÷ floorRate + options.timeout`; at least, and by default, 30 seconds. */
  readonly grace?: Duration.DurationInput | undefined
  /** Longest pause while an answer arrives; default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
  readonly retry?: RetryPolicy.Options | undefined
}

const defaults = {
  maxUploadBytes: Limits.maxUploadBytes,
  floorRate: 262_144,
  grace: "30 seconds",
  idleTimeout: "30 seconds"
} as const satisfies Omit<Options, "baseUrl">

/**
 * A client over HTTP. Fails with `InvalidAddress` before anything is sent.
 *
 * The file is streamed from its source (up to 1 MiB: read in one call and sent from one array) and opened again for every attempt, except
 * that a small file which a parser with a cache has read already is sent from memory; the answer is held in memory. Over
 * `UndiciHttpClient` a request takes no layer of the platform's: it has no span of `HttpClient` and sends no trace header. Requests go
 * through the gate that all users of this address and key in the process share, with the options of the `RequestGate` in the context;
 * the retry policy decides which are repeated, and when. Requests, retries and the stop of a run are reported to `CurrentRun`.
 * The HTTP client's own spans are turned off, and no trace header is sent; see `Telemetry`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (
  options: Options
) => Effect.Effect<Client.Service, InvalidAddress, HttpClient.HttpClient | RequestGate | Scope.Scope> =
  Effect.fnUntraced(function* (options) {
    const connected = yield* Effect.mapError(connection(options), (reason) => new InvalidAddress({ reason }))
    const { address, gate } = connected
    const atLeast = Duration.decode(defaults.grace)
    const settings = {
      ...connected,
      parseUrl: new URL(`${address.url}/parse`),
      floorRate: options.floorRate ?? defaults.floorRate,
      grace: Duration.max(options.grace ?? atLeast, atLeast),
      idle: Duration.decode(options.idleTimeout ?? defaults.idleTimeout),
      connections: idleConnections(),
      policy: RetryPolicy.make(options.retry),
      maxUploadBytes: options.maxUploadBytes ?? defaults.maxUploadBytes
    }
    // One object of options is that of many documents.
    const valid = new WeakSet<ParseOptions>()
    const check = (parseOptions: ParseOptions): Effect.Effect<void, BadRequest> => {
      if (valid.has(parseOptions)) return Effect.void
      const checked = Either.mapLeft(validate(parseOptions), refusal)
      if (checked._tag === "Right") valid.add(parseOptions)
      return Effect.tapError(Effect.asVoid(checked), (error) => Effect.map(CurrentRun, (run) => run?.failed(error)))
    }
    return Client.of({
      identity: address.url,
      gate,
      parse: (file, parseOptions, keep) =>
        Effect.zipRight(
          Effect.suspend(() => check(parseOptions)),
          parseDocument(settings, file, parseOptions, keep)
        )
    })
  })

/**
 * {@link make} as a layer. A program provides `UndiciHttpClient.layer()`, or any other `HttpClient`, and `RequestGate.layer()`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Client, InvalidAddress, HttpClient.HttpClient | RequestGate> =>
  Layer.scoped(Client, make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options>
): Layer.Layer<Client, InvalidAddress | ConfigError.ConfigError, HttpClient.HttpClient | RequestGate> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
