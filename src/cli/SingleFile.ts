/** The file argument of `parse` and `chunks`. */
import * as Effect from "effect/Effect"
import * as Discovery from "../Discovery.ts"
import * as Address from "../internal/target/address.ts"
import type { FileError, SourceFile } from "../SourceFile.ts"
import { UsageError } from "./UsageError.ts"

/** Opens the file at a path, with its folder as the root. */
export const open = (file: string): Effect.Effect<SourceFile, UsageError | FileError> =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(file)
    ? Effect.fail(
        new UsageError({ problem: `${Address.shown(file)} is an address; save the document as a file first` })
      )
    : Discovery.file(file)
