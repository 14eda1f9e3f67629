/** Bytes of a member, with the checks that show damage. */
import type { ByteHandle } from "./byteHandle.ts"
import { Damaged } from "./damaged.ts"

/**
 * Bytes of an open file, 64 KB at a time.
 *
 * @yields parts that are not changed afterwards
 */
export async function* ranged(handle: ByteHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const part = Buffer.allocUnsafe(Math.min(65_536, length - at))
    // oxlint-disable-next-line no-await-in-loop -- reading one part at a time bounds the memory
    const { bytesRead } = await handle.read(part, 0, part.length, start + at)
    if (bytesRead === 0) throw new Damaged("the archive ends too early; make it again")
    at += bytesRead
    yield part.subarray(0, bytesRead)
  }
}

/**
 * Exactly `size` bytes: fails as soon as there are more, and at an end that comes before.
 *
 * @yields the parts as they are
 */
export async function* sized(parts: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const part of parts) {
    count += part.length
    if (count > size) throw new Damaged("a member unpacks to more bytes than the archive says; make the archive again")
    yield part
  }
  if (count < size) throw new Damaged("a member ends too early; make the archive again")
}
