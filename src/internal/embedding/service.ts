/** From texts to vectors: batches, attempts, checks, and the embedders that are built in. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { EmbeddingSpace } from "../../ChunkSink.ts"
import { DocumentChunk, type PackedVector } from "../../DocumentChunk.ts"
import type { EmbeddingCache, EmbeddingCacheError } from "../../EmbeddingCache.ts"
import { attributes, spans } from "../../Telemetry.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { sha256 } from "../base/sha256.ts"
import { CurrentRun } from "../client/runState.ts"
import { embedded, embeddingCacheHits } from "../telemetry/metrics.ts"
import { traced } from "../telemetry/spans.ts"
import * as Batcher from "./batcher.ts"
import { EmbeddingError } from "./embeddingError.ts"
import { exchange, type Settings as Exchange, type Waiting } from "./exchange.ts"
import type { Failure } from "./failure.ts"
import type { CallerHalt, Embedded, Result, TextRequest } from "./flights.ts"
import { cut } from "./limit.ts"
import type { Provider } from "./provider.ts"
import { type Answered, sendAll } from "./splitting.ts"
import * as Vector from "./vector.ts"

export interface Settings extends Exchange {
  /** Makes the vectors of queries where they differ from those that a chunk of the same text has; null where they do not. */
  readonly queries: Provider | null
  readonly cache: EmbeddingCache.Service
  readonly model: string
  /** Null: taken from the first vector. */
  readonly dimensions: number | null
  readonly normalize: boolean
  readonly metric: EmbeddingSpace["metric"]
  readonly batchSize: number
  readonly batchTokens: number
  readonly delay: Duration.Duration
  readonly fill: Duration.Duration
  readonly limit: { readonly maxTokens: number; readonly tokenizer: Tokenizer.Service } | null
  readonly overlong: "cut" | "refuse"
  readonly prefix: { readonly document: string; readonly query: string }
}

/** See `Embedder.EmbedOptions`. */
export interface EmbedOptions {
  /**
   * Ends the waits for a slot or a retry, with `EmbeddingError` of the reason `Stopped`; a request in flight is finished. Default: only
   * interruption ends them.
   */
  readonly halt?: CallerHalt | null | undefined
  /**
   * True while other calls are likely to bring texts soon: these then wait up to `fill` instead of `delay` to share a request. Asked every
   * few milliseconds. Default: never.
   */
  readonly expecting?: (() => boolean) | undefined
}

export interface Service {
  readonly space: Effect.Effect<EmbeddingSpace, EmbeddingError>
  readonly embed: (
    chunks: ReadonlyArray<DocumentChunk>,
    options?: EmbedOptions
  ) => Effect.Effect<ReadonlyArray<DocumentChunk>, EmbeddingError>
  readonly embedQuery: (text: string) => Effect.Effect<Option.Option<ReadonlyArray<number>>, EmbeddingError>
}

/** Skips validation for objects made here of checked parts: checking every member would cost more than the rest. */
const unchecked = { disableValidation: true } as const

/** A text of which a hundredth is left is given up. */
const shortenings = 16

const cutNote = "embedding-cut"

/** A text in the form that will be sent. */
interface Prepared extends TextRequest {
  readonly cut: boolean
}

const empty: Failure = {
  reason: "Empty",
  problem: "there is nothing to embed: the text is empty",
  retryable: false,
  severity: "document"
}

/** True for texts that servers refuse; the server judges all others. */
const isBlank = (text: string): boolean => text.trim() === ""

/** Estimated tokens of a query, one per four characters; used without a tokenizer. */
const estimated = (text: string): number => Math.ceil(text.length / 4)

