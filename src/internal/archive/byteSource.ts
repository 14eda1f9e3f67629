/** Bytes in order, of which some are skipped: of a file, where a skip costs nothing, and of a stream. */
import type { FileHandle } from "node:fs/promises"

export interface ByteSource {
  /** Bytes that were read or skipped so far. */
  readonly position: () => number
  /** The next bytes; fewer at the end. */
  readonly read: (length: number) => Promise<Buffer>
  /** Goes on without the next bytes; at the end there may be fewer. */
  readonly skip: (length: number) => Promise<void>
  /** Ends a stream that was not read to its end. */
  readonly close: () => Promise<void>
}

const step = 65_536

/** A file, read 64 KB at a time. `size`: its bytes. */
export const ofFile = (handle: FileHandle, size: number): ByteSource => {
  let at = 0
  let held: Buffer = Buffer.alloc(0)
  let heldAt = 0
  const fill = async (length: number): Promise<void> => {
    const wanted = Math.min(Math.max(length, step), size - at)
    const next = Buffer.allocUnsafe(Math.max(0, wanted))
    let filled = 0
    while (filled < next.length) {
      // oxlint-disable-next-line no-await-in-loop -- one place of the file after the other
      const { bytesRead } = await handle.read(next, filled, next.length - filled, at + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    held = next.subarray(0, filled)
    heldAt = at
  }
  return {
    position: () => at,
    read: async (length) => {
      if (at < heldAt || at + length > heldAt + held.length) await fill(length)
      const found = held.subarray(at - heldAt, at - heldAt + length)
      at += found.length
      return found
    },
    skip: (length) => {
      at = Math.min(size, at + length)
      return Promise.resolve()
    },
    close: () => Promise.resolve()
  }
}

/** A stream, pulled as its bytes are wanted. `onBytes` is called with the number of all bytes so far. */
export const ofStream = (parts: AsyncIterable<Buffer>, onBytes: (count: number) => void): ByteSource => {
  const iterator = parts[Symbol.asyncIterator]()
  let at = 0
  let pulled = 0
  let held: Buffer = Buffer.alloc(0)
  /** False at the end. */
  const pull = async (): Promise<boolean> => {
    const { done, value } = await iterator.next()
    if (done === true) return false
    held = held.length === 0 ? value : Buffer.concat([held, value])
    pulled += value.length
    onBytes(pulled)
    return true
  }
  const take = (length: number): Buffer => {
    const found = held.subarray(0, length)
    held = held.subarray(found.length)
    at += found.length
    return found
  }
  return {
    position: () => at,
    read: async (length) => {
      // oxlint-disable-next-line no-await-in-loop -- a stream has one next part
      while (held.length < length) if (!(await pull())) break
      return take(length)
    },
    skip: async (length) => {
      let left = length - take(length).length
      while (left > 0) {
        // oxlint-disable-next-line no-await-in-loop -- a stream has one next part
        if (!(await pull())) return
        left -= take(left).length
      }
    },
    close: async () => {
      await iterator.return?.()
    }
  }
}
