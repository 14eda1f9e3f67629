import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Shows a user where to enter which code. */
export type OnCode = (address: string, code: string) => Effect.Effect<void>

/** Shows a user the address to open with a browser of this machine. */
export type OnAddress = (address: string) => Effect.Effect<void>

/** What shows the user of a run that nobody has signed in for how to do that, while the run waits; null where nobody would see it. */
export class Prompt extends Context.Reference<Prompt>()("docsluice/internal/Prompt", {
  defaultValue: (): { readonly onCode: OnCode; readonly onAddress: OnAddress } | null => null
}) {}
