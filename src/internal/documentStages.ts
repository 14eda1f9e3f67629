import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Chunked, type Chunker, ChunkingError } from "../Chunker.ts"
import type { SinkError } from "../ChunkSink.ts"
import type { DeadLetter, DeadLetterError } from "../DeadLetter.ts"
import { Failed, NotAttempted, type Outcome, Stored, Unsupported } from "../Outcome.ts"
import { pageCount, type ParsedDocument } from "../ParsedDocument.ts"
import type { ParseError, Parser } from "../Parser.ts"
import { CurrentRun } from "../RunState.ts"
import type { SourceFile } from "../SourceFile.ts"
import type { Tokenizer } from "../Tokenizer.ts"
import type { ByteBudget, Lease } from "./byteBudget.ts"
import * as DocumentRun from "./documentRun.ts"
import { isRetryable } from "./failure.ts"
import type { Found } from "./foundFiles.ts"
import type { Session } from "./session.ts"
import type { SinkWriter } from "./sinkWriter.ts"

/** What the two stages of every document share. */
export interface Context {
  readonly session: Session
  readonly parser: Parser.Service
  readonly chunker: Chunker
  readonly writers: ReadonlyArray<SinkWriter>
  readonly deadLetter: DeadLetter.Service
  readonly budget: ByteBudget
  readonly onFailure: "dead-letter" | "fail"
}

/** A document on its way: its end is known, or its chunks are there to be stored. */
export type Prepared =
  | { readonly _tag: "Ended"; readonly outcome: Outcome; readonly keep: boolean }
  | {
      readonly _tag: "Chunked"
      readonly file: SourceFile
      readonly document: ParsedDocument
      readonly chunked: Chunked
      readonly attempts: number
      readonly lease: Lease
    }

/** Bytes of a file that its upload holds at most, whatever its size. */
const uploadWindow = 1_048_576

/** For what is made here of checked parts: on the road of every document a check costs more than all the rest. */
const unchecked = { disableValidation: true } as const

const ended = (outcome: Outcome, keep = true): Prepared => ({ _tag: "Ended", outcome, keep })

const failed = (
  source: string,
  error: { readonly _tag: string; readonly message: string },
  retryable: boolean,
  attempts = 0,
  contentHash: string | null = null
): Failed => new Failed({ source, contentHash, tag: error._tag, message: error.message, retryable, attempts })

/** Parses and splits; never fails. Waits until the bytes it will hold are free. */
export const prepare =
  (context: Context): ((found: Found) => Effect.Effect<Prepared, never, Tokenizer>) =>
  (found) => {
    if (found._tag === "Unsupported") {
      return Effect.succeed(ended(new Unsupported({ source: found.path, extension: found.extension }, unchecked)))
    }
    if (found._tag === "Unusable") {
      // A folder cannot be sent again: it has no dead letter.
      return Effect.succeed(ended(failed(found.path, found.error, isRetryable(found.error)), !found.folder))
    }
    if (context.session.stopped() !== null) return Effect.succeed(notAttempted(found))
    return Effect.flatMap(
      context.budget.reserve(Math.min(found.size, uploadWindow) + context.session.answerBytes),
      (lease) =>
        context.session.stopped() === null ? parse(context, found, lease) : released(lease, notAttempted(found))
    )
  }

const notAttempted = (file: SourceFile): Prepared => ended(new NotAttempted({ source: file.path }, unchecked))

const released = (lease: Lease, prepared: Prepared): Effect.Effect<Prepared> =>
  Effect.sync(() => {
    lease.release()
    return prepared
  })

const parse = (context: Context, file: SourceFile, lease: Lease): Effect.Effect<Prepared, never, Tokenizer> => {
  const own = DocumentRun.make(context.session)
  return context.parser.parse(file).pipe(
    Effect.provideService(CurrentRun, own.state),
    Effect.either,
    Effect.flatMap((answer) =>
      Either.isRight(answer)
        ? split(context, file, answer.right, own.attempts(), lease)
        : released(lease, refused(context, file, answer.left, own))
    ),
    Effect.catchAllDefect((defect) => released(lease, ended(failed(file.path, thrown(defect), false, own.attempts()))))
  )
}

/** What a defect is called: a fault of this program, kept to the document that met it. */
const thrown = (defect: unknown): { readonly _tag: string; readonly message: string } => ({
  _tag: "Defect",
  message: String(defect)
})

const refused = ({ session }: Context, file: SourceFile, error: ParseError, own: DocumentRun.DocumentRun): Prepared => {
  if (error._tag === "RunStopped") {
    session.halt(error.tag, error.error)
    return notAttempted(file)
  }
  if (isFileError(error)) return ended(failed(file.path, error, isRetryable(error), own.attempts()))
  // A parser that does not report its answers has them judged here.
  const verdict = own.verdict() ?? own.state.failed(error)
  if (verdict === "run") {
    session.halt(error._tag, error.message)
    return notAttempted(file)
  }
  return ended(failed(file.path, error, isRetryable(error), own.attempts()))
}

const fileErrors = new Set<string>(["FileUnreadable", "FileChanged", "FileTooLarge", "UnsupportedFile"])

type FileErrorTag = "FileUnreadable" | "FileChanged" | "FileTooLarge" | "UnsupportedFile"

