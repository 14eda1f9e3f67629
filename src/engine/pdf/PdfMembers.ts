/** The members of an answer for a PDF that are written from its Markdown, and the language of its text. */
import * as MarkdownTreeReader from "../html/MarkdownTreeReader.ts"
import * as TreeMembers from "../html/TreeMembers.ts"
import type { PdfJob, PdfResult } from "../jobs.ts"
import * as Language from "../Language.ts"
import type { PdfSuccess } from "./PdfEngine.ts"

/** The result with the members that the job names. Throws a `Refusal` for a tag of the job that is no selector. */
export const completed = (result: PdfSuccess, job: PdfJob): PdfResult => ({
  ...result,
  ...(job.members.length > 0 && TreeMembers.of(MarkdownTreeReader.read(result.markdown), job)),
  metadata: { ...Language.completed(result.metadata, result.markdown) }
})
