/** Reads a text as one of the built-in formats. Runs in a lane. */
import * as Effect from "effect/Effect"
import * as formats from "../internal/reading/formats.ts"
import { readingOf } from "../internal/reading/readBytes.ts"
import type { TextJob, TextResult } from "./jobs.ts"

/** The text and its structure; binary data is a failure. */
export const read = ({ bytes, extension }: TextJob): Promise<TextResult> => {
  const format = formats.ofExtension(extension)
  if (format === undefined) throw new TypeError(`no format of ${extension}`)
  return Effect.runPromise(
    Effect.match(readingOf({ path: extension }, bytes, format), {
      onFailure: ({ message }): TextResult => ({ kind: "failure", error: message }),
      onSuccess: (reading): TextResult => ({ kind: "success", reading })
    })
  )
}
