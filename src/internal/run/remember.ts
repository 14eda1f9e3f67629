import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Chunker } from "../../Chunker.ts"
import type { EmbeddingSpace } from "../../ChunkSink.ts"
import * as DeadLetter from "../../DeadLetter.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Summary } from "../../Outcome.ts"
import type { Parser } from "../../Parser.ts"
import type { RunReport } from "../../RunReport.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { sha256 } from "../base/sha256.ts"
import type { Expected } from "../state/ledger/verdict.ts"
import { expectation } from "./expectation.ts"
import { removeLeftovers } from "./finish.ts"
import { noTerms, type RunMemory } from "./memory.ts"
import type { LedgerOptions } from "./options.ts"
import type { Session } from "./session.ts"
import type { SinkWriter } from "./sinkWriter.ts"

/** A run that is recorded in the ledger. */
export interface Remembered {
  readonly memory: RunMemory
  /** Records the summary and the report. */
  readonly record: (summary: Summary, report: RunReport) => Effect.Effect<void, LedgerError>
}

interface Parts {
  readonly chunker: Chunker
  readonly deadLetter: DeadLetter.DeadLetter.Service
  readonly parser: Parser.Service
  readonly session: Session
  readonly space: EmbeddingSpace | null
  /** Digest of the embedder; null without one. */
  readonly embedder: string | null
  readonly startedAt: number
  readonly tokenizer: Tokenizer.Service
  readonly writers: ReadonlyArray<SinkWriter>
}

/** The work to repeat. After `rebuild` everything is written again, even in sinks without a stamp. */
const redo = (options: LedgerOptions): Expected["redo"] => {
  const asked = options.redo ?? "nothing"
  return options.rebuild === true && asked !== "parses" ? "writes" : asked
}

/**
 * Reads the ledger, and completes the work that an earlier run left: repairs dead letters that differ from the ledger, and removes
 * chunks of former generations. Dead letters that cannot be written stop the run.
 */
export const remember = (options: LedgerOptions, parts: Parts): Effect.Effect<Remembered, LedgerError, Scope.Scope> =>
  Effect.gen(function* () {
    const { deadLetter, parser, session, startedAt, writers } = parts
    const { ledger } = options
    const terms = parser.terms ?? noTerms
    const expected = expectation({
      ...parts,
      embedder: parts.space === null ? null : parts.embedder,
      terms,
      // The store id of an unavailable sink is unknown; it is caught up when it is back.
      sinks: writers.filter((writer) => writer.down() === null).map(({ sink, store }) => ({ sink: sink.id, store })),
      verify: options.verify ?? false,
      redo: redo(options)
    })
    const request = options.request ?? ""
    const memory: RunMemory = {
      ledger,
      options,
      mode: options.mode ?? "upsert",
      expected,
      scan: yield* ledger.scan(options.scope, expected),
      targets: writers.map(({ sink }) => sink.id),
      request: request === "" ? null : sha256(request),
      since: expected.redo === "parses" ? startedAt : null,
      found: 0,
      incomplete: null,
      rechunkLogged: false,
      waitLogged: false
    }
    yield* Effect.addFinalizer(() => Effect.catchAll(memory.scan.end, (error) => Effect.logWarning(error.message)))
    const run = yield* ledger.startRun(startedAt, request)
    yield* Effect.catchTag(deadLetter.replace(yield* DeadLetter.ofLedger(ledger)), "DeadLetterError", (error) =>
      Effect.sync(() => session.halt(error))
    )
    session.chunksRemoved += yield* removeLeftovers(memory, writers)
    return {
      memory,
      record: (summary, report) => ledger.finishRun(run, report.finishedAt, summary, report)
    }
  })
