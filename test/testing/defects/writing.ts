import { SinkError } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { Effect } from "effect"
import { calls, type Defect, storing } from "./Defect.ts"

const stores = "stores what is written, and finds it in a new session"
const bears = "accepts a run that writes nothing"
const batches = "takes batches of none, one, the maximum and one more"
const severalBatches = "keeps the chunks of a document that comes in several batches"
const rejects = "fails with a Rejected SinkError for a chunk that it refuses"
const last = "keeps what was written last under an id"
const apart = "distinguishes ids by every character"

const failure = (reason: "Rejected" | "Unavailable" | "TooLarge", problem: string) =>
  new SinkError({ sink: "memory:", reason, problem })

const isFinite = (chunks: ReadonlyArray<DocumentChunk>) =>
  chunks.every(({ metadata }) =>
    Object.values(metadata).every((value) => typeof value !== "number" || Number.isFinite(value))
  )

export const writing: ReadonlyArray<Defect> = [
  { name: "writes nothing", caughtBy: stores, plant: calls(() => ({ write: () => Effect.void })) },
  {
    name: "loses the last chunk of a batch",
    caughtBy: stores,
    plant: calls(({ sink }) => ({ write: (batch) => sink.write(batch.slice(0, -1)) }))
  },
  {
    name: "stores the first document of a batch only",
    caughtBy: stores,
    plant: calls(({ sink }) => ({
      write: (batch) => sink.write(batch.filter(({ documentId }) => documentId === batch[0]?.documentId))
    }))
  },
  {
    name: "acknowledges before it has stored",
    caughtBy: "lists in the session that writes, before it is finished",
    plant: calls(({ sink }) => ({
      write: (batch) => Effect.asVoid(Effect.forkDaemon(Effect.delay(sink.write(batch), "20 millis")))
    }))
  },
  {
    name: "stores what one call may hold and leaves the rest of a batch",
    caughtBy: batches,
    plant: calls(({ sink }) => ({ write: (batch) => sink.write(batch.slice(0, sink.limits.maxCount)) }))
  },
  {
    name: "fails on an empty batch",
    caughtBy: batches,
    plant: calls(({ sink }) => ({
      write: (batch) => (batch.length === 0 ? failure("Rejected", "no rows") : sink.write(batch))
    }))
  },
  {
    name: "drops a batch that its engine calls too large",
    caughtBy: "takes a batch with more bytes than its limit",
    plant: calls(({ sink }) => ({
      write: (batch) =>
        batch.reduce((sum, { text }) => sum + 4 * text.length, 0) > sink.limits.maxBytes
          ? Effect.void
          : sink.write(batch)
    }))
  },
  {
    name: "deletes a document's chunks whenever it writes some of them",
    caughtBy: severalBatches,
    plant: calls(({ sink, store }) => ({
      write: (batch) =>
        Effect.suspend(() => {
          const documents = new Set(batch.map(({ documentId }) => documentId))
          for (const [id, { documentId }] of store.chunks) if (documents.has(documentId)) store.chunks.delete(id)
          return sink.write(batch)
        })
    }))
  },
  {
    name: "numbers the chunks of each batch from 0 on",
    caughtBy: severalBatches,
    plant: calls(({ sink }) => ({
      write: (batch) =>
        sink.write(batch.map((chunk, index) => Object.assign(Object.create(chunk), { ...chunk, index })))
    }))
  },
  {
    name: "reads all and writes all back, so that writers overwrite each other",
    caughtBy: "takes documents from several writers at the same time",
    plant: calls(({ store }) => ({
      write: (batch) =>
        Effect.gen(function* () {
          if (!isFinite(batch)) return yield* failure("Rejected", "NaN")
          const all = new Map(store.chunks)
          for (let at = 0; at < 3; at++) yield* Effect.yieldNow()
          for (const chunk of batch) all.set(chunk.id, chunk)
          store.chunks.clear()
          for (const [id, chunk] of all) store.chunks.set(id, chunk)
          return undefined
        })
    }))
  },
  {
    name: "stays locked when a write is interrupted",
    caughtBy: "can be interrupted in a write and written to again",
    plant: calls(({ sink }) => {
      let locked = false
      return {
        write: (batch) =>
          Effect.gen(function* () {
            if (locked) return yield* failure("Unavailable", "another write is on")
            locked = true
            yield* Effect.yieldNow()
            yield* Effect.yieldNow()
            yield* sink.write(batch)
            locked = false
            return undefined
          })
      }
    })
  },
  {
    name: "stores a number that is not finite as null",
    caughtBy: "refuses a chunk with a number that is not finite, and stores the rest later",
    plant: calls(({ store }) => ({
      write: (batch) => Effect.sync(() => batch.forEach((chunk) => store.chunks.set(chunk.id, chunk)))
    }))
  },
  {
    name: "dies of what it cannot store",
    caughtBy: rejects,
    plant: calls(({ sink }) => ({ write: (batch) => (isFinite(batch) ? sink.write(batch) : Effect.die("NaN")) }))
  },
  {
    name: "calls what it can never store unavailable",
    caughtBy: rejects,
    plant: calls(({ sink }) => ({
      write: (batch) => (isFinite(batch) ? sink.write(batch) : failure("Unavailable", "HTTP 400"))
    }))
  },
  {
    name: "writes when it is called, not when the effect is run",
    caughtBy: "does nothing before an effect is run, and the same each time it is run",
    plant: calls(({ sink, store }) => ({
      write: (batch) => {
        if (!isFinite(batch)) return sink.write(batch)
        for (const chunk of batch) store.chunks.set(chunk.id, chunk)
        return Effect.void
      }
    }))
  },
  {
    name: "keeps the batch itself, and stores it with the next one",
    caughtBy: "has stored a batch once it has acknowledged it",
    plant: calls(({ sink }) => {
      let waiting: ReadonlyArray<DocumentChunk> = []
      return {
        write: (batch) =>
          Effect.suspend(() => {
            const before = waiting
            waiting = batch
            return sink.write(before)
          }),
        finish: Effect.suspend(() => sink.write(waiting))
      }
    })
  },
  {
    name: "keeps everything in memory until the run finishes",
    caughtBy: "keeps what it acknowledged in a run that never finishes",
    plant: calls(({ sink }) => {
      const waiting: Array<DocumentChunk> = []
      return {
        write: (batch) => Effect.sync(() => void waiting.push(...batch)),
        finish: Effect.suspend(() => sink.write(waiting))
      }
    })
  },
  {
    name: "cannot build an index over nothing",
    caughtBy: bears,
    plant: calls(({ store }) => ({
      finish: Effect.suspend(() => (store.chunks.size === 0 ? failure("Rejected", "no rows to index") : Effect.void))
    }))
  },
  {
    name: "rewrites its file in finish without the last chunk",
    caughtBy: stores,
    plant: calls(({ store }) => ({
      finish: Effect.sync(() => {
        const lastId = [...store.chunks.keys()].at(-1)
        if (lastId !== undefined) store.chunks.delete(lastId)
      })
    }))
  },
  {
    name: "opens its file with the flag that empties it",
    caughtBy: stores,
    plant: calls(({ sink, store }) => ({
      prepare: (space) => Effect.tap(sink.prepare(space), () => Effect.sync(() => store.chunks.clear()))
    }))
  },
  {
    name: "appends, and so stores twice",
    caughtBy: "writes the same chunk twice without storing it twice",
    plant: calls(({ sink, store }) => ({
      write: (batch) =>
        Effect.suspend(() => {
          for (const chunk of batch) {
            const row = store.chunks.has(chunk.id) ? ChunkId.make(`row ${store.chunks.size}`) : chunk.id
            store.chunks.set(row, chunk)
          }
          return sink.write([])
        })
    }))
  },
  {
    name: "ignores an id that is there (ON CONFLICT DO NOTHING)",
    caughtBy: last,
    plant: calls(({ sink, store }) => ({
      write: (batch) => Effect.suspend(() => sink.write(batch.filter(({ id }) => !store.chunks.has(id))))
    }))
  },
  {
    name: "keeps the first of two chunks with one id in a batch",
    caughtBy: "keeps what was written last in an earlier session, and last in one batch",
    plant: calls(({ sink }) => ({ write: (batch) => sink.write(batch.toReversed()) }))
  },
  {
    name: "takes chunks with one text for one chunk",
    caughtBy: apart,
    plant: calls(({ sink, store }) => ({
      write: (batch) =>
        Effect.suspend(() => {
          const texts = new Map([...store.chunks.values(), ...batch].map(({ id, text }) => [text, id]))
          return sink.write(batch.filter(({ id, text }) => texts.get(text) === id))
        })
    }))
  },
  {
    name: "names a chunk after its document and index instead of its id",
    caughtBy: "converges when it is closed between any two steps of the write order",
    plant: calls(({ sink, store }) => ({
      write: (batch) =>
        Effect.suspend(() => {
          for (const { documentId, index } of batch) {
            for (const [id, chunk] of store.chunks) {
              if (chunk.documentId === documentId && chunk.index === index) store.chunks.delete(id)
            }
          }
          return sink.write(batch)
        })
    }))
  },
  {
    name: "cuts a text at 64 KiB",
    caughtBy: "keeps Unicode, NUL, line breaks and 100 KB of text as they are",
    plant: storing(({ text }) => ({ text: text.slice(0, 65_535) }))
  }
]
