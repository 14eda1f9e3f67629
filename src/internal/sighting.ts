import type { Sighting } from "../LedgerEntry.ts"
import type { Fingerprint } from "../SourceFile.ts"
import { corrupted } from "./libsql.ts"

/**
 * A sighting as 40 bytes: size, modification time, change time, inode, start of the run, each a little-endian 64-bit
 * integer. Without a fingerprint of kind `Stat` the middle three are 0.
 */
export const width = 40

/** Packs; an inode above 2^63 wraps, equal inodes stay equal. */
export const pack = (sighting: Sighting): Uint8Array => {
  const packed = new Uint8Array(width)
  const view = new DataView(packed.buffer)
  view.setBigInt64(0, BigInt(sighting.size), true)
  const print = sighting.fingerprint
  if (print?._tag === "Stat") {
    view.setBigInt64(8, print.modified, true)
    view.setBigInt64(16, print.changed, true)
    view.setBigInt64(24, print.inode, true)
  }
  view.setBigInt64(32, BigInt(Math.trunc(sighting.checkedAt)), true)
  return packed
}

/** The text of a fingerprint of kind `Etag`; an empty text stands for none at all, null for `Stat`. */
export const etagOf = (fingerprint: Fingerprint | undefined): string | null =>
  fingerprint === undefined ? "" : fingerprint._tag === "Etag" ? `=${fingerprint.value}` : null

const fingerprintOf = (view: DataView, at: number, etag: string | null): Fingerprint | undefined => {
  if (etag === "") return undefined
  if (etag !== null) return { _tag: "Etag", value: etag.slice(1) }
  return {
    _tag: "Stat",
    modified: view.getBigInt64(at + 8, true),
    changed: view.getBigInt64(at + 16, true),
    inode: BigInt.asUintN(64, view.getBigInt64(at + 24, true))
  }
}

/** Reads what {@link pack} wrote at an offset of a view. */
export const readAt = (view: DataView, at: number, etag: string | null): Sighting => ({
  size: Number(view.getBigInt64(at, true)),
  fingerprint: fingerprintOf(view, at, etag),
  checkedAt: Number(view.getBigInt64(at + 32, true))
})

export const unpack = (packed: Uint8Array, etag: string | null): Sighting => {
  if (packed.length !== width) throw corrupted("a sighting has not 40 bytes")
  return readAt(new DataView(packed.buffer, packed.byteOffset, packed.byteLength), 0, etag)
}
