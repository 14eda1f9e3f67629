/** What is asked of a database: its rows without their contents, and contents of single rows. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import type { Columns } from "./query.ts"

/** A query over a database. */
export interface Asked {
  /** Without a semicolon at its end. */
  readonly query: string
  readonly columns: Columns
  /** Longest time of one statement on a server. */
  readonly timeout: Duration.Duration
}

/** A row as a listing names it. */
export interface Listed {
  /** Null in the database. */
  readonly key: string | null
  /** The row in the words of the database. */
  readonly id: string | number
  /** Null for a row without one. */
  readonly version: string | null
  /** Bytes of the content in UTF-8, or of its own. */
  readonly size: number
}

/** The content of a row, and the version that it is of. */
export interface Content {
  readonly version: string | null
  readonly bytes: Uint8Array
}

/** The rows of a query. */
export interface Rows {
  /** As they were at one moment, a page at a time. */
  readonly list: Stream.Stream<ReadonlyArray<Listed>, SourceUnavailable>
  /** The contents of the rows that now have the key of that one. */
  readonly read: (row: Listed) => Effect.Effect<ReadonlyArray<Content>, SourceUnavailable>
}

/** The error of a query with a reason and words. */
export type Failed = (reason: SourceUnavailable["reason"], problem: string) => SourceUnavailable

export const failing =
  (source: string): Failed =>
  (reason, problem) =>
    new SourceUnavailable({ source, reason, problem })
