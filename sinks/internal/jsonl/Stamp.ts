/** The stamp beside a JSONL file, which also says how the file was left. */
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readIfThere, replaceFile, sinkError } from "../shared/Durable.ts"
import { Stamp } from "../shared/Stamp.ts"
import type { Files } from "./File.ts"

/** The file as it was when a run had put it in order: whoever changes it after that changes one of these. */
const Settled = Schema.Struct({
  bytes: Schema.NonNegativeInt,
  /** Milliseconds. */
  modified: Schema.Number,
  inode: Schema.Number
})

const JsonlStamp = Schema.Struct({ ...Stamp.fields, settled: Schema.optional(Settled) })
export type JsonlStamp = typeof JsonlStamp.Type

const StampText = Schema.parseJson(JsonlStamp)

/** Null when there is none. */
export const read = (fs: FileSystem, sink: string, files: Files): Effect.Effect<JsonlStamp | null, SinkError> =>
  readIfThere(fs, files.stamp).pipe(
    Effect.mapError(sinkError(sink, `cannot read ${files.stamp}`)),
    Effect.map(Option.getOrNull),
    Effect.flatMap((text) =>
      text === null
        ? Effect.succeed(null)
        : Effect.mapError(
            Schema.decode(StampText)(text),
            () =>
              new SinkError({
                sink,
                reason: "Mismatch",
                problem: `${files.stamp} is not a stamp that this version reads; delete it to have every document written again`
              })
          )
    )
  )

export const write = (fs: FileSystem, files: Files, stamp: JsonlStamp): Effect.Effect<void, PlatformError> =>
  replaceFile(fs, {
    folder: files.folder,
    path: files.stamp,
    text: `${JSON.stringify(stamp, null, 2)}\n`,
    like: files.file
  })

const asItIs = (fs: FileSystem, files: Files): Effect.Effect<typeof Settled.Type, PlatformError> =>
  Effect.map(fs.stat(files.file), ({ ino, mtime, size }) => ({
    bytes: Number(size),
    modified: Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() }),
    inode: Option.getOrElse(ino, () => 0)
  }))

/** Whether the file is as the stamp says it was left, and nothing is to be repaired. */
export const isSettled = (
  fs: FileSystem,
  files: Files,
  { settled }: JsonlStamp
): Effect.Effect<boolean, PlatformError> =>
  Effect.gen(function* () {
    if (settled === undefined) return false
    const { bytes, inode, modified } = yield* asItIs(fs, files)
    if (bytes !== settled.bytes || modified !== settled.modified || inode !== settled.inode) return false
    return !(yield* fs.exists(files.journal)) && !(yield* fs.exists(files.rewritten))
  })

/** Notes how the file is left. */
export const settle = (fs: FileSystem, files: Files, stamp: Stamp): Effect.Effect<void, PlatformError> =>
  Effect.flatMap(asItIs(fs, files), (settled) => write(fs, files, { ...stamp, settled }))
