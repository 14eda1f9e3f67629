import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Shows a user where to enter which code. */
export type OnCode = (address: string, code: string) => Effect.Effect<void>

/** What shows a code to the user of a run that nobody has signed in for, and that waits then; null where nobody would see it. */
export class Prompt extends Context.Reference<Prompt>()("docsluice/internal/Prompt", {
  defaultValue: (): OnCode | null => null
}) {}
