import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import type * as Effect from "effect/Effect"
/** `KIND:TARGET`, as `--to` takes it. */
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { ChunkSink } from "../ChunkSink.ts"
import { UsageError } from "./UsageError.ts"

export interface SinkTarget {
  /** As it was given. */
  readonly spelling: string
  /** Paths that discovery leaves out, since a run never reads its own output. */
  readonly outputs: ReadonlyArray<string>
  readonly open: Open
  /** As `open`, for mode append: what was written stays. */
  readonly openToAppend: Open
}

type Open = Effect.Effect<ChunkSink.Service, never, FileSystem.FileSystem | Path.Path | Scope.Scope>

type Kind = (target: string) => Omit<SinkTarget, "spelling">

const kinds: Readonly<Record<string, Kind>> = {
  jsonl: (file) => ({
    outputs: [file, ...["json", "journal", "new", "lock"].map((end) => `${file}.docsluice.${end}`)],
    open: Jsonl.make({ file }),
    openToAppend: Jsonl.make({ file, mode: "append" })
  }),
  fs: (directory) => {
    const open = Filesystem.make({ directory })
    return { outputs: [directory], open, openToAppend: open }
  }
}

export const parse = (spelling: string): Either.Either<SinkTarget, UsageError> => {
  const colon = spelling.indexOf(":")
  const kind = kinds[spelling.slice(0, colon)]
  const target = spelling.slice(colon + 1)
  return colon < 0 || kind === undefined || target === ""
    ? Either.left(
        new UsageError({
          problem: `--to: expected ${Object.keys(kinds)
            .map((name) => `${name}:TARGET`)
            .join(" or ")}, got ${JSON.stringify(spelling)}`
        })
      )
    : Either.right({ spelling, ...kind(target) })
}
