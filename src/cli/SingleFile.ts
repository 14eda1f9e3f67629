/** The one file that `parse` and `chunks` are about. */
import * as Effect from "effect/Effect"
import * as Discovery from "../Discovery.ts"
import type { FileError, SourceFile } from "../SourceFile.ts"
import * as Address from "./Address.ts"
import { UsageError } from "./UsageError.ts"

/** The file at a path, its folder being the root, so that it may be anywhere. */
export const open = (file: string): Effect.Effect<SourceFile, UsageError | FileError> =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(file)
    ? Effect.fail(
        new UsageError({ problem: `${Address.shown(file)} is an address; save the document as a file first` })
      )
    : Discovery.file(file)
