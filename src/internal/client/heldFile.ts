import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  bytes,
  type DocumentId,
  type FileChanged,
  type FileUnreadable,
  type Fingerprint,
  type SourceFile
} from "../../SourceFile.ts"
import * as plainBytes from "../base/plainBytes.ts"
import { sha256 } from "../base/sha256.ts"

/** Size in bytes up to which a file is read into one array; a larger one is streamed: slower per byte, but not held in memory. */
export const mostHeld = 1024 * 1024

/**
 * A file of at most {@link mostHeld} bytes that has been read and hashed: whoever parses it next, and each attempt, takes the bytes from
 * memory. The bytes live as long as this object; a run counts them in its byte budget as long as it parses the document.
 */
export class HeldFile implements SourceFile {
  readonly _tag = "SourceFile"
  readonly source: SourceFile
  readonly bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly contentHash: string

  constructor(source: SourceFile, bytes: Uint8Array<ArrayBuffer>) {
    this.source = source
    this.bytes = bytes
    this.contentHash = sha256(bytes)
  }

  get documentId(): DocumentId {
    return this.source.documentId
  }

  get path(): string {
    return this.source.path
  }

  get size(): number {
    return this.source.size
  }

  get estimated(): boolean | undefined {
    return this.source.estimated
  }

  get fingerprint(): Fingerprint | undefined {
    return this.source.fingerprint
  }

  /** A copy for each reader, since a reader may give its array away. */
  get open(): Stream.Stream<Uint8Array, FileUnreadable | FileChanged> {
    return plainBytes.attach(
      Stream.sync(() => this.bytes.slice()),
      {
        parts: () => [this.bytes.slice()],
        whole: (onBytes) => {
          onBytes(this.bytes.slice())
          return () => undefined
        }
      }
    )
  }
}

/** Reads a file of at most {@link mostHeld} bytes, once: a file that is held already is given back. */
export const hold = (file: SourceFile): Effect.Effect<HeldFile, FileUnreadable | FileChanged> =>
  file instanceof HeldFile ? Effect.succeed(file) : Effect.map(bytes(file), (all) => new HeldFile(file, all))
