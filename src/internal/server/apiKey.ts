/**
 * A key of the server and its plan: who it is for, what it may ask, how often, how many at a time, for how many credits.
 *
 * Only a salted hash of the key is kept. Source: interface document, "Authentication", general error rows 401, 402, 403, 429.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as keyHash from "./keyHash.ts"

/**
 * An endpoint or a feature that a key may use: the endpoints `parse`, `agent` and `metrics`, and of a parse the formats `summary` and `json`
 * and the option `redactPII`.
 *
 * @since 0.1.0
 * @category models
 */
export const Permission = Schema.Literal("parse", "agent", "summary", "json", "redactPII", "metrics")

/**
 * @since 0.1.0
 * @category models
 */
export type Permission = typeof Permission.Type

/**
 * Zero data retention of a key: `allowed`, a request may ask for it; `required`, every parse is done with it, asked for or not; `refused`,
 * a request that asks for it gets a 403.
 *
 * @since 0.1.0
 * @category models
 */
export const ZeroDataRetention = Schema.Literal("allowed", "required", "refused")

const units = { s: 1000, min: 60_000 } as const

const ratePattern = /^([1-9]\d{0,5})\/(s|min)$/

/**
 * A rate in the form of the command line and of a file of keys, `10/s` or `600/min`; from 1 to 999999 requests.
 *
 * @since 0.1.0
 * @category models
 */
export const Rate = Schema.transform(
  Schema.String.pipe(Schema.pattern(ratePattern)),
  Schema.Struct({
    /** Most requests begun within any period of `per`. */
    requests: Schema.Int.pipe(Schema.positive()),
    /** Milliseconds. */
    per: Schema.Positive
  }),
  {
    strict: true,
    decode: (text) => {
      const [, requests, unit] = ratePattern.exec(text) ?? []
      return { requests: Number(requests), per: units[unit === "s" ? "s" : "min"] }
    },
    encode: ({ per, requests }) =>
      per === units.s ? `${requests}/s` : `${Math.max(1, Math.floor((requests * units.min) / per))}/min`
  }
)

/**
 * @since 0.1.0
 * @category models
 */
export type Rate = typeof Rate.Type

/**
 * True for a text that {@link Rate} decodes.
 *
 * @since 0.1.0
 * @category guards
 */
export const isRate = (text: string): boolean => ratePattern.test(text)

/**
 * Hash of a key, from {@link hash}.
 *
 * @since 0.1.0
 * @category models
 */
export const KeyHash = Schema.String.pipe(Schema.pattern(keyHash.pattern), Schema.brand("KeyHash"))

/**
 * @since 0.1.0
 * @category models
 */
export type KeyHash = typeof KeyHash.Type

/**
 * Names of keys: 1 to 64 letters, digits, `.`, `_` and `-`.
 *
 * @since 0.1.0
 * @category models
 */
export const Name = Schema.String.pipe(Schema.pattern(/^[\w.-]{1,64}$/))

/**
 * A key and its plan. A limit that is absent does not exist.
 *
 * @since 0.1.0
 * @category models
 */
export class ApiKey extends Schema.Class<ApiKey>("docsluice/service/ApiKey")({
  /** Unique in its server; spent credits are kept under it. */
  name: Name,
  hash: KeyHash,
  /** Absent: all of them but `metrics`, which tell about all keys. */
  permissions: Schema.optional(Schema.Array(Permission)),
  rate: Schema.optional(Rate),
  /** Most requests at a time, from when their uploads are there; more wait in a queue. */
  concurrency: Schema.optional(Schema.Int.pipe(Schema.positive())),
  /** Credits that may be spent in all. */
  credits: Schema.optional(Schema.NonNegativeInt),
  /** Default `allowed`. */
  zeroDataRetention: Schema.optional(ZeroDataRetention)
}) {}

/**
 * Hash of a key under a new salt. The key must be random and hold at least 128 bits: the hash is fast, so that a short word would be
 * found from it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const hash = (key: Redacted.Redacted): Effect.Effect<KeyHash> =>
  Effect.sync(() => KeyHash.make(keyHash.make(Redacted.value(key))))

/**
 * A new key of 256 random bits, with its hash.
 *
 * @since 0.1.0
 * @category constructors
 */
export const generate: Effect.Effect<{ readonly key: Redacted.Redacted; readonly hash: KeyHash }> = Effect.flatMap(
  Effect.sync(() => Redacted.make(keyHash.randomKey())),
  (key) => Effect.map(hash(key), (hashed) => ({ key, hash: hashed }))
)
