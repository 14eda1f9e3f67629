import type { Fingerprint } from "../../../SourceFile.ts"
import { corrupted } from "../libsql.ts"
import type { Sighting } from "./entry.ts"
import * as Changes from "./verdict.ts"

/**
 * Packs a sighting into 41 bytes, little-endian: size (64-bit float), modification time, change time, inode (64-bit integers; 0
 * without a fingerprint of kind `Stat`), start of the run (64-bit float), and 1 when the times are older than that start.
 */
export const width = 41

const offsets = { size: 0, modified: 8, changed: 16, inode: 24, checkedAt: 32, calm: 40 } as const

/** Bytes that describe the file itself. */
const fileWidth = 32

/** An inode above 2^63 wraps; equal inodes stay equal. */
const setFile = (view: DataView, { fingerprint, size }: Changes.Seen): void => {
  view.setFloat64(offsets.size, size, true)
  if (fingerprint?._tag !== "Stat") return
  view.setBigInt64(offsets.modified, fingerprint.modified, true)
  view.setBigInt64(offsets.changed, fingerprint.changed, true)
  view.setBigInt64(offsets.inode, fingerprint.inode, true)
}

export const pack = (sighting: Sighting): Uint8Array => {
  const packed = new Uint8Array(width)
  const view = new DataView(packed.buffer)
  setFile(view, sighting)
  view.setFloat64(offsets.checkedAt, sighting.checkedAt, true)
  view.setUint8(offsets.calm, Changes.isCalm(sighting) ? 1 : 0)
  return packed
}

/** Text of a fingerprint of kind `Etag`; empty when there is no fingerprint, null for `Stat`. */
export const etagOf = (fingerprint: Fingerprint | undefined): string | null =>
  fingerprint === undefined ? "" : fingerprint._tag === "Etag" ? `=${fingerprint.value}` : null

const fingerprintOf = (view: DataView, at: number, etag: string | null): Fingerprint | undefined => {
  if (etag === "") return undefined
  if (etag !== null) return { _tag: "Etag", value: etag.slice(1) }
  return {
    _tag: "Stat",
    modified: view.getBigInt64(at + offsets.modified, true),
    changed: view.getBigInt64(at + offsets.changed, true),
    inode: view.getBigUint64(at + offsets.inode, true)
  }
}

/** Reads what {@link pack} wrote at an offset of a view. */
export const readAt = (view: DataView, at: number, etag: string | null): Sighting => ({
  size: view.getFloat64(at + offsets.size, true),
  fingerprint: fingerprintOf(view, at, etag),
  checkedAt: view.getFloat64(at + offsets.checkedAt, true)
})

export const unpack = (packed: Uint8Array, etag: string | null): Sighting => {
  if (packed.length !== width) throw corrupted("a sighting does not have 41 bytes")
  return readAt(new DataView(packed.buffer, packed.byteOffset, packed.byteLength), 0, etag)
}

const scratch = new DataView(new ArrayBuffer(fileWidth))

/** `Changes.untouched` of a packed sighting of kind `Stat` and a file of that kind, without allocating a BigInt. */
export const untouchedAt = (view: DataView, at: number, seen: Changes.Seen, startedAt: number): boolean => {
  setFile(scratch, seen)
  for (let byte = 0; byte < fileWidth; byte += 4) {
    if (view.getInt32(at + byte) !== scratch.getInt32(byte)) return false
  }
  return view.getUint8(at + offsets.calm) === 1 && view.getFloat64(at + offsets.checkedAt, true) <= startedAt
}
