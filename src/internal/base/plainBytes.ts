import type * as Stream from "effect/Stream"

/** The parts of a stream as an async iterable without a fiber: 0.05 ms per part instead of 0.3. */
export type PlainBytes = () => AsyncIterable<Uint8Array>

const sources = new WeakMap<object, PlainBytes>()

/** Registers `bytes` as the plain form of `stream`: both must give the same parts, and `bytes` throw what `stream` fails with. */
export const attach = <E>(stream: Stream.Stream<Uint8Array, E>, bytes: PlainBytes): Stream.Stream<Uint8Array, E> => {
  sources.set(stream, bytes)
  return stream
}

/** The registered plain bytes of a stream, if any, for a transport that takes async iterables. */
export const of = <E>(stream: Stream.Stream<Uint8Array, E>): PlainBytes | undefined => sources.get(stream)
