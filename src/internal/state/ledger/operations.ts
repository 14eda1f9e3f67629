/**
 * The rules of the ledger: each write to one document, over its rows in memory. They are idempotent: a transaction whose commit was not
 * confirmed is run again.
 */
import type { ChunkId } from "../../../DocumentChunk.ts"
import { changed, type Document, dueOf, isEmpty, type Pending, setPending } from "./document.ts"
import { canonical, checkReport } from "./encoding.ts"
import type { Acknowledgement, Failure, Generation, Key, Removal, Sighting } from "./entry.ts"
import * as ChunkIds from "./packedIds.ts"

/** A document's generation that every named sink has acknowledged. */
export interface Commit extends Key, Generation {
  /** The scope that found the document; null for none. */
  readonly scope: number | null
}

/** A document that a process holds: the number of its row, and the fencing number. A row that is made again has another number. */
export interface Held {
  readonly id: number
  readonly fence: number
}

/** The process that writes; a state in a folder has one, which holds nothing. */
export interface Holder {
  readonly session: number
  /** Undefined when it does not hold the document. */
  readonly held: Held | undefined
}

/** The result of a write to a document that another process works on, or has worked on since. */
export interface Refused {
  readonly _tag: "Refused"
}

const refused: Refused = { _tag: "Refused" }

export const isRefused = (result: unknown): result is Refused => result === refused

/** True when the document is another process's by now. */
const isLost = ({ busy, fence, id }: Document, { held }: Holder): boolean =>
  held === undefined ? busy : held.id !== id || held.fence !== fence

