import { assert, describe, it } from "@effect/vitest"
import type { Snapshot } from "docsluice/RequestGate"
import { render } from "../../src/cli/Progress.ts"

const counts = {
  discovered: 40,
  complete: true,
  done: 10,
  unchanged: 3,
  failed: 1,
  pages: 25,
  chunks: 90,
  finishing: false,
  waiting: null
}

const at = { elapsed: 5000, now: 1_000_000, gate: null, columns: Infinity }

const gate = {
  limit: 16,
  inFlight: 16,
  waiting: 30,
  ratePerSecond: 12.34,
  breaker: "closed",
  closedUntil: null,
  servedAt: null
} as const

describe("Progress", () => {
  it("shows files, pages, chunks, rate, failures and the time left", () => {
    assert.strictEqual(
      render(counts, at),
      "10/40 files [#####...............] · 25 pages · 90 chunks · 2.0 files/s · 3 unchanged · 1 failed · 15 s left"
    )
  })

  it("says that it is finishing, and promises no time, once it was interrupted", () => {
    const line = render({ ...counts, finishing: true }, at)
    assert.match(line, /^finishing: 10\/40 files /)
    assert.notInclude(line, "left")
  })

  it("names what the run waits for before its first file", () => {
    assert.strictEqual(render({ ...counts, waiting: "the embedder" }, at), "waiting for the embedder")
  })

  it("promises no time while files are still being discovered", () => {
    assert.strictEqual(
      render({ ...counts, complete: false, unchanged: 0, failed: 0 }, at),
      "10/40+ files · 25 pages · 90 chunks · 2.0 files/s"
    )
  })

  it("shows limit, rate and waiting requests of the gate, or why it lets nothing through", () => {
    const of = (changed: Partial<Snapshot>): string => render(counts, { ...at, gate: { ...gate, ...changed } })
    assert.include(of({}), " · 1 failed · limit 16, 12.3 requests/s, 30 waiting · 15 s left")
    assert.include(of({ ratePerSecond: null, waiting: 0 }), " · limit 16 · 15 s left")
    assert.include(of({ closedUntil: at.now + 90_000 }), " · asked to wait 1 min 30 s · ")
    assert.include(of({ closedUntil: at.now - 1, breaker: "halfOpen" }), " · service down, trying again · ")
  })

  it("leaves out the least important parts where the terminal is narrow, down to the files", () => {
    const of = (columns: number): string => render(counts, { ...at, gate, columns })
    assert.strictEqual(
      of(120),
      "10/40 files · 25 pages · 90 chunks · 2.0 files/s · 1 failed · limit 16, 12.3 requests/s, 30 waiting · 15 s left"
    )
    assert.strictEqual(of(80), "10/40 files · 1 failed · limit 16, 12.3 requests/s, 30 waiting · 15 s left")
    assert.strictEqual(of(70), "10/40 files · 1 failed · limit 16, 12.3 requests/s, 30 waiting")
    assert.strictEqual(of(24), "10/40 files · 1 failed")
    assert.strictEqual(of(5), "10/40 files")
    for (let columns = 12; columns < 140; columns++) assert.isAtMost(of(columns).length, columns)
  })
})
