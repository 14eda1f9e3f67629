import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"

/** Names that every store takes as they are, in SQL, in paths and in JSON. */
const allowed = /^[\w.-]{1,64}$/u

/** Fails as `Rejected` for a name that is not allowed. */
export const check = (sink: string, tenant: string | null): Effect.Effect<void, SinkError> =>
  tenant === null || allowed.test(tenant)
    ? Effect.void
    : new SinkError({
        sink,
        reason: "Rejected",
        problem: "`tenant` must have 1 to 64 characters: letters without accents, digits, _, . and -"
      })
