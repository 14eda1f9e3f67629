/** A bucket of an object store that speaks S3's interface: signed requests for its listing and its objects. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { AwsV4Signer } from "aws4fetch"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../../Source.ts"
import { listed, pageOf, readOf } from "../answers.ts"
import type { ObjectStore } from "../objectStore.ts"
import { beginning, dismissed, send } from "../requests.ts"
import type { Credentials } from "./credentials.ts"
import * as Listing from "./listing.ts"

/** A bucket, and how it is asked. */
export interface Bucket {
  readonly bucket: string
  /** Origin of a store other than Amazon's; undefined for that. */
  readonly endpoint: string | undefined
  /** Undefined: Amazon's first region, and then the one that the bucket names. */
  readonly region: string | undefined
  /** Null for requests without a signature. */
  readonly credentials: Effect.Effect<Credentials | null, SourceUnavailable>
}

/** Encodes a key for an address: everything but letters, digits, `-._~` and the slashes. */
const encoded = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Address of the bucket in the region; a name with a dot has no certificate as a host. */
const addressIn = ({ bucket, endpoint }: Bucket, region: string): string => {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${bucket}`
  const host = region === "us-east-1" ? "s3.amazonaws.com" : `s3.${region}.amazonaws.com`
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

const firstRegion = "us-east-1"

const signed = (
  url: string,
  headers: Readonly<Record<string, string>>,
  region: string,
  keys: Credentials | null
): Effect.Effect<HttpClientRequest.HttpClientRequest> => {
  if (keys === null) return Effect.succeed(HttpClientRequest.get(url, { headers }))
  const signer = new AwsV4Signer({
    url,
    headers: { ...headers },
    accessKeyId: keys.accessKeyId,
    secretAccessKey: Redacted.value(keys.secretAccessKey),
    ...(keys.sessionToken !== undefined && { sessionToken: Redacted.value(keys.sessionToken) }),
    service: "s3",
    region
  })
  return Effect.map(
    Effect.promise(() => signer.sign()),
    (request) => HttpClientRequest.get(request.url, { headers: Object.fromEntries(request.headers.entries()) })
  )
}

const denied =
  "check the credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role) and their right to list"

const words = (error: Listing.StoreError): string =>
  error.code === "" ? "" : ` (${error.code}${error.message === "" ? "" : `: ${error.message}`})`

/** The error of a listing that was answered with this status. */
const refused = (source: string, status: number, error: Listing.StoreError): SourceUnavailable => {
  if (status === 401 || status === 403) {
    return new SourceUnavailable({
      source,
      status,
      reason: "Denied",
      problem: `may not be listed; ${denied}${words(error)}`
    })
  }
  if (status === 404) {
    const problem = `there is no such bucket; check its name and the endpoint${words(error)}`
    return new SourceUnavailable({ source, status, reason: "Missing", problem })
  }
  const problem = `the listing was answered with ${status}${words(error)}; check that this is an object store`
  return new SourceUnavailable({ source, status, reason: "Invalid", problem })
}

/** Opens the bucket; sends nothing yet. */
export const make = (bucket: Bucket): Effect.Effect<ObjectStore, never, HttpClient.HttpClient> =>
  Effect.map(Effect.context<HttpClient.HttpClient>(), (context): ObjectStore => {
    const host = bucket.endpoint === undefined ? "" : `${new URL(bucket.endpoint).host}/`
    const source = `s3://${host}${bucket.bucket}`
    let region = bucket.region ?? firstRegion

    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      Effect.provide(
        Effect.suspend(() => {
          const address = addressIn(bucket, region)
          const request = (keys: Credentials | null) => signed(`${address}${path}`, headers, region, keys)
          return send({ source, origin: new URL(address).origin }, Effect.flatMap(bucket.credentials, request))
        }),
        context
      )

    /** Asks once more in the region that the answer names. */
    const inItsRegion = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      Effect.flatMap(get(path, headers), (answer) => {
        const named = answer.headers["x-amz-bucket-region"]
        if (answer.status < 300 || named === undefined || named === region) return Effect.succeed(answer)
        region = named
        return Effect.zipRight(dismissed(answer), get(path, headers))
      })

    const page = (prefix: string) =>
      Effect.fnUntraced(function* (token: string | null) {
        const query = new URLSearchParams({ "encoding-type": "url", "list-type": "2", prefix })
        if (token !== null) query.set("continuation-token", token)
        query.sort()
        // A store reads a plus sign in a signed query as itself.
        const answer = yield* inItsRegion(`/?${query.toString().replaceAll("+", "%20")}`)
        if (answer.status !== 200) {
          const text = yield* beginning(answer)
          return yield* refused(source, answer.status, Listing.readError(text))
        }
        const text = yield* Effect.orElseSucceed(answer.text, () => null)
        if (text === null) return null
        return yield* pageOf(source, Listing.readPage(text))
      })

    return {
      address: source,
      list: (prefixes) => Stream.flatMap(Stream.fromIterable(prefixes), (prefix) => listed(source, page(prefix))),
      bytes: {
        _tag: "Answers",
        read: (entry, start) => {
          const headers = {
            ...(entry.etag !== "" && { "if-match": entry.etag }),
            ...(start > 0 && { range: `bytes=${start}-` })
          }
          return Effect.flatMap(inItsRegion(`/${encoded(entry.key)}`, headers), (answer) =>
            readOf(source, entry, start, answer, (text) => words(Listing.readError(text)))
          )
        }
      }
    }
  })
