import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Chunked, type Chunker, ChunkingError } from "../../Chunker.ts"
import type { DeadLetter } from "../../DeadLetter.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Failure, LedgerEntry } from "../../LedgerEntry.ts"
import { type Outcome, Unchanged, Unsupported } from "../../Outcome.ts"
import { type ParsedDocument, truncation } from "../../ParsedDocument.ts"
import type { Known, ParseError, Parser } from "../../Parser.ts"
import { CurrentRun, RunStopped } from "../../RunState.ts"
import { type FileChanged, type FileUnreadable, rootOf, type SourceFile } from "../../SourceFile.ts"
import { attributes, spans } from "../../Telemetry.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { checked } from "../chunking/metadata.ts"
import { refusalOf } from "../client/answerRules.ts"
import { isFileError } from "../client/fileError.ts"
import type { Found, Unusable } from "../discovery/foundFiles.ts"
import type { Hold as HoldResult } from "../state/ledger/runLedger.ts"
import type { ByteBudget, Lease } from "./byteBudget.ts"
import type { Compared } from "./compare.ts"
import * as Decision from "./decide.ts"
import * as DocumentRun from "./documentRun.ts"
import { isRetryable } from "./failure.ts"
import * as Hold from "./hold.ts"
import { keyOf, recordFailure, type RunMemory, sighting } from "./memory.ts"
import { duplicate, failed, notAttempted, thrown, type Truncated, unchecked } from "./outcome.ts"
import type { Paying } from "./paying.ts"
import type { Postponed } from "./postponed.ts"
import type { Session } from "./session.ts"
import type { SinkWriter } from "./sinkWriter.ts"
import type { Trace } from "./trace.ts"

/** Services and settings shared by the two stages of every document. */
export interface Context {
  readonly session: Session
  readonly parser: Parser.Service
  readonly chunker: Chunker
  readonly writers: ReadonlyArray<SinkWriter>
  readonly deadLetter: DeadLetter.Service
  readonly budget: ByteBudget
  readonly paying: Paying
  readonly truncated: Truncated
  readonly onFailure: "dead-letter" | "fail"
  /** Bytes of the vector that a chunk will get; 0 without an embedder. */
  readonly vectorBytes: number
  /** Null without a ledger. */
  readonly memory: RunMemory | null
  readonly trace: Trace
}

/** Puts a document off that another process works on; null: it is to be waited for. */
export type Postpone<P extends Postponed> = (file: SourceFile) => P | null

const never = (): null => null

/** A document whose outcome is known. */
export interface Ended {
  readonly _tag: "Ended"
  readonly outcome: Outcome
  /** True when a failure becomes a dead letter. */
  readonly keep: boolean
  /** Records the outcome in the ledger; returns the failure recorded. */
  readonly note: Effect.Effect<Failure | void, LedgerError> | null
  /** Name of the root; null when unknown. */
  readonly root: string | null
}

/** A document whose refusal may turn out to be about the run rather than about the document. */
export interface Refused {
  readonly _tag: "Refused"
  readonly file: SourceFile
  /** Equal for two identical refusals. */
  readonly refusal: string
  /** Its outcome, should the refusal be about the document. */
  readonly failure: Ended
}

/** A document whose chunks are ready to be stored. */
export interface Prepared {
  readonly _tag: "Chunked"
  readonly file: SourceFile
  readonly document: ParsedDocument
  readonly chunked: Chunked
  readonly attempts: number
  readonly lease: Lease
  /** The document's ledger entry before this run; null when it has none. */
  readonly entry: LedgerEntry | null
  readonly known: Known
}

/** What becomes of a document in this stage. */
type Result<P extends Postponed> = Ended | Refused | Prepared | P

/** Maximum number of bytes of a file that its upload holds, whatever its size. */
const uploadWindow = 1_048_576

const ended = (outcome: Outcome, note: Ended["note"] = null, keep = true): Ended => ({
  _tag: "Ended",
  outcome,
  keep,
  note,
  root: null
})

