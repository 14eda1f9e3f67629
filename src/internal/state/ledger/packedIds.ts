import { ChunkId } from "../../../DocumentChunk.ts"
import { corrupted } from "../libsql.ts"

/** An id of some bytes is not empty. */
const unchecked = { disableValidation: true } as const

const hexadecimal = /^(?:[0-9a-f]{2})+$/

const uniform = (ids: ReadonlyArray<ChunkId>): number => {
  const length = ids[0]?.length ?? 0
  return length < 510 && ids.every((id) => id.length === length && hexadecimal.test(id)) ? length / 2 : 0
}

/** Ids of the last lists packed: a list is packed for its announcement and again for its commit. */
const packedLists = new WeakMap<ReadonlyArray<ChunkId>, Uint8Array>()

const packUniform = (size: number, ids: ReadonlyArray<ChunkId>): Uint8Array => {
  const packed = Buffer.allocUnsafe(1 + size * ids.length)
  let at = packed.writeUInt8(size)
  for (const id of ids) at += packed.write(id, at, "hex")
  return packed
}

/**
 * Encodes ids as bytes: when all are lower-case hexadecimal of one length, the number of bytes of one id and the ids; else a 0
 * and their JSON.
 */
export const pack = (ids: ReadonlyArray<ChunkId>): Uint8Array => {
  const known = packedLists.get(ids)
  if (known !== undefined) return known
  const size = uniform(ids)
  const packed = size === 0 ? Buffer.from(`\0${JSON.stringify(ids)}`) : packUniform(size, ids)
  packedLists.set(ids, packed)
  return packed
}

/** A list without ids, packed. */
export const nothing: Uint8Array = pack([])

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

const parse = (text: string): ReadonlyArray<string> => {
  try {
    const value: unknown = JSON.parse(text)
    if (isTexts(value)) return value
  } catch {
    throw corrupted("a list of chunk ids is not readable")
  }
  throw corrupted("a list of chunk ids holds other values")
}

/** Reads what {@link pack} wrote; throws `DatabaseFailure`. */
export const unpack = (packed: Uint8Array): ReadonlyArray<ChunkId> => {
  const body = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const size = body[0] ?? 0
  if (size === 0) return parse(body.toString("utf8", 1)).map((id) => ChunkId.make(id))
  if ((body.length - 1) % size !== 0) throw corrupted("a list of chunk ids is cut")
  const ids: Array<ChunkId> = []
  for (let at = 1; at < body.length; at += size) ids.push(ChunkId.make(body.toString("hex", at, at + size), unchecked))
  return ids
}

/** Items of `left` that are not in `right`, in the order of `left`. */
export const without = (left: ReadonlyArray<ChunkId>, right: ReadonlyArray<ChunkId>): ReadonlyArray<ChunkId> => {
  const all = new Set(left)
  if (right.length === 0) return all.size === left.length ? left : [...all]
  const unwanted = new Set(right)
  return [...all].filter((id) => !unwanted.has(id))
}

export const same = (left: ReadonlyArray<ChunkId>, right: ReadonlyArray<ChunkId>): boolean =>
  left.length === right.length && left.every((id, index) => id === right[index])
