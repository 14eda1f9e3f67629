/** A waiting request: its place in the line until it is admitted or leaves. */
export interface Place<A> {
  readonly value: A
  readonly lane: Lane
  previous: Place<A> | null
  next: Place<A> | null
  /** False once the request has left the line. */
  waiting: boolean
}

/** Requests that repeat an earlier one wait in `again`, which goes before `first`. */
export type Lane = "again" | "first"

interface Ends<A> {
  head: Place<A> | null
  tail: Place<A> | null
}

/** Two linked lists, each first in, first out. Entering and leaving take constant time wherever the place is. */
export class Queue<A> {
  private readonly lanes: Readonly<Record<Lane, Ends<A>>> = {
    again: { head: null, tail: null },
    first: { head: null, tail: null }
  }
  private count = 0

  /** Number of waiting requests. */
  get size(): number {
    return this.count
  }

  /** The place that is served next; null when nobody waits. */
  get head(): Place<A> | null {
    return this.lanes.again.head ?? this.lanes.first.head
  }

  /** The place that is served next in a lane; null when nobody waits there. */
  headOf(lane: Lane): Place<A> | null {
    return this.lanes[lane].head
  }

  enter(value: A, lane: Lane): Place<A> {
    const ends = this.lanes[lane]
    const place: Place<A> = { value, lane, previous: ends.tail, next: null, waiting: true }
    if (ends.tail === null) ends.head = place
    else ends.tail.next = place
    ends.tail = place
    this.count += 1
    return place
  }

  /** Leaves the line; nothing happens the second time. */
  leave(place: Place<A>): void {
    if (!place.waiting) return
    const ends = this.lanes[place.lane]
    if (place.previous === null) ends.head = place.next
    else place.previous.next = place.next
    if (place.next === null) ends.tail = place.previous
    else place.next.previous = place.previous
    place.previous = null
    place.next = null
    place.waiting = false
    this.count -= 1
  }
}
