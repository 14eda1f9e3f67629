/** A rewrite of a JSONL file: the lines that count go to a new file, which then takes the place of the old one. */
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { keepMode, openNew, removeIfThere, syncFolder } from "../shared/Durable.ts"
import * as Journal from "./Journal.ts"
import type { Place } from "./LineIndex.ts"
import * as Lines from "./Lines.ts"

/** The paths of a JSONL file and of the files that belong to it, and the file system that they are on. */
export interface Files {
  readonly fs: FileSystem
  /** The sink's id. */
  readonly sink: string
  readonly folder: string
  readonly file: string
  readonly stamp: string
  readonly journal: string
  readonly rewritten: string
  readonly lock: string
}

/** Ends a rewrite that was killed: forward when the new file was whole, else as if it had never begun. */
export const settle = Effect.fnUntraced(function* (files: Files): Effect.fn.Return<void, PlatformError> {
  const { fs, journal, rewritten } = files
  const noted = yield* Journal.read(fs, journal)
  if (!noted.rewritten) return yield* removeIfThere(fs, rewritten)
  if (yield* fs.exists(rewritten)) yield* takePlace(files)
  return yield* removeIfThere(fs, journal)
})

/** Puts the new file into the old one's place. */
export const takePlace = ({ file, folder, fs, rewritten }: Files): Effect.Effect<void, PlatformError> =>
  Effect.zipRight(fs.rename(rewritten, file), syncFolder(fs, folder))

/** Writes the lines that count to the new file, merging neighbours into one copy; it gets the mode of the old one. */
export const write = (
  { file, fs, rewritten }: Files,
  places: ReadonlyArray<Place>
): Effect.Effect<void, PlatformError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const from = yield* fs.open(file, { flag: "r" })
      const to = yield* openNew(fs, rewritten)
      let start = 0
      let end = 0
      for (const place of places) {
        if (place.offset !== end) {
          yield* Lines.copyRange(from, to, start, end)
          start = place.offset
        }
        end = place.offset + place.length
      }
      yield* Lines.copyRange(from, to, start, end)
      yield* keepMode(fs, rewritten, file)
      yield* to.sync
    })
  ).pipe(Effect.tapError(() => Effect.ignore(removeIfThere(fs, rewritten))))