/** Name of the root of a found item. */
const rootOfFound = ({ memory }: Context, found: Found): string | null => {
  if (found._tag === "SourceFile") return rootOf(found)
  if (memory !== null) return memory.options.scope.root
  return found._tag === "Unusable" ? (found.root ?? null) : null
}

/**
 * Outcome of an unchanged file or a duplicate, computed synchronously; a repeated run has thousands of the former. Nothing of a duplicate is
 * recorded under its name, which is that of another document.
 */
export const endedAtOnce =
  ({ session }: Context): ((item: Compared) => Ended | undefined) =>
  ({ found, standing }) => {
    if (standing === "duplicate") return ended(duplicate(found), null, false)
    return standing === "unchanged" && found._tag === "SourceFile" && session.stopped() === null
      ? ended(new Unchanged({ source: found.path }, unchecked))
      : undefined
  }

/** Parses and splits; never fails. Waits until the bytes it will hold are free. */
export const prepare = (
  context: Context
): ((item: Compared) => Effect.Effect<Ended | Refused | Prepared, never, Tokenizer>) => prepareOr<never>(context, never)

/** The same, which may put off a document that another process works on. */
export const prepareOr = <P extends Postponed>(
  context: Context,
  postpone: Postpone<P>
): ((item: Compared) => Effect.Effect<Result<P>, never, Tokenizer>) => {
  const prepared = prepareFound(context, postpone)
  return (item) =>
    Effect.map(prepared(item), (end) =>
      end._tag === "Ended" ? { ...end, root: rootOfFound(context, item.found) } : end
    )
}

const prepareFound =
  <P extends Postponed>(
    context: Context,
    postpone: Postpone<P>
  ): ((item: Compared) => Effect.Effect<Result<P>, never, Tokenizer>) =>
  ({ found, standing }) => {
    if (found._tag === "Unsupported") {
      return Effect.succeed(ended(new Unsupported({ source: found.path, extension: found.extension }, unchecked)))
    }
    if (found._tag === "Unusable") return Effect.succeed(unusable(context, found))
    if (context.session.stopped() !== null) return Effect.succeed(ended(notAttempted(found)))
    const { memory } = context
    const begun =
      memory === null
        ? parsed(context, found, postpone, null, {})
        : Effect.flatMap(Decision.decide(memory, found, standing), (decision) =>
            decision._tag === "Parse"
              ? parsed(context, found, postpone, decision.entry, decision.known, decision.cached)
              : Effect.succeed(ended(decision.outcome, decision.note))
          )
    return begun.pipe(
      Effect.catchTags({
        LedgerError: (error) => Effect.succeed(halted(context, found, error)),
        FileUnreadable: (error) => Effect.succeed(lost(context, found, failed(found.path, error, isRetryable(error)))),
        FileChanged: (error) => Effect.succeed(lost(context, found, failed(found.path, error, isRetryable(error))))
      }),
      // The bytes of a source of one's own, which are read to compare them, may end by a defect.
      Effect.catchAllDefect((defect) => Effect.succeed(lost(context, found, failed(found.path, thrown(defect), false))))
    )
  }

const halted = ({ session }: Context, file: SourceFile, error: LedgerError): Ended => {
  session.halt(error)
  return ended(notAttempted(file))
}

/** A document that failed, with the record of its failure. */
export const lost = (
  { memory }: Context,
  file: SourceFile,
  outcome: ReturnType<typeof failed>,
  final: boolean = false
): Ended => ({
  ...ended(outcome, memory === null ? null : recordFailure(memory, file, sighting(memory, file), { outcome, final })),
  root: rootOf(file)
})

/** A file or folder that cannot be used. A folder gets no dead letter, since it cannot be retried, and its content is unknown. */
const unusable = ({ memory }: Context, found: Unusable): Ended => {
  const outcome = failed(found.path, found.error, isRetryable(found.error))
  if (memory === null) return ended(outcome, null, !found.folder)
  if (found.folder) {
    memory.incomplete ??= found.error.message
    return ended(outcome, null, false)
  }
  if (found.uncertain === true) memory.incomplete ??= found.error.message
  const seen = { size: 0, fingerprint: undefined, checkedAt: memory.expected.startedAt }
  return ended(outcome, recordFailure(memory, keyOf(memory, found.path), seen, { outcome, final: false }))
}

