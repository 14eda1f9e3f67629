import type { Chunked } from "../../Chunker.ts"
import { Failed, NotAttempted, type Outcome, Stored, Unchanged } from "../../Outcome.ts"
import { pageCount, type ParsedDocument, truncation } from "../../ParsedDocument.ts"
import { documentId, rootOf, type SourceFile } from "../../SourceFile.ts"
import type { Report } from "../state/ledger/entry.ts"
import type { DocumentError } from "./documentError.ts"
import { isRetryable } from "./failure.ts"

/** Skips validation of values built from checked parts: for each document it would cost more than all the rest. */
export const unchecked = { disableValidation: true } as const

/** Facts about a failure; default: no request sent, bytes unread. */
export type FailureFacts = Partial<Pick<Failed, "attempts" | "contentHash">>

/** Names of a file: those of its document. */
export type Names = Pick<Failed, "source" | "documentId" | "root">

/** A document with its id, as outcomes name it. */
export const namesOf = (file: Pick<SourceFile, "documentId" | "path">): Pick<Stored, keyof Names> => ({
  source: file.path,
  documentId: file.documentId,
  root: rootOf(file)
})

/** A file that is no document of a source, as outcomes name it. */
export const namesIn = (root: string | null, path: string): Names => ({
  source: path,
  documentId: root === null ? null : documentId(root, path),
  root
})

export const failed = (
  names: Names,
  error: DocumentError,
  { attempts = 0, contentHash = null }: FailureFacts = {}
): Failed => new Failed({ ...names, contentHash, error, retryable: isRetryable(error), attempts }, unchecked)

/** True for the outcome of a duplicate, whose name is that of another document of the run. */
export const isDuplicate = (outcome: Outcome): boolean =>
  outcome._tag === "Failed" && outcome.error._tag === "DuplicateDocument"

export const notAttempted = (file: Pick<SourceFile, "documentId" | "path">): NotAttempted =>
  new NotAttempted(namesOf(file), unchecked)

/** As `new Unchanged(…, unchecked)`, in a tenth of its time: the only outcome of most documents of a run in which nothing changed. */
export const unchanged = (file: SourceFile): Unchanged =>
  Object.assign<Unchanged, Omit<Unchanged, never>>(Object.create(Unchanged.prototype), {
    _tag: "Unchanged",
    ...namesOf(file)
  })

/** Handling of a document that was parsed in part: stored, stored with a warning, or failed. */
export type Truncated = "store" | "warn" | "fail"

export const report = (
  document: ParsedDocument,
  chunked: Chunked,
  { free, truncated }: { readonly free: boolean; readonly truncated: Truncated }
): Report => {
  let tokens = 0
  for (const chunk of chunked.chunks) tokens += chunk.tokens
  const unsaid = new Set(truncated === "store" ? truncation(document) : [])
  return {
    pages: pageCount(document),
    credits: free ? 0 : (document.metadata.creditsUsed ?? 0),
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
      ...namesOf(file),
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
