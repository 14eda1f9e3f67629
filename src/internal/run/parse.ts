import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ParsedDocument, truncation } from "../../ParsedDocument.ts"
import type { ParseError } from "../../Parser.ts"
import { ServiceError } from "../../service/ServiceError.ts"
import { rootOf, type SourceFile } from "../../SourceFile.ts"
import { attributes, spans } from "../../Telemetry.ts"
import { refusalOf } from "../client/answerRules.ts"
import { type Answered, CurrentFile, isNotCached, notCached } from "../client/currentFile.ts"
import { CurrentRun } from "../client/runState.ts"
import type { RunContext } from "./context.ts"
import { DocumentTruncated, fromDefect, fromError } from "./documentError.ts"
import * as DocumentState from "./documentState.ts"
import { type Ended, ended, endedBy, failedBy, halted, type Parsed, type Refused, type ToParse } from "./item.ts"
import { failed, namesOf, unchanged } from "./outcome.ts"

/** Asks the parser, whose answer is that of the cache or of the service. Never fails. */
export const parse = (context: RunContext, decided: ToParse): Effect.Effect<Ended | Refused | Parsed> => {
  const { parser, session, trace } = context
  const { cached, entry, file, known } = decided
  const own = DocumentState.make(session)
  let isCounted = false
  const answered = (answer: Answered): void => {
    if (!isCounted) count(context, answer)
    isCounted = true
  }
  // Not only the effect: a parser of the program, or its counter of pages, may throw before there is one.
  const asked = Effect.suspend(() => parser.parse(file, {}))
  // Another file of the same bytes, whose answer this one waited for, may not have been worth a request.
  const answer = cached ? Effect.catchIf(asked, isNotCached, () => asked) : asked
  return trace.part(spans.parse, answer, fromCache).pipe(
    Effect.mapInputContext((services: Context.Context<never>) => {
      const paying = cached ? notCached : context.paying(file)
      return Context.add(Context.add(services, CurrentRun, own.state), CurrentFile, { ...known, paying, answered })
    }),
    Effect.match({
      onFailure: (error) =>
        cached && isNotCached(error) ? ended(rootOf(file), unchanged(file)) : refused(context, file, error, own),
      onSuccess: (document): Ended | Parsed => {
        // On behalf of a parser that does not report its answers itself.
        if (document.origin === "service") own.succeeded()
        answered(document)
        const { attempts } = own.facts()
        if (context.truncated !== "fail" || !document.truncated) {
          return { _tag: "Parsed", file, entry, known, document, attempts }
        }
        const { contentHash } = document
        const error = new DocumentTruncated({ path: file.path, limits: truncation(document) })
        return failedBy(context, file, error, { attempts, contentHash })
      }
    }),
    Effect.catchAllDefect((defect) => Effect.sync(() => failedBy(context, file, fromDefect(defect), own.facts())))
  )
}

const fromCache = (document: ParsedDocument) => ({ [attributes.fromCache]: document.origin === "cache" })

const count = ({ free, session }: RunContext, { metadata, origin }: Answered): void => {
  if (origin === "cache") session.fromCache += 1
  else if (origin === "service") {
    session.parsed += 1
    session.credits += free ? 0 : (metadata.creditsUsed ?? 0)
  }
}

const isServiceError = Schema.is(ServiceError)

const refused = (
  context: RunContext,
  file: SourceFile,
  error: ParseError,
  own: DocumentState.DocumentState
): Ended | Refused => {
  if (error._tag === "RunStopped") return halted(context, file, error.cause, { source: error.source })
  if (error._tag === "InvalidOptions") return halted(context, file, error)
  const known = fromError(error)
  const outcome = failed(namesOf(file), known, own.facts())
  if (!isServiceError(known)) return endedBy(context, file, outcome)
  // On behalf of a parser that does not report its failures itself.
  const verdict = own.verdict() ?? own.state.failed(known)
  if (verdict === "run") return halted(context, file, known)
  const failure = endedBy(context, file, outcome, !outcome.retryable)
  const refusal = context.onFailure === "dead-letter" ? refusalOf(known) : null
  return refusal === null ? failure : { _tag: "Refused", file, refusal, failure }
}
