import type { ParsedDocument } from "docsluice/ParsedDocument"
import { DocumentId } from "docsluice/SourceFile"

/** A document of Markdown alone, without pages and blocks. */
export const markdownDocument = (markdown: string): ParsedDocument => ({
  documentId: DocumentId.make("root/a.md"),
  source: "a.md",
  contentHash: "",
  markdown,
  pages: null,
  blocks: null,
  metadata: {},
  warnings: [],
  truncated: false,
  origin: "service"
})
