/** A run: each document from its file to the stores, with budget, memory and outcome. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Embedder } from "../../Embedder.ts"
import type { Outcome } from "../../Outcome.ts"
import type { Parser } from "../../Parser.ts"
import { Source } from "../../Source.ts"
import { spans } from "../../Telemetry.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { atLeastOne } from "../base/atLeastOne.ts"
import { adaptiveCeiling } from "../gate/limiter.ts"
import { orNothing } from "./absent.ts"
import { chunk } from "./chunk.ts"
import { compare, type Compared, endedAtOnce, repeats, sound, unusable } from "./compare.ts"
import type { RunContext } from "./context.ts"
import { claim, decide } from "./decide.ts"
import { fromDefect } from "./documentError.ts"
import * as Embedding from "./embed.ts"
import { close } from "./finish.ts"
import { holdBackRefused } from "./holdBackRefused.ts"
import { type Ended, failedBy, halted, type Item, type Refused, unattempted } from "./item.ts"
import { mapConcurrently } from "./mapConcurrently.ts"
import { letGo } from "./memory.ts"
import { finishSinks } from "./openSinks.ts"
import type { AnyOptions, RunOptions } from "./options.ts"
import { parse } from "./parse.ts"
import { type Postpone, type Postponed, PostponedFiles, ready } from "./postponed.ts"
import { reported } from "./progress.ts"
import { readAhead } from "./readAhead.ts"
import { outcomeIfUnchanged, store } from "./store.ts"

/**
 * The walk of one document, the same on one machine and on many. No step fails:
 *
 * ```
 * found → compared ─▶ endedAtOnce ──────────────────────────────────────────▶ outcome     unchanged, duplicate
 *              └────▶ prepare: decide → claim → parse → chunk
 *                        └▶ embed
 *                             └▶ store: sinks → ledger → record ────────────▶ outcome
 * ```
 */
export interface DocumentRun {
  /** Outcome of a document that needs no work, computed synchronously; else undefined. */
  readonly endedAtOnce: (item: Compared) => Ended | undefined
  /** Parses and splits, once the bytes that the document will hold are free, and no other process works on it. */
  readonly prepare: (item: Compared) => Effect.Effect<Item, never, Tokenizer>
  /** The same, which may put off a document that another process works on. */
  readonly prepareOrPostpone: (
    item: Compared,
    postpone: Postpone<Postponed>
  ) => Effect.Effect<Item | Postponed, never, Tokenizer>
  /** Adds vectors; null for a run without an embedder. */
  readonly embedding: Embedding.EmbeddingStage | null
  /** Writes the chunks, and records the outcome. */
  readonly store: (item: Item) => Effect.Effect<Outcome | Refused>
  /** All stages of one document. */
  readonly whole: (item: Compared) => Effect.Effect<Outcome | Refused, never, Tokenizer>
}

/** `together`: the most documents that are embedded or stored at a time. */
export const make = (context: RunContext, embedder: Embedder.Service | undefined, together: number): DocumentRun => {
  const { session, trace } = context
  const begun = <A>(item: Compared, walk: Effect.Effect<A, never, Tokenizer>): Effect.Effect<A, never, Tokenizer> =>
    Effect.suspend(() => {
      session.collected.began(item.found.path)
      return trace.document(item, walk)
    })
  const prepare = (item: Compared) => begun(item, prepared<never>(context, item, null))
  const stage = embedder && Embedding.make(context, embedder, together)
  const embedding = stage === undefined ? null : { ...stage, embed: trace.stage(spans.embed, stage.embed) }
  const embed = (item: Item): Effect.Effect<Item> =>
    embedding === null || embedding.withoutVectors(item) !== undefined ? Effect.succeed(item) : embedding.embed(item)
  const stored = trace.stage(spans.write, store(context))
  return {
    endedAtOnce: endedAtOnce(context),
    prepare,
    prepareOrPostpone: (item, postpone) => begun(item, prepared(context, item, postpone)),
    embedding,
    store: stored,
    whole: (item) => Effect.flatMap(Effect.flatMap(prepare(item), embed), stored)
  }
}

/** Maximum number of bytes of a file that its upload holds, whatever its size. */
const uploadWindow = 1_048_576

const prepared = <P extends Postponed>(
  context: RunContext,
  { found, standing }: Compared,
  postpone: Postpone<P> | null
): Effect.Effect<Item | P, never, Tokenizer> => {
  if (found._tag !== "SourceFile") return Effect.sync(() => unusable(context, found))
  const { budget, session } = context
  const walk = Effect.gen(function* () {
    const decided = yield* decide(context, found, standing)
    if (decided._tag === "Ended") return decided
    const lease = yield* budget.reserve(Math.min(found.size, uploadWindow) + session.answerBytes)
    const held = Effect.gen(function* () {
      if (session.stopped() !== null) return unattempted(found)
      const claimed = yield* claim(context, decided, postpone)
      if (claimed._tag !== "ToParse") return claimed
      const parsed = yield* parse(context, claimed)
      if (parsed._tag !== "Parsed") return parsed
      return yield* chunk(context, parsed, lease)
    })
    return yield* Effect.onExit(held, (exit) => {
      if (Exit.isSuccess(exit) && exit.value._tag === "Prepared") return Effect.void
      lease.release()
      return Exit.isInterrupted(exit) ? letGo(context.memory, found) : Effect.void
    })
  })
  return walk.pipe(
    Effect.catchTags({
      LedgerError: (error) => Effect.sync(() => halted(context, found, error)),
      FileUnreadable: (error) => Effect.sync(() => failedBy(context, found, error)),
      FileChanged: (error) => Effect.sync(() => failedBy(context, found, error))
    }),
    // A file of the program's own source, whose bytes are read to compare them, may throw.
    Effect.catchAllDefect((defect) => Effect.sync(() => failedBy(context, found, fromDefect(defect))))
  )
}

