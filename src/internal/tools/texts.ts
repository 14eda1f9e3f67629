/** The tools that give texts: what carries them out over a library, and the same as values. */
import { reading } from "./contract.ts"
import * as Finding from "./finding.ts"
import type { Library } from "./library.ts"
import * as Listing from "./listing.ts"
import * as Reading from "./reading.ts"
import * as Value from "./value.ts"

export const handlers = (library: Library) => ({
  search: Finding.search(library),
  outline: Listing.outline(library),
  list: Listing.list(library),
  read: Reading.read(library),
  verify: Finding.verify(library)
})

export const values = (library: Library): Readonly<Record<keyof ReturnType<typeof handlers>, Value.Value>> => {
  const { list, outline, read, search, verify } = handlers(library)
  const { tools } = reading
  return {
    search: Value.make(tools.search, search),
    outline: Value.make(tools.outline, outline),
    list: Value.make(tools.list, list),
    read: Value.make(tools.read, read),
    verify: Value.make(tools.verify, verify)
  }
}
