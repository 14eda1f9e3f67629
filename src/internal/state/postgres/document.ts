/** A document's rows while a transaction holds them, and what writes make of them. */
import { createHash } from "node:crypto"
import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Failure, Generation, Key, LedgerEntry, Removal } from "../../../LedgerEntry.ts"
import { documentId, rootOf } from "../../../SourceFile.ts"
import * as ChunkIds from "../ledger/packedIds.ts"
import { due } from "../ledger/writes.ts"

/** Chunks that each sink may hold in addition to the generation that it acknowledged. */
export type Pending = Map<string, ReadonlyArray<ChunkId>>

/** Key of a document: a part of the SHA-256 of its root and path, as PostgreSQL writes a `uuid`. */
export const keyOf = (root: string, path: string): string =>
  createHash("sha256").update(`${root}\0${path}`).digest("hex").slice(0, 32)

export const keyOfDocument = (key: Key): string => keyOf(rootOf(key), key.path)

/** Mutable. Whoever changes it says which of its rows are to be written. */
export interface Document {
  /** 0 for one that has no row. */
  readonly id: number
  readonly root: string
  readonly path: string
  generation: number
  stored: Generation | null
  failure: Failure | null
  pending: Pending
  /** The session that works on it; null for none. */
  holder: number | null
  fence: number
  /** True when another session that is alive works on it. */
  readonly busy: boolean
  /** Scans for whose scopes it is to be claimed. */
  readonly claims: Set<number>
  /** `light`: all but the generation; `whole`: all; `dropped`: the rows are to be deleted. */
  change: "none" | "light" | "whole" | "dropped"
  /** Sinks whose pending chunks changed. */
  readonly sinks: Set<string>
}

export const changed = (document: Document, change: "light" | "whole"): void => {
  if (document.change !== "dropped" && document.change !== "whole") document.change = change
}

export const setPending = (document: Document, sink: string, ids: ReadonlyArray<ChunkId>): void => {
  if (ids.length > 0) document.pending.set(sink, ids)
  else if (!document.pending.delete(sink)) return
  document.sinks.add(sink)
}

export const entryOf = ({ failure, generation, path, root, stored }: Document): LedgerEntry => ({
  documentId: documentId(root, path),
  root,
  path,
  generation,
  stored,
  failure
})

/** All chunks that sinks may hold, by sink. */
export const heldOf = ({ pending, stored }: Document): ReadonlyMap<string, ReadonlyArray<ChunkId>> => {
  const all = new Map(pending)
  for (const { sink } of stored?.acknowledged ?? []) {
    all.set(sink, ChunkIds.without([...(stored?.chunkIds ?? []), ...(all.get(sink) ?? [])], []))
  }
  return all
}

/** Chunks that may now be removed. */
export const dueOf = (document: Document): ReadonlyArray<Removal> => {
  const { path, pending, root, stored } = document
  return due({ documentId: documentId(root, path), path }, pending, stored?.acknowledged ?? null)
}

/** Nothing of it is left: no sink holds chunks. */
export const isEmpty = ({ pending, stored }: Document): boolean => stored === null && pending.size === 0
