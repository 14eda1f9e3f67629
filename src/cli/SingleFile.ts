/** The one file that `parse` and `chunks` are about. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Discovery from "../Discovery.ts"
import { UnsupportedFile, type FileError, type SourceFile } from "../SourceFile.ts"
import { UsageError } from "./UsageError.ts"

/** The file at a path, its folder being the root, so that it may be anywhere. */
export const open = (file: string): Effect.Effect<SourceFile, UsageError | FileError, Path.Path> =>
  Effect.gen(function* () {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) {
      return yield* new UsageError({ problem: `${file} is an address; save the document as a file first` })
    }
    const path = yield* Path.Path
    const full = path.resolve(file)
    const found = yield* Discovery.discover({ root: path.dirname(full), patterns: [path.basename(full)] }).pipe(
      Stream.runHead,
      Effect.mapError((error) => new UsageError({ problem: error.message }))
    )
    return yield* Effect.flatMap(
      Effect.mapError(found, () => new UsageError({ problem: `${file}: no such file` })),
      usable
    )
  })

const usable = (found: Discovery.Found): Effect.Effect<SourceFile, FileError> => {
  switch (found._tag) {
    case "SourceFile":
      return Effect.succeed(found)
    case "Unsupported":
      return Effect.fail(new UnsupportedFile({ path: found.path, extension: found.extension }))
    default:
      return Effect.fail(found.error)
  }
}
