import { type Case, checks } from "../Case.ts"
import { textOf } from "../World.ts"
import { settled, several } from "./whole.ts"

const [first = "", second = "", third = "", fourth = "", fifth = ""] = several

const long = Date.UTC(1999, 11, 31)
const ahead = Date.UTC(2039, 0, 1)

export const changes: ReadonlyArray<Case> = checks([], {
  *"sees at each run what was added, changed, moved and removed"(world) {
    const { store } = world
    yield* settled(world)
    store.put("0/added.md", textOf("added"))
    store.put(first, textOf("longer", 90))
    store.move(second, "moved/second.md")
    store.remove(third)
    yield* world.settle
    store.move("moved/second.md", second)
    store.move(fourth, "moved/fourth.md")
    store.put(fourth, textOf("another"))
    yield* world.settle
    for (const path of several.slice(3)) store.remove(path)
    yield* world.settle
  },
  *"reads a file again that was replaced by one of its size"(world) {
    yield* settled(world)
    for (const word of ["one", "two", "six"]) {
      world.store.put(first, textOf(word))
      yield* world.settle
    }
  },
  *"sees files that were removed, moved and restored, whatever their time stamps are"(world) {
    const { store } = world
    yield* settled(world)
    store.put("old.md", textOf("old"), long)
    store.put("new.md", textOf("new"), ahead)
    yield* world.settle
    store.put(first, textOf("of 1999"), long)
    store.put(second, textOf("of 2039"), ahead)
    store.remove(third)
    yield* world.settle
    store.restore(first)
    store.restore(second)
    store.restore(third)
    yield* world.settle
    store.remove(third)
    store.move(fourth, third)
    yield* world.settle
  },
  *"sees a store that was emptied and is filled again"(world) {
    const { store } = world
    yield* settled(world)
    for (const path of several) store.remove(path)
    yield* world.settle
    world.fill(...several.slice(0, 5))
    yield* world.settle
  },
  *"reads files that change, move and go while it runs as they are or not at all"(world) {
    const { store } = world
    yield* settled(world)
    const all = store.objects.map(({ path }) => path)
    for (const path of all) store.put(path, textOf("next"))
    let turn = 0
    yield* world.run((path) => {
      turn += 1
      if (turn % 4 === 0) store.remove(path)
      if (turn % 4 === 1) store.put(path, textOf("last"))
      if (turn % 4 === 2) store.put(path, textOf("longer", 200))
      if (turn === 3) store.put(fifth, textOf("of another"))
    })
    if (turn === 0) yield* world.fail("it opens none of the files that changed")
    yield* world.settle
  }
})
