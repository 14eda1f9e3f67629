import { describeSpace, type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Option, Stream } from "effect"
import * as Stamps from "../../../src/internal/sink/stamp.ts"
import { calls, type Defect } from "./Defect.ts"
import type { Parts, Plant } from "./honest.ts"

const same = "gives the same stamp each time it is opened"
const another = "refuses another embedding space and keeps what it holds"
const alone = "refuses a space that differs in model, dimensions, metric, normalization or having vectors alone"
const claims = "has the calls that it claims, limits that can be kept, and one id"
const cleared = "is empty after it was cleared, and takes another embedding space"
const session = "takes chunks after it was cleared in one session, and gives another stamp"
const again = "keeps what it holds when it is prepared again in one session"
const away = "fails as Unavailable in every call while its engine is down, and works again afterwards"
const prepared = "fails as Unavailable when prepared while its engine is down, and can be prepared afterwards"
const killed = "keeps acknowledged documents when its process is killed in mid-write, and accepts the rest later"

const stampedSpace = ({ stamp }: Parts["store"]): EmbeddingSpace | null =>
  stamp === null ? null : Option.match(Stamps.decode(stamp), { onNone: () => null, onSome: ({ space }) => space })

/** Looks at a part of a space only. */
const comparing = (part: (space: EmbeddingSpace | null) => unknown): Plant =>
  calls(({ sink, store }) => ({
    prepare: (space) =>
      Effect.suspend(() => {
        const stamped = stampedSpace(store)
        const fits = part(stamped) === part(space)
        return sink.prepare(fits && store.chunks.size > 0 ? stamped : space)
      })
  }))

