import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Case, checks } from "../Case.ts"
import { messageOf, Violation } from "../Replica.ts"
import { textOf, type World } from "../World.ts"

/** Names that some store, address or file system reads as another. */
const odd = [
  "Report.md",
  "report.md",
  "caf\u00E9.md",
  "cafe\u0301.md",
  "a b.md",
  "a+b.md",
  "a%20b.md",
  "100%.md",
  "q?x=1.md",
  "h#x.md",
  "a&b=c;d.md",
  "it's (1) [2] {3}!*.md",
  '"quoted" <b>.md',
  "back\\slash.md",
  "new\nline.md",
  "..twice.md",
  "a/..b/c..md",
  "\u4E2D\u6587/\u{1F4C4}.md",
  `${"long".repeat(40)}.md`,
  "same/name.md",
  "name.md",
  "same.md/name.md"
]

const large = 3 * 1024 * 1024

/** The bytes, and the length of the longest part. */
const gathered = (parts: ReadonlyArray<Uint8Array>): readonly [sum: number, longest: number] =>
  parts.reduce<readonly [number, number]>(
    ([sum, longest], { length }) => [sum + length, Math.max(longest, length)],
    [0, 0]
  )

export const several: ReadonlyArray<string> = Array.from({ length: 14 }, (_, at) => `${at % 3}/file ${at}.md`)

/** Puts these objects, {@link several} by default, into the store; the replica has read them afterwards. */
export const settled = (world: World, paths: ReadonlyArray<string> = several) => {
  world.fill(...paths)
  return world.settle
}

export const whole: ReadonlyArray<Case> = [
  ...checks(
    [],
    {
      *"finds every file once, with its bytes, as all files of its scope"(world) {
        if (world.source.partial)
          yield* world.fail("it is marked as a part of its scope, so that nothing is ever removed")
        world.fill(...Array.from({ length: 41 }, (_, at) => `${at % 7}/${at % 3}/file ${at}.md`))
        yield* world.settle
      }
    },
    true
  ),
  ...checks([], {
    *"keeps names apart that differ in case, in their normal form or in one sign"(world) {
      world.fill(...odd)
      yield* world.settle
      const [first = ""] = world.store.objects.map(({ path }) => path)
      world.store.put(first, textOf("changed"))
      yield* world.settle
    },
    *"gives a large file in parts, from the start each time it is opened"(world) {
      const bytes = Uint8Array.from({ length: large }, (_, at) => (at * 31 + (at >> 11)) % 251)
      world.store.put("large.md", bytes)
      const twice = Stream.runForEach(world.source.files, (found) =>
        Effect.gen(function* () {
          if (found._tag !== "SourceFile") return yield* world.fail("it does not give the file")
          for (const time of ["first", "second"]) {
            const parts = yield* Stream.runCollect(found.open)
            const [sum, longest] = gathered([...parts])
            if (sum !== large) return yield* world.fail(`it gives ${sum} of ${large} bytes the ${time} time`)
            if (longest > large / 2)
              return yield* world.fail(`it gives a file of ${large} bytes in a part of ${longest}`)
          }
          return undefined
        })
      )
      yield* Effect.catchAll(Effect.scoped(twice), (error) =>
        error instanceof Violation ? Effect.fail(error) : world.fail(`it cannot be read: ${messageOf(error)}`)
      )
      yield* world.settle
    }
  })
]
