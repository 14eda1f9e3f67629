import { PCGRandom } from "effect/Utils"
import { type Case, checks } from "../Case.ts"
import type { Fault, Request } from "../Store.ts"
import { textOf, type World } from "../World.ts"
import { settled, several } from "./whole.ts"

const seeds = [1, 2, 3, 4, 5, 6]

/** Statuses of a store that is busy or at fault. */
const passing = [429, 500, 503]

/** Every fifth request or so is refused or breaks off. */
const drawn = (random: PCGRandom, breaks: boolean): ((request: Request) => Fault | undefined) => {
  return () => {
    const chance = random.number()
    if (chance > 0.2) return undefined
    if (breaks && chance < 0.07) return { _tag: "Broken", share: random.number() * 0.9 }
    const status = passing[random.integer(passing.length)] ?? 500
    return { _tag: "Refused", status, retryAfter: status === 500 ? undefined : random.integer(3) }
  }
}

/** Changes the store as users do. */
const stir = ({ store }: World, random: PCGRandom): void => {
  for (const path of several) {
    const chance = random.number()
    if (chance < 0.15) store.put(path, textOf(`of ${random.integer(1_000_000)}`))
    else if (chance < 0.25) store.remove(path)
    else if (chance < 0.3) store.move(path, `moved/${path}`)
    else if (chance < 0.35) store.move(`moved/${path}`, path)
  }
}

export const requests: ReadonlyArray<Case> = checks(["status"], {
  *"is in step again after runs whose requests were throttled, refused and broken by chance"(world) {
    yield* settled(world)
    for (const seed of seeds) {
      const random = new PCGRandom(seed)
      for (let turn = 0; turn < 2; turn++) {
        stir(world, random)
        world.faults(drawn(random, world.target.abilities?.includes("break") === true))
        yield* world.run()
      }
      yield* world.settle
    }
  },
  *"gives up after a bounded number of requests when the store answers none of them"(world) {
    const few = several.slice(0, 2)
    yield* settled(world, few)
    for (const status of [401, 429, 503]) {
      for (const path of few) world.store.put(path, textOf(`next ${status}`))
      world.faults(() => ({ _tag: "Refused", status }))
      const { error, failed } = yield* world.run()
      if (error === null && failed.size === 0) yield* world.fail("it tells nothing of a store that answers nothing")
      world.faults((request) => (request.kind === "list" ? undefined : { _tag: "Refused", status }))
      const { read } = yield* world.run()
      if (read.length > 0) yield* world.fail(`it reads ${read[0]} from a store that gives no bytes`)
    }
    yield* world.settle
  }
})
