import * as Schema from "effect/Schema"
import { InvalidOptions } from "../../service/ParseOptions.ts"
import { DeadLetterError } from "../state/deadLetterError.ts"
import { LedgerError } from "../state/ledgerError.ts"
import { DocumentError } from "./documentError.ts"
import { QueueError } from "./queueError.ts"

/**
 * The run was asked to end.
 *
 * @since 0.1.0
 * @category errors
 */
export class Interrupted extends Schema.TaggedError<Interrupted>("docsluice/Interrupted")("Interrupted", {
  /** False when it was asked before its first document. */
  begun: Schema.Boolean
}) {
  override get message(): string {
    return this.begun ? "the run was asked to end" : "the run was asked to end before it began"
  }
}

/**
 * What is left of the budget does not allow the next document.
 *
 * @since 0.1.0
 * @category errors
 */
export class BudgetSpent extends Schema.TaggedError<BudgetSpent>("docsluice/BudgetSpent")("BudgetSpent", {
  /** Path of the document that was not sent. */
  path: Schema.String,
  /** False for a PDF that therefore counts as the most pages that the options allow. */
  pagesKnown: Schema.Boolean
}) {
  override get message(): string {
    return this.pagesKnown
      ? `the remaining budget does not allow ${this.path}`
      : `the budget does not allow ${this.path}, whose pages cannot be told before it is parsed; set maxPages, or a larger budget`
  }
}

/**
 * Every error that ends a run: before anything is parsed, an unfit target or a parser that cannot serve the chunker; later, an error that
 * concerns every document, such as `Unauthorized`, the end of a budget, or an interruption. With `onFailure: "fail"`, that of the first
 * document that failed.
 *
 * @since 0.1.0
 * @category errors
 */
export const RunError = Schema.Union(
  ...DocumentError.members,
  InvalidOptions,
  LedgerError,
  DeadLetterError,
  QueueError,
  BudgetSpent,
  Interrupted
)

/**
 * @since 0.1.0
 * @category errors
 */
export type RunError = typeof RunError.Type
