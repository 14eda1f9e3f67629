import { type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Stamp } from "./Stamp.ts"

const Text = Schema.parseJson(Stamp)

/** A stamp as text, for targets that keep one beside their rows. */
export const encode = (storeId: string, space: EmbeddingSpace | null): string =>
  JSON.stringify({ format: 1, storeId, space } satisfies Stamp)

/** What `encode` gave; fails with `Mismatch` for anything else. */
export const decode = (sink: string, target: "table" | "collection", text: unknown): Effect.Effect<Stamp, SinkError> =>
  Effect.mapError(
    Schema.decodeUnknown(Text)(text),
    () =>
      new SinkError({
        sink,
        reason: "Mismatch",
        problem: `the ${target} has no stamp that this version reads; use another one, or --rebuild to delete this one`
      })
  )

/** Whether two spaces are one, whatever the order of their members. */
export const sameSpace = Schema.equivalence(Stamp.fields.space)
