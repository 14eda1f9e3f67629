/** A folder of PDFs with their truths. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Truth from "./truth.ts"

export interface Entry {
  readonly name: string
  readonly truth: Truth.Truth
  readonly bytes: () => Uint8Array
}

export const read = (folder: string): ReadonlyArray<Entry> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".pdf"))
    .toSorted()
    .map((file) => {
      const name = basename(file, ".pdf")
      return {
        name,
        truth: Truth.decode(readFileSync(join(folder, `${name}.json`), "utf8")),
        bytes: () => new Uint8Array(readFileSync(join(folder, file)))
      }
    })
