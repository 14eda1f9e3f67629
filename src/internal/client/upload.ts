import * as HttpBody from "@effect/platform/HttpBody"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import { bytes, FileChanged, FileTooLarge, FileUnreadable, type SourceFile, UnsupportedFile } from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import * as plainBytes from "../base/plainBytes.ts"
import * as sha256 from "../base/sha256.ts"
import { faultOf } from "./fileValues.ts"
import { type HeldFile, hold, mostHeld } from "./heldFile.ts"
import * as multipart from "./multipart.ts"

/** Progress of one attempt's upload; mutable, read after the attempt has ended. */
export interface Upload {
  /** Bytes of the file handed to the transport. */
  sent: number
  /** The transport has taken the last byte of the body. */
  whole: boolean
  /** The head of an answer has arrived. */
  answered: boolean
  /** The file's own failure, when it broke the body. */
  failure: FileUnreadable | FileChanged | null
  /** SHA-256 of the file's bytes; null until all of them have been sent. */
  contentHash: string | null
}

export const upload = (): Upload => ({ sent: 0, whole: false, answered: false, failure: null, contentHash: null })

/** Body of one attempt. */
export interface Body {
  readonly contentType: string
  /** Number of bytes in all. */
  readonly length: number
  /** A small file's body as one array; a large one's as a stream, with a plain form where the file has one. */
  readonly content: Uint8Array | Stream.Stream<Uint8Array, unknown>
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Refuses files that the service would refuse, before anything is read or sent; returns the MIME type. */
export const check = (
  file: SourceFile,
  maxBytes: number
): Effect.Effect<string, FileTooLarge | FileUnreadable | UnsupportedFile> => {
  const fault = faultOf(file)
  if (fault !== null) return fault
  const extension = FileType.fromName(file.path)
  if (Option.isNone(extension)) {
    return new UnsupportedFile({ path: file.path, extension: FileType.extensionOf(file.path) })
  }
  if (file.size === 0) return new FileUnreadable({ path: file.path, reason: "Empty" })
  if (file.size > maxBytes) return new FileTooLarge({ path: file.path, bytes: file.size, maxBytes })
  return Effect.succeed(FileType.mimeTypes[extension.value])
}

/** The file's parts, counted and hashed as they pass; fails as soon as there are more bytes than announced. */
const measured = (file: SourceFile, hash: ReturnType<typeof sha256.incremental>, progress: Upload) =>
  Stream.mapChunksEffect(file.open, (parts) => {
    for (const part of parts) {
      progress.sent += part.length
      hash.update(part)
    }
    return progress.sent > file.size ? changed(file, progress) : Effect.succeed(parts)
  })

const changed = (file: SourceFile, progress: Upload): FileChanged =>
  new FileChanged({ path: file.path, expected: file.size, actual: progress.sent })

const streamed = (file: SourceFile, frame: multipart.Frame, progress: Upload): Stream.Stream<Uint8Array, unknown> =>
  Stream.suspend(() => {
    const hash = sha256.incremental()
    progress.sent = 0
    const end = Stream.suspend(() => {
      if (progress.sent !== file.size) return Stream.fail(changed(file, progress))
      progress.contentHash = hash.digest()
      progress.whole = true
      return Stream.fromChunk(Chunk.of(frame.tail))
    })
    return Stream.fromChunk(Chunk.of(frame.head)).pipe(
      Stream.concat(measured(file, hash, progress)),
      Stream.concat(end),
      Stream.mapError((error) => {
        progress.failure = error
        return error
      })
    )
  })

const isFailure = (error: unknown): error is FileUnreadable | FileChanged =>
  error instanceof FileUnreadable || error instanceof FileChanged

/**
 * {@link streamed} as a plain async iterable, without fibers: what it throws goes to the transport, which returns it as its own failure.
 */
const plain = (
  file: SourceFile,
  frame: multipart.Frame,
  progress: Upload,
  bytes: plainBytes.PlainBytes
): plainBytes.PlainBytes => ({
  parts: async function* () {
    const hash = sha256.incremental()
    progress.sent = 0
    yield frame.head
    try {
      for await (const part of bytes.parts()) {
        progress.sent += part.length
        hash.update(part)
        if (progress.sent > file.size) throw changed(file, progress)
        yield part
      }
      if (progress.sent !== file.size) throw changed(file, progress)
    } catch (error) {
      if (isFailure(error)) progress.failure = error
      throw error
    }
    progress.contentHash = hash.digest()
    progress.whole = true
    yield frame.tail
  }
})

/** Body of a large file. Our own transport reads it without a fiber for each part, if the source has a plain form. */
const bigBody = (file: SourceFile, frame: multipart.Frame, progress: Upload): Stream.Stream<Uint8Array, unknown> => {
  const bytes = plainBytes.of(file.open)
  const stream = streamed(file, frame, progress)
  return bytes === undefined ? stream : plainBytes.attach(stream, plain(file, frame, progress, bytes))
}

const smallBody = (held: HeldFile, frame: multipart.Frame, progress: Upload): Body => {
  progress.sent = held.bytes.length
  progress.contentHash = held.contentHash
  // One array is one write: afterwards it is unknown how much of it had left this machine.
  progress.whole = true
  const content = multipart.body(frame, held.bytes)
  return { contentType: frame.contentType, length: content.length, content }
}

/** The file with its exact size, which an upload announces; one whose size is estimated is read once for it. */
const counted = (file: SourceFile): Effect.Effect<SourceFile, FileUnreadable | FileChanged> =>
  file.estimated === true
    ? Effect.map(
        Stream.runFold(file.open, 0, (sum, part) => sum + part.length),
        (size) => ({ ...file, size, estimated: undefined })
      )
    : Effect.succeed(file)

/**
 * Body of one attempt. A small file is read here, unless its bytes are held already; a large one is read while it is sent. Unless held, both
 * are opened again for each attempt.
 */
export const body = (
  file: SourceFile,
  mimeType: string,
  options: ParseOptions,
  progress: Upload
): Effect.Effect<Body, FileUnreadable | FileChanged> => {
  const frame = multipart.frame({
    name: baseName(file.path),
    mimeType,
    options: Object.keys(options).length === 0 ? undefined : JSON.stringify(options)
  })
  if (file.size > mostHeld) {
    return Effect.map(counted(file), (exact) => {
      const length = frame.head.length + exact.size + frame.tail.length
      return { contentType: frame.contentType, length, content: bigBody(exact, frame, progress) }
    })
  }
  return Effect.map(hold(file), (held) => smallBody(held, frame, progress))
}

/** A body for a transport of the platform. */
export const platformBody = ({ content, contentType, length }: Body): HttpBody.HttpBody =>
  content instanceof Uint8Array
    ? HttpBody.uint8Array(content, contentType)
    : HttpBody.stream(content, contentType, length)

/** Hash of the bytes sent; reads the file once more when the service answered before it had taken every byte. */
export const contentHash = (file: SourceFile, progress: Upload): Effect.Effect<string, FileUnreadable | FileChanged> =>
  progress.contentHash === null ? Effect.map(bytes(file), sha256.sha256) : Effect.succeed(progress.contentHash)
