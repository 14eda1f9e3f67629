import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Terms } from "../../Parser.ts"
import type { SourceFile } from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import type { Charge, Charged, Most } from "../client/currentFile.ts"
import { RunStopped } from "../client/runState.ts"
import type { BudgetOptions } from "./options.ts"
import { BudgetSpent } from "./runError.ts"
import type { Session } from "./session.ts"
import { Spending } from "./spending.ts"

/** Returns the wrapper that charges the service call for a file to the budget; undefined when there is nothing to charge. */
export type Paying = (file: SourceFile) => Charge | undefined

/** Makes the wrappers of a run; calls are not wrapped without a budget or without the parser's terms. */
export const make = (session: Session, terms: Terms | null, budget: BudgetOptions | undefined): Paying => {
  if (budget === undefined || terms === null) return () => undefined
  const spending = new Spending({ pages: budget.pages ?? Infinity, credits: budget.credits ?? Infinity })
  const { pagesOf } = budget
  return (file) =>
    <A, E>(
      ask: Effect.Effect<A, E>,
      metadataOf: (answer: A) => Charged,
      given?: Most
    ): Effect.Effect<A, E | RunStopped> =>
      Effect.gen(function* () {
        const pdf = given === undefined && Option.contains(FileType.fromName(file.path), "pdf")
        const pages = pdf && pagesOf !== undefined ? Option.getOrNull(yield* pagesOf(file)) : null
        const most = given ?? terms.worstCase(file, pages)
        const isFree = given === undefined && terms.free === true
        return yield* Effect.acquireUseRelease(
          spending.reserve(most),
          (reserve): Effect.Effect<A, E | RunStopped> =>
            reserve === null ? overspent(session, file, pdf && pages === null) : ask,
          (reserve, exit) => Effect.sync(() => reserve?.settle(cost(Exit.map(exit, metadataOf), most, isFree)))
        )
      })
}

/** The amount to settle for a call. A failed call costs nothing, or its highest cost when it may have been charged. */
const cost = <E>(
  exit: Exit.Exit<Charged, E>,
  most: { readonly pages: number; readonly credits: number },
  isFree: boolean
) => {
  if (Exit.isSuccess(exit)) {
    const { creditsUsed, numPages } = exit.value
    return { pages: numPages ?? 1, credits: isFree ? 0 : (creditsUsed ?? most.credits) }
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
