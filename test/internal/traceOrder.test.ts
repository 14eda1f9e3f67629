import { describe, it } from "@effect/vitest"
import type { AgentEvent } from "docsluice/service/Agent"
import { FastCheck } from "effect"
import { assert } from "vitest"
import { fromRecord } from "../../src/internal/client/agentEvent.ts"
import { TraceOrder } from "../../src/internal/client/traceOrder.ts"

const eventOf = (agent: string, sequence: number): AgentEvent => {
  const event = fromRecord({ type: "progress.reported", producerSequence: sequence, agent: { id: agent } })
  if (event === undefined) throw new Error("no event")
  return event
}

const nameOf = ({ agent, producerSequence }: AgentEvent): string => `${agent?.id}${producerSequence}`

/** Events of a few agents, as many as each number says, from 0. */
const events = FastCheck.array(FastCheck.nat(8), { minLength: 1, maxLength: 4 }).map((counts) =>
  counts.flatMap((count, agent) =>
    Array.from({ length: count }, (_, sequence) => eventOf(String.fromCodePoint(97 + agent), sequence))
  )
)

/** The events as a service may come to know them, one answer for each further `step` of them. */
const arrivals = events.chain((all) =>
  FastCheck.tuple(
    FastCheck.constant(all),
    FastCheck.shuffledSubarray(all, { minLength: all.length }),
    FastCheck.integer({ min: 1, max: 5 })
  )
)

const passedOn = (arrival: ReadonlyArray<AgentEvent>, step: number): ReadonlyArray<AgentEvent> => {
  const order = new TraceOrder()
  const out: Array<AgentEvent> = []
  for (let known = step; known < arrival.length; known += step) {
    out.push(...order.take(arrival.slice(0, known), false))
  }
  return [...out, ...order.take(arrival, true)]
}

describe("TraceOrder", () => {
  it.prop("passes on every event exactly once, however they arrive", [arrivals], ([[all, arrival, step]]) => {
    assert.sameMembers(passedOn(arrival, step).map(nameOf), all.map(nameOf))
  })

  it.prop("keeps the order of each agent when its events arrive in it", [events, FastCheck.nat(4)], ([all, step]) => {
    const woven = all.toSorted((left, right) => (left.producerSequence ?? 0) - (right.producerSequence ?? 0))
    const out = passedOn(woven, step + 1)
    for (const id of new Set(all.map(({ agent }) => agent?.id))) {
      const of = (events: ReadonlyArray<AgentEvent>) => events.filter(({ agent }) => agent?.id === id).map(nameOf)
      assert.deepStrictEqual(of(out), of(all))
    }
  })

  it.prop("sorts what it is given at once", [arrivals], ([[all, arrival]]) => {
    const out = passedOn(arrival, arrival.length + 1)
    const agents = [...new Set(arrival.map(({ agent }) => agent?.id))]
    assert.deepStrictEqual(
      out.map(nameOf),
      agents.flatMap((id) => all.filter(({ agent }) => agent?.id === id).map(nameOf))
    )
  })

  it("waits no more for missing numbers once one has not come", () => {
    const order = new TraceOrder()
    const [first, third, fifth] = [eventOf("a", 1), eventOf("a", 3), eventOf("a", 5)]
    const taken = [
      [first, third],
      [first, third],
      [first, third],
      [first, third],
      [first, third, fifth]
    ].map((answer) => order.take(answer, false).map(nameOf))
    assert.deepStrictEqual(taken, [["a1"], [], [], ["a3"], ["a5"]])
  })
})