const released = <A>(lease: Lease, value: A): Effect.Effect<A> =>
  Effect.sync(() => {
    lease.release()
    return value
  })

const parsed = <P extends Postponed>(
  context: Context,
  file: SourceFile,
  postpone: Postpone<P>,
  entry: LedgerEntry | null,
  known: Known,
  cached: boolean = false
): Effect.Effect<Result<P>, LedgerError | FileUnreadable | FileChanged, Tokenizer> => {
  type Parsed = Effect.Effect<Result<P>, LedgerError | FileUnreadable | FileChanged, Tokenizer>
  const { budget, memory, session } = context
  return Effect.flatMap(budget.reserve(Math.min(file.size, uploadWindow) + session.answerBytes), (lease): Parsed => {
    if (session.stopped() !== null) return released(lease, ended(notAttempted(file)))
    if (memory === null) return parse(context, file, entry, known, lease, cached)
    const begun = (hold: HoldResult): Parsed => {
      if (hold.standing === "alone") return parse(context, file, entry, known, lease, cached)
      if (hold.standing === "busy") return released(lease, ended(notAttempted(file)))
      const again = decidedAgain(context, memory, file, hold.entry, lease)
      return Effect.onInterrupt(again, () => Hold.letGo(memory, file))
    }
    const taken = (until: () => boolean): Effect.Effect<HoldResult, LedgerError> =>
      Effect.tapErrorCause(Hold.take(memory, file, until), () => Effect.sync(() => lease.release()))
    return Effect.flatMap(
      taken(() => true),
      (hold): Parsed => {
        if (hold.standing !== "busy") return begun(hold)
        const later = postpone(file)
        return later === null
          ? Effect.flatMap(
              taken(() => session.stopped() !== null),
              begun
            )
          : released(lease, later)
      }
    )
  })
}

/** Another process may have stored the document, or failed with it, since it was compared. */
const decidedAgain = (
  context: Context,
  memory: RunMemory,
  file: SourceFile,
  entry: LedgerEntry | null,
  lease: Lease
): Effect.Effect<Ended | Refused | Prepared, LedgerError | FileUnreadable | FileChanged, Tokenizer> =>
  Decision.decideBy(memory, file, entry).pipe(
    Effect.tapErrorCause(() => Effect.sync(() => lease.release())),
    Effect.flatMap((decision) =>
      decision._tag === "Parse"
        ? parse(context, file, decision.entry, decision.known, lease, decision.cached)
        : released(lease, ended(decision.outcome, decision.note))
    )
  )

const parse = (
  context: Context,
  file: SourceFile,
  entry: LedgerEntry | null,
  known: Known,
  lease: Lease,
  cached: boolean
): Effect.Effect<Ended | Refused | Prepared, never, Tokenizer> => {
  const own = DocumentRun.make(context.session)
  // A parser of one's own, or a counter of pages, may throw.
  const asked = Effect.suspend(() => {
    const paying = cached ? () => notCached : context.paying(file)
    return context.parser.parse(file, paying === undefined ? known : { ...known, paying })
  })
  // Another file of the same bytes, whose answer this one waited for, may not have been worth a request.
  const parsed = cached ? asked : Effect.catchIf(asked, isNotCached, () => asked)
  return context.trace.part(spans.parse, parsed, fromCache).pipe(
    Effect.provideService(CurrentRun, own.state),
    Effect.either,
    Effect.flatMap((answer): Effect.Effect<Ended | Refused | Prepared, never, Tokenizer> =>
      Either.isRight(answer)
        ? answered(context, { file, entry, known, document: answer.right, attempts: own.attempts(), lease }, own)
        : released(
            lease,
            cached && isNotCached(answer.left)
              ? ended(new Unchanged({ source: file.path }, unchecked))
              : refused(context, file, answer.left, own)
          )
    ),
    Effect.catchAllDefect((defect) =>
      released(lease, lost(context, file, failed(file.path, thrown(defect), false, own.attempts(), own.contentHash())))
    )
  )
}

