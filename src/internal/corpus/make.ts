import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as AutoChunker from "../../AutoChunker.ts"
import type { Chunker } from "../../Chunker.ts"
import type { ChunkSink, SinkError } from "../../ChunkSink.ts"
import * as DeadLetter from "../../DeadLetter.ts"
import * as Discovery from "../../Discovery.ts"
import { type Embedder, none } from "../../Embedder.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import { Summary } from "../../Outcome.ts"
import type { ParsedDocument, ParsedWith } from "../../ParsedDocument.ts"
import * as Parser from "../../Parser.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import * as Source from "../../Source.ts"
import type { SourceFile } from "../../SourceFile.ts"
import { worded } from "../base/message.ts"
import type { OptionError } from "../base/optionError.ts"
import * as Rules from "../base/rules.ts"
import { asTheyCome } from "../run/documentRun.ts"
import { forgetLetters } from "../run/forgetLetters.ts"
import { checkRemove } from "../run/openSinks.ts"
import * as DocumentRemoval from "../run/removal.ts"
import { outcomesOf } from "../run/run.ts"
import * as Total from "../run/total.ts"
import { asItIs } from "../sink/asItIs.ts"
import * as Generations from "../sink/generations.ts"
import * as Http from "../target/http.ts"
import type { ReadOptions } from "../target/readOnlyCorpus.ts"
import * as SourceTarget from "../target/sourceTarget.ts"
import { type Reranking, SearchError } from "../target/storeSearch.ts"
import * as Adding from "./adding.ts"
import * as AddingRun from "./addingRun.ts"
import * as Calls from "./calls.ts"
import type { ChangeOptions, CorpusSource, ParseFailure, Service, Status } from "./contract.ts"
import * as Figures from "./figures.ts"
import * as StoreGenerations from "./generations.ts"
import * as Ingestion from "./ingestion.ts"
import * as Located from "./located.ts"
import type { Means } from "./means.ts"
import * as Members from "./members.ts"
import type * as Memory from "./memory.ts"
import * as Retrying from "./retrying.ts"
import * as Searching from "./searching.ts"
import * as Stores from "./stores.ts"
import * as Writes from "./writes.ts"

/** The parts of a corpus, open; what they acquired lives longer than it. */
export interface Parts<E> {
  readonly means: Means<E>
  readonly memory: Context.Context<Memory.Services>
  readonly embedder: Embedder.Service | undefined
  readonly reranker: Reranking
  readonly vectors: Searching.Vectors
  /** Root name of added documents. */
  readonly uploads: string
}

