/** `--files-from FILE|-`: paths, one per line, or each followed by a NUL, as `find -print0` and `git ls-files -z` write them. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as StandardInput from "./StandardInput.ts"
import { UsageError } from "./UsageError.ts"

/** Paths of the list; undefined without the flag. Empty lines are ignored. */
export const read = (
  given: Option.Option<string>
): Effect.Effect<ReadonlyArray<string> | undefined, UsageError, FileSystem.FileSystem> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (file) =>
      Effect.mapBoth(text(file), {
        onFailure: () => new UsageError({ problem: `--files-from: ${file === "-" ? "stdin" : file} cannot be read` }),
        onSuccess: (text) => text.split(text.includes("\0") ? "\0" : /\r?\n/).filter((path) => path !== "")
      })
  })

const text = (file: string) =>
  file === "-" ? StandardInput.text : Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file))
