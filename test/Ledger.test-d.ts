import type { Ledger } from "docsluice"
import { expectTypeOf } from "vitest"

/** A user asks a ledger; its writes are those of a run, which calls them in their order. */
expectTypeOf<keyof Ledger.Ledger.Service>().toEqualTypeOf<
  | "directory"
  | "claims"
  | "get"
  | "sameContent"
  | "holding"
  | "sinks"
  | "entries"
  | "requests"
  | "lastRun"
  | "reports"
  | "stats"
  | "checkpoint"
>()
