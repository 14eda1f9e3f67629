/** Small documents whose answers tell their bytes apart, with faults by their names. */
import { createHash } from "node:crypto"
import type { Document } from "../faultserver/answers.ts"

/** Number of documents, and of those answered with a fault the first time. */
export interface Numbers {
  readonly files: number
  /** Answered once with 429. */
  readonly limited: number
  /** Answered once with 500. */
  readonly broken: number
  /** Changed, and as many deleted. */
  readonly changed: number
  readonly concurrency: number
}

export const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Path of a document; the first ones bear a fault in their names. */
export const path = (index: number, { broken, limited }: Pick<Numbers, "broken" | "limited">): string => {
  const fault = index < limited ? "@e429-rate~times=1" : index < limited + broken ? "@e500~times=1" : ""
  return `${index % 20}/${index}${fault}.pdf`
}

/** Bytes of a document; another edition has other bytes of the same length. */
export const text = (index: number, edition: number = 0): string =>
  `document ${String(index).padStart(6, "0")}, edition ${edition}`

/**
 * The answer for bytes of this hash: one to four sections that no other bytes have. Where bytes change, the number of chunks
 * changes too, so that one left over would be seen.
 */
export const markdown = (hash: string): string => {
  const sections = 1 + (Number.parseInt(hash.slice(0, 2), 16) % 4)
  return Array.from(
    { length: sections },
    (_, at) => `## Part ${at + 1} of ${hash.slice(0, 12)}\n\n${hash} says naïve 数据 🙂 in part ${at + 1}.`
  ).join("\n\n")
}

/** As the service answers. */
export const document = ({ sha256: hash }: { readonly sha256: string }): Document => ({
  success: true,
  data: { markdown: markdown(hash), metadata: { statusCode: 200, numPages: 1, totalPages: 1, creditsUsed: 1 } }
})