const claim = (document: Document, scope: number | null): void => {
  if (scope !== null && !document.claims.includes(scope)) document.claims.push(scope)
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

/**
 * Records the chunks about to be written, so that a kill or a failure in the middle leaves no unknown chunk. `instead`: the sink
 * replaces the document, so until it acknowledges, it may hold either generation.
 */
export const announce = (
  document: Document,
  holder: Holder,
  ids: ReadonlyArray<ChunkId>,
  sinks: ReadonlyArray<string>,
  scope: number | null,
  how: "beside" | "instead"
): void | Refused => {
  if (isLost(document, holder)) return refused
  claim(document, scope)
  mayHold(document, ids, sinks, how)
}

/** One of the lists itself where the other is empty: a list is packed once for its announcement and its commit. */
const joined = (first: ReadonlyArray<ChunkId>, second: ReadonlyArray<ChunkId>): ReadonlyArray<ChunkId> =>
  first.length === 0 ? second : second.length === 0 ? first : [...first, ...second]

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
    const held = joined(document.pending.get(sink) ?? [], ids)
    const present = acks.some((ack) => ack.sink === sink) ? (stored?.chunkIds ?? []) : []
    setPending(
      document,
      sink,
      how === "beside" ? ChunkIds.without(held, present) : ChunkIds.without(joined(held, present), [])
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

/** Acknowledgements of the same chunks: sinks that are not written now keep the vectors that they have. */
const mergeAcks = (
  { acknowledged, embedder }: Generation,
  now: Pick<Generation, "acknowledged" | "embedder">
): ReadonlyArray<Acknowledgement> => {
  const kept = acknowledged.filter((ack) => !now.acknowledged.some((other) => other.sink === ack.sink))
  const still = kept.map(({ sink, store, ...ack }): Acknowledgement => {
    const own = ack.embedder === undefined ? embedder : ack.embedder
    return own === now.embedder ? { sink, store } : { sink, store, embedder: own }
  })
  return [...still, ...now.acknowledged]
}

/** Every sink that may hold chunks, with those that it may hold in addition to the generation that it acknowledged. */
const leftovers = (
  old: Generation | null,
  before: Pending,
  ids: ReadonlyArray<ChunkId>,
  acks: ReadonlyArray<Acknowledgement>
): ReadonlyMap<string, ReadonlyArray<ChunkId>> => {
  const all = new Map(before)
  for (const ack of old?.acknowledged ?? []) {
    all.set(ack.sink, [...(before.get(ack.sink) ?? []), ...(old?.chunkIds ?? [])])
  }
  const present = (sink: string) => (acks.some((ack) => ack.sink === sink) ? ids : [])
  return new Map([...all].map(([sink, held]) => [sink, ChunkIds.without(held, present(sink))]))
}

/** Records a generation; returns the chunks that may now be removed: those of the acknowledging sinks that are not in it. */
export const commit = (document: Document, holder: Holder, entry: Commit): ReadonlyArray<Removal> | Refused => {
  if (isLost(document, holder)) return refused
  checkReport(entry.report)
  const { chunkIds, acknowledged, documentId: _, path: __, scope, ...rest } = entry
  const { pending, stored } = document
  const same = stored !== null && ChunkIds.same(stored.chunkIds, chunkIds)
  const acks = same ? mergeAcks(stored, entry) : acknowledged
  const after = leftovers(stored, pending, chunkIds, acks)
  document.stored = { ...rest, chunkIds, acknowledged: canonical(acks) }
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

/** Records a new sighting of the stored bytes, and clears the failure. Refused without an error: the result of another holder counts. */
export const touch = (document: Document, holder: Holder, sighting: Sighting, scope: number | null): void => {
  if (isLost(document, holder)) return
  const { checkedAt, fingerprint, size } = sighting
  if (document.stored !== null) document.stored = { ...document.stored, checkedAt, fingerprint, size }
  document.failure = null
  changed(document, "light")
  claim(document, scope)
  letGo(document, holder)
}

/** Records the failure; the stored generation stays. Refused as {@link touch} is. */
export const fail = (document: Document, holder: Holder, failure: Failure, scope: number | null): void => {
  if (isLost(document, holder)) return
  document.failure = failure
  changed(document, "light")
  claim(document, scope)
  letGo(document, holder)
}

/** Clears the failure; a document of which no sink holds anything is deleted. */
export const forgive = (document: Document, holder: Holder): void => {
  if (document.id === 0 || isLost(document, holder)) return
  if (isEmpty(document)) {
    document.change = "dropped"
    return
  }
  document.failure = null
  changed(document, "light")
  letGo(document, holder)
}

/** Records that the sink no longer holds these chunks. `ends`: the document is let go once nothing is to be removed any more. */
export const removed = (document: Document, holder: Holder, { chunkIds, sink }: Removal, ends: boolean): void => {
  if (document.id === 0 || isLost(document, holder)) return
  setPending(document, sink, ChunkIds.without(document.pending.get(sink) ?? [], chunkIds))
  if (ends && dueOf(document).length === 0) letGo(document, holder)
}

/** Stops counting the sinks as having the generation; its chunks become pending, since they may still hold them. */
export const disown = (document: Document, sinks: ReadonlyArray<string>): void => {
  const { stored } = document
  if (stored === null || !stored.acknowledged.some(({ sink }) => sinks.includes(sink))) return
  for (const { sink } of stored.acknowledged.filter((ack) => sinks.includes(ack.sink))) {
    setPending(document, sink, ChunkIds.without([...stored.chunkIds, ...(document.pending.get(sink) ?? [])], []))
  }
  document.stored = { ...stored, acknowledged: stored.acknowledged.filter((ack) => !sinks.includes(ack.sink)) }
  changed(document, "light")
}

/**
 * Records that the sinks hold nothing of the document any more; deletes it when no other sink does. False where another process took it over,
 * which may have written it again.
 */
export const forget = (document: Document, holder: Holder, sinks: ReadonlyArray<string>): boolean => {
  if (document.id === 0) return true
  if (isLost(document, holder)) return false
  for (const sink of sinks) setPending(document, sink, [])
  const { stored } = document
  const acks = (stored?.acknowledged ?? []).filter((ack) => !sinks.includes(ack.sink))
  if (acks.length === 0 && document.pending.size === 0) {
    document.change = "dropped"
    return true
  }
  letGo(document, holder)
  if (stored === null) return true
  document.stored = { ...stored, acknowledged: acks }
  changed(document, "light")
  return true
}