/** Ends a parse that is not worth a request. */
const notCached = Effect.fail(new RunStopped({ tag: "NotCached", error: "the answer is not in the cache" }))

const isNotCached = (error: ParseError): error is RunStopped => error._tag === "RunStopped" && error.tag === "NotCached"

const fromCache = (document: ParsedDocument) => ({ [attributes.fromCache]: document.origin === "cache" })

const answered = (
  context: Context,
  given: Omit<Prepared, "_tag" | "chunked">,
  own: DocumentRun.DocumentRun
): Effect.Effect<Ended | Prepared, never, Tokenizer> => {
  // Reports the answer on behalf of a parser that does not do so itself.
  if (given.document.origin === "service") own.succeeded()
  return split(context, given)
}

const refused = (
  context: Context,
  file: SourceFile,
  error: ParseError,
  own: DocumentRun.DocumentRun
): Ended | Refused => {
  const { session } = context
  if (error._tag === "RunStopped") {
    session.halt({ _tag: error.tag, message: error.error, parts: error.template })
    return ended(notAttempted(file))
  }
  const retryable = isRetryable(error)
  const outcome = failed(file.path, error, retryable, own.attempts(), own.contentHash())
  if (isFileError(error)) return lost(context, file, outcome)
  // Reports the failure likewise.
  const verdict = own.verdict() ?? own.state.failed(error)
  if (verdict === "run") {
    session.halt(error)
    return ended(notAttempted(file))
  }
  const failure = lost(context, file, outcome, !retryable)
  const refusal = context.onFailure === "dead-letter" ? refusalOf(error) : null
  return refusal === null ? failure : { _tag: "Refused", file, refusal, failure }
}

const chunkCount = ({ chunks }: Chunked) => ({ [attributes.chunks]: chunks.length })

const split = (
  context: Context,
  given: Omit<Prepared, "_tag" | "chunked">
): Effect.Effect<Ended | Prepared, never, Tokenizer> => {
  const { chunker, session, trace, truncated } = context
  const { attempts, document, file, lease } = given
  const answer = answerBytes(document)
  session.answerBytes = Math.max(answer, Math.floor(session.answerBytes * 0.95))
  lease.resize(answer)
  if (document.origin === "cache") session.fromCache += 1
  else if (document.origin === "service") {
    session.parsed += 1
    session.credits += document.metadata.creditsUsed ?? 0
  }
  if (truncated === "fail" && document.truncated) {
    const error = { _tag: "DocumentTruncated", message: `${file.path}: ${truncation(document).join("; ")}` }
    return released(lease, lost(context, file, failed(file.path, error, false, attempts, document.contentHash)))
  }
  const splitting = Effect.suspend(() =>
    Effect.flatMap(chunker.chunk(document), (chunked) => checked(document, chunked))
  )
  return trace.part(spans.chunk, splitting, chunkCount).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new ChunkingError({ source: file.path, reason: "Failed", cause }))),
    Effect.either,
    Effect.flatMap((chunked): Effect.Effect<Ended | Prepared> => {
      if (Either.isLeft(chunked)) {
        return released(
          lease,
          lost(context, file, failed(file.path, chunked.left, false, attempts, document.contentHash))
        )
      }
      lease.resize(answer + chunkBytes(chunked.right) + context.vectorBytes * chunked.right.chunks.length)
      return Effect.succeed<Prepared>({ _tag: "Chunked", ...given, chunked: chunked.right })
    })
  )
}

/** Bytes of an answer in memory, at two bytes per character, as text outside of Latin-1 takes. */
const answerBytes = (document: ParsedDocument): number => {
  let characters = document.markdown.length
  for (const page of document.pages ?? []) characters += page.markdown.length
  for (const page of document.blocks ?? []) for (const block of page.items) characters += block.content.length + 100
  return 2 * characters
}

/** Bytes that chunks add to the answer. Their text is a slice of the Markdown; only context and object itself are new. */
const chunkBytes = ({ chunks }: Chunked): number => {
  let bytes = 0
  for (const chunk of chunks) bytes += 2 * chunk.embedText.length + 400 + 8 * (chunk.embedding?.length ?? 0)
  return bytes
}
