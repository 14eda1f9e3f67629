/** SHA-256 by Node, Bun and Deno. `sha256.ts` says what it gives. */
import * as crypto from "node:crypto"

/** Since Node 20.12; absent from other runtimes. */
const oneShot: typeof crypto.hash | undefined = crypto.hash

export const sha256 = (data: string | Uint8Array): string =>
  oneShot === undefined ? crypto.createHash("sha256").update(data).digest("hex") : oneShot("sha256", data, "hex")

export const digest = (text: string): string =>
  oneShot === undefined ? crypto.createHash("sha256").update(text).digest("binary") : oneShot("sha256", text, "binary")

export const incremental = (): { readonly update: (part: Uint8Array) => void; readonly digest: () => string } => {
  const hash = crypto.createHash("sha256")
  return {
    update: (part) => {
      hash.update(part)
    },
    digest: () => hash.digest("hex")
  }
}

export const bytes = (data: string | Uint8Array): Uint8Array =>
  oneShot === undefined ? crypto.createHash("sha256").update(data).digest() : oneShot("sha256", data, "buffer")