const isFileError = (
  error: Exclude<ParseError, { readonly _tag: "RunStopped" }>
): error is Extract<ParseError, { readonly _tag: FileErrorTag }> => fileErrors.has(error._tag)

const split = (
  { chunker, session }: Context,
  file: SourceFile,
  document: ParsedDocument,
  attempts: number,
  lease: Lease
): Effect.Effect<Prepared, never, Tokenizer> => {
  const answer = answerBytes(document)
  session.answerBytes = Math.max(answer, Math.floor(session.answerBytes * 0.95))
  lease.resize(answer)
  if (document.origin === "cache") session.fromCache += 1
  else {
    session.parsed += 1
    session.credits += document.metadata.creditsUsed ?? 0
  }
  return Effect.suspend(() => chunker.chunk(document)).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new ChunkingError({ source: file.path, reason: "Failed", cause }))),
    Effect.either,
    Effect.flatMap((chunked) => {
      if (Either.isLeft(chunked)) {
        return released(lease, ended(failed(file.path, chunked.left, false, attempts, document.contentHash)))
      }
      lease.resize(answer + chunkBytes(chunked.right))
      return Effect.succeed<Prepared>({ _tag: "Chunked", file, document, chunked: chunked.right, attempts, lease })
    })
  )
}

/** At two bytes a character, which is what text outside of Latin-1 takes. */
const answerBytes = (document: ParsedDocument): number => {
  let characters = document.markdown.length
  for (const page of document.pages ?? []) characters += page.markdown.length
  for (const page of document.blocks ?? []) for (const block of page.items) characters += block.content.length + 100
  return 2 * characters
}

/** The text of a chunk is a part of the Markdown; what it adds is its context, and itself. */
const chunkBytes = ({ chunks }: Chunked): number => {
  let bytes = 0
  for (const chunk of chunks) bytes += 2 * chunk.embedText.length + 400 + 8 * (chunk.embedding?.length ?? 0)
  return bytes
}

/**
 * Hands the chunks to every sink and says what became of the document; the sinks have it in their queues when this returns,
 * so that documents are written in the order of the calls. Never fails.
 */
export const store =
  (context: Context): ((prepared: Prepared) => Effect.Effect<Outcome>) =>
  (prepared) => {
    if (prepared._tag === "Ended") return settled(context, prepared.outcome, prepared.keep)
    const { document, chunked, file, lease } = prepared
    const writes = context.writers.map((writer) => writer.submit(document.documentId, chunked.chunks))
    return Effect.flatMap(Effect.forEach(writes, Effect.either), (results) => {
      lease.release()
      const failure = results.find(Either.isLeft)
      return settled(
        context,
        failure === undefined
          ? stored(prepared)
          : failedToStore(file.path, failure.left, prepared.attempts, document.contentHash),
        true
      )
    })
  }

const failedToStore = (source: string, error: SinkError, attempts: number, contentHash: string): Failed =>
  failed(source, error, isRetryable(error), attempts, contentHash)

const stored = ({ document, chunked, file }: Extract<Prepared, { readonly _tag: "Chunked" }>): Stored => {
  let tokens = 0
  for (const chunk of chunked.chunks) tokens += chunk.tokens
  const fromCache = document.origin === "cache"
  return new Stored(
    {
      source: file.path,
      chunks: { added: chunked.chunks.length, deleted: 0, unchanged: 0 },
      pages: pageCount(document),
      credits: fromCache ? 0 : (document.metadata.creditsUsed ?? 0),
      tokens,
      bytes: file.size,
      fromCache,
      truncated: document.truncated,
      warnings: [...document.warnings, ...uncertain(chunked)]
    },
    unchecked
  )
}

const uncertain = ({ unplaced, ambiguousMarkers }: Chunked): ReadonlyArray<string> => [
  ...(unplaced.length > 0 ? [`${unplaced.length} blocks have no place in the Markdown: ${some(unplaced)}`] : []),
  ...(ambiguousMarkers.length > 0
    ? [`${ambiguousMarkers.length} lines may be page markers or text, at offsets ${some(ambiguousMarkers)}`]
    : [])
]

const some = (items: ReadonlyArray<string | number>): string =>
  items.length > 5 ? `${items.slice(0, 5).join(", ")}, …` : items.join(", ")

/** Keeps the dead letters in step with the outcome. */
const settled = (context: Context, outcome: Outcome, keep: boolean): Effect.Effect<Outcome> => {
  const { deadLetter, onFailure, session } = context
  const kept = (write: Effect.Effect<void, DeadLetterError>): Effect.Effect<Outcome> =>
    write.pipe(
      Effect.catchTag("DeadLetterError", (error) => Effect.sync(() => session.halt(error._tag, error.message))),
      Effect.as(outcome)
    )
  if (outcome._tag === "Stored" || outcome._tag === "Unchanged") return kept(deadLetter.remove(outcome.source))
  if (outcome._tag !== "Failed") return Effect.succeed(outcome)
  if (onFailure === "fail") session.halt(outcome.tag, `${outcome.source}: ${outcome.message}`)
  return keep ? kept(deadLetter.add(outcome)) : Effect.succeed(outcome)
}
