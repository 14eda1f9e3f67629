/**
 * Copies of documents that are zip archives, with parts changed before the parser reads them.
 *
 * @since 0.1.0
 */
import { strFromU8, strToU8, zipSync } from "fflate"
import * as SparseSheets from "../sparse/SparseSheets.ts"
import type { Inserted } from "./Inserted.ts"

/**
 * Repairs of one format.
 *
 * @since 0.1.0
 * @category models
 */
export interface Mender {
  /** Names of the parts that it reads. */
  readonly wanted: (name: string) => boolean
  /** Changes parts by name, and says what remains unread. */
  readonly mend: (parts: Map<string, string>, inserted: Inserted) => ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Mended {
  readonly bytes: Uint8Array
  /** Sentences for the answer's warning. */
  readonly warnings: ReadonlyArray<string>
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/**
 * The archive with its parts mended; the same bytes where nothing changes, or the parts cannot be read. Parts in UTF-16 stay as they are.
 *
 * @since 0.1.0
 * @category transformations
 */
export const mended = (archive: Uint8Array, inserted: Inserted, { mend, wanted }: Mender): Mended => {
  const found = Object.entries(SparseSheets.members(archive, wanted) ?? {})
  const texts = new Map(found.flatMap(([name, bytes]) => (isUtf16(bytes) ? [] : [[name, strFromU8(bytes)] as const])))
  const parts = new Map(texts)
  const warnings = mend(parts, inserted)
  const changed = [...parts].filter(([name, text]) => texts.get(name) !== text)
  const all = changed.length === 0 ? undefined : SparseSheets.members(archive, () => true)
  if (all === undefined) return { bytes: archive, warnings }
  const own = Object.fromEntries(changed.map(([name, text]) => [name, strToU8(text)]))
  return { bytes: zipSync({ ...all, ...own }, { level: 0 }), warnings }
}