/** `kind`: what tells these vectors from those that the model makes of chunks; nothing for those themselves. */
const preparing = (settings: Settings, kind: ReadonlyArray<"query">) => {
  const keyOf = (text: string): string =>
    sha256(JSON.stringify([1, settings.model, settings.dimensions, settings.normalize, text, ...kind]))
  const prepare = (prefix: string, text: string, tokens: number): Either.Either<Prepared, Failure> => {
    if (isBlank(text)) return Either.left(empty)
    const whole = prefix + text
    const { limit } = settings
    if (limit === null || limit.tokenizer.count(whole) <= limit.maxTokens) {
      return Either.right({ key: keyOf(whole), text: whole, tokens, cut: false })
    }
    const shorter = cut(whole, limit.maxTokens, limit.tokenizer)
    if (settings.overlong === "refuse" || shorter.length <= prefix.length) {
      const problem = `a text of ${limit.tokenizer.count(whole)} tokens is above the model's limit of ${limit.maxTokens}`
      return Either.left({ reason: "TooLong", problem, retryable: false, severity: "document" })
    }
    return Either.right({ key: keyOf(shorter), text: shorter, tokens: limit.maxTokens, cut: true })
  }
  return { keyOf, prepare }
}

/** Logs once that the cache does not work; the embedder continues without it. */
const warning = () => {
  let said = false
  const say = (error: EmbeddingCacheError): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (said) return Effect.void
      said = true
      return Effect.logWarning(error.message)
    })
  return <A>(effect: Effect.Effect<A, EmbeddingCacheError>, otherwise: A): Effect.Effect<A> =>
    Effect.catchTag(effect, "EmbeddingCacheError", (error) => Effect.as(say(error), otherwise))
}

/** The first failure that concerns every text, otherwise the first one. */
const gravest = (failures: ReadonlyArray<Failure>): Failure | undefined =>
  failures.find((failure) => failure.severity === "run") ?? failures[0]

const errorOf = (
  model: string,
  chunks: ReadonlyArray<DocumentChunk>,
  results: ReadonlyArray<Either.Either<unknown, Failure>>
): EmbeddingError | null => {
  const failures: Array<Failure> = []
  const concerned = chunks.filter((_, index) => {
    const result = results[index]
    if (result === undefined || Either.isRight(result)) return false
    failures.push(result.left)
    return true
  })
  const failure = gravest(failures)
  if (failure === undefined) return null
  return failed(model, failure, concerned)
}

const failed = (model: string, failure: Failure, chunks: ReadonlyArray<DocumentChunk> = []): EmbeddingError =>
  new EmbeddingError({ model, chunks: chunks.map((chunk) => chunk.id), ...failure })

const withVector = (chunk: DocumentChunk, embedding: PackedVector, wasCut: boolean): DocumentChunk =>
  new DocumentChunk(
    {
      ...chunk,
      embedding,
      notes: wasCut && !chunk.notes.includes(cutNote) ? [...chunk.notes, cutNote] : chunk.notes
    },
    unchecked
  )

const collect = <A>(results: ReadonlyArray<Either.Either<A, Failure>>): ReadonlyArray<A> =>
  results.flatMap((result) => (Either.isRight(result) ? [result.right] : []))

