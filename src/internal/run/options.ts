/** Options of a run that its rooms share; `Pipeline` gives them out. */
import type * as Effect from "effect/Effect"
import type { Ledger, LedgerError } from "../../Ledger.ts"
import type { ScopeRequest } from "../../Source.ts"
import type { SourceFile } from "../../SourceFile.ts"
import type { RunLedger } from "../state/ledger/runLedger.ts"

/**
 * `append`: nothing is ever deleted. `upsert`: a changed document's old chunks go. `sync`: so do documents that no scope claims any
 * more, once a discovery was complete. A sink without `remove` allows `append` only.
 *
 * @since 0.1.0
 * @category models
 */
export type Mode = "append" | "upsert" | "sync"

/**
 * How a run uses what is remembered between runs.
 *
 * @since 0.1.0
 * @category models
 */
export interface StateOptions<M extends Mode = Mode> {
  /** Default `upsert`. */
  readonly mode?: M | undefined
  /** `sync` may remove more than half of more than 10 documents; default false. */
  readonly allowRemovals?: boolean | undefined
  /** Believe no fingerprint: hash every file; default false. */
  readonly verify?: boolean | undefined
  /**
   * Forces work that the ledger considers done. Each level includes the ones before: `failures` that are final, `writes` to the
   * sinks from the cache, `parses` past the cache. Default `nothing`.
   */
  readonly redo?: "nothing" | "failures" | "writes" | "parses" | undefined
  /**
   * The word of the run on its targets. `own` (default): they are this state's alone, and another state's are refused. `adopt`: they
   * are this state's from now on, whoever owned them; what is there already is acknowledged and not written again. `shared`: other
   * states may write to them as well, each below roots of its own; the owner of a target says so first.
   */
  readonly claim?: "own" | "adopt" | "shared" | undefined
  /** Empty the sinks first, whatever they hold; of a target that is shared, what is this state's own. Default false. */
  readonly rebuild?: boolean | undefined
  /**
   * The scope's root is a new one although half or more of the files of a root that is gone lie in it; default false: then it is taken
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
  /** The source is only a part of the scope: what is not in it is not gone. */
  readonly partial: boolean
}

/**
 * Limits of what a run may spend. A document is sent only when the most that it can cost is still there, next to what is set aside
 * for those in flight. The first one that does not fit stops the run, with exit status 1. Needs a parser with `terms`.
 *
 * @since 0.1.0
 * @category models
 */
export interface BudgetOptions {
  /** Pages that may be parsed; without end by default. Answers from the cache cost nothing. */
  readonly pages?: number | undefined
  readonly credits?: number | undefined
  /**
   * Pages of a PDF, null where they cannot be told. Without it, or with null, a PDF counts as what the parse options allow at most:
   * `maxPages`, else 10000.
   */
  readonly pagesOf?: ((file: SourceFile) => Effect.Effect<number | null>) | undefined
}
