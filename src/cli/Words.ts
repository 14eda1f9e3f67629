/** Messages of the library in the words of the command line: options as flags. */
import { commandLine, inWordsOf, render, type Worded, wordsOf } from "../internal/base/message.ts"
import type { RunReport } from "../internal/state/ledger/runReport.ts"
import { Summary } from "../Outcome.ts"
import { Plan } from "../Plan.ts"

/** The message of an error, an outcome or a warning. */
export const of = (error: Worded): string => inWordsOf(commandLine, error)

const reworded = <A extends Worded>(one: A): A => ({ ...one, message: of(one) })

const rewordedStop = <A extends Worded>(stopped: A | undefined): { readonly stopped?: A } =>
  stopped === undefined ? {} : { stopped: reworded(stopped) }

export const ofSummary = (summary: Summary): Summary =>
  Summary.make({ ...summary, ...rewordedStop(summary.stopped), warnings: summary.warnings.map(reworded) })

export const ofReport = (report: RunReport): RunReport => ({
  ...report,
  ...rewordedStop(report.stopped),
  warnings: { ...report.warnings, first: report.warnings.first.map(reworded) }
})

export const ofPlan = (plan: Plan): Plan =>
  Plan.make({
    ...plan,
    files: plan.files.map((file) =>
      file.template === undefined ? file : { ...file, reason: render(file.template, commandLine) }
    )
  })

/** The error that ended a run as a whole, for its summary. */
export const ofStop = (error: { readonly _tag: string } & Worded): NonNullable<Summary["stopped"]> => ({
  tag: error._tag,
  ...wordsOf(error),
  message: of(error)
})
