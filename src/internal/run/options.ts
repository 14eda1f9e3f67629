/** Options of a run that several internal modules share; `Pipeline` re-exports them. */
import type * as Effect from "effect/Effect"
import type { Ledger, LedgerError } from "../../Ledger.ts"
import type { ScopeRequest } from "../../Source.ts"
import type { SourceFile } from "../../SourceFile.ts"
import type { RunLedger } from "../state/ledger/runLedger.ts"

/**
 * `append`: nothing is ever deleted. `upsert`: a changed document's old chunks are removed. `sync`: documents that no scope claims
 * any more are removed too, after a complete discovery. A sink without `remove` allows `append` only.
 *
 * @since 0.1.0
 * @category models
 */
export type Mode = "append" | "upsert" | "sync"

/**
 * Options for the use of the state between runs.
 *
 * @since 0.1.0
 * @category models
 */
export interface StateOptions<M extends Mode = Mode> {
  /** Default `upsert`. */
  readonly mode?: M | undefined
  /** `sync` may remove more than half of more than 10 documents; default false. */
  readonly allowRemovals?: boolean | undefined
  /** Trust no fingerprint: hash every file; default false. */
  readonly verify?: boolean | undefined
  /**
   * Forces work that the ledger considers done. Each level includes the ones before: `failures` that are final, `writes` to the
   * sinks from the cache, `parses` past the cache. Default `nothing`.
   */
  readonly redo?: "nothing" | "failures" | "writes" | "parses" | undefined
  /**
   * Ownership of the targets. `own` (default): they belong to this state alone; targets of another state are refused. `adopt`: they
   * belong to this state from now on, whoever owned them; chunks already there are acknowledged and not written again. `shared`:
   * other states may write to them too, each below roots of its own; the owner of a target must share it first.
   */
  readonly claim?: "own" | "adopt" | "shared" | undefined
  /** Empty the sinks first, whatever they hold; in a shared target, only this state's own documents. Default false. */
  readonly rebuild?: boolean | undefined
  /**
   * Accept the scope's root as new although it holds half or more of the files of a root that is gone. Default false: it is taken
   * for that root under another name, and the run fails with `RootRenamed` before anything is written.
   */
  readonly newRoot?: boolean | undefined
  /** Text that a later `retry` needs, without secrets; kept with the run and with each of its failures. Default empty. */
  readonly request?: string | undefined
}

/** The same, with the ledger of the run and the scope of its source. */
export interface LedgerOptions extends StateOptions {
  readonly ledger: Ledger.Service & RunLedger<LedgerError>
  readonly scope: ScopeRequest
  /** True when the source is only a part of the scope: a file that is not in it is not gone. */
  readonly partial: boolean
}

/**
 * Spending limits of a run. A document is sent only when the budget left, minus the amount reserved for documents in flight,
 * covers its highest possible cost. The first one that does not fit stops the run, with exit status 1. Needs a parser with
 * `terms`.
 *
 * @since 0.1.0
 * @category models
 */
export interface BudgetOptions {
  /** Maximum number of pages parsed; unlimited by default. Answers from the cache cost nothing. */
  readonly pages?: number | undefined
  readonly credits?: number | undefined
  /**
   * Counts the pages of a PDF; null when unknown. Without it, or with null, a PDF counts as the maximum that the parse options
   * allow: `maxPages`, else 10000.
   */
  readonly pagesOf?: ((file: SourceFile) => Effect.Effect<number | null>) | undefined
}
