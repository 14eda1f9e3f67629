import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Case, checks } from "../Case.ts"
import { hastened } from "../hastened.ts"
import { messageOf } from "../Replica.ts"
import type { Fault, Request } from "../Store.ts"
import type { Ability } from "../Target.ts"
import { textOf, type World } from "../World.ts"
import { settled, several } from "./whole.ts"

/** Faults every request for the page with that number, from 0, however often it is asked for. */
const atPage = (page: number, fault: Fault): ((request: Request) => Fault | undefined) => {
  const tokens: Array<string | null> = []
  return (request) => {
    if (request.kind !== "list") return undefined
    if (!tokens.includes(request.from)) tokens.push(request.from)
    return tokens.indexOf(request.from) === page ? fault : undefined
  }
}

/** A run with the fault at each page in turn: it fails, and after it nothing is amiss. */
const cut = (world: World, fault: Fault) =>
  Effect.gen(function* () {
    yield* settled(world)
    const pages = Math.ceil(several.length / world.store.pageSize)
    for (let page = 0; page < pages; page++) {
      world.faults(atPage(page, fault))
      world.store.put(`${page}/later.md`, textOf(`later ${page}`))
      const { error } = yield* world.run()
      if (error === null)
        return yield* world.fail(`it ends without an error although page ${page + 1} is not to be had`)
    }
    yield* world.settle
    return undefined
  })

const statuses = [401, 403, 404, 410]

const cutting = (needs: ReadonlyArray<Ability>, name: string, ...faults: ReadonlyArray<Fault>): ReadonlyArray<Case> =>
  checks(needs, {
    *[name](world) {
      for (const fault of faults) yield* cut(world, fault)
    }
  })

export const listing: ReadonlyArray<Case> = [
  ...cutting(
    ["break"],
    "removes nothing after a listing that breaks off, at whichever page",
    { _tag: "Broken", share: 0 },
    { _tag: "Broken", share: 0.6 }
  ),
  ...cutting(
    ["status"],
    "removes nothing after a listing of which a page is refused: no longer signed in, forbidden, not found, an expired token",
    ...statuses.map((status): Fault => ({ _tag: "Refused", status }))
  ),
  ...cutting(["blank"], "takes a page without a body for no empty page", { _tag: "Blank" }),
  ...checks(["pages"], {
    *"finds a file once that two pages hold"(world) {
      world.fill(...several)
      world.faults((request) => (request.kind === "list" ? { _tag: "Repeated" } : undefined))
      yield* world.run()
      yield* world.settle
    },
    *"ends a listing whose pages lead back to an earlier one, with an error"(world) {
      yield* settled(world)
      world.faults((request) => (request.kind === "list" ? { _tag: "Looped" } : undefined))
      const { error } = yield* world.run()
      if (error === null) yield* world.fail("it takes a listing that never came to its end for a whole one")
      yield* world.settle
    },
    *"misses nothing that is there all the time while the store changes between two pages"(world) {
      const { store } = world
      yield* settled(world)
      const sorted = store.objects.map(({ path }) => path)
      let turn = 0
      world.faults((request) => {
        if (request.kind !== "list") return undefined
        turn += 1
        if (turn === 1) store.put("0/a before.md", textOf("before"))
        if (turn === 2) for (const path of sorted.slice(0, 2)) store.remove(path)
        if (turn === 3) store.move(sorted.at(-1) ?? "", "0/a moved.md")
        store.put(`9/after ${turn}.md`, textOf("after"))
        store.put(sorted[turn + 3] ?? "", textOf("changed"))
        return undefined
      })
      yield* world.run()
      yield* world.settle
    },
    *"asks for a page when it is wanted, and for none after its reader left"(world) {
      world.fill(...Array.from({ length: 240 }, (_, at) => `file ${at}.md`))
      yield* world.source.files.pipe(
        Stream.mapEffect(() => Effect.sleep("2 seconds")),
        Stream.take(1),
        Stream.runDrain,
        Effect.scoped,
        Effect.withClock(yield* hastened),
        Effect.catchAll((error) => world.fail(`it cannot be listed: ${messageOf(error)}`))
      )
      const { requests } = world.store
      const ahead = requests.filter(({ kind }) => kind !== "list" || world.target.listsWhole !== true)
      if (ahead.length > most)
        yield* world.fail(`it sends ${ahead.length} requests before its second file is asked for`)
      const { length } = requests
      yield* Effect.sleep("50 millis")
      if (requests.length > length) yield* world.fail("it sends requests after its reader left")
    }
  })
]

/** Requests that a source may send ahead of its reader. */
const most = 24
