import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { FileChanged, FileUnreadable, type SourceFile, make } from "../../SourceFile.ts"

/** A file of a program without Effect. */
export interface AsyncFile {
  /** POSIX path below the root, of no other file; its extension names the file type. */
  readonly path: string
  /** All bytes, an upload as a form gives it, or a way to read them. */
  readonly content:
    | Uint8Array
    | Blob
    | {
        /** Size in bytes. */
        readonly size: number
        /** The bytes from the start; called again for each further attempt. */
        readonly open: () => AsyncIterable<Uint8Array>
      }
  /** Any text that changes when the bytes change. */
  readonly etag?: string | undefined
}

/** Converts a file below a root of that name. */
export const sourceFile = (root: string, file: AsyncFile): SourceFile => {
  const { etag, path } = file
  const content = file.content instanceof Blob ? ofBlob(file.content) : file.content
  const size = content instanceof Uint8Array ? content.length : content.size
  return make({
    root,
    path,
    size,
    fingerprint: etag === undefined ? undefined : { _tag: "Etag", value: etag },
    open: content instanceof Uint8Array ? Stream.make(content) : opened(path, size, content.open)
  })
}

const ofBlob = (blob: Blob) => ({ size: blob.size, open: (): AsyncIterable<Uint8Array> => blob.stream() })

const opened = (
  path: string,
  size: number,
  open: () => AsyncIterable<Uint8Array>
): Stream.Stream<Uint8Array, FileUnreadable | FileChanged> =>
  Stream.suspend(() => {
    let at = 0
    const changed = (): FileChanged => new FileChanged({ path, expected: size, actual: at })
    return iterated(open, (cause) => new FileUnreadable({ path, reason: "Io", cause })).pipe(
      Stream.mapEffect((part) => {
        at += part.length
        return at > size ? Effect.fail(changed()) : Effect.succeed(part)
      }),
      Stream.concat(Stream.suspend(() => (at === size ? Stream.empty : Stream.fail(changed()))))
    )
  })

/**
 * The items of an async iterable, pulled one at a time. Unlike `Stream.fromAsyncIterable`, interruption does not wait for a pending
 * `next`, which may never settle.
 */
export const iterated = <A, E>(open: () => AsyncIterable<A>, onError: (cause: unknown) => E): Stream.Stream<A, E> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      let pending = false
      const failed = (cause: unknown): Option.Option<E> => Option.some(onError(cause))
      const iterator = yield* Effect.acquireRelease(
        Effect.try({ try: () => open()[Symbol.asyncIterator](), catch: onError }),
        (iterator) => {
          const closing = Effect.ignore(Effect.tryPromise(async () => iterator.return?.()))
          // A `return` is answered after the pending `next`: it is called without waiting for it.
          return pending ? Effect.sync(() => void Effect.runFork(closing)) : closing
        }
      )
      const next = Effect.suspend(() => {
        pending = true
        return Effect.tryPromise({ try: async () => iterator.next(), catch: failed })
      }).pipe(
        Effect.tap(() => {
          pending = false
        }),
        Effect.flatMap((result) => (result.done === true ? Effect.fail(Option.none()) : Effect.succeed(result.value)))
      )
      return Stream.repeatEffectOption(next)
    })
  )
