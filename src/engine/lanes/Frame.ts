/**
 * Messages over a pipe: a structured clone, followed by bytes that are sent unchanged.
 *
 * A frame is the length of the clone and of the bytes, four bytes each, little-endian; then the clone; then the bytes.
 */
import { deserialize, serialize } from "node:v8"

export interface Frame {
  readonly message: unknown
  readonly bytes: Uint8Array
}

const prefixLength = 8

const nothing = new Uint8Array(0)

/** Largest number of bytes that are copied: one write costs less than two. */
const copied = 65_536

/** The beginning of a frame, after which `length` bytes have to follow. */
export const encodeHead = (message: unknown, length: number): Uint8Array => {
  const clone = serialize(message)
  const prefix = Buffer.allocUnsafe(prefixLength)
  prefix.writeUInt32LE(clone.length, 0)
  prefix.writeUInt32LE(length, 4)
  return Buffer.concat([prefix, clone])
}

/**
 * The frame in one or two parts, to be written one after the other. Bytes above 64 KiB are not copied: they must not change until they
 * are written. Throws on a message that cannot be cloned.
 */
export const encode = (message: unknown, bytes: Uint8Array = nothing): ReadonlyArray<Uint8Array> => {
  const head = encodeHead(message, bytes.length)
  return bytes.length > copied ? [head, bytes] : [Buffer.concat([head, bytes])]
}

/** Number of bytes of a frame without its prefix. */
export const size = (parts: ReadonlyArray<Uint8Array>): number =>
  parts.reduce((total, part) => total + part.length, -prefixLength)

export interface Listener {
  readonly frame: (frame: Frame) => void
  /** Called once, as the last call: a frame has more than `limit` bytes, or its clone cannot be read. */
  readonly broken: (why: string) => void
}

/**
 * Returns a function that takes the pieces of a pipe and calls `listener` for every complete frame. Holds one frame; copies each byte
 * once.
 */
export const reader = (limit: number, listener: Listener): ((piece: Uint8Array) => void) => {
  const prefix = Buffer.alloc(prefixLength)
  /** Array that is being filled; `at` is the number of bytes in it. */
  let target: Buffer = prefix
  let at = 0
  let cloneLength = 0
  const state = { broken: false }

  const broken = (why: string): void => {
    state.broken = true
    listener.broken(why)
  }

  const begin = (): void => {
    cloneLength = prefix.readUInt32LE(0)
    const length = cloneLength + prefix.readUInt32LE(4)
    if (length > limit) {
      broken(`a message of ${length} bytes, where ${limit} are allowed`)
      return
    }
    // Not from the pool of small buffers: the bytes are used after this call.
    target = Buffer.allocUnsafeSlow(length)
    at = 0
  }

  const finish = (): void => {
    const whole = target
    target = prefix
    at = 0
    let message: unknown
    try {
      message = deserialize(whole.subarray(0, cloneLength))
    } catch (cause) {
      broken(`a message that cannot be read: ${String(cause)}`)
      return
    }
    listener.frame({ message, bytes: whole.subarray(cloneLength) })
  }

  return (piece) => {
    let from = 0
    while (from < piece.length && !state.broken) {
      const taken = Math.min(piece.length - from, target.length - at)
      target.set(piece.subarray(from, from + taken), at)
      from += taken
      at += taken
      if (at === target.length) {
        if (target === prefix) begin()
        else finish()
      }
    }
  }
}
