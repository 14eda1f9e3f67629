import * as fs from "node:fs"
import { FileChanged } from "../../SourceFile.ts"

/** A file of this machine: where it is, its name in errors, and the bytes that it had when it was found. */
export interface Expected {
  readonly absolute: string
  readonly path: string
  readonly size: number
}

type OnBytes = (bytes: Uint8Array<ArrayBuffer>) => void
type OnFailure = (cause: unknown) => void

/** Takes the byte after the last one expected, so that one read shows whether the file has grown. Its content is never looked at. */
const beyond = new Uint8Array(1)

const changed = ({ path, size }: Expected, actual: number): FileChanged =>
  new FileChanged({ path, expected: size, actual })

/** Throws what the file system throws, or `FileChanged`. */
const readNow = (expected: Expected): Uint8Array<ArrayBuffer> => {
  const file = fs.openSync(expected.absolute, "r")
  try {
    const bytes = new Uint8Array(expected.size)
    let end = fs.readvSync(file, [bytes, beyond], 0)
    for (let count = end; count > 0 && end < expected.size; end += count) {
      count = fs.readvSync(file, [bytes.subarray(end), beyond], end)
    }
    if (end !== expected.size) throw changed(expected, fs.fstatSync(file).size)
    return bytes
  } finally {
    fs.closeSync(file)
  }
}

const readInBackground = (expected: Expected, onBytes: OnBytes, onFailure: OnFailure): (() => void) => {
  const { absolute, size } = expected
  let cancelled = false
  fs.open(absolute, "r", (refused, file) => {
    if (refused !== null) return onFailure(refused)
    // The result is known by then, and a failure to close what was only read loses nothing.
    const close = (): void => fs.close(file, () => undefined)
    const fail = (cause: unknown): void => {
      close()
      onFailure(cause)
    }
    const bytes = new Uint8Array(size)
    const next = (at: number): void => {
      if (cancelled) return close()
      fs.readv(file, [bytes.subarray(at), beyond], at, (failed, count) => {
        if (failed !== null) return fail(failed)
        const end = at + count
        if (end < size && count > 0) return next(end)
        if (end !== size) return fs.fstat(file, (unknown, stat) => fail(unknown ?? changed(expected, stat.size)))
        close()
        onBytes(bytes)
      })
    }
    next(0)
  })
  return () => {
    cancelled = true
  }
}

/** Bytes up to which a file is read at once: 10 to 30 µs on a local disk, a third of what the trips through the thread pool cost. */
const mostAtOnce = 65_536

/** Milliseconds from which a read counts as slow, as on a network share or of a disk that sleeps. */
const patience = 2

/** Slow reads in a row after which the disk counts as slow; fewer may be due to a busy machine or a garbage collection. */
const strikes = 3

/** Reads in the background after which one at once is tried again. */
const patrol = 512

let slow = 0
let background = 0

const readAtOnce = (expected: Expected, onBytes: OnBytes, onFailure: OnFailure): void => {
  const start = performance.now()
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = readNow(expected)
  } catch (cause) {
    return onFailure(cause)
  } finally {
    slow = performance.now() - start > patience ? slow + 1 : 0
    if (slow >= strikes) background = patrol
  }
  return onBytes(bytes)
}

/**
 * Reads a file: one open, one read, one close. A read that ends where the file was expected to end is the evidence that its size is the
 * expected one; otherwise a `stat` of the open file tells the present size. Small files are read synchronously as long as the disk is fast.
 * Returns what cancels it.
 */
export const read = (expected: Expected, onBytes: OnBytes, onFailure: OnFailure): (() => void) => {
  if (expected.size > mostAtOnce || background > 0) {
    if (background > 0) background -= 1
    return readInBackground(expected, onBytes, onFailure)
  }
  readAtOnce(expected, onBytes, onFailure)
  return () => undefined
}
