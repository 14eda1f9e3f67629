/** A document's rows while a write holds them. */
import type { ChunkId } from "../../../DocumentChunk.ts"
import { documentId, rootOf } from "../../../SourceFile.ts"
import type { Failure, Generation, Holding, Key, LedgerEntry, Removal } from "./entry.ts"
import * as ChunkIds from "./packedIds.ts"

/** Chunks that each sink may hold in addition to the generation that it acknowledged. */
export type Pending = Map<string, ReadonlyArray<ChunkId>>

/** Mutable. A rule that changes it marks the rows that are to be written. */
export interface Document {
  /** 0 without a row. */
  readonly id: number
  readonly root: string
  readonly path: string
  generation: number
  stored: Generation | null
  failure: Failure | null
  readonly pending: Pending
  /** The session that works on it; null for none. */
  holder: number | null
  fence: number
  /** True when another session that is alive works on it. */
  readonly busy: boolean
  /** Scopes that are to claim it, each once. */
  readonly claims: Array<number>
  /** `light`: all but the generation; `whole`: all; `dropped`: the rows are to be deleted. */
  change: "none" | "light" | "whole" | "dropped"
  /** Sinks whose pending chunks changed. */
  readonly sinks: Array<string>
}

/** A document without rows. */
export const absent = (key: Key, id = 0): Document => ({
  id,
  root: rootOf(key),
  path: key.path,
  generation: 0,
  stored: null,
  failure: null,
  pending: new Map(),
  holder: null,
  fence: 0,
  busy: false,
  claims: [],
  change: "none",
  sinks: []
})

export const changed = (document: Document, change: "light" | "whole"): void => {
  if (document.change !== "dropped" && document.change !== "whole") document.change = change
}

export const setPending = (document: Document, sink: string, ids: ReadonlyArray<ChunkId>): void => {
  if (ids.length > 0) document.pending.set(sink, ids)
  else if (!document.pending.delete(sink)) return
  if (!document.sinks.includes(sink)) document.sinks.push(sink)
}

export const keyOf = ({ path, root }: Document): Key => ({ documentId: documentId(root, path), path })

/** Null for a row of which nothing is known yet. */
export const entryOf = (document: Document): LedgerEntry | null => {
  const { failure, generation, path, root, stored } = document
  const isUnknown = stored === null && failure === null
  return isUnknown ? null : { documentId: documentId(root, path), root, path, generation, stored, failure }
}

/** All chunks that sinks may hold. */
export const holdingOf = (document: Document): Holding => {
  const { pending, root, stored } = document
  const all = new Map(pending)
  for (const { sink } of stored?.acknowledged ?? []) {
    all.set(sink, ChunkIds.without([...(stored?.chunkIds ?? []), ...(all.get(sink) ?? [])], []))
  }
  return { ...keyOf(document), root, held: [...all].map(([sink, chunkIds]) => ({ sink, chunkIds })) }
}

/** Chunks due for removal: those of sinks that have the present generation, or all when there is none. */
export const dueOf = (document: Document): ReadonlyArray<Removal> => {
  const { documentId, path } = keyOf(document)
  const { pending, stored } = document
  return [...pending]
    .filter(([sink]) => stored === null || stored.acknowledged.some((ack) => ack.sink === sink))
    .map(([sink, chunkIds]) => ({ documentId, path, sink, chunkIds }))
}

/** True when no sink holds chunks of it. */
export const isEmpty = ({ pending, stored }: Document): boolean => stored === null && pending.size === 0

/** True for a row that was made for a write without a result. */
export const isBare = (document: Document): boolean =>
  document.holder === null &&
  document.generation === 0 &&
  document.failure === null &&
  document.claims.length === 0 &&
  isEmpty(document)
