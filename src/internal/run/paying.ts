import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Known, Parser } from "../../Parser.ts"
import type { Answer } from "../../service/Client.ts"
import type { SourceFile } from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import { RunStopped } from "../client/runState.ts"
import type { BudgetOptions } from "./options.ts"
import { BudgetSpent } from "./runError.ts"
import type { Session } from "./session.ts"
import { Spending } from "./spending.ts"

/** Returns the wrapper that charges the service call for a file to the budget; undefined when there is nothing to charge. */
export type Paying = (file: SourceFile) => Known["paying"]

/** Makes the wrappers of a run; calls are not wrapped without a budget or without the parser's terms. */
export const make = (session: Session, parser: Parser.Service, budget: BudgetOptions | undefined): Paying => {
  const { terms } = parser
  if (budget === undefined || terms === undefined) return () => undefined
  const spending = new Spending({ pages: budget.pages ?? Infinity, credits: budget.credits ?? Infinity })
  const { pagesOf } = budget
  return (file) =>
    <E>(ask: Effect.Effect<Answer, E>): Effect.Effect<Answer, E | RunStopped> =>
      Effect.gen(function* () {
        const pdf = Option.contains(FileType.fromName(file.path), "pdf")
        const pages = pdf && pagesOf !== undefined ? yield* pagesOf(file) : null
        const most = terms.worstCase(file, pages)
        return yield* Effect.acquireUseRelease(
          spending.reserve(most),
          (reserve): Effect.Effect<Answer, E | RunStopped> =>
            reserve === null ? overspent(session, file, pdf && pages === null) : ask,
          (reserve, exit) => Effect.sync(() => reserve?.settle(cost(exit, most)))
        )
      })
}

/** The amount to settle for a call. A failed call costs nothing, or its highest cost when it may have been charged. */
const cost = <E>(exit: Exit.Exit<Answer, E>, most: { readonly pages: number; readonly credits: number }) => {
  if (Exit.isSuccess(exit)) {
    const { creditsUsed, numPages } = exit.value.data.metadata
    return { pages: numPages ?? 1, credits: creditsUsed ?? most.credits }
  }
  const failure: unknown = exit.cause._tag === "Fail" ? exit.cause.error : null
  const ambiguous =
    typeof failure === "object" && failure !== null && "ambiguous" in failure && failure.ambiguous === true
  return ambiguous || exit.cause._tag !== "Fail" ? most : { pages: 0, credits: 0 }
}

const overspent = (session: Session, file: SourceFile, unknown: boolean): Effect.Effect<never, RunStopped> => {
  const cause = new BudgetSpent({ path: file.path, pagesKnown: !unknown })
  session.halt(cause, { exit: 1 })
  return Effect.fail(session.stopped() ?? new RunStopped({ cause }))
}
