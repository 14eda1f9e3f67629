import { canonicalJson } from "../base/canonicalJson.ts"
import type { AgentEvent } from "./agentEvent.ts"

/** Answers that are waited for before an event is passed on without the one before it. */
const patience = 2

interface Producer {
  /** Events that have not been passed on. */
  held: Array<AgentEvent>
  /** The highest place in the order that needs no event before it. */
  next: number
  /** Answers for which the first of the held events has waited. */
  waited: number
}

/**
 * Events of a trace over the answers that repeat it: each once, those of an agent in the order of `producerSequence`, agents in the order
 * of their first event. An event whose predecessor is missing waits for it during two answers; once one has not come, the numbers of this
 * trace have gaps, and nothing waits any more. Holds the identity of every event.
 */
export class TraceOrder {
  /** True once the last event was passed on. */
  finished = false
  private readonly seen = new Set<string>()
  private readonly producers = new Map<string, Producer>()
  private gaps = false

  /** The events that follow; `last`: no further answer comes, so that none is held back. */
  take(events: ReadonlyArray<AgentEvent>, last: boolean): ReadonlyArray<AgentEvent> {
    this.add(events)
    const ends = [...this.producers.values()].some(({ held }) => held.some(isLast))
    const released = [...this.producers.values()].flatMap((producer) => this.release(producer, last || ends))
    this.finished ||= ends
    return ends ? [...released.filter((event) => !isLast(event)), ...released.filter(isLast)] : released
  }

  private add(events: ReadonlyArray<AgentEvent>): void {
    const unnamed = new Map<string, number>()
    for (const event of events) {
      const identity = identityOf(event, unnamed)
      if (this.seen.has(identity)) continue
      this.seen.add(identity)
      this.producerOf(event).held.push(event)
    }
  }

  private producerOf({ agent }: AgentEvent): Producer {
    const id = agent?.id ?? ""
    const known = this.producers.get(id)
    if (known !== undefined) return known
    const producer: Producer = { held: [], next: 1, waited: 0 }
    this.producers.set(id, producer)
    return producer
  }

  private release(producer: Producer, all: boolean): ReadonlyArray<AgentEvent> {
    const { held } = producer
    held.sort((left, right) => placeOf(left) - placeOf(right))
    producer.waited += 1
    let count = 0
    for (const event of held) {
      const place = event.producerSequence
      if (place !== undefined && place > producer.next) {
        if (!all && !this.gaps && producer.waited <= patience) break
        if (!all) this.gaps = true
      }
      if (place !== undefined) producer.next = Math.max(producer.next, place + 1)
      count += 1
    }
    if (count > 0 || held.length === 0) producer.waited = 0
    return held.splice(0, count)
  }
}

const isLast = (event: AgentEvent): boolean => event.type === "run.finished"

/** Events without a number follow in the order of their arrival. */
const placeOf = ({ producerSequence }: AgentEvent): number => producerSequence ?? Number.MAX_VALUE

/** Its id; or else its place, or else its content and how many events of the same content stand before it. */
const identityOf = (event: AgentEvent, unnamed: Map<string, number>): string => {
  const { agent, eventId, producerSequence, rawType } = event
  if (eventId !== undefined) return JSON.stringify([eventId])
  if (producerSequence !== undefined) return JSON.stringify([agent?.id, producerSequence, rawType])
  const content = canonicalJson(event.record)
  const before = unnamed.get(content) ?? 0
  unnamed.set(content, before + 1)
  return `${before} ${content}`
}
