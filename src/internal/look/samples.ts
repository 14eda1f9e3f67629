/** Documents to try the page with, which the package holds next to the page's files. */
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type Sample, samples } from "./sampleList.ts"

/** The samples that are in the folder, with their sizes. */
export const listed = (folder: string): Effect.Effect<ReadonlyArray<Sample & { readonly bytes: number }>> =>
  Effect.promise(async () => {
    const found = await Promise.all(
      samples.map(async (sample) => {
        const status = await stat(join(folder, sample.name)).catch(() => null)
        return status === null ? [] : [{ ...sample, bytes: status.size }]
      })
    )
    return found.flat()
  })

/** The bytes of a sample; null for any other name. */
export const read = (folder: string, name: string): Effect.Effect<Uint8Array | null> =>
  samples.some((sample) => sample.name === name)
    ? Effect.promise(() => readFile(join(folder, name)).catch(() => null))
    : Effect.succeed(null)
