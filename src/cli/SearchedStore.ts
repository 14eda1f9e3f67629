/** The one store among the values of `--to` that is searched. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as SinkTarget from "../internal/target/sinkTarget.ts"
import { type Refused, UsageError } from "./UsageError.ts"

/** Fails unless exactly one of the targets can be searched: a config file may name others for `ingest`. */
export const read = (
  spellings: ReadonlyArray<string>
): Effect.Effect<SinkTarget.SinkTarget, Refused, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const targets = yield* Effect.forEach(spellings, (spelling) => SinkTarget.parse(spelling, process.env))
    const [first, second] = targets.filter(({ searches }) => searches)
    if (first !== undefined && second === undefined) return first
    const shown = targets.map((target) => target.shown).join(" and ")
    return yield* new UsageError({
      problem:
        targets.length === 0
          ? "name the store: --to libsql:FILE, for instance"
          : first === undefined
            ? `--to: ${shown} cannot be searched; a ${SinkTarget.searchable.join(", ")} can`
            : `--to: one store at a time; got ${shown}`
    })
  })
