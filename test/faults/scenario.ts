/** A corpus through faults, re-runs, a move, changes, outages and a lost target, with the exact number of requests of each step. */
import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { type ChunkSink, mapPrepared, SinkError } from "docsluice/ChunkSink"
import type { Summary } from "docsluice/Outcome"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as FaultServer from "../faultserver/server.ts"
import * as Corpus from "./corpus.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"
import * as Stored from "./stored.ts"

/** Result of a step, and the expected one. */
export interface Step {
  readonly name: string
  /** As the server counted them. */
  readonly requests: number
  readonly expectedRequests: number
  readonly summary: Pick<
    Summary,
    "chunks" | "discovered" | "exit" | "failed" | "fromCache" | "notAttempted" | "removed" | "stored" | "unchanged"
  >
  /** Expected members of it. */
  readonly expected: Partial<Step["summary"]>
  /** Contents of the targets; null when the step is expected to leave them incomplete. */
  readonly check: Stored.Check | null
  readonly ms: number
  readonly ok: boolean
}

export interface Report {
  readonly numbers: Corpus.Numbers
  readonly steps: ReadonlyArray<Step>
  /** Bytes that were sent with success more than once. */
  readonly paidTwice: number
  /** Requests in flight at a time, at most. */
  readonly maxInFlight: number
  readonly ok: boolean
}

interface Wanted {
  readonly requests: number
  readonly summary: Step["expected"]
  /** The targets are not compared: the step is to leave them incomplete. */
  readonly incomplete?: boolean
}

/** The faults of the sink are the sinks' own error, as a database that is down gives it. */
const out = (which: (sink: ChunkSink.Service) => boolean) => (sink: ChunkSink.Service) => {
  if (!which(sink)) return sink
  const refuse = Effect.fail(
    new SinkError({ sink: sink.id, reason: "Unavailable", problem: "connect ECONNREFUSED (simulated)" })
  )
  return mapPrepared(sink, (prepared) => ({
    ...prepared,
    write: () => refuse,
    remove: () => refuse,
    replace: () => refuse,
    replaceAll: () => refuse
  }))
}

class Play {
  readonly steps: Array<Step> = []
  readonly site: Site.Site
  readonly numbers: Corpus.Numbers
  readonly server: FaultServer.FaultServer

  constructor(site: Site.Site, numbers: Corpus.Numbers, server: FaultServer.FaultServer) {
    this.site = site
    this.numbers = numbers
    this.server = server
  }

  step(name: string, wanted: Wanted, given: Partial<Run.Given> = {}): Effect.Effect<Summary, unknown> {
    return Effect.gen(this, function* () {
      const before = this.server.log.length
      const at = performance.now()
      const summary = yield* Run.run(this.site, {
        base: this.server.base,
        concurrency: this.numbers.concurrency,
        ...given
      })
      const ms = Math.round(performance.now() - at)
      const requests = this.server.log.length - before
      const { chunks, discovered, exit, failed, fromCache, notAttempted, removed, stored, unchanged } = summary
      const check = wanted.incomplete === true ? null : yield* Stored.check(this.site)
      const seen = { chunks, discovered, exit, failed, fromCache, notAttempted, removed, stored, unchanged }
      this.steps.push({
        name,
        requests,
        expectedRequests: wanted.requests,
        summary: seen,
        expected: wanted.summary,
        check,
        ms,
        ok:
          requests === wanted.requests &&
          summary.requests === requests &&
          (check === null || check.ok) &&
          Object.entries({ ...seen, ...wanted.summary }).every(
            ([key, value]) => key === "chunks" || Object.entries(seen).some(([k, v]) => k === key && v === value)
          )
      })
      return summary
    })
  }

  /** Changes `numbers.changed` documents, beginning with `from`, to other bytes of the same length. */
  change(from: number, edition: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      for (let index = from; index < from + this.numbers.changed; index++) {
        Site.write(this.site, Corpus.path(index, this.numbers), Corpus.text(index, edition))
      }
      return Site.settle
    })
  }
}

const move = (site: Site.Site): void => {
  const place = join(site.directory, "elsewhere", "docs")
  mkdirSync(join(site.directory, "elsewhere"))
  renameSync(site.docs, place)
  site.docs = place
}

