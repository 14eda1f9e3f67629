import { SinkError } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { calls, type Defect, storing } from "./Defect.ts"
import type { Plant } from "./honest.ts"

const apart = "distinguishes ids by every character"
const veryIds = "removes exactly the given ids, and none that look alike"
const veryDocument = "replaces exactly the given document, and none that looks alike"
const documentsApart = "distinguishes documents by every character"
const removes = "removes chunks by id, and ignores ids that are not stored"
const replaces = "replaces a document with more chunks, with fewer, and with none"
const several = "replaces several documents in one step, new ones among them, and leaves the others"

const ids = (change: (id: string) => string) => storing(({ id }) => ({ id: ChunkId.make(change(id)) }))

/** Removes every chunk that one of the asked ids seems to name. */
const removing = (names: (asked: string, stored: string) => boolean): Plant =>
  calls(({ store }) => ({
    remove: (asked) =>
      Effect.sync(() => {
        for (const stored of store.chunks.keys()) {
          if (asked.some((id) => names(id, stored))) store.chunks.delete(stored)
        }
      })
  }))

/** Deletes every chunk of a document that the asked one seems to name, then writes. */
const replacing = (names: (asked: string, stored: string) => boolean): Plant =>
  calls(({ sink, store }) => ({
    replace: (asked, chunks) =>
      Effect.suspend(() => {
        for (const [id, { documentId }] of store.chunks) if (names(asked, documentId)) store.chunks.delete(id)
        return sink.write(chunks)
      })
  }))

const like = (pattern: string, text: string) =>
  new RegExp(
    `^${pattern
      .replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")
      .replaceAll("%", ".*")
      .replaceAll("_", ".")}$`,
    "u"
  ).test(text)

const nameOf = (path: string) => path.split("/").at(-1)

