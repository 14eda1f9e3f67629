import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Unchanged } from "../../Outcome.ts"
import { type ParsedDocument, truncation } from "../../ParsedDocument.ts"
import type { ParseError } from "../../Parser.ts"
import { rootOf, type SourceFile } from "../../SourceFile.ts"
import { attributes, spans } from "../../Telemetry.ts"
import { refusalOf } from "../client/answerRules.ts"
import { isFileError } from "../client/fileError.ts"
import { CurrentRun, RunStopped } from "../client/runState.ts"
import type { RunContext } from "./context.ts"
import * as DocumentState from "./documentState.ts"
import { isRetryable } from "./failure.ts"
import { type Ended, ended, endedBy, failedBy, halted, type Parsed, type Refused, type ToParse } from "./item.ts"
import { failed, thrown, unchecked } from "./outcome.ts"

/** Asks the parser, whose answer is that of the cache or of the service. Never fails. */
export const parse = (context: RunContext, decided: ToParse): Effect.Effect<Ended | Refused | Parsed> => {
  const { parser, session, trace } = context
  const { cached, entry, file, known } = decided
  const own = DocumentState.make(session)
  // Not only the effect: a parser of the program, or its counter of pages, may throw before there is one.
  const asked = Effect.suspend(() => {
    const paying = cached ? () => notCached : context.paying(file)
    return parser.parse(file, paying === undefined ? known : { ...known, paying })
  })
  // Another file of the same bytes, whose answer this one waited for, may not have been worth a request.
  const answer = cached ? Effect.catchIf(asked, isNotCached, () => asked) : asked
  return trace.part(spans.parse, answer, fromCache).pipe(
    Effect.provideService(CurrentRun, own.state),
    Effect.either,
    Effect.map((answer): Ended | Refused | Parsed => {
      if (Either.isLeft(answer)) {
        return cached && isNotCached(answer.left)
          ? ended(rootOf(file), new Unchanged({ source: file.path }, unchecked))
          : refused(context, file, answer.left, own)
      }
      const document = answer.right
      // On behalf of a parser that does not report its answers itself.
      if (document.origin === "service") own.succeeded()
      count(context, document)
      const { attempts } = own.facts()
      if (context.truncated !== "fail" || !document.truncated) {
        return { _tag: "Parsed", file, entry, known, document, attempts }
      }
      const message = `${file.path}: ${truncation(document).join("; ")}`
      const { contentHash } = document
      return failedBy(context, file, { _tag: "DocumentTruncated", message }, { attempts, contentHash })
    }),
    Effect.catchAllDefect((defect) => Effect.sync(() => failedBy(context, file, thrown(defect), own.facts())))
  )
}

/** Ends a parse that is not worth a request. */
const notCached = Effect.fail(new RunStopped({ tag: "NotCached", error: "the answer is not in the cache" }))

const isNotCached = (error: ParseError): error is RunStopped => error._tag === "RunStopped" && error.tag === "NotCached"

const fromCache = (document: ParsedDocument) => ({ [attributes.fromCache]: document.origin === "cache" })

const count = ({ session }: RunContext, { metadata, origin }: ParsedDocument): void => {
  if (origin === "cache") session.fromCache += 1
  else if (origin === "service") {
    session.parsed += 1
    session.credits += metadata.creditsUsed ?? 0
  }
}

const refused = (
  context: RunContext,
  file: SourceFile,
  error: ParseError,
  own: DocumentState.DocumentState
): Ended | Refused => {
  if (error._tag === "RunStopped") {
    return halted(context, file, { _tag: error.tag, message: error.error, parts: error.template })
  }
  const retryable = isRetryable(error)
  const outcome = failed(file.path, error, { ...own.facts(), retryable })
  if (isFileError(error)) return endedBy(context, file, outcome)
  // On behalf of a parser that does not report its failures itself.
  const verdict = own.verdict() ?? own.state.failed(error)
  if (verdict === "run") return halted(context, file, error)
  const failure = endedBy(context, file, outcome, !retryable)
  const refusal = context.onFailure === "dead-letter" ? refusalOf(error) : null
  return refusal === null ? failure : { _tag: "Refused", file, refusal, failure }
}
