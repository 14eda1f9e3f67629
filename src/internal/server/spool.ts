import { randomUUID } from "node:crypto"
import { readSync } from "node:fs"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { catalogue, ServiceUnavailable } from "../../service/ServiceError.ts"
import type { FormBody } from "./formParts.ts"

/** A file without a name. Its space is free again when the scope that made it closes. */
export interface SpoolFile {
  /** Appends the bytes; they must not change before the effect ends. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ServiceUnavailable>
  /** Number of bytes written so far. */
  readonly length: () => number
  /** Bytes from `start` to before `end`, read synchronously: they are in the system's cache. */
  readonly slice: (start: number, end: number) => Buffer
}

/** A file without a name that holds the body of an upload. */
export interface Spool extends Pick<SpoolFile, "write"> {
  /** The bytes that are written so far, as a form. Reads synchronously what is asked for: it is in the system's cache. */
  readonly form: () => FormBody
}

const codeOf = (cause: unknown): string => (Predicate.hasProperty(cause, "code") ? String(cause.code) : "unknown cause")

/** The folder is named in the log only: it is nobody's business outside. */
const failed = (folder: string, cause: unknown): Effect.Effect<never, ServiceUnavailable> =>
  Effect.zipRight(
    Effect.logError(
      `cannot keep an upload in ${folder} (${codeOf(cause)}): free space there, or name another folder with the option \`spool\` (\`docsluice serve --spool\`)`
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

/** Most places of delimiters that are kept; a form with more of them is an attack, or no form. */
const maxPlaces = 4096

/** Finds a delimiter in bytes that come piece by piece, so that no search has to read them again at once. */
class Places {
  private readonly delimiter: Buffer
  private readonly found: Array<number> = []
  /** Last bytes of the pieces so far, too few for a delimiter. */
  private tail = Buffer.alloc(0)
  private length = 0

  constructor(delimiter: Buffer) {
    this.delimiter = delimiter
  }

  add(piece: Uint8Array): void {
    const joined = Buffer.concat([this.tail, piece])
    const start = this.length - this.tail.length
    for (let at = joined.indexOf(this.delimiter); at >= 0; at = joined.indexOf(this.delimiter, at + 1)) {
      if (this.found.length < maxPlaces) this.found.push(start + at)
    }
    this.tail = joined.subarray(Math.max(0, joined.length - this.delimiter.length + 1))
    this.length += piece.length
  }

  /** The first place at or after `from`; -1 after the last one that is kept. */
  after(from: number): number {
    return this.found.find((place) => place >= from) ?? -1
  }
}

/** Makes a file in the folder and takes its name away. Fails when the folder is missing, full or not writable. */
export const file = (folder: string): Effect.Effect<SpoolFile, ServiceUnavailable, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => nameless(folder), catch: (cause) => cause }), (handle) =>
    Effect.promise(() => handle.close())
  ).pipe(
    Effect.catchAll((cause) => failed(folder, cause)),
    Effect.map((handle): SpoolFile => {
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
        length: () => length,
        // The descriptor of a closed handle is -1, never that of another file.
        slice: (start, end) => readRange(handle.fd, start, Math.min(end, length) - start)
      }
    })
  )

/** Makes a {@link file} for a form with this delimiter. */
export const make = (folder: string, delimiter: Buffer): Effect.Effect<Spool, ServiceUnavailable, Scope.Scope> =>
  Effect.map(file(folder), ({ length, slice, write }): Spool => {
    const places = new Places(delimiter)
    return {
      write: (bytes) => Effect.tap(write(bytes), () => places.add(bytes)),
      form: () => ({ length: length(), slice, indexOf: (_, from) => places.after(from) })
    }
  })