export const removingAndReplacing: ReadonlyArray<Defect> = [
  { name: "keeps ids without their case", caughtBy: apart, plant: ids((id) => id.toLowerCase()) },
  { name: "keeps ids without blanks around them", caughtBy: apart, plant: ids((id) => id.trim()) },
  { name: "keeps ids in one normal form", caughtBy: apart, plant: ids((id) => id.normalize("NFC")) },
  { name: "cuts ids at 128 characters", caughtBy: apart, plant: ids((id) => id.slice(0, 128)) },
  {
    name: "keeps ids that are digits as numbers",
    caughtBy: apart,
    plant: ids((id) => (/^\d+$/u.test(id) ? String(Number(id)) : id))
  },
  { name: "compares ids as a collation does", caughtBy: apart, plant: ids((id) => id.replaceAll("ß", "ss")) },
  {
    name: "names folders after documents, without their case",
    caughtBy: documentsApart,
    plant: storing(({ documentId }) => ({ documentId: DocumentId.make(documentId.toLowerCase()) }))
  },
  {
    name: "removes ids of another case",
    caughtBy: veryIds,
    plant: removing((asked, id) => asked.toLowerCase() === id.toLowerCase())
  },
  { name: "removes by LIKE", caughtBy: veryIds, plant: removing(like) },
  { name: "removes ids that begin so", caughtBy: veryIds, plant: removing((asked, id) => id.startsWith(asked)) },
  {
    name: "removes numbers that are equal",
    caughtBy: veryIds,
    plant: removing((asked, id) => asked === id || Number(asked) === Number(id))
  },
  {
    name: "replaces documents that begin so",
    caughtBy: veryDocument,
    plant: replacing((asked, documentId) => documentId.startsWith(asked))
  },
  { name: "replaces by LIKE", caughtBy: veryDocument, plant: replacing(like) },
  {
    name: "replaces documents of another case",
    caughtBy: veryDocument,
    plant: replacing((asked, documentId) => asked.toLowerCase() === documentId.toLowerCase())
  },
  {
    name: "knows documents by their names, without folders",
    caughtBy: veryDocument,
    plant: replacing((asked, documentId) => nameOf(asked) === nameOf(documentId))
  },
  { name: "removes nothing", caughtBy: removes, plant: calls(() => ({ remove: () => Effect.void })) },
  {
    name: "fails to remove what is not there",
    caughtBy: removes,
    plant: calls(({ sink, store }) => ({
      remove: (asked) =>
        Effect.suspend(() =>
          asked.every((id) => store.chunks.has(id))
            ? (sink.remove?.(asked) ?? Effect.void)
            : new SinkError({ sink: sink.id, reason: "Rejected", problem: "404" })
        )
    }))
  },
  {
    name: "never takes an id again that was removed once",
    caughtBy: removes,
    plant: ({ sink, store }) => {
      const removed = tombstones(store)
      return {
        ...sink,
        write: (batch) => Effect.suspend(() => sink.write(batch.filter(({ id }) => !removed.has(id)))),
        remove: (asked) =>
          Effect.suspend(() => {
            for (const id of asked) if (store.chunks.has(id)) removed.add(id)
            return sink.remove?.(asked) ?? Effect.void
          })
      }
    }
  },
  {
    name: "removes from the list of this session only",
    caughtBy: removes,
    plant: calls(({ sink }) => {
      const hidden = new Set<string>()
      return {
        list: Stream.filter(sink.list ?? Stream.empty, ({ id }) => !hidden.has(id)),
        remove: (asked) => Effect.sync(() => asked.forEach((id) => hidden.add(id)))
      }
    })
  },
  {
    name: "removes the documents of the ids",
    caughtBy: "removes chunks of several documents, and leaves their other chunks",
    plant: calls(({ store }) => ({
      remove: (asked) =>
        Effect.sync(() => {
          const documents = new Set(asked.map((id) => store.chunks.get(id)?.documentId))
          for (const [id, { documentId }] of store.chunks) if (documents.has(documentId)) store.chunks.delete(id)
        })
    }))
  },
  {
    name: "removes all where no id is named (WHERE TRUE)",
    caughtBy: "removes nothing when it is given no id",
    plant: calls(({ sink, store }) => ({
      remove: (asked) =>
        asked.length === 0 ? Effect.sync(() => store.chunks.clear()) : (sink.remove?.(asked) ?? Effect.void)
    }))
  },
  {
    name: "removes what one call may hold",
    caughtBy: "removes more ids than one call may hold, some of them twice",
    plant: calls(({ sink }) => ({ remove: (asked) => sink.remove?.(asked.slice(0, 1000)) ?? Effect.void }))
  },
  { name: "replaces without deleting", caughtBy: replaces, plant: replacing(() => false) },
  { name: "replaces the whole store", caughtBy: replaces, plant: replacing(() => true) },
  {
    name: "leaves a document that is replaced by nothing",
    caughtBy: replaces,
    plant: calls(({ sink }) => ({
      replace: (documentId, chunks) =>
        chunks.length === 0 ? Effect.void : (sink.replace?.(documentId, chunks) ?? Effect.void)
    }))
  },
  {
    name: "deletes the former chunks after the new ones, the shared ones too",
    caughtBy: "replaces a document by one that shares chunks with it",
    plant: calls(({ sink, store }) => ({
      replace: (asked, chunks) =>
        Effect.suspend(() => {
          const former = [...store.chunks.values()].filter(({ documentId }) => documentId === asked).map(({ id }) => id)
          return Effect.zipRight(sink.write(chunks), sink.remove?.(former) ?? Effect.void)
        })
    }))
  },
  {
    name: "replaces with what one batch may hold",
    caughtBy: "replaces a document by one with more chunks than a batch may hold",
    plant: calls(({ sink }) => ({
      replace: (documentId, chunks) => sink.replace?.(documentId, chunks.slice(0, 1000)) ?? Effect.void
    }))
  },
  {
    name: "replaces the first of several documents",
    caughtBy: several,
    plant: calls(({ sink }) => ({
      replaceAll: (documents) =>
        Effect.forEach(
          documents.slice(0, 1),
          ({ chunks, documentId }) => sink.replace?.(documentId, chunks) ?? Effect.void,
          {
            discard: true
          }
        )
    }))
  },
  {
    name: "empties the store when no document is to be replaced",
    caughtBy: "replaces nothing when it is given no document",
    plant: calls(({ store }) => ({ replaceAll: () => Effect.sync(() => store.chunks.clear()) }))
  },
  {
    name: "replaces a document by another one's chunks",
    caughtBy: "refuses to replace a document by another one's chunks",
    plant: replacing((asked, documentId) => asked === documentId)
  },
  {
    name: "deletes a document before it looks at the new chunks",
    caughtBy: "keeps a document's chunks when those that should replace them are refused",
    plant: replacing((asked, documentId) => asked === documentId)
  },
  {
    name: "replaces in several steps",
    caughtBy: "holds one generation of a document, and all of it, when a replacement is interrupted",
    plant: calls(({ sink, store }) => ({
      replace: (asked, chunks) =>
        Effect.gen(function* () {
          for (const [id, { documentId }] of store.chunks) if (documentId === asked) store.chunks.delete(id)
          for (const chunk of chunks) {
            yield* Effect.yieldNow()
            yield* sink.write([chunk])
          }
        })
    }))
  },
  {
    name: "replaces in a copy of all, so that writers overwrite each other",
    caughtBy: "replaces documents at the same time, while others list",
    plant: calls(({ store }) => ({
      replace: (asked, chunks) =>
        Effect.gen(function* () {
          const kept = [...store.chunks.values()].filter(({ documentId }) => documentId !== asked)
          yield* Effect.yieldNow()
          store.chunks.clear()
          for (const chunk of [...kept, ...chunks]) store.chunks.set(chunk.id, chunk)
        })
    }))
  }
]

const removedOf = new WeakMap<object, Set<DocumentChunk["id"]>>()

/** Ids that were removed from a store, by any sink over it. */
const tombstones = (store: object): Set<DocumentChunk["id"]> => {
  const known = removedOf.get(store) ?? new Set()
  removedOf.set(store, known)
  return known
}
