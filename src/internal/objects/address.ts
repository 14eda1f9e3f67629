/** Addresses of roots in object stores: `s3://bucket/prefix`, with patterns after the prefix. */
import * as Either from "effect/Either"
import { staticPrefix } from "./keyPatterns.ts"

/** A bucket, and a path below it. */
export interface ObjectAddress {
  readonly bucket: string
  /** Without a slash before it; empty for all of the bucket. */
  readonly path: string
}

/** Parses `SCHEME://BUCKET/PATH`; the problem in words on the left. */
export const parse = (scheme: string, address: string): Either.Either<ObjectAddress, string> => {
  const form = new RegExp(`^${scheme}://([^/?#\\\\s@]*)(?:/(.*))?$`, "su").exec(address)
  const bucket = form?.[1] ?? ""
  if (form === null || bucket === "") return Either.left(`expected ${scheme}://BUCKET or ${scheme}://BUCKET/PREFIX`)
  return Either.right({ bucket, path: form[2] ?? "" })
}

/** Splits a path at its pattern: the prefix with a slash at its end, or empty, and the pattern below it. */
export const split = (
  path: string,
  isFile: (path: string) => boolean
): { readonly prefix: string; readonly pattern: string } => {
  const fixed = staticPrefix(path)
  // Without special characters the last segment is a file or a folder.
  const prefix = fixed !== path ? fixed : isFile(path) ? path.slice(0, path.lastIndexOf("/") + 1) : withSlash(path)
  return { prefix, pattern: path.slice(prefix.length) || "." }
}

/** A prefix of keys: with a slash at its end unless it is empty. */
export const withSlash = (path: string): string => (path === "" || path.endsWith("/") ? path : `${path}/`)
