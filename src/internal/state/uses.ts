/** Uses of a cache's entries: kept in memory, written many at a time. */
import type { Database } from "./libsql.ts"

/** Uses held in memory before they are due. */
const limit = 4096

export interface Uses {
  /** Records that the entry was used at a tick of the cache's own clock. */
  readonly add: (id: number, at: number) => void
  readonly forget: (id: number) => void
  /** True when that many are held that they should be written. */
  readonly due: () => boolean
  /** Writes them to the column `used` of the table `entry`; to be called inside a transaction. */
  readonly settle: () => void
  readonly clear: () => void
}

export const make = (db: Database): Uses => {
  const used = new Map<number, number>()
  return {
    add: (id, at) => void used.set(id, at),
    forget: (id) => void used.delete(id),
    due: () => used.size > limit,
    settle: () => {
      if (used.size === 0) return
      db.sql(
        "UPDATE entry SET used = use.value ->> 1 FROM json_each(?) AS use WHERE entry.id = CAST(use.value ->> 0 AS INTEGER)"
      ).run(JSON.stringify([...used]))
      used.clear()
    },
    clear: () => used.clear()
  }
}