export const make = (settings: Settings): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { cache, model, normalize } = settings
    const warned = warning()
    let dimensions = settings.dimensions

    const accept = (
      { components, text }: Answered,
      request: TextRequest,
      allocate: (length: number) => PackedVector
    ): Result =>
      Either.map(Vector.checked(components, dimensions, normalize, allocate), (vector): Embedded => {
        dimensions ??= vector.length
        return { vector, cut: text !== request.text }
      })

    /** Null for a cached vector whose length differs from the model's. */
    const usable = (vector: PackedVector | null): PackedVector | null => {
      if (vector === null) return null
      dimensions ??= vector.length
      return vector.length === dimensions ? vector : null
    }

    const lookUp = (keys: ReadonlyArray<string>) =>
      warned(
        cache.get(keys),
        keys.map(() => null)
      ).pipe(
        Effect.map((found) => found.map(usable)),
        Effect.tap((found) => Metric.incrementBy(embeddingCacheHits, found.filter((vector) => vector !== null).length))
      )

    /** Texts of one kind, which share requests. */
    const asking = (provider: Provider, kind: ReadonlyArray<"query">) => {
      const { keyOf, prepare } = preparing(settings, kind)
      // Vectors are cached before they are returned, since they were paid for; for a text that was cut, under the text that was sent.
      const keep = (
        sent: ReadonlyArray<TextRequest>,
        answers: ReadonlyArray<Result>,
        asSent: ReadonlyArray<string>
      ) => {
        const entries = answers.flatMap((answer, index) => {
          const request = sent[index]
          if (request === undefined || Either.isLeft(answer)) return []
          const { cut, vector } = answer.right
          return [{ key: cut ? keyOf(asSent[index] ?? "") : request.key, vector }]
        })
        if (entries.length === 0) return Effect.void
        return Effect.zipRight(Metric.incrementBy(embedded, entries.length), warned(cache.put(entries), undefined))
      }

      const send = (sent: ReadonlyArray<TextRequest>, learned: (count: number) => void, waiting: Waiting) =>
        Effect.uninterruptibleMask((restore) =>
          restore(
            sendAll(
              {
                send: (batch) => exchange({ ...settings, provider }, batch, waiting),
                shortenings: settings.overlong === "cut" ? shortenings : 0,
                learned
              },
              sent.map((request) => request.text)
            )
          ).pipe(
            Effect.flatMap((answers) => {
              const allocate = Vector.room(sent.length)
              const results = sent.map((request, index): Result => {
                const answer = answers[index] ?? Either.left(empty)
                return Either.flatMap(answer, (answered) => accept(answered, request, allocate))
              })
              const asSent = answers.map((answer) => (Either.isRight(answer) ? answer.right.text : ""))
              return Effect.as(keep(sent, results, asSent), results)
            })
          )
        ).pipe((request) =>
          traced(spans.embedding, { [attributes.model]: model, [attributes.texts]: sent.length }, request)
        )

      return Effect.map(
        Batcher.make({
          batchSize: settings.batchSize,
          batchTokens: settings.batchTokens,
          delay: settings.delay,
          fill: settings.fill,
          limit: () => settings.gate.snapshot().limit,
          lookUp,
          send
        }),
        (batcher) => ({ batcher, prepare })
      )
    }

    const documents = yield* asking(settings.provider, [])
    const queries = settings.queries === null ? documents : yield* asking(settings.queries, ["query"])

    const embed = (chunks: ReadonlyArray<DocumentChunk>, { expecting, halt = null }: EmbedOptions = {}) =>
      Effect.suspend(() => {
        if (chunks.length === 0) return Effect.succeed(chunks)
        const prepared = chunks.map((chunk) =>
          documents.prepare(settings.prefix.document, chunk.embedText, chunk.tokens)
        )
        const refused = errorOf(model, chunks, prepared)
        if (refused !== null) return Effect.fail(refused)
        const requests = collect(prepared)
        return Effect.flatMap(documents.batcher.embed(requests, { expecting: expecting ?? null, halt }), (results) => {
          const error = errorOf(model, chunks, results)
          if (error !== null) return Effect.fail(error)
          const vectors = collect(results)
          return Effect.succeed(
            chunks.map((chunk, index) => {
              const embedded = vectors[index]
              const wasCut = requests[index]?.cut === true || embedded?.cut === true
              return embedded === undefined ? chunk : withVector(chunk, embedded.vector, wasCut)
            })
          )
        })
      })

    /** The stop of the current run ends the waits, as it does those of `embed`. */
    const one = (asked: typeof documents, prefix: string, text: string): Effect.Effect<PackedVector, EmbeddingError> =>
      Effect.flatMap(CurrentRun, (halt) => {
        const prepared = asked.prepare(prefix, text, estimated(text))
        if (Either.isLeft(prepared)) return Effect.fail(failed(model, prepared.left))
        return Effect.flatMap(
          asked.batcher.embed([prepared.right], { expecting: null, halt }),
          ([result = Either.left(empty)]) =>
            Either.isLeft(result) ? Effect.fail(failed(model, result.left)) : Effect.succeed(result.right.vector)
        )
      })

    const spaceOf = (length: number): EmbeddingSpace => ({
      model,
      dimensions: length,
      normalized: normalize,
      metric: settings.metric
    })

    return {
      space: Effect.suspend(() =>
        dimensions === null
          ? Effect.map(one(documents, "", "How long is a vector?"), (vector) => spaceOf(vector.length))
          : Effect.succeed(spaceOf(dimensions))
      ),
      embed,
      embedQuery: (text) =>
        Effect.map(one(queries, settings.prefix.query, text), (vector) => Option.some(Array.from(vector)))
    }
  })
