import { Outcome, Parser, Pipeline, type Source } from "docsluice"
import { RequestError } from "docsluice/service/AgentClient"
import { ServiceError, type Unauthorized } from "docsluice/service/ServiceError"
import { FileError } from "docsluice/SourceFile"
import { Effect, Match, Schema, Stream } from "effect"
import { expectTypeOf } from "vitest"

declare const failed: Outcome.Failed
declare const stopped: Pipeline.RunStopped
declare const options: Pipeline.Options<never, never> & { readonly source: Source.Source }

/** Every error of a document has a branch, and nothing else has one. */
export const status: number = Match.value(failed.error).pipe(
  Match.tag("FileTooLarge", "PayloadTooLarge", () => 413),
  Match.tag("UnsupportedFile", () => 415),
  Match.tag("RequestTimeout", "GatewayTimeout", () => 504),
  Match.tag("Foreign", ({ tag }) => (tag === "Defect" ? 500 : 422)),
  Match.tag(
    "BadRequest",
    "InvalidUrl",
    "Unauthorized",
    "PaymentRequired",
    "Forbidden",
    "NotFound",
    "Conflict",
    () => 500
  ),
  Match.tag("RateLimitExceeded", "ConcurrencyLimitReached", "ServiceUnavailable", ({ retryAfter = 0 }) => retryAfter),
  Match.tagsExhaustive({
    PromptInjectionDetected: () => 422,
    UnprocessableEntity: () => 422,
    InternalServerError: () => 503,
    BadGateway: () => 503,
    DocumentUnparsable: () => 422,
    UnexpectedResponse: () => 503,
    ConnectionFailed: () => 503,
    ServiceUnreachable: () => 503,
    FileUnreadable: () => 422,
    FileChanged: () => 503,
    TextUnreadable: () => 422,
    DuplicateDocument: () => 409,
    DocumentTruncated: () => 422,
    WorkerLost: () => 503,
    TakenOver: () => 503,
    ChunkingError: () => 422,
    EmbeddingError: ({ severity }) => (severity === "document" ? 422 : 503),
    SinkError: ({ reason }) => (reason === "Unavailable" ? 503 : 500)
  })
)

Match.value(failed.error).pipe(
  // @ts-expect-error the other errors have no branch
  Match.tagsExhaustive({ Foreign: () => 1 })
)

/** So is the error of a failure in a summary. */
declare const summary: Outcome.Summary
export const causes = summary.failures.map(({ error }) =>
  Match.value(error).pipe(
    Match.tag("FileUnreadable", ({ reason }) => reason),
    Match.orElse(({ _tag }) => _tag)
  )
)

/** The error that stopped a run is caught by its tag: where the stream ends, and in the stop itself. */
expectTypeOf(
  Pipeline.outcomes(options).pipe(
    Stream.catchTag("Unauthorized", (error) => {
      expectTypeOf(error).toEqualTypeOf<Unauthorized>()
      return Stream.empty
    })
  )
).toExtend<Stream.Stream<Outcome.Outcome, Exclude<Outcome.RunError, Unauthorized>, unknown>>()
export const caught: Effect.Effect<string, Exclude<Outcome.RunError, Unauthorized>> = Effect.fail(stopped.cause).pipe(
  Effect.catchTag("Unauthorized", ({ error }) => Effect.succeed(error))
)

/** Each union is a schema of its own type, without requirements. */
export const schemas: [
  Schema.Schema<ServiceError, Schema.Schema.Encoded<typeof ServiceError>>,
  Schema.Schema<FileError, Schema.Schema.Encoded<typeof FileError>>,
  Schema.Schema<RequestError, Schema.Schema.Encoded<typeof RequestError>>,
  Schema.Schema<Parser.ParseError, Schema.Schema.Encoded<typeof Parser.ParseError>>,
  Schema.Schema<Outcome.DocumentError, Schema.Schema.Encoded<typeof Outcome.DocumentError>>,
  Schema.Schema<Outcome.RunError, Schema.Schema.Encoded<typeof Outcome.RunError>>
] = [ServiceError, FileError, RequestError, Parser.ParseError, Outcome.DocumentError, Outcome.RunError]

/** A parser of one's own fails with its own error, which becomes `Foreign`. */
class NoLicence extends Schema.TaggedError<NoLicence>("NoLicence")("NoLicence", { message: Schema.String }) {}
expectTypeOf(Parser.fromFunction("scans", () => new NoLicence({ message: "none" }))).toEqualTypeOf<
  Effect.Effect<Parser.Parser.Service>
>()
