import { Effect, Stream } from "effect"
import { calls, type Defect } from "./Defect.ts"

/** Of stores with generations. */
export const generations: ReadonlyArray<Defect> = [
  {
    name: "the first generation is listed, whichever serves",
    caughtBy: "reads one generation while another is filled, then the other one, for every reader at once",
    plant: calls(({ store }) => ({
      list: Stream.suspend(() => Stream.fromIterable([...store.chunks.values()]))
    }))
  },
  {
    name: "a switch changes over to whatever is there",
    caughtBy: "does not switch to a generation that was not filled to its end, or that lacks a document",
    plant: calls(({ sink }) => ({
      ...(sink.generations && { generations: { ...sink.generations, switch: Effect.void } })
    }))
  },
  {
    name: "the first generation is written, whichever serves",
    caughtBy: "writes to the generation that serves, and leaves the other one as it is",
    plant: calls(({ store }) => ({
      write: (batch) =>
        Effect.sync(() => {
          for (const chunk of batch) store.chunks.set(chunk.id, chunk)
        })
    }))
  },
  {
    name: "clear deletes the first generation alone",
    caughtBy: "has no generation left after clear",
    plant: calls(({ store }) => ({
      clear: Effect.sync(() => {
        store.chunks.clear()
        store.stamp = null
      })
    }))
  }
]
