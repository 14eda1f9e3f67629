/** SHA-256, the same in every runtime: Node's, and one in JavaScript for browsers and workers (`#sha256` in the package's manifest). */
import * as platform from "#sha256"

/** SHA-256 of text (as UTF-8) or bytes, lower-case hexadecimal. */
export const sha256: (data: string | Uint8Array) => string = platform.sha256

/** SHA-256 of text (as UTF-8) or bytes, its 32 bytes. */
export const bytes: (data: string | Uint8Array) => Uint8Array = platform.bytes

/** SHA-256 of text as UTF-8, its 32 bytes as the characters of a text: read in less time than hexadecimal. */
export const digest: (text: string) => string = platform.digest

/** An incremental hash; `digest` may be called once. */
export const incremental: () => { readonly update: (part: Uint8Array) => void; readonly digest: () => string } =
  platform.incremental
