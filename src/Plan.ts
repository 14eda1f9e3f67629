/**
 * Preview of a run: the action for each file, and the cost.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Chunker } from "./Chunker.ts"
import type { EmbeddingSpace } from "./ChunkSink.ts"
import * as Message from "./internal/base/message.ts"
import { option, text } from "./internal/base/message.ts"
import { PageCounter } from "./internal/base/pageCounter.ts"
import * as PlanFile from "./internal/plan/planFile.ts"
import { PlanTally } from "./internal/plan/planTally.ts"
import { requiredTerms } from "./internal/plan/requiredTerms.ts"
import { orNothing } from "./internal/run/absent.ts"
import { chunkerOf } from "./internal/run/chunkerOf.ts"
import { repeats, sound, standings } from "./internal/run/compare.ts"
import { expectation } from "./internal/run/expectation.ts"
import { redoOf } from "./internal/run/remember.ts"
import type { Acknowledgement } from "./internal/state/ledger/entry.ts"
import { type Expected, ofRun, type Preview } from "./internal/state/ledger/runLedger.ts"
import { Ledger, type LedgerError } from "./Ledger.ts"
import { ParseCache, type ParseCacheError } from "./ParseCache.ts"
import { type Parser, serving } from "./Parser.ts"
import type { InvalidOptions } from "./service/ParseOptions.ts"
import type { Source } from "./Source.ts"
import { DuplicateDocument, type SourceFile } from "./SourceFile.ts"
import { Tokenizer } from "./Tokenizer.ts"

export { layer as layerPageCounter, PageCounter, pagesOf } from "./internal/base/pageCounter.ts"
export { ofParse as creditsOf } from "./internal/server/credits.ts"

/**
 * Planned action for one file.
 *
 * `new`, `changed`: would be stored, from the cache where possible. `removed`: would be removed from the sinks (mode sync).
 * `kept`: gone, but not removed, for the reason given (mode sync). `failed`: cannot be read, or failed permanently before and is
 * not sent again.
 *
 * @since 0.1.0
 * @category models
 */
export const PlannedFile = Schema.Struct({
  /** POSIX path below the root. */
  source: Schema.String,
  action: Schema.Literal("new", "changed", "unchanged", "removed", "kept", "tooLarge", "unsupported", "failed"),
  /** For files that would be stored: pages of a PDF, 1 for every other format. */
  pages: Schema.optional(Schema.NonNegativeInt),
  /** One line. */
  reason: Schema.optional(Schema.String),
  /** The reason with the options that it names as data, where it names any. */
  template: Schema.optional(Message.Parts)
})

/**
 * @since 0.1.0
 * @category models
 */
export type PlannedFile = typeof PlannedFile.Type

/**
 * The plan of a run, as `docsluice plan --json` prints it.
 *
 * @since 0.1.0
 * @category models
 */
export class Plan extends Schema.Class<Plan>("docsluice/Plan")({
  new: Schema.NonNegativeInt,
  changed: Schema.NonNegativeInt,
  unchanged: Schema.NonNegativeInt,
  /** Documents. */
  removed: Schema.NonNegativeInt,
  tooLarge: Schema.NonNegativeInt,
  unsupported: Schema.NonNegativeInt,
  /** The unsupported files by their extensions, lower case, without the dot; empty for those without one. */
  unsupportedTypes: Schema.Record({ key: Schema.String, value: Schema.NonNegativeInt }),
  /** New and changed files whose answers are cached and cost nothing. */
  fromCache: Schema.NonNegativeInt,
  /** Pages of the new and changed files; the figures below are for the same files. */
  pages: Schema.NonNegativeInt,
  /** Credits of the new and changed files that are not cached. */
  credits: Schema.Number,
  /** Tokens of all chunks that would be written. */
  tokens: Schema.NonNegativeInt,
  /** Figures that contain an estimate; the others are exact. */
  estimated: Schema.Array(Schema.Literal("pages", "credits", "tokens")),
  /** In order of `source`. */
  files: Schema.Array(PlannedFile)
}) {}

/**
 * The same options as the run's; see `Pipeline.StatefulOptions` and `Pipeline.StateOptions`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<E, R> {
  readonly source: Source<E, R>
  readonly chunker: Chunker
  /**
   * Ids of the sinks, each with its store id: null for a sink without one, undefined to assume the store that the ledger recorded
   * last.
   */
  readonly sinks: ReadonlyArray<{ readonly sink: string; readonly store: string | null | undefined }>
  /** The space of the chunks' vectors; default null: they have none. */
  readonly space?: EmbeddingSpace | null | undefined
  /** Digest of the embedder that makes the vectors, enough without `space`; default null: the run makes no vectors itself. */
  readonly embedder?: string | null | undefined
  /** Default `upsert`. */
  readonly mode?: "append" | "upsert" | "sync" | undefined
  /** Default false. */
  readonly allowRemovals?: boolean | undefined
  /** Default false. */
  readonly newRoot?: boolean | undefined
  /** Default false. */
  readonly verify?: boolean | undefined
  /** As of `StateOptions`; default false. */
  readonly rechunk?: boolean | undefined
  /** Default `nothing`. */
  readonly redo?: Expected["redo"] | undefined
}

