import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Readers from "../../Readers.ts"
import { failedBy } from "../reading/own.ts"
import { promise } from "./promise.ts"

/** A file as a reader of a program without Effect gets it. */
export interface AsyncReaderFile extends Omit<Readers.File, "text"> {
  /**
   * The bytes as text, without a byte order mark, line ends kept; rejects with `TextUnreadable` for binary data. A guess of the encoding is
   * a warning of the document.
   */
  readonly text: () => Promise<string>
}

/** A reader of a file type of a program without Effect. */
export interface AsyncReader extends Omit<Readers.Reader, "read"> {
  /**
   * Gives the text: Markdown when it is a string or has no blocks. What it throws or rejects with concerns this document only, as
   * `TextUnreadable`. Called for several files at a time.
   */
  readonly read: (file: AsyncReaderFile) => Readers.Reading | string | Promise<Readers.Reading | string>
}

const reading =
  ({ read }: AsyncReader): Readers.Reader["read"] =>
  ({ text, ...file }) =>
    Effect.tryPromise({
      try: async () => read({ ...file, text: () => promise(text, undefined) }),
      catch: (cause) => failedBy(file.path, cause)
    })

/** The readers that are built in and these; a `read` that is no function is refused by `Readers`. */
export const layer = (readers: ReadonlyArray<AsyncReader> = []): Layer.Layer<Readers.Readers, Readers.InvalidReader> =>
  Readers.layer(
    readers.map((given) => ({ ...given, read: typeof given.read === "function" ? reading(given) : given.read }))
  )
