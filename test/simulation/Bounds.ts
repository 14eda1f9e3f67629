/** What a process may have open and hold at a time, by the options and constants of the program. */
import { adaptiveCeiling } from "../../src/internal/gate/limiter.ts"
import * as Documents from "./Documents.ts"
import type { Server } from "./Network.ts"
import type { Process } from "./Process.ts"

/** Options of runs that are to do little at a time: two requests to the service, or a document alone between its answer and the stores. */
export const lean = { requests: { concurrency: 2 }, documents: { maxBytesInFlight: 1 } } as const

export type Lean = keyof typeof lean

/** Requests of a process that an embedder has open at most. */
export const embedding = 4

/** Requests that a process may have open to a server; undefined where that follows from the number of its calls. */
export const requestsOf = (server: Server, how: Lean | undefined): number | undefined => {
  if (server === "service") return how === "requests" ? lean.requests.concurrency : adaptiveCeiling
  return server === "embedder" ? embedding : undefined
}

/** Documents of which processes have the answer and that they have not begun to store. */
export class Held {
  private readonly all = new Map<Process, Set<string>>()

  /** The answer of a document came; gives the number of those that are held now. */
  came(process: Process, content: string): number {
    const held = this.all.get(process) ?? new Set()
    this.all.set(process, held.add(content))
    return held.size
  }

  /** Texts go to a store. */
  went(process: Process, texts: ReadonlyArray<string>): void {
    const held = this.all.get(process)
    if (held === undefined) return
    for (const text of texts) for (const mark of Documents.marksIn(text)) held.delete(Documents.keyOfMark(mark))
  }

  /** Something failed, or a call ended: documents may have left on another way, and are not counted. */
  lost(process: Process): void {
    this.all.delete(process)
  }
}
