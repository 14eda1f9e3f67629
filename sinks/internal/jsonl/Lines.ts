import type { PlatformError } from "@effect/platform/Error"
import type { File, FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** One line of a file, without its line feed. `bytes` is valid only while the visitor runs. */
export interface Line {
  readonly bytes: Uint8Array
  /** Offset of its first byte. */
  readonly offset: number
  /** True when a line feed ends it; false at most for the last line of the file. */
  readonly ended: boolean
}

/**
 * Visits the lines of a file in order; a visitor that gives something else than null ends it with that failure. Holds one
 * block of 1 MiB and the longest line.
 */
export const visit = <E>(
  fs: FileSystem,
  path: string,
  visitor: (line: Line) => E | null
): Effect.Effect<void, PlatformError | E> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* fs.open(path, { flag: "r" })
      const block = new Uint8Array(1 << 20)
      let carried: Uint8Array = new Uint8Array(0)
      let offset = 0
      while (true) {
        const got = Number(yield* file.read(block))
        if (got === 0) break
        const fresh = block.subarray(0, got)
        const bytes = carried.length === 0 ? fresh : joined(carried, fresh)
        let from = 0
        let end = bytes.indexOf(lineFeed, carried.length)
        while (end >= 0) {
          const stop = visitor({ bytes: bytes.subarray(from, end), offset, ended: true })
          if (stop !== null) return yield* Effect.fail(stop)
          offset += end + 1 - from
          from = end + 1
          end = bytes.indexOf(lineFeed, from)
        }
        carried = bytes.slice(from)
      }
      const stop = carried.length === 0 ? null : visitor({ bytes: carried, offset, ended: false })
      return stop === null ? undefined : yield* Effect.fail(stop)
    })
  )

const lineFeed = 10

const joined = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return both
}

/** Copies `[start, end)` of a file to where another one stands, in steps of at most 1 MiB. */
export const copyRange = (
  from: File,
  to: File,
  start: number,
  end: number
): Effect.Effect<void, PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* from.seek(start, "start")
    const block = new Uint8Array(Math.min(end - start, 1 << 20))
    let at = start
    while (at < end) {
      const got = Number(yield* from.read(block.subarray(0, Math.min(block.length, end - at))))
      if (got === 0) return
      yield* to.writeAll(block.subarray(0, got))
      at += got
    }
  })
