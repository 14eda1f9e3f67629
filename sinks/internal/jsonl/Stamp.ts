/** The stamp next to a JSONL file, which also says how the file was left. */
import type { PlatformError } from "@effect/platform/Error"
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

/** Null for a missing stamp. */
export const read = ({ file, fs, sink, stamp }: Files): Effect.Effect<JsonlStamp | null, SinkError> =>
  readIfThere(fs, stamp).pipe(
    Effect.mapError(sinkError(sink, `cannot read ${stamp}`)),
    Effect.flatMap((text) => (text === null ? Effect.succeed(null) : decode(text))),
    Effect.catchTag(
      "ParseError",
      () =>
        new SinkError({
          sink,
          reason: "Mismatch",
          problem: `${stamp} is not a stamp that this version reads; nothing was changed: name another target, or delete it to have ${file} looked at as if it had none`
        })
    )
  )

const decode = (text: string) =>
  Effect.map(Schema.decode(Members)(text), ({ settled, ...members }): JsonlStamp => ({
    text: JSON.stringify(members),
    settled: Schema.is(Settled)(settled) ? settled : null
  }))

export const write = (
  { file, folder, fs, stamp }: Files,
  { settled, text }: JsonlStamp
): Effect.Effect<void, PlatformError> =>
  Schema.decode(Members)(text).pipe(
    Effect.orDie,
    Effect.map((members) => JSON.stringify(settled === null ? members : { ...members, settled }, null, 2)),
    Effect.flatMap((json) => replaceFile(fs, { folder, path: stamp, text: `${json}\n`, like: file }))
  )

const settledNow = ({ file, fs }: Files): Effect.Effect<Settled, PlatformError> =>
  Effect.map(fs.stat(file), ({ ino, mtime, size }) => ({
    bytes: Number(size),
    modified: Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() }),
    inode: Option.getOrElse(ino, () => 0)
  }))

/** True when the file is in the state that the stamp records, and nothing has to be repaired. */
export const isSettled = Effect.fnUntraced(function* (
  files: Files,
  { settled }: JsonlStamp
): Effect.fn.Return<boolean, PlatformError> {
  if (settled === null) return false
  const { bytes, inode, modified } = yield* settledNow(files)
  if (bytes !== settled.bytes || modified !== settled.modified || inode !== settled.inode) return false
  return !(yield* files.fs.exists(files.journal)) && !(yield* files.fs.exists(files.rewritten))
})

/** Notes how the file is left. */
export const settle = (files: Files, text: string): Effect.Effect<void, PlatformError> =>
  Effect.flatMap(settledNow(files), (settled) => write(files, { text, settled }))
