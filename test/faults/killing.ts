/** Runs in a process of their own that is killed, and what the next run makes of what they left. */
import type { ChildProcess } from "node:child_process"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as FaultServer from "../faultserver/server.ts"
import { waitingChild } from "../fixtures/waitingChild.ts"
import * as Corpus from "./corpus.ts"
import type { Order, Pause } from "./order.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"
import * as Stored from "./stored.ts"

const child = waitingChild(new URL("child.ts", import.meta.url))

/** Moment at which a child is killed: a number of milliseconds after its order, at a step, or never. */
export type Moment = { readonly afterMs: number } | { readonly pause: Pause; readonly plain: boolean } | "never"

/** Gives its order to the child and kills it; whether it had ended before, and how long it lived. */
const killed = (process: ChildProcess, order: Omit<Order, "pause" | "plain">, moment: Moment) =>
  Effect.async<{ readonly ended: boolean; readonly paused: boolean; readonly ms: number }>((resume) => {
    const at = performance.now()
    let ended = false
    let paused = false
    const kill = (): void => void process.kill("SIGKILL")
    const timer = typeof moment === "object" && "afterMs" in moment ? setTimeout(kill, moment.afterMs) : undefined
    process.on("message", (word: unknown) => {
      if (word === "paused") {
        paused = true
        kill()
      } else ended = true
    })
    process.once("close", () => {
      clearTimeout(timer)
      resume(Effect.succeed({ ended, paused, ms: performance.now() - at }))
    })
    const held = typeof moment === "object" && "pause" in moment
    process.send({ ...order, pause: held ? moment.pause : null, plain: held && moment.plain })
  })

/** Effects of a kill, and the findings of the next run. */
export interface Round {
  readonly moment: Moment
  /** The child was done before it could be killed. */
  readonly ended: boolean
  /** True when the child paused at its ordered step. */
  readonly paused: boolean
  readonly ms: number
  /** Documents that were parsed twice on account of the kill. */
  readonly twice: number
  readonly exit: number
  readonly check: Stored.Check
  readonly ok: boolean
}

interface Theatre {
  readonly site: Site.Site
  readonly server: FaultServer.FaultServer
  readonly numbers: Corpus.Numbers
}

/** Changes, adds and deletes some documents, so that every run has all kinds of work; gives how many are to be parsed. */
const disturb = ({ numbers, site }: Theatre, round: number): number => {
  const { changed, files } = numbers
  for (let index = 0; index < changed; index++) {
    Site.write(site, Corpus.path((round * changed + index) % files, numbers), Corpus.text(index, round + 1_000))
  }
  const gone = (step: number, index: number) => `passing/${step}-${index}.pdf`
  for (let index = 0; index < Math.ceil(changed / 3); index++) {
    Site.write(site, gone(round, index), Corpus.text(index, round + 50_000))
    if (round > 0) Site.remove(site, gone(round - 1, index))
  }
  return changed + Math.ceil(changed / 3)
}

/** Number of times that each document was sent whole since then, by its hash. */
const counts = (server: FaultServer.FaultServer, from: number): ReadonlyMap<string, number> => {
  const sent = new Map<string, number>()
  for (const { sha256 } of server.log.slice(from)) {
    if (sha256 !== "") sent.set(sha256, (sent.get(sha256) ?? 0) + 1)
  }
  return sent
}

/** One child, killed, and the run that comes after it, in this process. */
const round = (theatre: Theatre, number: number, process: ChildProcess, moment: Moment) =>
  Effect.gen(function* () {
    const { numbers, server, site } = theatre
    const toParse = disturb(theatre, number)
    yield* Site.settle
    const before = server.log.length
    const order = { directory: site.directory, base: server.base, concurrency: numbers.concurrency }
    const { ended, ms, paused } = yield* killed(process, order, moment)
    const summary = yield* Run.run(site, { base: server.base, concurrency: numbers.concurrency })
    const sent = counts(server, before)
    const often = Math.max(0, ...sent.values())
    const twice = [...sent.values()].filter((count) => count > 1).length
    const check = yield* Stored.check(site)
    return {
      moment,
      ended,
      paused,
      ms: Math.round(ms),
      twice,
      exit: summary.exit,
      check,
      ok:
        check.ok &&
        summary.exit === 0 &&
        summary.failed === 0 &&
        often <= 2 &&
        twice <= numbers.concurrency &&
        sent.size <= toParse
    } satisfies Round
  })

/**
 * As many rounds as there are moments; each has its own child, which is loaded while the one before it works. A moment may depend
 * on how long a run takes: that of a run before them, which is not killed.
 */
export const play = (
  numbers: Corpus.Numbers,
  rounds: number,
  momentOf: (round: number, wholeMs: number) => Moment
): Effect.Effect<{ readonly whole: Round; readonly rounds: ReadonlyArray<Round> }, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* FaultServer.start({ document: Corpus.document, delay: 10 })
    const theatre = { site: yield* Site.make(numbers), server, numbers }
    const all: Array<Round> = []
    let next = yield* child
    disturb(theatre, 0)
    yield* Site.settle
    yield* Run.run(theatre.site, { base: server.base, concurrency: numbers.concurrency })
    const whole = yield* round(theatre, 1, next, "never")
    next = yield* child
    for (let index = 0; index < rounds; index++) {
      const moment = momentOf(index, whole.ms)
      const [done, waiting] = yield* Effect.all(
        [round(theatre, index + 2, next, moment), index + 1 < rounds ? child : Effect.succeed(next)],
        { concurrency: 2 }
      )
      all.push(done)
      next = waiting
    }
    return { whole, rounds: all }
  })
