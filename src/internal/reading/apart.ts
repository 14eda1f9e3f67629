/** Large texts, read in a separate process: a format may need seconds for a text of many megabytes, and would block this process meanwhile. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { TextReading } from "../../engine/TextReading.ts"
import { type SourceFile, TextUnreadable } from "../../SourceFile.ts"
import { extensionOf } from "../base/fileType.ts"
import type { Format, Reading } from "./contract.ts"

/** Bytes of a text that is read in this process, in a fraction of a second. */
const mostHere = 262_144

/** Time for a text, apart from its wait for the one before. */
const timeOf = (bytes: Uint8Array): Duration.Duration => Duration.seconds(30 + (10 * bytes.length) / 1_048_576)

interface Apart {
  readonly read: TextReading
  /** One text at a time, so that none waits in the time of another. */
  readonly turns: Effect.Semaphore
}

/** Shared by the whole process: holds nothing of a text, ends a minute after the last one, and with this process. */
let apart: Apart | undefined

const started: Effect.Effect<Apart> = Effect.suspend(() =>
  apart === undefined
    ? Effect.gen(function* () {
        const { make } = yield* Effect.promise(() => import("../../engine/TextReading.ts"))
        const read = yield* Scope.extend(make, yield* Scope.make())
        return (apart ??= { read, turns: Effect.unsafeMakeSemaphore(1) })
      })
    : Effect.succeed(apart)
)

/** True for a text that is read apart. */
export const isLarge = (bytes: Uint8Array, format: Format): boolean =>
  format.scanned !== true && bytes.length > mostHere

/** The text of a large file; `here` reads it in this process where no other can be started, as in a program that is one file. */
export const reading = (
  { path }: Pick<SourceFile, "path">,
  bytes: Uint8Array,
  here: Effect.Effect<Reading, TextUnreadable>
): Effect.Effect<Reading, TextUnreadable> =>
  Effect.matchCauseEffect(started, {
    onFailure: () => here,
    onSuccess: ({ read, turns }) =>
      turns
        .withPermits(1)(read(extensionOf(path), bytes, timeOf(bytes)))
        .pipe(
          Effect.catchTag("TextReadingError", ({ error, reason }) => {
            if (reason === "Unavailable") return here
            return reason === "Binary"
              ? new TextUnreadable({ path, reason })
              : new TextUnreadable({ path, reason: "Reader", problem: `${error}; leave it out, or split it` })
          })
        )
  })