/** The corpus. The end of the scope refuses further calls and waits for those that run. */
export const make = <E>(
  parts: Parts<E>
): Effect.Effect<Service, E | SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const { embedder, means, memory, reranker, uploads, vectors } = parts
    const { chunker, mode = "upsert", outputs, parser } = means
    const writes = yield* Writes.make
    const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const stores = yield* Effect.forEach(means.targets, (target) => {
      const open = mode === "append" ? target.open : Effect.tap(target.open, checkRemove)
      return Stores.make<E | SinkError>(Effect.provide(open, files), writes.exclusive)
    })
    const services = Context.merge(files, memory)
    const ledger = Context.get(memory, Ledger)

    const provided = <A, E2, R>(effect: Effect.Effect<A, E2, R>) =>
      effect.pipe(Ingestion.provided(means), Effect.provide(services))

    /** Provides what the files of an address need until all of them are read. */
    const reaching = <A, E2, R>(effect: Effect.Effect<A, E2, R>) =>
      Effect.scoped(Effect.flatMap(Layer.build(Http.layer), (client) => Effect.provide(effect, client)))

    const sinks = Effect.forEach(stores, ({ writing }) => writing)
    const opened = Effect.map(sinks, (all): Ingestion.Opened => ({ sinks: all, embedder }))

    const calls = yield* Calls.make
    const add = yield* Adding.make({
      writes,
      run: (arriving, report) =>
        Effect.gen(function* () {
          const all = Source.make({ name: uploads, files: arriving })
          const source = Source.part(all, identity)
          const options = { ...means.run, ...(yield* opened), chunker, source, state: { mode } }
          const outcomes = outcomesOf(options, asTheyCome, AddingRun.make)
          yield* Stream.runForEach(outcomes, report)
        }).pipe(provided)
    })
    // Registered last, so that it comes first: everything else is still open for the calls that it waits for.
    yield* Effect.addFinalizer(() => calls.close)

    /** The files of a source; a path that leads out of the working directory has a root that the ledger knows, where one holds it. */
    const located = <E2>(
      given: CorpusSource<E2>
    ): Effect.Effect<Located.Located<E2 | Located.Unfound>, OptionError | LedgerError> =>
      Effect.gen(function* () {
        if (given instanceof Source.Source) return Located.own<E2 | Located.Unfound>(given)
        const known = Effect.map(ledger.stats, ({ roots }) => roots)
        if (arePaths(given)) {
          const choice = { endpoint: undefined, known, relative: true }
          const chosen = SourceTarget.choose(typeof given === "string" ? [given] : given, choice)
          return Located.make(yield* chosen, outputs)
        }
        yield* Members.checkRoot(given)
        return Located.make(given, outputs)
      })

    const single = (file: string | SourceFile) =>
      typeof file === "string" ? Discovery.file(file) : Effect.succeed(file)

    const layout = AutoChunker.make()
    /** Runs with a parser that asks for pages and blocks. */
    const laidOut = <A, E2, R>(
      file: string | SourceFile,
      work: (file: SourceFile) => Effect.Effect<A, E2, R | Parser.Parser>
    ) =>
      Effect.gen(function* () {
        const found = yield* single(file)
        return yield* Effect.provideServiceEffect(work(found), Parser.Parser, Parser.serving(layout))
      }).pipe(Effect.provideService(Parser.Parser, parser), provided, calls.call)

    function parse<const Options extends ParseOptions>(
      file: string | SourceFile,
      options: Options
    ): Effect.Effect<ParsedWith<Options>, ParseFailure>
    function parse(file: string | SourceFile): Effect.Effect<ParsedDocument, ParseFailure>
    function parse(file: string | SourceFile, options: ParseOptions = {}): Effect.Effect<ParsedDocument, ParseFailure> {
      return laidOut(file, (found) => Parser.parseWith(found, options))
    }

    const repeat = ({ options, run, scope, sources }: Retrying.Batch, redo: "failures" | "parses") =>
      Effect.gen(function* () {
        const { source } = Located.part(options, scope, sources)
        return yield* Ingestion.run(means, yield* opened, { source, request: run.text }, { mode, redo })
      }).pipe(reaching, provided)

    const again = (what: "failures" | "incomplete") =>
      Effect.gen(function* () {
        const targets = new Set((yield* sinks).map(({ id }) => id))
        const { batches, gone, left } = yield* Retrying.plan(what, targets)
        yield* Effect.catchTag(forgetLetters(gone), "DeadLetterError", (error) => Effect.logWarning(error.message))
        const redo = what === "failures" ? "failures" : "parses"
        const summaries = yield* Effect.forEach(batches, (batch) => repeat(batch, redo))
        const warnings = left.map(({ letter, reason }) => ({ source: letter.source, ...worded(reason) }))
        const alone = Total.add(Total.nothing, { ...Total.nothing, exit: left.length === 0 ? 0 : 1, warnings })
        return Summary.make(summaries.reduce(Total.add, alone))
      }).pipe(Effect.provide(services))

    /** The first target that can do this, or a tenant's part of it. */
    const able = Effect.fnUntraced(function* (
      tenant: string | undefined,
      { can, what }: { readonly can: (sink: ChunkSink.Service) => boolean; readonly what: "searched" | "read" }
    ) {
      const readings = yield* Effect.forEach(stores, ({ reading }) => reading(tenant))
      const ids = readings.map(({ sink }) => sink.id).join(", ")
      const problem = `none of the targets can be ${what}; open the corpus with one that can, libsql:FILE for instance`
      const first = readings.find(({ sink }) => can(sink))
      return first ?? (yield* new SearchError({ store: ids, reason: "NotSearchable", problem }))
    })
    const searched = (tenant: string | undefined) =>
      able(tenant, { can: ({ search }) => search !== undefined, what: "searched" })

    /** Reads the first target that can be read, in part or as a whole. */
    const reading = <A>(
      options: ReadOptions,
      use: (reading: Stores.Reading) => Effect.Effect<A, SearchError | SinkError>
    ) =>
      Members.check(options, Members.read).pipe(
        Effect.zipRight(
          Effect.suspend(() =>
            able(options.tenant, {
              can: ({ list, range }) => list !== undefined && range !== undefined,
              what: "read"
            })
          )
        ),
        Effect.flatMap(use),
        Effect.scoped,
        calls.call
      )

    const changed =
      (what: StoreGenerations.GenerationChange) =>
      (options: ChangeOptions = {}) =>
        Effect.gen(function* () {
          yield* Members.check(options, Members.change)
          const all = yield* sinks
          const several = yield* Effect.filter(all, (sink) =>
            Effect.map(Generations.all(sink), ({ length }) => length > 1)
          )
          const those = several.length === 0 ? all.slice(0, 1) : several
          const adopt = options.adopt === true
          return (yield* Effect.forEach(those, (sink) => StoreGenerations.change(what, sink, adopt))).flat()
        }).pipe(Effect.provide(services), writes.exclusive, calls.call)

    const figures = yield* Figures.make(ledger)

    const service: Service = {
      ingest: (given, how = {}) =>
        Effect.gen(function* () {
          yield* Members.check(how, Members.ingest)
          const { look, options, source } = yield* located(given)
          const running = Effect.gen(function* () {
            // A wrong root creates no target.
            if (look !== null && (yield* ledger.claims(source.scope)) === 0) yield* Stream.runHead(look)
            const parts = yield* opened
            const space = embedder === undefined ? null : yield* embedder.space
            const ids = { space, sinks: parts.sinks.map(({ id }) => id) }
            const request = options === null ? "" : means.request(options, ids, { command: "program" })
            return yield* Ingestion.run(means, parts, { source, request }, { ...how, mode: how.mode ?? mode })
          })
          return yield* writes.exclusive(provided(reaching(running)))
        }).pipe(calls.call),
      // The ledger alone knows what was added: no run would find it again after a power cut.
      add: (file) => calls.call(Effect.zipLeft(add(file), ledger.checkpoint)),
      search: (query, options = {}) =>
        Members.checkValue(Rules.string, query, "query").pipe(
          Effect.zipRight(Members.check(options, Members.search)),
          Effect.zipRight(Effect.suspend(() => searched(options.tenant))),
          Effect.flatMap((reading) =>
            Searching.search(reading, vectors, query, { ...options, rerank: options.rerank ?? reranker })
          ),
          Effect.scoped,
          Effect.provide(files),
          calls.call
        ),
      documents: (options = {}) => reading(options, Searching.documents),
      read: (range, options = {}) => reading(options, (found) => Searching.read(found, range)),
      remove: (source) =>
        Effect.gen(function* () {
          const opened = (yield* sinks).map(asItIs)
          const space = embedder === undefined ? null : yield* Effect.orElseSucceed(embedder.space, () => null)
          const [removed] = yield* DocumentRemoval.remove([source], { sinks: opened, space })
          return removed ?? { documentId: null, source, chunks: 0 }
        }).pipe(provided, writes.exclusive, calls.call),
      retry: calls.call(writes.exclusive(again("failures"))),
      retryEmpty: calls.call(writes.exclusive(again("incomplete"))),
      status: Effect.gen(function* () {
        const stats = yield* ledger.stats
        const lastRun = Option.getOrNull(yield* ledger.lastRun)
        return { ...stats, lastRun, stores: yield* Effect.forEach(stores, counted) }
      }).pipe(calls.call),
      generations: Effect.gen(function* () {
        const held = (yield* sinks).filter(({ generations }) => generations !== undefined)
        return (yield* Effect.forEach(held, StoreGenerations.list)).flat()
      }).pipe(Effect.provide(services), calls.call),
      switch: changed("switch"),
      rollback: changed("rollback"),
      drop: changed("drop"),
      failures: calls.call(DeadLetter.ofLedger(ledger)),
      parse,
      figure: (of, box, options = {}) =>
        Effect.gen(function* () {
          yield* Members.check(options, Members.figure)
          return yield* figures(of, box, options)
        }).pipe(calls.call),
      extract: (file, schema, options) => laidOut(file, (found) => Parser.extract(found, schema, options)),
      chunks: (given) =>
        Stream.unwrapScoped(
          Effect.gen(function* () {
            const { source } = yield* located(given)
            const needed = Context.add(yield* Layer.build(Http.layer), Scope.Scope, yield* Effect.scope)
            const served = yield* Effect.provideServiceEffect(
              Parser.serving(chunker),
              Parser.Parser,
              Ingestion.parserOf(means)
            )
            const chunk = (found: Discovery.Found) => {
              if (found._tag === "Unsupported") return Effect.succeed([])
              return found._tag === "Unusable"
                ? Effect.fail(found.error)
                : provided(chunksOf(found, served, chunker, embedder))
            }
            return source.files.pipe(
              Stream.mapEffect(chunk, { concurrency: chunking }),
              Stream.flatMap(Stream.fromIterable),
              Stream.provideContext(needed)
            )
          })
        ).pipe(calls.emit)
    }
    return service
  })

const arePaths = (given: Exclude<CorpusSource, Source.Source>): given is string | ReadonlyArray<string> =>
  typeof given === "string" || Array.isArray(given)

/** Documents of a stream of chunks that are parsed at a time. */
const chunking = 8

const chunksOf = (
  file: SourceFile,
  parser: Parser.Parser.Service,
  chunker: Chunker,
  embedder: Embedder.Service = none
) =>
  parser.parse(file, {}).pipe(
    Effect.flatMap(chunker.chunk),
    Effect.flatMap(({ chunks }) => embedder.embed(chunks))
  )

/** A target's number of chunks, when there is a store that can count. */
const counted = ({ reading }: Stores.Store): Effect.Effect<Status["stores"][number], SinkError> =>
  Effect.gen(function* () {
    const { absent, sink } = yield* reading()
    return { id: sink.id, chunks: absent || sink.count === undefined ? null : yield* sink.count }
  }).pipe(Effect.scoped)
