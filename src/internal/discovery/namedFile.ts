import * as path from "node:path"
import * as Effect from "effect/Effect"
import { type FileError, FileUnreadable, type SourceFile } from "../../SourceFile.ts"
import * as FileTypes from "./fileTypes.ts"
import * as Files from "./foundFiles.ts"

/** One file of this machine, with its folder as the root. */
export const namedFile = (file: string, maxBytes: number): Effect.Effect<SourceFile, FileError> => {
  const absolute = path.resolve(file)
  const root = path.dirname(absolute)
  return FileTypes.all.pipe(
    Effect.flatMap((types) => Files.make({ name: path.basename(root) || "root", root, maxBytes, types })),
    Effect.flatMap((check) => check([path.basename(absolute)], true)),
    Effect.flatMap(([found]) => {
      if (found?._tag === "SourceFile") return Effect.succeed(found)
      return Effect.fail(
        found?._tag === "Unusable" ? found.error : new FileUnreadable({ path: file, reason: "NotFound" })
      )
    })
  )
}
