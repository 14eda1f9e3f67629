import * as crypto from "node:crypto"

/** Since Node 20.12; absent from other runtimes. */
const oneShot: typeof crypto.hash | undefined = crypto.hash

/** SHA-256 of text (as UTF-8) or bytes, lower-case hexadecimal. */
export const sha256 = (data: string | Uint8Array): string =>
  oneShot === undefined ? crypto.createHash("sha256").update(data).digest("hex") : oneShot("sha256", data, "hex")

/** SHA-256 of text as UTF-8, its 32 bytes as the characters of a text: read in less time than hexadecimal. */
export const digest = (text: string): string =>
  oneShot === undefined ? crypto.createHash("sha256").update(text).digest("binary") : oneShot("sha256", text, "binary")

/** An incremental hash; `digest` may be called once. */
export const incremental = (): { readonly update: (part: Uint8Array) => void; readonly digest: () => string } => {
  const hash = crypto.createHash("sha256")
  return {
    update: (part) => {
      hash.update(part)
    },
    digest: () => hash.digest("hex")
  }
}
