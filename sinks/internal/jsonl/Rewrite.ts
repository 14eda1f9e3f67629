/** A rewrite of a JSONL file: the lines that count go to a new file, which then takes the place of the old one. */
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { keepMode, openNew, removeIfThere, syncFolder } from "../shared/Durable.ts"
import * as Journal from "./Journal.ts"
import type { Place } from "./LineIndex.ts"
import * as Lines from "./Lines.ts"

/** The paths of a JSONL file and of the files that belong to it. */
export interface Files {
  readonly folder: string
  readonly file: string
  readonly stamp: string
  readonly journal: string
  readonly rewritten: string
  readonly lock: string
}

/** Ends a rewrite that was killed: forward when the new file was whole, else as if it had never begun. */
export const settle = (fs: FileSystem, files: Files): Effect.Effect<void, PlatformError> =>
  Effect.gen(function* () {
    const { rewritten } = yield* Journal.read(fs, files.journal)
    if (!rewritten) return yield* removeIfThere(fs, files.rewritten)
    if (yield* fs.exists(files.rewritten)) yield* takePlace(fs, files)
    return yield* removeIfThere(fs, files.journal)
  })

/** Puts the new file into the old one's place. */
export const takePlace = (fs: FileSystem, files: Files): Effect.Effect<void, PlatformError> =>
  Effect.zipRight(fs.rename(files.rewritten, files.file), syncFolder(fs, files.folder))

/** Writes the lines that count to the new file, merging neighbours into one copy; it gets the mode of the old one. */
export const write = (fs: FileSystem, files: Files, places: ReadonlyArray<Place>): Effect.Effect<void, PlatformError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const from = yield* fs.open(files.file, { flag: "r" })
      const to = yield* openNew(fs, files.rewritten)
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
      yield* keepMode(fs, files.rewritten, files.file)
      yield* to.sync
    })
  ).pipe(Effect.tapError(() => Effect.ignore(removeIfThere(fs, files.rewritten))))
