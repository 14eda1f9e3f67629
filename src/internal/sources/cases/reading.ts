import { type Case, checks } from "../Case.ts"
import type { Fault, Request } from "../Store.ts"
import { textOf, type World } from "../World.ts"
import { settled, several } from "./whole.ts"

const [first = "", second = "", third = ""] = several

const large = 200_000

const isAbout = (request: Request, path: string): boolean => request.kind !== "list" && request.path === path

/** A run in which the first read of the path breaks at half its bytes, and the object is replaced then. */
const torn = function* (world: World) {
  const { store } = world
  let reads = 0
  store.put(first, textOf("one", large))
  world.faults((request) => {
    if (request.kind !== "read" || request.path !== first) return undefined
    reads += 1
    if (reads === 1) return { _tag: "Broken", share: 0.5 }
    if (reads === 2) store.put(first, new Uint8Array(large).fill(120))
    return undefined
  })
  yield* world.run()
  yield* world.settle
}

export const reading: ReadonlyArray<Case> = [
  ...checks(["status"], {
    *"loses no other file, and removes nothing, when one may not be read or is gone"(world) {
      for (const status of [401, 403, 404, 500]) {
        yield* settled(world)
        for (const path of [first, second, third]) world.store.put(path, textOf(`next ${status}`))
        world.faults((request) => (isAbout(request, second) ? { _tag: "Refused", status } : undefined))
        const { error, failed, read } = yield* world.run()
        if (error !== null) yield* world.fail(`it ends the run because one file is answered with ${status}`)
        if (!failed.has(second)) yield* world.fail(`it does not tell that a file is answered with ${status}`)
        if (!read.includes(first) || !read.includes(third)) {
          yield* world.fail(`it does not read the other files when one is answered with ${status}`)
        }
        yield* world.settle
      }
    }
  }),
  ...checks(["break"], {
    *"gives all bytes or fails when a read breaks off, and reads the file at the next run"(world) {
      yield* settled(world)
      const broken = new Set<string>()
      for (const path of [first, second, third]) world.store.put(path, textOf("next", large))
      world.faults((request): Fault | undefined => {
        if (request.kind !== "read" || broken.has(request.path)) return undefined
        broken.add(request.path)
        return { _tag: "Broken", share: request.path === first ? 0 : 0.7 }
      })
      yield* world.run()
      yield* world.settle
    },
    *"never joins the bytes of two versions when a read breaks off and the file is replaced"(world) {
      yield* settled(world)
      yield* torn(world)
    }
  }),
  ...checks(["break", "unversioned"], {
    *"never joins the bytes of two versions that a store without versions has"(world) {
      world.store.versioned = false
      world.fill(...several.slice(0, 6))
      yield* world.run()
      yield* torn(world)
    }
  })
]
