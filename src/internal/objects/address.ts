/** Addresses of roots in object stores: `s3://bucket/prefix`. */
import * as Either from "effect/Either"

/** A bucket, and a path below it. */
export interface ObjectAddress {
  readonly bucket: string
  /** Without a slash before it; empty for all of the bucket. */
  readonly path: string
}

/** Parses `SCHEME://BUCKET/PATH`; the problem in words on the left. */
export const parse = (scheme: string, address: string): Either.Either<ObjectAddress, string> => {
  const form = new RegExp(`^${scheme}://([^/?#\\s@]*)(?:/(.*))?$`, "su").exec(address)
  const bucket = form?.[1] ?? ""
  if (form === null || bucket === "") return Either.left(`expected ${scheme}://BUCKET or ${scheme}://BUCKET/PREFIX`)
  return Either.right({ bucket, path: form[2] ?? "" })
}

/** A prefix of keys: with a slash at its end unless it is empty. */
export const withSlash = (path: string): string => (path === "" || path.endsWith("/") ? path : `${path}/`)
