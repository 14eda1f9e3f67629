/** The exit statuses of the contract, and the cell in which a command sets its own. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

/** 0 done, 1 done in part, 2 could not, 64 wrong usage, 130 interrupted. */
export type Status = 0 | 1 | 2 | 64 | 130

export class ExitStatus extends Context.Tag("docsluice/cli/ExitStatus")<ExitStatus, Ref.Ref<Status>>() {}

/** Sets the exit status, unless something worse happens later. */
export const set = (status: Status): Effect.Effect<void, never, ExitStatus> =>
  Effect.flatMap(ExitStatus, Ref.set<Status>(status))
