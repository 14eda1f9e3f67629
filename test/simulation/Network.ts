/** The network between processes and servers: requests and answers take time, and some are lost. */
import * as Effect from "effect/Effect"
import { type Chance, chance, type Kernel } from "./Kernel.ts"
import type { Process } from "./Process.ts"

/** A server that requests go to. */
export type Server = "source" | "service" | "embedder" | "sink" | "state" | "queue" | "disk"

/** Something that a fault makes happen. */
export type Trouble = Server | "serialization" | "full"

export interface Request<E> {
  readonly server: Server
  /** For the trace. */
  readonly what: string
  /** Error of a request, or of an answer, that is lost. */
  readonly lost: E
}

export class Network {
  readonly kernel: Kernel
  /** Share of requests that meet each trouble at present. */
  readonly rates = new Map<Trouble, number>()
  /** Called after a server got a request. */
  onArrival: (process: Process, server: Server) => void = () => {}
  /** Called when a process sends a request, with the number of those that it has open to the server. */
  onOpen: (process: Process, server: Server, open: number) => void = () => {}
  /** Called when a request of a process meets trouble. */
  onTrouble: (process: Process) => void = () => {}
  private readonly draw: Chance
  private readonly open = new Map<string, number>()

  constructor(kernel: Kernel) {
    this.kernel = kernel
    this.draw = chance(`${kernel.seed} network`)
  }

  /** True when a request meets the trouble. */
  strikes(trouble: Trouble): boolean {
    const rate = this.rates.get(trouble) ?? 0
    return rate > 0 && this.draw() < rate
  }

  /** Milliseconds of a way: few, and now and then many. */
  private way(): number {
    const drawn = this.draw()
    return drawn < 0.01 ? 50 + 1950 * this.draw() : 0.2 + 3 * drawn
  }

  /** Sends something that has no answer; it arrives whatever becomes of the process. */
  send(process: Process, arrive: () => void): void {
    if (process.alive) this.kernel.after(this.way(), null, arrive)
  }

  /** Asks a server, which answers when it can. An interrupted request may be worked on all the same. */
  ask<A, E>(
    process: Process,
    { lost, server, what }: Request<E>,
    work: (answer: (result: Effect.Effect<A, E>) => void) => void
  ): Effect.Effect<A, E> {
    const { kernel } = this
    return Effect.async<A, E>((answered) => {
      const ended = this.opened(process, server)
      const resume = (result: Effect.Effect<A, E>): void => {
        ended()
        answered(result)
      }
      const strikes = this.strikes(server)
      const fate = strikes ? (this.draw() < 0.5 ? "request" : "answer") : null
      if (strikes) this.onTrouble(process)
      kernel.note(process.name, `${server}: ${what}${fate === null ? "" : ` (${fate} lost)`}`)
      const back = (result: Effect.Effect<A, E>) => void kernel.after(this.way(), process, () => resume(result))
      if (fate === "request") back(Effect.fail(lost))
      else {
        this.send(process, () => {
          work(fate === null ? back : () => back(Effect.fail(lost)))
          this.onArrival(process, server)
        })
      }
      return Effect.sync(ended)
    })
  }

  /** Counts a request that is open; gives what notes its end. */
  private opened(process: Process, server: Server): () => void {
    const name = `${process.name} ${server}`
    const count = (more: number): number => {
      const open = (this.open.get(name) ?? 0) + more
      this.open.set(name, open)
      return open
    }
    this.onOpen(process, server, count(1))
    let isOpen = true
    return () => {
      if (isOpen) count(-1)
      isOpen = false
    }
  }
}
