/** The members of an answer for a PDF that are written from its Markdown, and the language of its text. */
import type { PdfResult, TreeOptions } from "../jobs.ts"
import * as Language from "../Language.ts"
import type { PdfSuccess } from "./PdfEngine.ts"

const members = async ({ markdown }: PdfSuccess, job: TreeOptions) => {
  const [{ read }, { of }] = await Promise.all([
    import("../html/MarkdownTreeReader.ts"),
    import("../html/TreeMembers.ts")
  ])
  return of(read(markdown), job)
}

/** The result with the members that the job names. Rejects with a `Refusal` for a tag of the job that is no selector. */
export const completed = async (result: PdfSuccess, job: TreeOptions): Promise<PdfResult> => ({
  ...result,
  ...(job.members.length > 0 && (await members(result, job))),
  metadata: { ...Language.completed(result.metadata, result.markdown) }
})
