/** Writes to one document. They are idempotent: a transaction whose commit was not confirmed is run again. */
import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Failure, Removal, Sighting } from "../../../LedgerEntry.ts"
import { encodeReport } from "../ledger/encoding.ts"
import * as ChunkIds from "../ledger/packedIds.ts"
import { type Commit, leftovers, mergeAcks } from "../ledger/writes.ts"
import { changed, type Document, dueOf, isEmpty, setPending } from "./document.ts"

/** A document that a process holds: the number of its row, and the fencing number. A row that is made again has another number. */
export interface Held {
  readonly id: number
  readonly fence: number
}

/** The process that writes. */
export interface Holder {
  readonly session: number
  /** Undefined when it does not hold the document. */
  readonly held: Held | undefined
}

/** What a write that was refused means: another process works on the document, or has done so since. */
export interface Refused {
  readonly _tag: "Refused"
}

export const refused: Refused = { _tag: "Refused" }

/** True when the document is another process's by now. */
const isLost = ({ busy, fence, id }: Document, { held }: Holder): boolean =>
  held === undefined ? busy : held.id !== id || held.fence !== fence

const claim = (document: Document, scan: number | null): void => {
  if (scan !== null) document.claims.add(scan)
}

const letGo = (document: Document, { session }: Holder): void => {
  if (document.holder !== session) return
  document.holder = null
  changed(document, "light")
}

/** Takes the document; the number is greater than that of every holder before. */
export const hold = (document: Document, { session }: Holder): Held | "busy" => {
  if (document.busy) return "busy"
  if (document.holder !== session) {
    document.holder = session
    document.fence += 1
    changed(document, "light")
  }
  return { id: document.id, fence: document.fence }
}

/** Ends a hold without a result. */
export const release = (document: Document, holder: Holder): void => {
  if (document.id === 0 || isLost(document, holder)) return
  letGo(document, holder)
}

export const announce = (
  document: Document,
  holder: Holder,
  ids: ReadonlyArray<ChunkId>,
  sinks: ReadonlyArray<string>,
  scan: number | null,
  how: "beside" | "instead"
): void | Refused => {
  if (isLost(document, holder)) return refused
  claim(document, scan)
  mayHold(document, ids, sinks, how)
}

/** Records chunks that the sinks may hold from now on. */
const mayHold = (
  document: Document,
  ids: ReadonlyArray<ChunkId>,
  sinks: ReadonlyArray<string>,
  how: "beside" | "instead"
): void => {
  const { stored } = document
  const acks = stored?.acknowledged ?? []
  for (const sink of sinks) {
    const held = [...(document.pending.get(sink) ?? []), ...ids]
    const present = acks.some((ack) => ack.sink === sink) ? (stored?.chunkIds ?? []) : []
    setPending(
      document,
      sink,
      how === "beside" ? ChunkIds.without(held, present) : ChunkIds.without([...held, ...present], [])
    )
  }
  const left = how === "beside" ? acks : acks.filter((ack) => !sinks.includes(ack.sink))
  if (stored === null || left.length === acks.length) return
  document.stored = { ...stored, acknowledged: left }
  changed(document, "light")
}

/**
 * Records what a holder that lost the document had sent to the sinks, and lets the document go. Returns the chunks that are to be removed;
 * a sink that replaced the document counts as not having it, so that the next run writes it there again.
 */
export const stray = (
  document: Document,
  holder: Holder,
  ids: ReadonlyArray<ChunkId>,
  sinks: ReadonlyArray<string>,
  how: "beside" | "instead"
): ReadonlyArray<Removal> | Refused => {
  if (isLost(document, holder)) return refused
  mayHold(document, ids, sinks, how)
  return dueOf(document).filter(({ sink }) => sinks.includes(sink))
}

export const commit = (document: Document, holder: Holder, entry: Commit): ReadonlyArray<Removal> | Refused => {
  if (isLost(document, holder)) return refused
  encodeReport(entry.report)
  const { chunkIds, acknowledged, documentId: _, path: __, scope, ...rest } = entry
  const { pending, stored } = document
  const same = stored !== null && ChunkIds.same(stored.chunkIds, chunkIds)
  const acks = same ? mergeAcks(stored.acknowledged, acknowledged) : acknowledged
  const after = leftovers(stored, pending, chunkIds, acks)
  document.stored = { ...rest, chunkIds, acknowledged: acks }
  document.failure = null
  if (!same) document.generation += 1
  changed(document, "whole")
  claim(document, scope)
  for (const [sink, ids] of after) setPending(document, sink, ids)
  const left = dueOf(document)
  // Chunks that are still to be removed must not be written by another process meanwhile.
  if (left.length === 0) letGo(document, holder)
  return left
}

/** Refused without an error: the result of another holder counts. */
export const touch = (document: Document, holder: Holder, sighting: Sighting, scan: number | null): void => {
  if (isLost(document, holder)) return
  const { checkedAt, fingerprint, size } = sighting
  if (document.stored !== null) document.stored = { ...document.stored, checkedAt, fingerprint, size }
  document.failure = null
  changed(document, "light")
  claim(document, scan)
  letGo(document, holder)
}

/** As {@link touch}. */
export const fail = (document: Document, holder: Holder, failure: Failure, scan: number | null): void => {
  if (isLost(document, holder)) return
  document.failure = failure
  changed(document, "light")
  claim(document, scan)
  letGo(document, holder)
}

export const forgive = (document: Document, holder: Holder): void => {
  if (document.id === 0 || isLost(document, holder)) return
  if (isEmpty(document)) {
    document.change = "dropped"
    return
  }
  document.failure = null
  changed(document, "light")
}

/** `ends`: the document is let go once nothing is to be removed any more. */
export const removed = (document: Document, holder: Holder, { chunkIds, sink }: Removal, ends: boolean): void => {
  if (document.id === 0 || isLost(document, holder)) return
  setPending(document, sink, ChunkIds.without(document.pending.get(sink) ?? [], chunkIds))
  if (ends && dueOf(document).length === 0) letGo(document, holder)
}

export const disown = (document: Document, sinks: ReadonlyArray<string>): void => {
  const { stored } = document
  if (stored === null || !stored.acknowledged.some(({ sink }) => sinks.includes(sink))) return
  for (const { sink } of stored.acknowledged.filter((ack) => sinks.includes(ack.sink))) {
    setPending(document, sink, ChunkIds.without([...stored.chunkIds, ...(document.pending.get(sink) ?? [])], []))
  }
  document.stored = { ...stored, acknowledged: stored.acknowledged.filter((ack) => !sinks.includes(ack.sink)) }
  changed(document, "light")
}

export const forget = (document: Document, holder: Holder, sinks: ReadonlyArray<string>): void => {
  if (document.id === 0 || isLost(document, holder)) return
  for (const sink of sinks) setPending(document, sink, [])
  const { stored } = document
  const acks = (stored?.acknowledged ?? []).filter((ack) => !sinks.includes(ack.sink))
  if (acks.length === 0 && document.pending.size === 0) {
    document.change = "dropped"
    return
  }
  letGo(document, holder)
  if (stored === null) return
  document.stored = { ...stored, acknowledged: acks }
  changed(document, "light")
}
