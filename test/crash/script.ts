/** Data that the writer writes, from which the test derives the expected contents. */
import { ChunkId } from "docsluice/DocumentChunk"
import type { CacheKey } from "docsluice/ParseCache"
import type { Answer } from "docsluice/service/Client"
import { documentId } from "docsluice/SourceFile"
import { type Commit } from "../../src/internal/state/ledger/runLedger.ts"

export const sink = { sink: "jsonl:/a", store: "s" }

export const documents: ReadonlyArray<number> = Array.from({ length: 200 }, (_, index) => index)

const hash = (text: string): string => Buffer.from(text.padEnd(32, ".")).toString("hex").slice(0, 64)

export const path = (document: number): string => `folder/${document}.pdf`

/** Each step keeps one chunk of the one before it. */
export const chunkIds = (document: number, step: number): ReadonlyArray<ChunkId> =>
  [`${document}/${step}`, `${document}/${step}/only`, `${document}/${step + 1}`].map((text) => ChunkId.make(hash(text)))

export const commit = (document: number, step: number): Commit => ({
  documentId: documentId("docs", path(document)),
  path: path(document),
  size: step,
  fingerprint: undefined,
  checkedAt: 1,
  contentHash: hash(`${document} ${step}`),
  optionsHash: "o",
  identity: "i",
  configuration: "c",
  embedder: null,
  chunkIds: chunkIds(document, step),
  acknowledged: [sink],
  report: { pages: 1, credits: 1, tokens: step, truncated: false, warnings: [`step ${step}`] },
  scope: null
})

export const key = (document: number): CacheKey => ({
  contentHash: hash(`content ${document}`),
  type: "application/pdf",
  optionsHash: "o",
  identity: "i"
})

/** Every fourth is large enough for a file of its own. */
export const answer = (document: number): Answer => ({
  contentHash: key(document).contentHash,
  data: {
    markdown: `# ${document}\n`.repeat(document % 4 === 0 ? 40_000 : 40),
    metadata: { title: `${document}` }
  }
})
