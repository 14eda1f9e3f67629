import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as DeadLetter from "../../DeadLetter.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Summary } from "../../Outcome.ts"
import { sha256 } from "../base/sha256.ts"
import type { RunReport } from "../state/ledger/runReport.ts"
import type { Expected } from "../state/ledger/verdict.ts"
import type { RunServices } from "./context.ts"
import { expectation } from "./expectation.ts"
import { removeLeftovers } from "./finish.ts"
import { letGoAll, noTerms, type RunMemory } from "./memory.ts"
import type { LedgerOptions, RunOptions } from "./options.ts"
import type { Session } from "./session.ts"
import type { SinkWriter } from "./sinkWriter.ts"

/** A run that is recorded in the ledger. */
export interface Remembered {
  readonly memory: RunMemory
  /** Records the summary and the report. */
  readonly record: (summary: Summary, report: RunReport) => Effect.Effect<void, LedgerError>
}

/** Parts of a run that are open before its memory. */
export interface Parts {
  readonly services: RunServices
  readonly session: Session
  readonly startedAt: number
  readonly writers: ReadonlyArray<SinkWriter>
}

/** The work to repeat. After `rebuild` everything is written again, even in sinks without a stamp; for `rechunk` too. */
export const redoOf = ({
  rebuild = false,
  rechunk = false,
  redo = "nothing"
}: Pick<LedgerOptions, "rebuild" | "rechunk" | "redo">): Expected["redo"] =>
  (rebuild || rechunk) && redo !== "parses" ? "writes" : redo

/** The record that a run with these options would write of a document. */
export const expectedOf = (
  options: LedgerOptions,
  { chunker, embedder }: Pick<RunOptions, "chunker" | "embedder">,
  { services: { parser, space, terms, tokenizer }, startedAt, writers }: Omit<Parts, "session">
): Expected =>
  expectation({
    terms: terms ?? noTerms,
    steps: parser.steps,
    chunker,
    tokenizer,
    space,
    embedder: space === null ? null : (embedder?.digest ?? null),
    // The store id of an unavailable sink is unknown; it is caught up when it is back.
    sinks: writers.filter((writer) => writer.down() === null).map(({ sink, store }) => ({ sink: sink.id, store })),
    startedAt,
    verify: options.verify ?? false,
    redo: redoOf(options)
  })

export const makeMemory = (
  options: LedgerOptions,
  writers: ReadonlyArray<SinkWriter>,
  { expected, scan }: Pick<RunMemory, "expected" | "scan">
): RunMemory => {
  const { ledger, mode = "upsert", request = "" } = options
  return {
    ledger,
    options,
    mode,
    expected,
    scan,
    targets: writers.map(({ sink }) => sink.id),
    request: request === "" ? null : sha256(request),
    since: expected.redo === "parses" ? expected.startedAt : null,
    found: 0,
    incomplete: null,
    rechunkLogged: false,
    waitLogged: false,
    taken: new Map()
  }
}

/**
 * Reads the ledger, and completes the work that an earlier run left: repairs dead letters that differ from the ledger, and removes
 * chunks of former generations. Dead letters that cannot be written stop the run.
 */
export const remember = (
  options: LedgerOptions,
  run: Pick<RunOptions, "chunker" | "embedder">,
  parts: Parts
): Effect.Effect<Remembered, LedgerError, Scope.Scope> =>
  Effect.gen(function* () {
    const { services, session, startedAt, writers } = parts
    const { ledger, request = "", scope } = options
    const expected = expectedOf(options, run, parts)
    const memory = makeMemory(options, writers, { expected, scan: yield* ledger.scan(scope, expected) })
    yield* Effect.addFinalizer(() => Effect.catchAll(memory.scan.end, (error) => Effect.logWarning(error.message)))
    yield* Effect.addFinalizer(() => letGoAll(memory))
    const number = yield* ledger.startRun(startedAt, request)
    const letters = yield* DeadLetter.ofLedger(ledger)
    yield* Effect.catchTag(services.deadLetter.replace(letters), "DeadLetterError", (error) =>
      Effect.sync(() => session.halt(error))
    )
    session.chunksRemoved += yield* removeLeftovers(memory, writers)
    return {
      memory,
      record: (summary, report) => ledger.finishRun(number, report.finishedAt, summary, report)
    }
  })
