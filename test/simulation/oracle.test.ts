import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { adaptiveCeiling } from "../../src/internal/gate/limiter.ts"
import * as Documents from "./Documents.ts"
import { type Invariant, invariants } from "./Oracle.ts"
import { constant, type Plan } from "./Plan.ts"
import { Process } from "./Process.ts"
import { run, type Tampering } from "./Simulation.ts"
import type { World } from "./World.ts"

const content = (version: number): Documents.Content => ({ name: "f.pdf", version, parts: 2, bad: false })

/** One process stores two documents, and another watches them; nothing fails. */
const plan: Plan = {
  setting: { seed: "by hand", roots: ["a"], sinks: [false], embeds: false, tellsGaps: false },
  actions: [
    { at: 0, kind: "put", root: "a", path: constant, content: { ...content(1), name: constant } },
    { at: 0, kind: "put", root: "a", path: "f.pdf", content: content(1) },
    { at: 1, kind: "ingest", process: "p1", root: "a" },
    { at: 2, kind: "watch", process: "p2", root: "a", poll: 1000 }
  ]
}

const during =
  (phase: Parameters<Tampering>[0], change: (world: World) => void): Tampering =>
  (now, world) => {
    if (now === phase) change(world)
  }

const chunksOf = (world: World, id: string) =>
  world.sinks.flatMap((sink) => [...sink.chunks.values()].filter(({ documentId }) => documentId === id))

const byHand: Readonly<Record<Invariant, Tampering>> = {
  "each document once and whole": during("judged", (world) => {
    const [first] = chunksOf(world, "a/f.pdf")
    if (first !== undefined) world.sinks[0]?.chunks.delete(first.id)
  }),
  "nothing of a deleted document": during("judged", (world) => world.sources.get("a")?.remove("f.pdf")),
  "nothing deleted that is there": during("last", (world) => {
    const [sink] = world.sinks
    for (const { id } of chunksOf(world, "a/f.pdf")) sink?.chunks.delete(id)
    sink?.onChange(new Process(world.kernel, "somebody"), new Set(["a/f.pdf"]))
  }),
  "nothing paid twice": during("last", ({ kernel, servers }) =>
    servers.onParse(new Process(kernel, "somebody"), content(1))
  ),
  "memory bounded": during("last", ({ kernel, network }) => {
    const somebody = new Process(kernel, "somebody")
    const request = { server: "service", what: "one of many", lost: "lost" } as const
    for (let count = 0; count <= adaptiveCeiling; count += 1)
      somebody.run(
        network.ask(somebody, request, () => {}),
        () => {}
      )
  }),
  "ledger, stores and letters agree": during("judged", ({ state }) =>
    state.change("UPDATE document SET failure = '{}'")
  ),
  "every call ends": during("start", ({ network }) => {
    network.onArrival = (process) => process.freeze()
  }),
  "a watch catches up": during("watched", (world) =>
    world.sources.get("a")?.put("f.pdf", Documents.bytesOf(content(2)))
  ),
  "nothing is left to do": during("idle", (world) =>
    world.sources.get("a")?.put("f.pdf", Documents.bytesOf(content(2)))
  ),
  "no defect": during("last", (world) => {
    world.source = () => Effect.die("by hand")
  })
}

describe("what has to be true of a simulation", () => {
  it("is true where nothing is broken by hand", async () => {
    assert.deepEqual((await run(plan)).violations, [])
  })

  for (const invariant of invariants) {
    it(`is found to be broken by hand: ${invariant}`, async () => {
      const { violations } = await run(plan, byHand[invariant])
      assert.include(
        violations.map((violation) => violation.invariant),
        invariant
      )
    })
  }
})
