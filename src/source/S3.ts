/**
 * Objects of a store that speaks Amazon S3's interface: S3 itself, Cloudflare R2, MinIO, Google Cloud Storage, Ceph, Swift.
 *
 * Objects are listed a page of a thousand at a time and never held all at once; an object whose ETag the ledger knows is not read. A read
 * that breaks off goes on where it ended, of the same version only: without an ETag it fails. Requests are tried again when the store
 * throttles them, fails or does not answer.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { loaded } from "../internal/base/loaded.ts"
import * as ObjectAddress from "../internal/objects/address.ts"
import { type Environment, environment } from "../internal/objects/environment.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import * as Found from "../internal/objects/s3/credentials.ts"
import type * as Source from "../Source.ts"

const buckets = loaded(() => import("../internal/objects/s3/bucket.ts"))

/**
 * Keys that sign requests.
 *
 * @since 0.1.0
 * @category models
 */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken?: Redacted.Redacted | undefined
  /** End of their validity in milliseconds since the epoch; default: they last. */
  readonly expires?: number | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /** `s3://BUCKET` or `s3://BUCKET/PREFIX`. */
  readonly root: string
  /** First part of every document id; default `BUCKET/PREFIX`. */
  readonly name?: string | undefined
  /** Origin of a store other than Amazon's, such as `http://127.0.0.1:9000`; default `AWS_ENDPOINT_URL_S3`, then `AWS_ENDPOINT_URL`. */
  readonly endpoint?: string | undefined
  /** Default `AWS_REGION`, the profile's, then the one that the bucket names. */
  readonly region?: string | undefined
  /**
   * Keys; an effect is run again shortly before the end of what it gave. `anonymous` signs nothing. Default: the first that is found of the
   * environment, the profile (`AWS_PROFILE`), the container and the virtual machine; without any, nothing is signed.
   */
  readonly credentials?: Credentials | "anonymous" | Effect.Effect<Credentials, Source.SourceUnavailable> | undefined
}

/** Requests for credentials, by what was given. */
const credentialsOf = (
  given: Options["credentials"],
  variables: Environment
): Effect.Effect<Effect.Effect<Credentials | null, Source.SourceUnavailable>, never, HttpClient.HttpClient> => {
  if (given === "anonymous") return Effect.succeed(Effect.succeed(null))
  if (given !== undefined && !Effect.isEffect(given)) return Effect.succeed(Effect.succeed(given))
  if (given !== undefined) return Found.kept(given)
  return Effect.flatMap(Effect.context<HttpClient.HttpClient>(), (context) =>
    Found.kept(Effect.provide(Found.search(variables), context))
  )
}

const endpointOf = (given: string | undefined, variables: Environment): string | undefined =>
  given ?? (variables["AWS_ENDPOINT_URL_S3"] || variables["AWS_ENDPOINT_URL"] || undefined)

/** The root's parts, or the problem of its address in words. */
const rootOf = (
  options: Options,
  variables: Environment
): Either.Either<ObjectRoot.Root<HttpClient.HttpClient>, string> =>
  Either.flatMap(ObjectAddress.parse("s3", options.root), ({ bucket, path }) => {
    const endpoint = endpointOf(options.endpoint, variables)
    if (endpoint !== undefined && !ObjectRoot.isOrigin(endpoint)) {
      return Either.left("endpoint: expected an origin such as http://127.0.0.1:9000, without a user")
    }
    const prefix = ObjectAddress.withSlash(path)
    const host = endpoint === undefined ? "" : `${new URL(endpoint).host}/`
    const open = Effect.gen(function* () {
      const credentials = yield* credentialsOf(options.credentials, variables)
      const region = options.region ?? (yield* Found.region(variables))
      const { make } = yield* buckets
      return yield* make({ bucket, endpoint, region, credentials })
    })
    const name = `${bucket}/${prefix}`.replace(/\/+$/, "")
    return Either.right({ name, address: `s3://${host}${bucket}/${prefix}`, prefix, open })
  })

/**
 * The objects of a bucket below a prefix, as a run takes them. Two buckets of one name at different endpoints are different roots: the
 * second needs a name. Fails when the bucket cannot be listed to the end; one object that cannot be read fails as a document.
 *
 * @example
 * import * as S3 from "docsluice/source/S3"
 *
 * const reports = S3.make({ root: "s3://archive/reports", patterns: ["**\/*.pdf"], ignore: ["drafts"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, HttpClient.HttpClient> =>
  ObjectRoot.source(options, rootOf(options, environment()))
