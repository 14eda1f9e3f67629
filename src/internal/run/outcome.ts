import type { Chunked } from "../../Chunker.ts"
import { Failed, NotAttempted, type Outcome, Stored } from "../../Outcome.ts"
import { pageCount, type ParsedDocument, truncation } from "../../ParsedDocument.ts"
import { DuplicateDocument, type SourceFile } from "../../SourceFile.ts"
import type { Report } from "../state/ledger/entry.ts"

/** Skips validation of values built from checked parts: for each document it would cost more than all the rest. */
export const unchecked = { disableValidation: true } as const

/** The error of a `Failed` outcome. */
export interface Cause {
  readonly _tag: string
  readonly message: string
}

/** Facts about a failure; default: not retryable, no request sent, bytes unread. */
export type FailureFacts = Partial<Pick<Failed, "retryable" | "attempts" | "contentHash">>

export const failed = (
  source: string,
  { _tag: tag, message }: Cause,
  { attempts = 0, contentHash = null, retryable = false }: FailureFacts = {}
): Failed => new Failed({ source, contentHash, tag, message, retryable, attempts })

/** The outcome of a file whose id an earlier one of the run has. */
export const duplicate = ({ path }: { readonly path: string }): Failed => failed(path, new DuplicateDocument({ path }))

/** True for the outcome of a duplicate, whose name is that of another document of the run. */
export const isDuplicate = (outcome: Outcome): boolean =>
  outcome._tag === "Failed" && outcome.tag === "DuplicateDocument"

export const notAttempted = (file: { readonly path: string }): NotAttempted =>
  new NotAttempted({ source: file.path }, unchecked)

/** The cause of a document that failed by a defect, a fault of this program. */
export const thrown = (defect: unknown): Cause => ({ _tag: "Defect", message: String(defect) })

/** Handling of a document that was parsed in part: stored, stored with a warning, or failed. */
export type Truncated = "store" | "warn" | "fail"

export const report = (document: ParsedDocument, chunked: Chunked, truncated: Truncated): Report => {
  let tokens = 0
  for (const chunk of chunked.chunks) tokens += chunk.tokens
  const unsaid = new Set(truncated === "store" ? truncation(document) : [])
  return {
    pages: pageCount(document),
    credits: document.metadata.creditsUsed ?? 0,
    tokens,
    truncated: document.truncated,
    warnings: [...document.warnings.filter((warning) => !unsaid.has(warning)), ...uncertain(chunked)]
  }
}

export const stored = (
  file: SourceFile,
  document: ParsedDocument,
  { credits, pages, tokens, truncated, warnings }: Report,
  chunks: Stored["chunks"]
): Stored => {
  const fromCache = document.origin === "cache"
  return new Stored(
    {
      source: file.path,
      chunks,
      pages,
      credits: fromCache ? 0 : credits,
      tokens,
      bytes: file.size,
      fromCache,
      truncated,
      warnings
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
