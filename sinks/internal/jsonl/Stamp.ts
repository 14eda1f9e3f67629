/** The stamp next to a JSONL file, which also says how the file was left. */
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readIfThere, replaceFile, sinkError } from "../shared/Durable.ts"
import { Members } from "../shared/Stamp.ts"
import type { Files } from "./Rewrite.ts"

/** The file as it was when a run had put it in order: whoever changes it after that changes one of these. */
const Settled = Schema.Struct({
  bytes: Schema.NonNegativeInt,
  /** Milliseconds. */
  modified: Schema.Number,
  inode: Schema.Number
})
type Settled = typeof Settled.Type

export interface JsonlStamp {
  /** As `ChunkSink` writes it. */
  readonly text: string
  /** Null when the file was not put in order after it was changed. */
  readonly settled: Settled | null
}

/** Null when there is none. */
export const read = (fs: FileSystem, sink: string, files: Files): Effect.Effect<JsonlStamp | null, SinkError> =>
  readIfThere(fs, files.stamp).pipe(
    Effect.mapError(sinkError(sink, `cannot read ${files.stamp}`)),
    Effect.map(Option.getOrNull),
    Effect.flatMap((text) => (text === null ? Effect.succeed(null) : decode(text))),
    Effect.catchTag(
      "ParseError",
      () =>
        new SinkError({
          sink,
          reason: "Mismatch",
          problem: `${files.stamp} is not a stamp that this version reads; nothing was changed: name another target, or delete it to have ${files.file} looked at as if it had none`
        })
    )
  )

const decode = (text: string) =>
  Effect.map(Schema.decode(Members)(text), ({ settled, ...members }): JsonlStamp => ({
    text: JSON.stringify(members),
    settled: Schema.is(Settled)(settled) ? settled : null
  }))

export const write = (
  fs: FileSystem,
  files: Files,
  { settled, text }: JsonlStamp
): Effect.Effect<void, PlatformError> =>
  Schema.decode(Members)(text).pipe(
    Effect.orDie,
    Effect.map((members) => JSON.stringify(settled === null ? members : { ...members, settled }, null, 2)),
    Effect.flatMap((json) =>
      replaceFile(fs, { folder: files.folder, path: files.stamp, text: `${json}\n`, like: files.file })
    )
  )

const asItIs = (fs: FileSystem, files: Files): Effect.Effect<Settled, PlatformError> =>
  Effect.map(fs.stat(files.file), ({ ino, mtime, size }) => ({
    bytes: Number(size),
    modified: Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() }),
    inode: Option.getOrElse(ino, () => 0)
  }))

/** True when the file is in the state that the stamp records, and nothing has to be repaired. */
export const isSettled = (
  fs: FileSystem,
  files: Files,
  { settled }: JsonlStamp
): Effect.Effect<boolean, PlatformError> =>
  Effect.gen(function* () {
    if (settled === null) return false
    const { bytes, inode, modified } = yield* asItIs(fs, files)
    if (bytes !== settled.bytes || modified !== settled.modified || inode !== settled.inode) return false
    return !(yield* fs.exists(files.journal)) && !(yield* fs.exists(files.rewritten))
  })

/** Notes how the file is left. */
export const settle = (fs: FileSystem, files: Files, text: string): Effect.Effect<void, PlatformError> =>
  Effect.flatMap(asItIs(fs, files), (settled) => write(fs, files, { text, settled }))
