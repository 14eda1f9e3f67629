/** Documents to try, which the package holds. */
import type { Settings } from "./messages.ts"

export const list: Settings["samples"] = []

/** A sample by its name. */
export const read = (_name: string): { readonly name: string; readonly bytes: Uint8Array } | undefined => undefined
