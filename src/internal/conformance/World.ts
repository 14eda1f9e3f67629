import * as Effect from "effect/Effect"
import type { Capabilities, ChunkSink, EmbeddingSpace, Hit, Limits, Listed, Query } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as access from "./access.ts"
import * as difference from "./difference.ts"
import * as samples from "./samples.ts"
import type { Target } from "./Target.ts"
import { ConformanceFailure, NotVerifiable } from "./Verdict.ts"

type Problem = ConformanceFailure | NotVerifiable

/** Tools of a case. An effect fails with `NotVerifiable` when this sink lacks the means, and else with a failure of the case. */
export interface World extends Pick<samples.Samples, "chunk" | "document"> {
  readonly target: Target
  readonly space: EmbeddingSpace | null
  readonly can: Capabilities
  readonly limits: Limits
  /** True when the sink has `clear`. */
  readonly clears: boolean
  /** True when the store can hold more than one generation. */
  readonly holdsGenerations: boolean
  /** Opens and prepares the sink, runs the work, then finishes and closes the sink. */
  readonly session: <A, E>(work: (sink: access.Session) => Effect.Effect<A, E>) => Effect.Effect<A, Problem>
  /** As `session`, without `finish`: the run was interrupted. */
  readonly unfinished: <A, E>(work: (sink: access.Session) => Effect.Effect<A, E>) => Effect.Effect<A, Problem>
  /** Opens the sink without preparing it. */
  readonly unprepared: <A, E>(work: (sink: ChunkSink.Service) => Effect.Effect<A, E>) => Effect.Effect<A, Problem>
  /**
   * Fails unless exactly these chunks are stored: by `list` in a new session, by `read` where there is one, else by searches
   * for the chunks of this case.
   */
  readonly expect: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, Problem>
  /** Writes the chunks in one session, and expects that they are all that is stored. */
  readonly keeps: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, Problem>
  /** Names of all stored chunks, by `list` or `read`; not verifiable when both are missing. */
  readonly stored: Effect.Effect<ReadonlyArray<Listed>, Problem>
  /** Fails unless `list` returns exactly these names in this session; does nothing for a sink that cannot list. */
  readonly listed: (sink: ChunkSink.Service, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, Problem>
  /** Runs a search; not verifiable when the sink answers `Unsupported`. */
  readonly search: (sink: ChunkSink.Service, query: Query) => Effect.Effect<ReadonlyArray<Hit>, Problem>
  /** Runs a hook of the target. */
  readonly hook: <A>(effect: Effect.Effect<A, unknown> | undefined) => Effect.Effect<A | undefined, Problem>
  readonly fail: (problem: string, cause?: unknown) => Effect.Effect<never, ConformanceFailure>
  readonly notVerifiable: (reason: string) => Effect.Effect<never, NotVerifiable>
  /** Extent to which `expect` has verified the stored chunks. */
  readonly looked: () => "nothing" | "ids" | "content"
}

export const make = (
  name: string,
  target: Target,
  sink: Pick<ChunkSink.Service, "capabilities" | "clear" | "generations" | "limits">
): World => {
  const space = target.space ?? null
  const can = sink.capabilities
  const { chunk, document, made } = samples.make(space)

  const fail: World["fail"] = (problem, cause) => Effect.fail(new ConformanceFailure({ case: name, problem, cause }))
  const notVerifiable: World["notVerifiable"] = (reason) => Effect.fail(new NotVerifiable({ reason }))
  const failed =
    (problem: string) =>
    (cause: unknown): Problem =>
      cause instanceof ConformanceFailure || cause instanceof NotVerifiable
        ? cause
        : new ConformanceFailure({
            case: name,
            problem: `${problem}: ${cause instanceof Error ? cause.message : String(cause)}`,
            cause
          })
  const unprepared: World["unprepared"] = (work) =>
    Effect.mapError(Effect.scoped(Effect.flatMap(access.open(target), work)), failed("the sink failed"))
  const unfinished: World["unfinished"] = (work) =>
    unprepared((sink) => Effect.flatMap(access.prepare(sink, space), work))
  const session: World["session"] = (work) => unfinished((sink) => Effect.zipLeft(work(sink), sink.finish))
  const search: World["search"] = (sink, query) =>
    Effect.catchAll(access.search(sink, query), (error) =>
      error.reason === "Unsupported"
        ? notVerifiable(`the sink does not support this search: ${error.problem}`)
        : Effect.fail(failed("the search failed")(error))
    )
  return {
    target,
    space,
    can,
    limits: sink.limits,
    clears: sink.clear !== undefined,
    holdsGenerations: sink.generations !== undefined,
    chunk,
    document,
    unprepared,
    session,
    unfinished,
    search,
    hook: (effect) =>
      effect === undefined ? Effect.succeed(undefined) : Effect.mapError(effect, failed("a hook failed")),
    fail,
    notVerifiable,
    ...inspecting({ target, can, session, search, fail, notVerifiable, failed, made })
  }
}

/** The tools that look at what is stored. */
const inspecting = ({
  can,
  fail,
  failed,
  made,
  target,
  ...world
}: Pick<World, "target" | "can" | "session" | "search" | "fail" | "notVerifiable"> &
  Pick<samples.Samples, "made"> & {
    readonly failed: (problem: string) => (cause: unknown) => Problem
  }): Pick<World, "expect" | "keeps" | "listed" | "looked" | "stored"> => {
  let looked: ReturnType<World["looked"]> = "nothing"
  const read = Effect.suspend(() =>
    Effect.mapError(target.read ?? Effect.succeed([]), failed("the hook `read` failed"))
  )
  const listed: World["listed"] = (sink, chunks) =>
    can.list
      ? Effect.flatMap(Effect.mapError(access.list(sink), failed("the sink failed to list")), (names) => {
          const problem = difference.ofNames(chunks, names)
          return problem === null ? Effect.void : fail(`list returns other chunks than those stored: ${problem}`)
        })
      : Effect.void

  /** Searches for every chunk that was made: the stored ones must be found unchanged, and no others. */
  const bySearch = (chunks: ReadonlyArray<DocumentChunk>) =>
    world
      .session(
        Effect.fnUntraced(function* (sink) {
          const expected = new Map(chunks.map((one) => [one.id, one]))
          const wanted = [...chunks, ...made.values()].filter(isFindable)
          if (wanted.length === 0 || made.size > mostSearched) return false
          for (const one of new Set([...wanted.slice(0, 10), ...wanted.slice(-10)])) {
            const hits = yield* world.search(sink, samples.queryOf(one, made.size + 10))
            const problem = ofHits(expected, one, hits)
            if (problem !== null) return yield* fail(problem)
          }
          return chunks.every(isFindable)
        })
      )
      .pipe(Effect.catchTag("NotVerifiable", () => Effect.succeed(false)))

  const expect: World["expect"] = Effect.fnUntraced(function* (chunks) {
    if (can.list) {
      yield* world.session((sink) => listed(sink, chunks))
      if (looked === "nothing") looked = "ids"
    }
    if (target.read !== undefined) {
      const problem = difference.ofChunks(chunks, yield* read)
      if (problem !== null) return yield* fail(`the stored chunks differ from those written: ${problem}`)
      looked = "content"
    } else if (can.search && (yield* bySearch(chunks))) looked = "content"
    return undefined
  })
  return {
    expect,
    keeps: (chunks) =>
      Effect.zipRight(
        world.session((sink) => sink.write(chunks)),
        expect(chunks)
      ),
    stored: Effect.suspend(() =>
      can.list
        ? world.session((sink) => access.list(sink))
        : target.read === undefined
          ? world.notVerifiable("the sink cannot list, and the target has no hook `read`")
          : read
    ),
    listed,
    looked: () => looked
  }
}

/** Limit of a search, large enough that equally good hits do not hide a chunk. */
const mostSearched = 200

/** A chunk that a search for its own text and vector must find, however the engine splits words. */
const isFindable = ({ text }: DocumentChunk): boolean => text.length < 200 && /^[a-z][\w ,./-]*$/u.test(text)

const ofHits = (
  expected: ReadonlyMap<string, DocumentChunk>,
  wanted: DocumentChunk,
  hits: ReadonlyArray<Hit>
): string | null => {
  const found = new Set<string>()
  for (const { chunk } of hits) {
    const known = expected.get(chunk.id)
    if (known === undefined) return `search finds ${chunk.id}, which should not be there`
    if (found.has(chunk.id)) return `search finds ${chunk.id} twice`
    found.add(chunk.id)
    const problem = difference.ofContent(known, chunk)
    if (problem !== null) return `search returns a chunk that differs from the one written: ${problem}`
  }
  return expected.has(wanted.id) && !found.has(wanted.id) ? `search does not find ${wanted.id}` : null
}
