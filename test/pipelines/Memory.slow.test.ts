import { assert, describe, it } from "@effect/vitest"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { tree } from "../fixtures/discovered.ts"
import { runs } from "../fixtures/seed.ts"
import { Alive } from "./leftovers.ts"
import { type Shape, shapes, uploadsOnly, type World } from "./shapes.ts"

interface Sizes {
  readonly count: number
  readonly bytes: number
  /** Bytes that `open` gives at a time. */
  readonly part: number
}

/** Files that are made when they are opened, with the handles that are open. */
const made = ({ bytes, count, part }: Sizes, note: (part: object) => void) => {
  const handles = { now: 0, most: 0, opened: 0 }
  const handle = Effect.acquireRelease(
    Effect.sync(() => {
      handles.opened += 1
      handles.most = Math.max(handles.most, (handles.now += 1))
    }),
    () => Effect.sync(() => (handles.now -= 1))
  )
  const contentOf = (at: number) =>
    Stream.map(Stream.rechunk(Stream.range(1, bytes / part), 1), (number) => {
      const one = Buffer.alloc(part, `# Note ${at}, part ${number}\n\n${"Zinc anodes. ".repeat(20)}\n\n`)
      note(one)
      return one
    })
  const files = (extension: string) =>
    Stream.map(Stream.range(1, count), (at) =>
      SourceFile.make({
        root: "notes",
        path: `${at}.${extension}`,
        size: bytes,
        open: Stream.unwrapScoped(Effect.as(handle, contentOf(at)))
      })
    )
  return { files, handles }
}

/** Runs a pipeline over many documents, and looks at what is held `looks` times. */
const measured = (shape: Shape, sizes: Sizes, looks: number) =>
  Effect.gen(function* () {
    const alive = new Alive()
    const held = { now: 0, most: 0, alive: 0, gone: 0 }
    const { files, handles } = made(sizes, alive.note)
    const world: World = {
      folder: yield* tree({}),
      files,
      came: (count) => {
        held.most = Math.max(held.most, (held.now += count))
      },
      gone: (value) =>
        Effect.suspend(() => {
          held.now -= 1
          held.gone += 1
          const looking = held.gone % Math.ceil(sizes.count / looks) === 0
          // The value that is given out here has left the pipeline, which must not keep it after this.
          const noted = Effect.sync(() => alive.note(value))
          return looking
            ? Effect.zipRight(
                Effect.map(alive.count, (count) => {
                  held.alive = Math.max(held.alive, count)
                }),
                noted
              )
            : noted
        })
    }
    yield* yield* shape.make(world)
    return { held, handles }
  })

/** Documents that are parsed at a time, whatever the pipeline. */
const parsers = 4

describe("the memory of the pipelines of the examples", () => {
  for (const shape of shapes) {
    const count = runs(shape.durable === true ? 100 : 500)
    it.scopedLive(`${shape.name}: of ${count} documents of 20 KB at most ${shape.most} are held, and few opened`, () =>
      Effect.gen(function* () {
        const { handles, held } = yield* measured(shape, { count, bytes: 20_000, part: 20_000 }, 5)
        assert.strictEqual(held.gone, count)
        assert.isAtMost(held.most, shape.most)
        // A document and what became of it; a stream holds what it gave last until it is asked for the next.
        assert.isAtMost(held.alive, 2 * (shape.most + 1))
        assert.isAtMost(handles.most, parsers)
        assert.deepInclude(handles, { now: 0, opened: count - count * (shape.refused ?? 0) })
      })
    )
  }

  it.scopedLive("uploads only: of 12 documents of 5 MB at most 2 MiB are held, and two files open", () =>
    Effect.gen(function* () {
      const part = 65_536
      const { handles, held } = yield* measured(uploadsOnly, { count: 12, bytes: 80 * part, part }, 12)
      assert.strictEqual(held.gone, 12)
      assert.isAtMost(held.most, uploadsOnly.most)
      assert.isAtMost(held.alive * part, 2 * 1_048_576)
      assert.isAtMost(handles.most, 2)
      assert.deepInclude(handles, { now: 0, opened: 12 })
    })
  )
})
