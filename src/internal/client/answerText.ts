import { promisify } from "node:util"
import * as zlib from "node:zlib"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Largest answer in bytes, both compressed and decompressed: the parse of a 50 MB file does not exceed it. */
export const maxBytes = 256 * 1024 * 1024

const unpackers: Readonly<Record<string, (packed: Uint8Array, options: zlib.ZlibOptions) => Promise<Uint8Array>>> = {
  gzip: promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip),
  "x-gzip": promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip),
  deflate: promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflate),
  br: promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.brotliDecompress)
}

/** The body cannot be read as text: its compression is broken or unknown, or it has too many bytes. */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly error: string
}

const unreadable = (error: string): Unreadable => ({ _tag: "Unreadable", error })

/** Said of an answer of more than that many bytes. */
export const tooLarge = (most: number): string => `the answer is larger than ${most} bytes`

/** No byte arrived for the idle time-out. */
export interface Idle {
  readonly _tag: "Idle"
}

/** Tests for uncompressed text: JSON or HTML begins with `{`, `[`, `"`, `<` or a byte order mark, compressed data never does. */
const isPlain = (bytes: Uint8Array): boolean => {
  const first = bytes[0]
  return first === 0x7b || first === 0x5b || first === 0x3c || first === 0x22 || first === 0xef
}

/** UTF-8 without a byte order mark; invalid bytes become U+FFFD. */
const textOf = (bytes: Uint8Array): string => {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const from = marked ? 3 : 0
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.byteLength - from).toString("utf8")
}

/**
 * Decompresses and decodes a body. Some transports decompress and leave the header, others do neither: so the first bytes decide. Invalid
 * UTF-8 becomes U+FFFD, a byte order mark is dropped.
 */
export const decode = (
  bytes: Uint8Array,
  encoding: string | undefined,
  most: number = maxBytes
): Effect.Effect<string, Unreadable> => {
  const packing = encoding?.trim().toLowerCase() ?? "identity"
  if (packing === "identity" || packing === "" || bytes.length === 0 || isPlain(bytes)) {
    return Effect.sync(() => textOf(bytes))
  }
  const unpack = unpackers[packing]
  if (unpack === undefined) return Effect.fail(unreadable(`unknown content encoding ${packing}`))
  return Effect.tryPromise({
    try: () => unpack(bytes, { maxOutputLength: most }),
    catch: () => unreadable(`the answer cannot be unpacked as ${packing}`)
  }).pipe(Effect.map(textOf))
}

/** The parts of a body as one array; a single part is not copied. */
export const joined = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const only = parts[0]
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, size)
}

/** Reads the whole body as text; `most`: its largest size in bytes, compressed and decompressed. Interruption aborts the exchange. Holds the body twice while it is decoded. */
export const read = (
  response: HttpClientResponse.HttpClientResponse,
  idle: Duration.Duration,
  most: number = maxBytes
): Effect.Effect<string, HttpClientError | Unreadable | Idle> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let size = 0
    return response.stream.pipe(
      Stream.timeoutFail((): Idle => ({ _tag: "Idle" }), idle),
      Stream.runForEachChunk((chunk) => {
        for (const part of chunk) {
          parts.push(part)
          size += part.length
        }
        return size > most ? Effect.fail(unreadable(tooLarge(most))) : Effect.void
      }),
      Effect.flatMap(() => decode(joined(parts, size), response.headers["content-encoding"], most))
    )
  })
