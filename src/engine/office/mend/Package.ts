/** Copies of documents that are zip archives, with parts changed before the parser reads them. */
import * as Archive from "./Archive.ts"
import type { Inserted } from "./Inserted.ts"
import type { Mended as Whole } from "./Mended.ts"

/** Repairs of one format. */
export interface Mender {
  /** Names of the parts that it reads. */
  readonly wanted: (name: string) => boolean
  /** Changes parts by name, and says what remains unread. */
  readonly mend: (parts: Map<string, string>, inserted: Inserted) => ReadonlyArray<string>
}

/** A mended document whose text is completed by what was inserted. */
export type Mended = Pick<Whole, "bytes" | "spans" | "warnings">

/** Attributes and elements by which the formats say that a cell spans rows or columns. */
const spanning = /\b(?:vMerge|gridSpan|number-(?:rows|columns)-spanned|(?:row|col)span)\b/iu

/** Part of each of them, found in a sixth of the time. */
const mayBeSpanning = /merge|span/iu

const utf8 = ({ buffer, byteLength, byteOffset }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("utf8")

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/**
 * The archive with its parts mended, those that were read uncompressed; the same bytes where nothing changes and they are not large, or
 * the parts cannot be read. Parts in UTF-16 stay as they are.
 */
export const mended = (bytes: Uint8Array, inserted: Inserted, { mend, wanted }: Mender): Mended => {
  const archive = Archive.open(bytes)
  if (archive === undefined) return { bytes, spans: false, warnings: [] }
  const contents = new Map<string, Uint8Array>()
  const texts = new Map<string, string>()
  for (const name of archive.names.filter(wanted)) {
    const content = archive.read(name)
    if (content === undefined) continue
    contents.set(name, content)
    if (!isUtf16(content)) texts.set(name, utf8(content))
  }
  const parts = new Map(texts)
  const warnings = mend(parts, inserted)
  const changed = [...parts].filter(([name, text]) => texts.get(name) !== text)
  return {
    bytes:
      changed.length === 0
        ? Archive.inflated(bytes, contents)
        : archive.replaced(new Map(changed.map(([name, text]) => [name, Buffer.from(text)])), contents),
    spans: () => [...parts.values()].some((text) => mayBeSpanning.test(text) && spanning.test(text)),
    warnings
  }
}
