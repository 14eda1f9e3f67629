import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { FileChanged, FileUnreadable, type SourceFile } from "../../SourceFile.ts"
import * as plainBytes from "../base/plainBytes.ts"
import * as sha256 from "../base/sha256.ts"

/** What the bytes of a file show. */
export interface Measured {
  /** SHA-256, lower-case hexadecimal. */
  readonly hash: string
  readonly size: number
}

/** Hashes bytes as they pass, and fails when the file's size is not the one it was found with. */
class Measure {
  private readonly hash = sha256.incremental()
  private size = 0

  add(part: Uint8Array): void {
    this.size += part.length
    this.hash.update(part)
  }

  end(file: SourceFile): Effect.Effect<Measured, FileChanged> {
    return this.size === file.size || file.estimated === true
      ? Effect.succeed({ hash: this.hash.digest(), size: this.size })
      : new FileChanged({ path: file.path, expected: file.size, actual: this.size })
  }
}

const unreadable = (file: SourceFile, cause: unknown): FileUnreadable | FileChanged =>
  cause instanceof FileUnreadable || cause instanceof FileChanged
    ? cause
    : new FileUnreadable({ path: file.path, reason: "Io", cause })

/** Reads the file's bytes; holds one part of it at a time. */
export const measure = (file: SourceFile): Effect.Effect<Measured, FileUnreadable | FileChanged> =>
  Effect.suspend(() => {
    const measured = new Measure()
    const bytes = plainBytes.of(file.open)
    const read =
      bytes === undefined
        ? Stream.runForEach(file.open, (part) => Effect.sync(() => measured.add(part)))
        : Effect.tryPromise({
            try: async (signal) => {
              for await (const part of bytes.parts()) {
                if (signal.aborted) return
                measured.add(part)
              }
            },
            catch: (cause) => unreadable(file, cause)
          })
    return Effect.zipRight(
      read,
      Effect.suspend(() => measured.end(file))
    )
  })

/** SHA-256 of the file's bytes, lower-case hexadecimal; holds one part of the file at a time. */
export const fileHash = (file: SourceFile): Effect.Effect<string, FileUnreadable | FileChanged> =>
  Effect.map(measure(file), ({ hash }) => hash)
