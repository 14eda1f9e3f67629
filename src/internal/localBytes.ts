import { createReadStream } from "node:fs"
import * as Stream from "effect/Stream"
import { FileUnreadable } from "../SourceFile.ts"
import * as plainBytes from "./plainBytes.ts"

const step = 256 * 1024

const reasons: Readonly<Record<string, FileUnreadable["reason"]>> = {
  ENOENT: "NotFound",
  ENOTDIR: "NotFound",
  EACCES: "PermissionDenied",
  EPERM: "PermissionDenied",
  EISDIR: "NotAFile"
}

const unreadable = (path: string, cause: unknown): FileUnreadable => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return new FileUnreadable({ path, reason: reasons[code] ?? "Io", cause })
}

/** The file in steps of 256 KiB, one step read ahead; closed when the reader stops. */
const parts = (path: string, absolute: string): plainBytes.PlainBytes =>
  async function* () {
    try {
      yield* createReadStream(absolute, { highWaterMark: step })
    } catch (cause) {
      throw unreadable(path, cause)
    }
  }

/** The bytes of a local file; `path` is its name in errors. */
export const open = (path: string, absolute: string): Stream.Stream<Uint8Array, FileUnreadable> => {
  const bytes = parts(path, absolute)
  const stream = Stream.suspend(() =>
    Stream.fromAsyncIterable(bytes(), (cause) => (cause instanceof FileUnreadable ? cause : unreadable(path, cause)))
  )
  return plainBytes.attach(stream, bytes)
}
