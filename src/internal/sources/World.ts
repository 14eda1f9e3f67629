import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Source } from "../../Source.ts"
import * as Replica from "./Replica.ts"
import { type Fault, type Request, Store } from "./Store.ts"
import type { Target } from "./Target.ts"

/** Tools of a case: a store, a source over it, and a replica that is kept in step through the source. */
export interface World {
  readonly store: Store
  readonly source: Source<unknown, Scope.Scope>
  readonly target: Target
  /** Puts a small text under each path that the store can have. */
  readonly fill: (...paths: ReadonlyArray<string>) => void
  /** Sets the faults of the next runs; without an argument there are none. */
  readonly faults: (fault?: (request: Request) => Fault | undefined) => void
  /** One run with the faults that are set. */
  readonly run: (before?: (path: string) => void) => Effect.Effect<Replica.Run, Replica.Violation>
  /**
   * Ends all faults, and fails unless two runs bring the replica in step with the store, without an error, and a third one reads nothing and
   * asks for no more than the listing.
   */
  readonly settle: Effect.Effect<void, Replica.Violation>
  readonly fail: (problem: string) => Effect.Effect<never, Replica.Violation>
}

const encoder = new TextEncoder()

/** A text of that many characters, which begins with the word. */
export const textOf = (word: string, length = 40): Uint8Array => encoder.encode(`# ${word}\n`.padEnd(length, "."))

/** Attempts of one request that a source may make. */
const attempts = 9

/** Longer than the grain of time stamps of a disk, from which a file counts as settled. */
const calm = "25 millis"

export const make = <E>(target: Target<E>): Effect.Effect<World, E, Scope.Scope> =>
  Effect.gen(function* () {
    const store = new Store()
    store.tick = target.grain ?? 0
    const source = yield* target.source(store)
    const replica = Replica.make(store, source)
    const { looks = 0, takes = () => true } = target
    const evidence = () => (store.versioned ? (target.fingerprints ?? "objects") : "none")
    const fail = (problem: string) => Effect.fail(new Replica.Violation({ problem }))
    const faults: World["faults"] = (fault = () => undefined) => {
      store.fault = fault
    }
    const size = (): number => Math.ceil(store.objects.length / store.pageSize) + store.objects.length * (1 + looks)
    const run: World["run"] = (before) => replica.run({ before, most: attempts * (size() + 10) })

    /** Fails for more requests than one for each page, the looks, and one for each file that is read. */
    const expectFrugal = ({ read, requests }: Replica.Run) => {
      const count = (kind: Request["kind"]) => requests.filter((one) => one.kind === kind).length
      const pages = Math.max(1, Math.ceil(store.objects.length / store.pageSize))
      if (count("list") > pages) return fail(`it asks for ${count("list")} pages of a listing that has ${pages}`)
      if (count("look") > looks * store.objects.length) {
        return fail(`it sends ${count("look")} requests about ${store.objects.length} objects while it lists them`)
      }
      const most = evidence() === "none" ? store.objects.length : read.length
      return count("read") > most ? fail(`it reads ${most} files by ${count("read")} requests`) : Effect.void
    }

    const quiet = Effect.gen(function* () {
      const ran = yield* run()
      if (store.objects.length > 0) yield* Replica.expectSound(ran)
      yield* expectFrugal(ran)
      return ran
    })

    const settle = Effect.gen(function* () {
      faults()
      yield* Effect.sleep(calm)
      yield* quiet
      yield* quiet
      // A source may fail for a store without any object, and removes nothing then.
      if (store.objects.length === 0) return
      yield* Replica.expectEqual(store, replica)
      const { read } = yield* quiet
      const now = yield* Clock.currentTimeMillis
      // A time stamp of the future is no evidence of a version.
      const again = read.find((path) => (store.get(path)?.modified ?? 0) < now)
      if (evidence() !== "none" && again !== undefined) yield* fail(`it reads ${again} again, which did not change`)
    })

    return {
      store,
      source,
      target,
      fail,
      faults,
      run,
      settle,
      fill: (...paths) => {
        for (const path of paths) if (takes(path)) store.put(path, textOf(path))
      }
    }
  })
