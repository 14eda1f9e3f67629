/** LanceDB: the table, its rows and its searches. */
import type * as Lance from "@lancedb/lancedb"
import { type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"

const reasons: ReadonlyArray<readonly [RegExp, SinkError["reason"], string]> = [
  [/os error 28|no space left/iu, "Unavailable", "the disk is full"],
  [/os error 13|os error 30|permission ?denied|read-only file system/iu, "Rejected", "permission denied"],
  [/not a directory|os error 20/iu, "Rejected", "a part of the path is not a folder"],
  [/not found/iu, "Mismatch", "the table is not there any more"],
  [/invalid table name|invalid input|schema error/iu, "Rejected", "LanceDB refused it"]
]

/**
 * Calls the engine and turns thrown errors into the sink's error. A call cannot be cancelled once it has begun, so an interruption
 * waits for its end.
 */
export const attempt = <A>(sink: string, doing: string, call: () => Promise<A>): Effect.Effect<A, SinkError> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: call,
      catch: (cause) => {
        const said = cause instanceof Error ? cause.message : String(cause)
        const [, reason, words] = reasons.find(([pattern]) => pattern.test(said)) ?? [null, "Unavailable", null]
        const line = said.split("\n", 1).join("").slice(0, 300)
        const problem = `${doing}: ${words === null ? line : `${words} (${line})`}`
        return new SinkError({ sink, reason, problem, cause })
      }
    })
  )

/** An open table. */
export interface Opened {
  /** The sink's id. */
  readonly id: string
  readonly lance: typeof Lance
  readonly table: Lance.Table
  /** The tenant whose rows these are; null in a table without tenants. */
  readonly tenant: string | null
  readonly space: EmbeddingSpace | null
}

/** Reads from the table. */
export const reading = <A>(
  { id, table }: Pick<Opened, "id" | "table">,
  call: (table: Lance.Table) => Promise<A>
): Effect.Effect<A, SinkError> => attempt(id, "cannot read the table", () => call(table))
