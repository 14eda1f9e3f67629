/** What helps against an error, in the words of a face: for lists of failures, reports of runs, and the page of the server. */
import { commandLine, type Message, page, render } from "./message.ts"
import { ofDocuments, ofOthers, ofPage, type Remedy } from "./remedyTable.ts"

/** Remedies by tag: every public error, and `Defect`, which a `Foreign` has. */
export const remedies: ReadonlyMap<string, Remedy> = new Map(Object.entries({ ...ofDocuments, ...ofOthers }))

/** Tags that documents of a run can fail with, in the order of the table. */
export const documentTags: ReadonlyArray<string> = Object.keys(ofDocuments)

/** What helps against an error, on the command line; null for a tag that is not of this package. */
export const remedyOf = (tag: string): string | null => {
  const known = remedies.get(tag)
  return known === undefined ? null : render(known.remedy, commandLine)
}

/** Words about the documents that failed with a tag. */
export interface Cause {
  readonly what: string
  readonly remedy: string
}

/** The words for a tag; another tag, such as a sink's own, is told by its name. */
export const of = (tag: string, retryable: boolean): Cause => ({
  what: remedies.get(tag)?.what ?? `failed with ${tag}`,
  remedy:
    remedyOf(tag) ??
    (retryable
      ? "it may pass by itself: send them again"
      : "see the message; sending the same file again does not help")
})

const pageRemedies: ReadonlyMap<string, Message | null> = new Map(Object.entries(ofPage))

const onPage = (tag: string, reason: string): Message | null => {
  const own = pageRemedies.get(tag)
  if (own !== undefined) return own
  const known = remedies.get(tag)
  return known?.pageByReason?.[reason] ?? known?.page ?? known?.remedy ?? null
}

/** What helps a visitor of the server's page, as a sentence; null where nothing is known to. */
export const pageRemedyOf = (error: { readonly _tag: string; readonly reason?: unknown }): string | null => {
  const remedy = onPage(error._tag, String(error.reason))
  if (remedy === null) return null
  const words = render(remedy, page)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
