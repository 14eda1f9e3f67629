/** Documents that had to be read while they were listed, in temporary files until they are wanted. */
import { createReadStream } from "node:fs"
import { type FileHandle, mkdtemp, open, rm, unlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import * as sha256 from "../base/sha256.ts"

/** A document as it was read. */
export interface Held {
  /** Bytes; of a document that is too large, those that were read. */
  readonly size: number
  readonly digest: string
  /** The bytes; undefined once there was no more room for them. */
  readonly bytes: () => Stream.Stream<Uint8Array, SourceUnavailable> | undefined
}

export interface HeldPages {
  /** Reads the bytes to their end, or until there are more than `maxBytes`. */
  readonly hold: (
    bytes: Stream.Stream<Uint8Array, SourceUnavailable>,
    maxBytes: number
  ) => Effect.Effect<Held, SourceUnavailable>
}

/** Bytes of all files; the oldest are deleted first. */
const mostBytes = 1024 * 1024 * 1024

const failed = (cause: unknown): SourceUnavailable =>
  new SourceUnavailable({
    source: tmpdir(),
    reason: "Failed",
    problem: "a document cannot be kept in the temporary folder; free space there",
    cause
  })

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, SourceUnavailable> =>
  Effect.tryPromise({ try: run, catch: failed })

const opened = (file: string) =>
  Effect.acquireRelease(
    attempt(() => open(file, "wx", 0o600)),
    (handle: FileHandle) => Effect.promise(() => handle.close())
  )

/** The folder is made with the first document, and deleted with the scope. */
export const make: Effect.Effect<HeldPages, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const folder = yield* Effect.cached(
    Effect.acquireRelease(
      attempt(() => mkdtemp(join(tmpdir(), "docsluice-web-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    ).pipe(Effect.provideService(Scope.Scope, scope), Effect.uninterruptible)
  )
  const sizes = new Map<string, number>()
  let total = 0
  let count = 0

  const makeRoom = Effect.suspend(() => {
    const gone: Array<string> = []
    for (const [file, size] of sizes) {
      if (total <= mostBytes) break
      sizes.delete(file)
      total -= size
      gone.push(file)
    }
    return Effect.forEach(gone, (file) => Effect.ignore(attempt(() => unlink(file))), { discard: true })
  })

  return {
    hold: (bytes, maxBytes) =>
      Effect.gen(function* () {
        count += 1
        // Before the folder is there, others may be counted.
        const name = String(count)
        const file = join(yield* folder, name)
        const handle = yield* opened(file)
        const hash = sha256.incremental()
        let size = 0
        yield* bytes.pipe(
          Stream.takeUntil((part) => {
            size += part.length
            hash.update(part)
            return size > maxBytes
          }),
          Stream.runForEach((part) => attempt(() => handle.writeFile(part))),
          Effect.tapError(() => Effect.ignore(attempt(() => unlink(file))))
        )
        sizes.set(file, size)
        total += size
        yield* makeRoom
        return {
          size,
          digest: hash.digest(),
          bytes: () => (sizes.has(file) ? NodeStream.fromReadable(() => createReadStream(file), failed) : undefined)
        }
      }).pipe(Effect.scoped)
  }
})
