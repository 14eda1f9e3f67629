import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { FileChanged, FileUnreadable, type SourceFile, make } from "../../SourceFile.ts"
import { OptionError } from "../base/optionError.ts"

/** A file of a program without Effect. */
export interface AsyncFile {
  /** POSIX path below the root, of no other file; its extension names the file type. */
  readonly path: string
  /** All bytes, a text as UTF-8, an upload as a form gives it, or a way to read them. */
  readonly content:
    | string
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

/**
 * Converts a file below a root of that name. A member of another type, as a program in JavaScript may give it, fails; a value out of its
 * bounds is the document's failure.
 */
export const sourceFile = (root: string, file: AsyncFile): Effect.Effect<SourceFile, OptionError> =>
  Effect.suspend(() => {
    const { content: given, etag, path } = file
    if (typeof path !== "string") return refused("path", "a text", path)
    const content = contentOf(given)
    if (content instanceof Uint8Array) {
      return Effect.succeed(make({ ...named(root, path, etag), size: content.length, open: Stream.make(content) }))
    }
    if (!Predicate.isRecord(content) || !Predicate.isFunction(content.open)) {
      return refused(`content of ${path}`, "a text, a Uint8Array, a Blob or { size, open }", content)
    }
    const { open, size } = content
    return Effect.succeed(make({ ...named(root, path, etag), size, open: opened(path, size, open) }))
  })

const named = (root: string, path: string, etag: string | undefined) => ({
  root,
  path,
  fingerprint: etag === undefined ? undefined : ({ _tag: "Etag", value: etag } as const)
})

const refused = (option: string, bound: string, value: unknown): Effect.Effect<never, OptionError> =>
  new OptionError({ option, problem: `expected ${bound}, got ${value === null ? "null" : typeof value}` })

const contentOf = (content: AsyncFile["content"]): Exclude<AsyncFile["content"], string | Blob> => {
  if (typeof content === "string") return new TextEncoder().encode(content)
  return content instanceof Blob ? ofBlob(content) : content
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
      Stream.mapEffect((part): Effect.Effect<Uint8Array, FileUnreadable | FileChanged> => {
        if (!(part instanceof Uint8Array)) {
          const problem = `content: expected parts of bytes, got ${typeof part}`
          return Effect.fail(new FileUnreadable({ path, reason: "Invalid", problem }))
        }
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
