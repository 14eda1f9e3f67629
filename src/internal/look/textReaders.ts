/** Readers of the page: the built-in ones read in a separate process, since anybody may drop a text on a server. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TextReading from "../../engine/TextReading.ts"
import { Readers } from "../../Readers.ts"
import * as SourceFile from "../../SourceFile.ts"
import type { TypeReader } from "../reading/readBytes.ts"

/** The built-in reader of a format, moved to the other process; a reader that the program brought is kept. */
const apart = (reader: TypeReader, extension: string, read: TextReading.TextReading): TypeReader =>
  "read" in reader
    ? reader
    : {
        extension,
        mimeType: reader.mimeType,
        read: ({ bytes, path }) =>
          Effect.mapError(read(extension, bytes), (error) =>
            error.reason === "Binary" ? new SourceFile.TextUnreadable({ path, reason: "Binary" }) : error
          )
      }

/** The `Readers` of the context. Their process starts with the first text, and ends with the scope. */
export const make: Effect.Effect<Readers.Service, never, Scope.Scope> = Effect.gen(function* () {
  const readers = yield* Readers
  const read = yield* TextReading.make
  return {
    ...readers,
    whoReads: (extension) => {
      const by = readers.whoReads(extension)
      return by?._tag === "Here" ? { _tag: "Here", reader: apart(by.reader, extension, read) } : by
    }
  }
})
