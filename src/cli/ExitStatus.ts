/** The exit statuses of the contract, and the cell in which a command leaves its own. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

/** Done, done in part, could not, wrong usage, interrupted. */
export type Status = 0 | 1 | 2 | 64 | 130

export class ExitStatus extends Context.Tag("docsluice/cli/ExitStatus")<ExitStatus, Ref.Ref<Status>>() {}

/** What the process ends with unless something worse happens later. */
export const set = (status: Status): Effect.Effect<void, never, ExitStatus> =>
  Effect.flatMap(ExitStatus, Ref.set<Status>(status))
