import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Outcome } from "../../Outcome.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import type { Compared } from "../run/compare.ts"
import type { RunContext } from "../run/context.ts"
import * as DocumentRun from "../run/documentRun.ts"
import type { Refused } from "../run/item.ts"
import { notAttempted } from "../run/outcome.ts"
import type { QueueError } from "../run/queueError.ts"
import { outcomeIfUnchanged } from "../run/store.ts"
import { Aside } from "./aside.ts"
import type { Ended, Lane } from "./lane.ts"
import { SharedPace } from "./pace.ts"
import { type Pending } from "./pending.ts"
import { outcomeOf, Tally } from "./results.ts"

/** Jobs of one message to the server, and results of one answer. */
const together = 200

/** Time between two looks for results, in milliseconds: the first after a result, and the longest. A look costs both servers some work. */
const shortest = 40
const longest = 100

/** Outcomes that wait for the consumer, at most, before more documents are looked at. */
const waiting = 1024

/** Files at a time that workers could not get at and that are looked for here. */
const looks = 16

type Item = Outcome | Refused

/** The documents of one run on their way through a queue. */
export class Road {
  readonly pace = new SharedPace()
  readonly aside = new Aside()
  readonly tally: Tally
  readonly pending: Pending
  finished = 0
  failed = 0
  private readonly lane: Lane
  private readonly context: RunContext
  private readonly walk: DocumentRun.DocumentRun
  /** Documents sent ahead, at most. */
  private readonly depth: number
  /** Outcomes of documents that need no worker. */
  private here: Array<Item> = []
  /** True once the source has ended, and everything of it was sent. */
  ended = false
  private pause = shortest

  constructor(lane: Lane, context: RunContext, pending: Pending, depth: number) {
    this.lane = lane
    this.context = context
    this.pending = pending
    this.tally = new Tally(pending.run)
    this.depth = depth
    this.walk = DocumentRun.make(context, undefined, 1)
  }

  private get stopped(): boolean {
    return this.context.session.stopped() !== null
  }

  /** Sends what needs a worker, and decides the rest. */
  readonly send = (items: Chunk.Chunk<Compared>): Effect.Effect<void, never, Tokenizer> =>
    Effect.gen(this, function* () {
      for (const part of Arr.chunksOf(items, together)) {
        // A part may come as a whole when there is room for one document.
        while (this.pending.size >= this.depth && !this.stopped) yield* Effect.sleep(shortest)
        const ids: Array<string> = []
        for (const item of part) {
          const ended = this.walk.endedAtOnce(item)
          if (ended !== undefined) this.here.push(outcomeIfUnchanged(ended) ?? (yield* this.walk.store(ended)))
          else if (item.found._tag === "SourceFile" && !this.stopped) ids.push(this.pending.add(item, item.found))
          else this.here.push(yield* this.walk.whole(item))
        }
        yield* this.add(ids)
        while (this.here.length > waiting) yield* Effect.sleep(shortest)
      }
    })

  private readonly add = (ids: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.gen(this, function* () {
      // Those that are not added when the run stops are taken back together with the waiting ones.
      if (this.stopped) return
      yield* this.lane.add(this.pending.jobs(ids))
      this.pending.confirm(ids)
    }).pipe(Effect.catchAll(this.halt))

  private readonly halt = (error: QueueError): Effect.Effect<void> =>
    Effect.sync(() => this.context.session.halt(error))

  /** Outcomes since the last call; ends when every document has one. */
  readonly take: Effect.Effect<Chunk.Chunk<Item>, Option.Option<never>> = Effect.gen(this, function* () {
    for (;;) {
      const items = this.here
      this.here = []
      if (this.pending.size > 0) {
        items.push(...(yield* Effect.catchAll(this.results, (error) => Effect.as(this.halt(error), []))))
      }
      if (this.stopped) items.push(...(yield* this.takenBack))
      if (items.length > 0) {
        this.pause = shortest
        return Chunk.unsafeFromArray(items)
      }
      if (this.ended && this.pending.size === 0) return yield* Effect.fail(Option.none())
      yield* Effect.sleep(this.pause)
      this.pause = Math.min(longest, this.pause * 1.5)
    }
  })

  private readonly results: Effect.Effect<ReadonlyArray<Item>, QueueError> = Effect.gen(this, function* () {
    const ended = yield* this.lane.ended(together)
    const items: Array<Item> = []
    const again: Array<string> = []
    const one = (job: Ended): Effect.Effect<void> =>
      Effect.gen(this, function* () {
        const sent = this.pending.sentAs(job.id)
        if (sent === undefined) return
        const item = yield* outcomeOf(this.context, this, sent.file, job)
        if (item._tag === "Again") {
          sent.added = false
          again.push(job.id)
          return
        }
        this.pending.end(job.id)
        this.finished += 1
        if (item._tag === "Failed" || item._tag === "Refused") this.failed += 1
        items.push(item)
      })
    yield* Effect.forEach(ended, one, { concurrency: looks, discard: true })
    yield* Effect.catchAll(this.lane.remove(ended.map(({ id }) => id)), this.halt)
    yield* this.add(again)
    return items
  })

  /** After the stop of a run: what no worker has begun is not attempted; what one has in hand is waited for. */
  private readonly takenBack: Effect.Effect<ReadonlyArray<Item>> = Effect.gen(this, function* () {
    if (this.pending.size === 0) return []
    yield* this.lane.drain
    return this.pending.takeOthers(yield* this.lane.begun).map(({ file }) => notAttempted(file))
  }).pipe(
    // Nothing can be waited for on a server that is away.
    Effect.catchAll(() => Effect.sync(() => this.pending.takeOthers(new Set()).map(({ file }) => notAttempted(file))))
  )

  /** Sends again what the server has lost. */
  readonly mend: Effect.Effect<number, QueueError> = Effect.gen(this, function* () {
    const ids = this.pending.ids()
    const counts = yield* this.lane.counts
    if (this.stopped || counts.waiting + counts.active + counts.ended >= ids.length) return 0
    const some = ids.slice(0, 5 * together)
    const present = yield* this.lane.present(some)
    const gone = this.pending.jobs(some.filter((id) => !present.has(id)))
    for (const part of Arr.chunksOf(gone, together)) yield* this.lane.add(part)
    return gone.length
  })
}
