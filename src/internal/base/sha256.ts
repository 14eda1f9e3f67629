import { createHash } from "node:crypto"

/** SHA-256 of text (as UTF-8) or bytes, lower-case hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")

/** An incremental hash; `digest` may be called once. */
export const incremental = (): { readonly update: (part: Uint8Array) => void; readonly digest: () => string } => {
  const hash = createHash("sha256")
  return {
    update: (part) => {
      hash.update(part)
    },
    digest: () => hash.digest("hex")
  }
}