/** As a fresh checkout: every time and inode is another. */
const copyBack = (site: Site.Site): void => {
  const place = join(site.directory, "docs")
  cpSync(site.docs, place, { recursive: true })
  rmSync(site.docs, { recursive: true })
  site.docs = place
}

const firstRuns = (play: Play): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { broken, files, limited } = play.numbers
    const all = { discovered: files, failed: 0, exit: 0 } as const
    const idle = { ...all, unchanged: files, stored: 0, removed: 0 }
    yield* play.step("first run, with faults", {
      requests: files + limited + broken,
      summary: { ...all, stored: files, unchanged: 0 }
    })
    yield* play.step("unchanged re-run", { requests: 0, summary: idle })
    move(play.site)
    yield* play.step("moved checkout", { requests: 0, summary: idle })
    copyBack(play.site)
    yield* Site.settle
    yield* play.step("copied checkout", { requests: 0, summary: idle })
  })

const changes = (play: Play): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { changed, files } = play.numbers
    for (let index = files - changed; index < files; index++) {
      Site.remove(play.site, Corpus.path(index, play.numbers))
    }
    const left = files - changed
    const plain = play.numbers.limited + play.numbers.broken
    yield* play.change(plain, 1)
    yield* play.step("some changed, some deleted (sync)", {
      requests: changed,
      summary: { discovered: left, stored: changed, unchanged: left - changed, removed: changed, failed: 0, exit: 0 }
    })
    yield* play.step("unchanged re-run after it", { requests: 0, summary: { unchanged: left, stored: 0, exit: 0 } })
  })

const outages = (play: Play): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { changed, files } = play.numbers
    const left = files - changed
    const first = play.numbers.limited + play.numbers.broken
    const healed = { discovered: left, failed: 0, exit: 0 } as const
    for (const [offset, id] of [
      [1, "jsonl"],
      [2, "fs"]
    ] as const) {
      yield* play.change(first + offset * changed, 2)
      yield* play.step(
        `outage of sink ${id}`,
        { requests: changed, incomplete: true, summary: { failed: changed, unchanged: left - changed, exit: 1 } },
        { sink: out((sink) => sink.name === id) }
      )
      yield* play.step(`re-run after the outage of ${id}`, {
        requests: 0,
        summary: { ...healed, stored: changed, fromCache: changed }
      })
    }
    yield* play.change(first + 3 * changed, 2)
    const before = play.server.log.length
    const stopped = yield* Run.run(play.site, {
      base: play.server.base,
      concurrency: play.numbers.concurrency,
      sink: out(() => true)
    })
    const paid = play.server.log.length - before
    yield* play.step("re-run after an outage of both, which stopped the run", {
      requests: stopped.notAttempted === 0 ? 0 : changed - paid,
      summary: { ...healed, stored: changed, fromCache: paid }
    })
  })

const lostTargets = (play: Play): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const left = play.numbers.files - play.numbers.changed
    const back = { discovered: left, stored: left, fromCache: left, failed: 0, exit: 0 } as const
    rmSync(Site.jsonl(play.site))
    yield* play.step("re-run after the JSONL file was deleted", { requests: 0, summary: back })
    rmSync(Site.folder(play.site), { recursive: true })
    yield* play.step("re-run after the folder was deleted", { requests: 0, summary: back })
    yield* play.step("unchanged re-run at the end", { requests: 0, summary: { unchanged: left, stored: 0, exit: 0 } })
  })

const paidTwice = (server: FaultServer.FaultServer): number => {
  const paid = server.log.filter(({ status }) => status === 200).map(({ sha256 }) => sha256)
  return paid.length - new Set(paid).size
}

/** Plays it all, in order, at one place, against one server. */
export const play = (numbers: Corpus.Numbers): Effect.Effect<Report, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const site = yield* Site.make(numbers)
    const server = yield* FaultServer.start({ document: Corpus.document, delay: 10 })
    const play = new Play(site, numbers, server)
    yield* firstRuns(play)
    yield* changes(play)
    yield* outages(play)
    yield* lostTargets(play)
    const twice = paidTwice(server)
    return {
      numbers,
      steps: play.steps,
      paidTwice: twice,
      maxInFlight: server.maxInFlight(),
      ok: twice === 0 && server.maxInFlight() <= numbers.concurrency && play.steps.every(({ ok }) => ok)
    }
  })
