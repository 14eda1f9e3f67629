import type { DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentChunk as Chunk } from "docsluice/DocumentChunk"
import type { Flat, Plant } from "./honest.ts"

/** A mistake that an author of a sink makes. */
export interface Defect {
  readonly name: string
  /** Name of the case that must find it. */
  readonly caughtBy: string
  readonly plant: Plant
}

/** Changes each chunk on its way into the store. */
export const storing =
  (change: (chunk: DocumentChunk) => Partial<DocumentChunk>): Plant =>
  ({ sink }) => {
    const { replace } = sink
    const changed = (chunks: ReadonlyArray<DocumentChunk>) =>
      chunks.map((chunk) => new Chunk({ ...chunk, ...change(chunk) }, { disableValidation: true }))
    return {
      ...sink,
      write: (batch) => sink.write(changed(batch)),
      ...(replace && { replace: (documentId, chunks) => replace(documentId, changed(chunks)) })
    }
  }

/** Puts other calls in the place of the honest ones. */
export const calls =
  (change: (parts: Parameters<Plant>[0]) => Partial<Flat>): Plant =>
  (parts) => ({ ...parts.sink, ...change(parts) })