/**
 * Plans a run by reading everything that the run would read. Sends nothing, and writes nothing except the times of use of cache
 * entries; with `Ledger.layerReadOnly` and `ParseCache.layerReadOnly` not even those.
 *
 * Files whose fingerprint is not in the ledger are read to look up their bytes in the cache; PDFs that are not cached are opened
 * to count their pages. Cached answers, and texts that are read on this machine, are chunked, so that their tokens are exact. Holds some hundred bytes per file, and at
 * most four documents at a time. Fails with `InvalidOptions` where the parser cannot serve the chunker, or has no terms.
 *
 * @since 0.1.0
 * @category running
 */
export const make = <E, R>(
  options: Options<E, R>
): Effect.Effect<
  Plan,
  E | InvalidOptions | LedgerError | ParseCacheError,
  R | Parser | Ledger | ParseCache | PageCounter | Tokenizer
> =>
  Effect.gen(function* () {
    const ledger = ofRun(yield* Ledger)
    const tokenizer = yield* Tokenizer
    const { rechunk, source } = options
    const sinks = options.sinks.map(({ sink }) => sink)
    const chunker = yield* chunkerOf(options.chunker, { ledger, rechunk, root: source.scope.root, sinks })
    const parser = yield* serving(chunker)
    const terms = yield* requiredTerms(parser)
    const expected = expectation({
      terms,
      steps: parser.steps,
      chunker,
      tokenizer,
      space: options.space ?? null,
      embedder: options.embedder ?? null,
      sinks: yield* acknowledgements(ledger, options.sinks),
      startedAt: yield* Clock.currentTimeMillis,
      verify: options.verify ?? false,
      redo: redoOf(options)
    })
    yield* ledger.admit(options.source.scope, options.newRoot)
    const preview = yield* ledger.preview(options.source.scope, expected)
    const decide = PlanFile.make({
      ledger,
      cache: yield* ParseCache,
      counter: yield* PageCounter,
      chunker,
      terms,
      parser,
      expected
    })
    const tally = new PlanTally()
    const repeated = repeats(options.source.scope.root)
    const files = orNothing(() => tally.found === 0 && preview.claimed > 0)(options.source.files)
    yield* Stream.runForEachChunk(Stream.map(files, sound), (items) =>
      Effect.gen(function* () {
        const batch = Chunk.toReadonlyArray(items)
        const open: Array<SourceFile> = []
        for (const [at, standing] of (yield* standings(preview, repeated, batch)).entries()) {
          const found = batch[at]
          if (found === undefined) continue
          tally.found += 1
          if (standing === "duplicate") {
            const { message } = new DuplicateDocument({ path: found.path })
            tally.add({ source: found.path, action: "failed", reason: message })
          } else if (found._tag !== "SourceFile") tally.problem(found)
          else if (standing === "unchanged") tally.add({ source: found.path, action: "unchanged" })
          else open.push(found)
        }
        for (const one of yield* Effect.forEach(open, decide, { concurrency: inHand })) tally.add(one)
      })
    )
    if (options.mode === "sync") yield* removals(options, preview, tally)
    return new Plan(tally.sum(), { disableValidation: true })
  })

/** Documents planned concurrently. */
const inHand = 4

const acknowledgements = <E, R>(
  ledger: Ledger.Service,
  sinks: Options<E, R>["sinks"]
): Effect.Effect<ReadonlyArray<Acknowledgement>, LedgerError> =>
  Effect.map(ledger.sinks, (known) =>
    sinks.map(({ sink, store }) => ({
      sink,
      store: store === undefined ? (known.find((ack) => ack.sink === sink)?.store ?? null) : store
    }))
  )

/** Adds the removals of a run in mode sync, under the run's own safety rules. */
const removals = <E, R>(
  options: Options<E, R>,
  preview: Preview<LedgerError>,
  tally: PlanTally
): Effect.Effect<void, LedgerError> =>
  Effect.gen(function* () {
    const ids = new Set(options.sinks.map(({ sink }) => sink))
    const { kept, unclaimed } = yield* preview.gone
    const held = Chunk.toReadonlyArray(
      yield* Stream.runCollect(Stream.filter(unclaimed, (document) => document.held.some(({ sink }) => ids.has(sink))))
    )
    const known = preview.claimed + Math.max(0, held.length - (yield* Stream.runCount(preview.vanished)))
    const tooMany = options.allowRemovals !== true && known > smallRoot && held.length > known / 2
    const reason = tally.incomplete
      ? "not everything could be read"
      : tally.found === 0
        ? "nothing was found"
        : tooMany
          ? text`more than half of the documents: only with ${option("allowRemovals")}`
          : undefined
    for (const { path, released } of held) {
      const why = released ? "an earlier run asked for it by other patterns, and its file is gone" : undefined
      tally.add({ source: path, action: reason === undefined ? "removed" : "kept", reason: reason ?? why })
    }
    if (tally.incomplete || tally.found === 0) return
    yield* Stream.runForEach(kept, (path) =>
      Effect.sync(() =>
        tally.add({
          source: path,
          action: "kept",
          reason: "a run that looked further found it too; sync what that run looked at"
        })
      )
    )
  })

/** Up to this many documents may all be removed without `allowRemovals`. */
const smallRoot = 10