const write = (
  { sink }: Parts,
  change: (call: Effect.Effect<void, SinkError>, batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
) => ({
  write: (batch: ReadonlyArray<DocumentChunk>) => change(sink.write(batch), batch)
})

export const preparingAndOutages: ReadonlyArray<Defect> = [
  {
    name: "makes a stamp each time it is opened",
    caughtBy: same,
    plant: calls(({ sink }) => {
      const stamp = `${Math.random()}`
      return { prepare: (space) => Effect.as(sink.prepare(space), stamp) }
    })
  },
  {
    name: "has no stamp, and claims one",
    caughtBy: same,
    plant: calls(({ sink }) => ({ prepare: (space) => Effect.as(sink.prepare(space), null) }))
  },
  {
    name: "takes its name for a stamp, so that a deleted store is not noticed",
    caughtBy: "gives another stamp once the store was deleted",
    plant: calls(({ sink }) => ({ prepare: (space) => Effect.as(sink.prepare(space), "memory") }))
  },
  { name: "takes any space", caughtBy: another, plant: comparing(() => true) },
  { name: "compares models only", caughtBy: alone, plant: comparing((space) => space?.model) },
  { name: "compares dimensions only", caughtBy: alone, plant: comparing((space) => space?.dimensions) },
  {
    name: "does not compare metrics",
    caughtBy: alone,
    plant: comparing((space) => space && describeSpace({ ...space, metric: "dot" }))
  },
  {
    name: "does not compare normalization",
    caughtBy: alone,
    plant: comparing((space) => space && describeSpace({ ...space, normalized: true }))
  },
  {
    name: "takes chunks without vectors for any space",
    caughtBy: alone,
    plant: calls(({ sink, store }) => ({
      prepare: (space) => Effect.suspend(() => sink.prepare(space ?? stampedSpace(store)))
    }))
  },
  {
    name: "calls another space unavailable",
    caughtBy: another,
    plant: calls(({ sink }) => ({
      prepare: (space) =>
        Effect.mapError(
          sink.prepare(space),
          ({ problem, sink }) => new SinkError({ sink, reason: "Unavailable", problem })
        )
    }))
  },
  {
    name: "empties the store when it refuses a space",
    caughtBy: another,
    plant: calls(({ sink, store }) => ({
      prepare: (space) => Effect.tapError(sink.prepare(space), () => Effect.sync(() => store.chunks.clear()))
    }))
  },
  {
    name: "begins from nothing when it is prepared again",
    caughtBy: again,
    plant: calls(({ sink, store }) => {
      let before = false
      return {
        prepare: (space) =>
          Effect.suspend(() => {
            if (before) store.chunks.clear()
            before = true
            return sink.prepare(space)
          })
      }
    })
  },
  {
    name: "is closed for good when it is prepared again",
    caughtBy: again,
    plant: calls(({ sink }) => {
      let times = 0
      return {
        prepare: (space) => Effect.suspend(() => sink.prepare((times++, space))),
        write: (batch) =>
          times > 1
            ? new SinkError({ sink: sink.id, reason: "Rejected", problem: "the handle is closed" })
            : sink.write(batch)
      }
    })
  },
  { name: "clears nothing", caughtBy: cleared, plant: calls(() => ({ clear: Effect.void })) },
  {
    name: "clears chunks, and forgets the stamp only",
    caughtBy: cleared,
    plant: calls(({ store }) => ({
      clear: Effect.sync(() => {
        store.stamp = null
      })
    }))
  },
  {
    name: "keeps its stamp when it is cleared",
    caughtBy: session,
    plant: calls(({ store }) => ({ clear: Effect.sync(() => store.chunks.clear()) }))
  },
  {
    name: "cannot be used after it was cleared",
    caughtBy: session,
    plant: calls(({ sink }) => {
      let gone = false
      return {
        clear: Effect.tap(sink.clear ?? Effect.void, () =>
          Effect.sync(() => {
            gone = true
          })
        ),
        write: (batch) =>
          Effect.suspend(() =>
            gone ? new SinkError({ sink: sink.id, reason: "Rejected", problem: "no such table" }) : sink.write(batch)
          )
      }
    })
  },
  {
    name: "claims to remove, and cannot",
    caughtBy: claims,
    plant: ({ sink }) => {
      const { remove: _, ...rest } = sink
      return rest
    }
  },
  {
    name: "has a limit of no chunk",
    caughtBy: claims,
    plant: calls(() => ({ limits: { maxCount: 0, maxBytes: 1000 } }))
  },
  { name: "has another id each time", caughtBy: claims, plant: calls(() => ({ id: `memory:${Math.random()}` })) },
  {
    name: "swallows what it cannot send",
    caughtBy: away,
    plant: calls((parts) => write(parts, (call) => Effect.catchAll(call, () => Effect.void)))
  },
  { name: "dies when its engine is gone", caughtBy: away, plant: calls((parts) => write(parts, Effect.orDie)) },
  {
    name: "calls a broken connection a refusal",
    caughtBy: away,
    plant: calls((parts) =>
      write(parts, (call) =>
        Effect.mapError(
          call,
          ({ problem, sink }) => new SinkError({ sink, reason: "Rejected", problem: `ECONNRESET ${problem}` })
        )
      )
    )
  },
  {
    name: "never opens a connection again",
    caughtBy: away,
    plant: calls((parts) => {
      let broken = false
      return write(parts, (call) =>
        Effect.suspend(() =>
          broken
            ? new SinkError({ sink: parts.sink.id, reason: "Rejected", problem: "the client is closed" })
            : Effect.tapError(call, () =>
                Effect.sync(() => {
                  broken = true
                })
              )
        )
      )
    })
  },
  {
    name: "lists nothing while its engine is gone",
    caughtBy: away,
    plant: calls(({ away: gone, sink }) => ({
      list: Stream.suspend(() => (gone() ? Stream.empty : (sink.list ?? Stream.empty)))
    }))
  },
  {
    name: "is prepared without asking its engine",
    caughtBy: prepared,
    plant: calls(({ sink }) => ({
      prepare: (space) => Effect.catchAll(sink.prepare(space), () => Effect.succeed("memory"))
    }))
  },
  {
    name: "takes an engine that is gone for a store of somebody else",
    caughtBy: prepared,
    plant: calls(({ sink }) => ({
      prepare: (space) =>
        Effect.mapError(
          sink.prepare(space),
          ({ problem, sink }) => new SinkError({ sink, reason: "Mismatch", problem })
        )
    }))
  },
  {
    name: "acknowledges what it stores when its scope closes",
    caughtBy: killed,
    plant: ({ sink }) => {
      const waiting: Array<DocumentChunk> = []
      return Effect.as(
        Effect.addFinalizer(() => Effect.orDie(sink.write(waiting))),
        { ...sink, write: (batch) => Effect.sync(() => void waiting.push(...batch)) }
      )
    }
  },
  {
    name: "acknowledges a batch of which it has stored the first half",
    caughtBy: killed,
    plant: ({ sink }) => {
      const waiting: Array<DocumentChunk> = []
      return Effect.as(
        Effect.addFinalizer(() => Effect.orDie(sink.write(waiting))),
        {
          ...sink,
          write: (batch) =>
            Effect.suspend(() => {
              const half = batch.length >> 1
              waiting.push(...batch.slice(half))
              return sink.write(batch.slice(0, half))
            })
        }
      )
    }
  }
]
