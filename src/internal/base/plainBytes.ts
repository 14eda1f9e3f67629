import type * as Stream from "effect/Stream"

/** Called once with all bytes, or with what the stream fails with. */
export type Whole = (
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void,
  onFailure: (cause: unknown) => void
) => () => void

/** The bytes of a stream without a fiber, which costs more than reading a small file. */
export interface PlainBytes {
  /** The parts, one at a time: 0.05 ms per part instead of 0.3. */
  readonly parts: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** All bytes in one new array, in one read; returns what cancels it. Absent when only parts can be read. */
  readonly whole?: Whole | undefined
}

const sources = new WeakMap<object, PlainBytes>()

/** Registers `bytes` as the plain form of `stream`: both must give the same bytes, and `bytes` fail with what `stream` fails with. */
export const attach = <E>(stream: Stream.Stream<Uint8Array, E>, bytes: PlainBytes): Stream.Stream<Uint8Array, E> => {
  sources.set(stream, bytes)
  return stream
}

/** The registered plain bytes of a stream, if any, for a reader that needs no stream. */
export const of = <E>(stream: Stream.Stream<Uint8Array, E>): PlainBytes | undefined => sources.get(stream)
