import { randomUUID } from "node:crypto"
import { readSync } from "node:fs"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { catalogue, ServiceUnavailable } from "../../service/ServiceError.ts"
import type { FormBody } from "./formParts.ts"

/** A file without a name that holds the body of an upload. Its space is free again when the scope that made it closes. */
export interface Spool {
  /** Appends the bytes; they must not change before the effect ends. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ServiceUnavailable>
  /** The bytes that are written so far, as a form. Reads them in windows, synchronously: they are in the system's cache. */
  readonly form: () => FormBody
}

const codeOf = (cause: unknown): string => (Predicate.hasProperty(cause, "code") ? String(cause.code) : "unknown cause")

/** The folder is named in the log only: it is nobody's business outside. */
const failed = (folder: string, cause: unknown): Effect.Effect<never, ServiceUnavailable> =>
  Effect.zipRight(
    Effect.logError(
      `cannot keep an upload in ${folder} (${codeOf(cause)}): free space there, or name another folder with --spool`
    ),
    new ServiceUnavailable({
      status: 503,
      error: `${catalogue.ServiceUnavailable.error}: the server cannot keep the upload (${codeOf(cause)})`
    })
  )

const nameless = async (folder: string): Promise<FileHandle> => {
  const path = join(folder, `docsluice-${randomUUID()}.upload`)
  const handle = await open(path, "wx+", 0o600)
  try {
    await unlink(path)
    return handle
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

/** Bytes of an open file from `start` on, at most `length`, fewer at its end. */
const readRange = (descriptor: number, start: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, length))
  let at = 0
  while (at < bytes.length) {
    const read = readSync(descriptor, bytes, at, bytes.length - at, start + at)
    if (read === 0) break
    at += read
  }
  return bytes.subarray(0, at)
}

/** Bytes that are read at a time to find a boundary. */
const windowBytes = 1_048_576

const formOf = (handle: FileHandle, length: number): FormBody => {
  // The descriptor of a closed handle is -1, never that of another file.
  const slice = (start: number, end: number): Buffer => readRange(handle.fd, start, Math.min(end, length) - start)
  return {
    length,
    slice,
    indexOf: (wanted, from) => {
      for (let start = Math.max(0, from); start < length; start += windowBytes) {
        const found = slice(start, start + windowBytes + wanted.length - 1).indexOf(wanted)
        if (found >= 0) return start + found
      }
      return -1
    }
  }
}

/** Makes a file in the folder and takes its name away. Fails when the folder is missing, full or not writable. */
export const make = (folder: string): Effect.Effect<Spool, ServiceUnavailable, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => nameless(folder), catch: (cause) => cause }), (handle) =>
    Effect.promise(() => handle.close())
  ).pipe(
    Effect.catchAll((cause) => failed(folder, cause)),
    Effect.map((handle): Spool => {
      let length = 0
      return {
        write: (bytes) =>
          Effect.tryPromise({
            // Appends, and repeats a write that the disk took only a part of; reads give their own positions.
            try: () => handle.writeFile(bytes),
            catch: (cause) => cause
          }).pipe(
            Effect.catchAll((cause) => failed(folder, cause)),
            Effect.tap(() => {
              length += bytes.length
            })
          ),
        form: () => formOf(handle, length)
      }
    })
  )