/** Where documents are worked on: gives each file that was compared one result. */
export type Workplace<E> = (
  context: RunContext,
  options: RunOptions
) => <E2, R>(items: Stream.Stream<Compared, E2, R>) => Stream.Stream<Outcome | Refused, E | E2, R | Tokenizer>

/** Default of `lookAhead`. */
const ahead = 20_000

/**
 * The outcomes of all files: found, compared with the ledger, worked on, and held back while they are not certain. Once every file has its
 * outcome, documents that are gone are removed. `context`: null for a run that was asked to end before it was open.
 */
export const outcomes = <E, R, E2>(
  options: AnyOptions<E, R>,
  context: RunContext | null,
  workplace: Workplace<E2>
): Stream.Stream<Outcome, E | E2, R | Tokenizer> => {
  if (context === null) return Stream.empty
  const { memory, session, trace, writers } = context
  const { lookAhead = ahead, ordered = false, source } = options
  const capacity = atLeastOne(lookAhead)
  const { files, root } =
    source instanceof Source ? { files: source.files, root: source.scope.root } : { files: source, root: "" }
  const isKnown = (): boolean =>
    memory !== null && !memory.options.partial && memory.found === 0 && memory.scan.claimed > 0
  const compared = readAhead(Stream.map(orNothing(isKnown)(files), sound), {
    capacity,
    through: compare(session, memory, repeats(root)),
    halt: Effect.ignore(session.whenStopped),
    pulled: (count) => {
      session.discovered += count
    },
    ended: () => {
      session.complete = true
    }
  })
  const settled = compared.pipe(
    workplace(context, options),
    holdBackRefused(context, { ordered, capacity }),
    trace.settled,
    reported(session, options.onProgress)
  )
  const closed = Effect.catchAll(close(context), (error) => Effect.sync(() => session.halt(error)))
  const last = trace.run(Effect.zipRight(closed, finishSinks(session, writers)))
  return Stream.concat(settled, Stream.drain(Stream.fromEffect(last)))
}

/** Maximum number of documents waiting for the sinks at a time; together they make the sinks' batches. */
const storing = 128

/** Results of a stage that wait for the next one: few, since each is a document with its chunks. */
const waiting = 16

/** Files that may be put off until the end, as many as may be found ahead; some 0.3 KB each. */
const mostPostponed = 20_000

/**
 * Number of documents that are prepared at a time. The gate limits the requests; there are three documents for each, since those that wait
 * for a retry leave their place in the gate to others.
 */
const workers = (concurrency: number | "adaptive", { gate }: Parser.Service): number => {
  if (gate === undefined) return concurrency === "adaptive" ? 8 : atLeastOne(concurrency)
  return 3 * (concurrency === "adaptive" ? adaptiveCeiling : atLeastOne(concurrency))
}

/** In this process: one stage after the other, each with its concurrency. */
export const inThisProcess: Workplace<never> = (context, options) =>
  staged(options.ordered === true ? 0 : mostPostponed)(context, options)

/**
 * The same for files of which the last one may come only after the others have their outcomes: none of them is put off until then, but waited
 * for where another process works on it.
 */
export const asTheyCome: Workplace<never> = (context, options) => staged(0)(context, options)

/** `capacity`: files that may be put off. */
const staged =
  (capacity: number): Workplace<never> =>
  (context, options) =>
  (items) => {
    const concurrency = workers(options.concurrency ?? "adaptive", context.parser)
    const ordered = options.ordered ?? false
    const together = Math.max(storing, concurrency)
    const walk = make(context, options.embedder, together)
    const stage = { concurrency, runAhead: waiting, ordered, direct: walk.endedAtOnce }
    const postponed = new PostponedFiles(capacity)
    const prepared = Stream.concat(
      ready(mapConcurrently(items, (item) => walk.prepareOrPostpone(item, postponed.add), stage)),
      mapConcurrently(postponed.items, walk.prepare, stage)
    )
    const embedded =
      walk.embedding === null
        ? prepared
        : mapConcurrently(prepared, walk.embedding.embed, {
            concurrency: together,
            runAhead: waiting,
            ordered,
            direct: walk.embedding.withoutVectors
          })
    return mapConcurrently(embedded, walk.store, { concurrency: together, ordered, direct: outcomeIfUnchanged })
  }
