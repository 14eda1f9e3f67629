/** Answers of a store that speaks S3: pages of a listing, and errors. */
import type { XmlElement } from "@rgrove/parse-xml"
import type { ListingPage } from "../answers.ts"
import type { ObjectEntry } from "../objectStore.ts"
import { decoded, elements, etagOf, rootOf, textOf } from "../xml.ts"

/** The code and the words of an error, as far as the answer has them. */
export interface StoreError {
  readonly code: string
  readonly message: string
  /** Region of the bucket, where the answer tells it. */
  readonly region: string | undefined
}

/** Keys are asked for in the encoding of addresses, since XML cannot hold every character. */
const entryOf = (element: XmlElement, encoded: boolean): ObjectEntry | null => {
  const key = textOf(element, "Key")
  const name = key === undefined || !encoded ? key : decoded(key.replaceAll("+", " "))
  const size = Number(textOf(element, "Size"))
  if (name === undefined || name === null || !Number.isSafeInteger(size) || size < 0) return null
  return { key: name, size, etag: etagOf(element, "ETag") }
}

/** Reads a page; null for any other text, so that no object goes missing unnoticed. */
export const readPage = (text: string): ListingPage | null => {
  const root = rootOf(text)
  if (root === null || root.name !== "ListBucketResult") return null
  const encoded = textOf(root, "EncodingType") === "url"
  const entries = elements(root, "Contents").map((element) => entryOf(element, encoded))
  const whole = entries.filter((entry) => entry !== null)
  if (whole.length < entries.length) return null
  // The token of the next page decides, whatever `IsTruncated` says; a truncated page without a token is damaged.
  const next = textOf(root, "NextContinuationToken") || null
  const truncated = textOf(root, "IsTruncated")?.trim().toLowerCase() === "true"
  return next === null && truncated ? null : { entries: whole, next }
}

/** Reads an error; empty for any other answer. */
export const readError = (text: string): StoreError => {
  const root = rootOf(text)
  if (root === null || root.name !== "Error") return { code: "", message: "", region: undefined }
  return { code: textOf(root, "Code") ?? "", message: textOf(root, "Message") ?? "", region: textOf(root, "Region") }
}
