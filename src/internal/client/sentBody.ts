import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as plainBytes from "../base/plainBytes.ts"

/** A streamed body while it is sent. */
export interface SentBody {
  /** For a transport: the bytes, from the start for each reader; with a plain form. Fails for a reader that is left when the body is closed. */
  readonly content: Stream.Stream<Uint8Array, unknown>
  /**
   * Closes what is read for readers that are left, also while they wait for a part, and waits until it is closed. A transport closes a body
   * that it has given up only when the next part comes, or never.
   */
  readonly close: Effect.Effect<void>
}

const ended = new Error("the exchange has ended")

class Reader implements AsyncIterator<Uint8Array> {
  private readonly from: AsyncIterator<Uint8Array>
  private refuse: ((error: Error) => void) | null = null
  private closing: Promise<void> | null = null

  constructor(from: AsyncIterator<Uint8Array>) {
    this.from = from
  }

  readonly next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      if (this.closing !== null) return reject(ended)
      this.refuse = reject
      this.from.next().then(resolve, reject)
    })

  readonly return = async (): Promise<IteratorResult<Uint8Array>> => {
    await this.close()
    return { done: true, value: undefined }
  }

  readonly close = (): Promise<void> => {
    this.closing ??= this.end()
    return this.closing
  }

  private async end(): Promise<void> {
    this.refuse?.(ended)
    try {
      await this.from.return?.()
    } catch {
      // What was read was enough, or is not wanted any more.
    }
  }
}

async function* each(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts
}

const readerOf = (content: Stream.Stream<Uint8Array, unknown>): Reader => {
  const parts = plainBytes.of(content)?.parts() ?? Stream.toAsyncIterable(content)
  return new Reader(Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : each(parts))
}

/** The body of one exchange. */
export const make = (content: Stream.Stream<Uint8Array, unknown>): SentBody => {
  const readers: Array<Reader> = []
  const parts: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => {
      const reader = readerOf(content)
      readers.push(reader)
      return reader
    }
  }
  return {
    content: plainBytes.attach(
      Stream.fromAsyncIterable(parts, (error) => error),
      { parts: () => parts }
    ),
    close: Effect.promise(() => Promise.all(readers.map(({ close }) => close())))
  }
}
