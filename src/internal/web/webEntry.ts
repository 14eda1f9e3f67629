import type { ObjectEntry } from "../objects/objectStore.ts"
import type { Held } from "./heldPages.ts"

/** The evidence by which a version of a document is known again. */
export type Version =
  | { readonly _tag: "Etag"; readonly value: string }
  /** Its `Last-Modified`, as it was sent. */
  | { readonly _tag: "Modified"; readonly value: string }
  | { readonly _tag: "Digest"; readonly value: string }
  /** Only the list's own date, which an answer does not show. */
  | { readonly _tag: "Listed"; readonly value: string }

/** A document of the web. */
export interface WebEntry extends ObjectEntry {
  readonly url: string
  /** Where redirects led to, if they did. */
  readonly ledTo?: string | undefined
  readonly version: Version
  /** Its bytes, where it had to be read to be listed. */
  readonly held?: Held | undefined
}

/** The evidence that an answer gives, the strongest first; undefined where there is none. */
export const versionOf = (
  headers: Readonly<Record<string, string | undefined>>,
  listed: string
): Version | undefined => {
  const { etag, "last-modified": modified } = headers
  if (etag !== undefined && etag !== "") return { _tag: "Etag", value: etag }
  if (modified !== undefined && modified !== "") return { _tag: "Modified", value: modified }
  return listed === "" ? undefined : { _tag: "Listed", value: listed }
}

/** The version as a fingerprint; a date counts with the size. */
export const fingerprint = ({ _tag, value }: Version, size: number): string =>
  _tag === "Etag" ? value : _tag === "Digest" ? `sha256:${value}` : `${value} ${size}`

/** An ETag that names bytes, not only what they mean. */
const isStrong = (etag: string): boolean => !etag.startsWith("W/")

/** Value of `If-Range`; undefined where only the whole can be asked for. */
export const ifRange = ({ _tag, value }: Version): string | undefined =>
  (_tag === "Etag" && isStrong(value)) || _tag === "Modified" ? value : undefined

const weak = (etag: string | undefined): string => (etag ?? "").replace(/^W\//u, "")

/** True unless the answer shows that another version is there. */
export const isSame = ({ _tag, value }: Version, headers: Readonly<Record<string, string | undefined>>): boolean => {
  switch (_tag) {
    case "Etag":
      return headers["etag"] === undefined || weak(headers["etag"]) === weak(value)
    case "Modified":
      return headers["last-modified"] === undefined || headers["last-modified"] === value
    default:
      return true
  }
}
