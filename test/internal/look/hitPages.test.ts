import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, ManagedRuntime, type Scope } from "effect"
import * as PageDrawing from "../../../src/engine/PageDrawing.ts"
import * as Asked from "./askedStore.ts"

const { caller } = Asked

const ingested = ManagedRuntime.make(Asked.ingested)

afterAll(() => ingested.dispose())

const live = (title: string, body: () => Effect.Effect<void, unknown, Asked.Ingested | Scope.Scope>) =>
  it.scopedLive(title, () => Effect.provide(body(), ingested))

/** Width and height of a PNG. */
const sizeOf = (png: Uint8Array): readonly [number, number] => {
  const bytes = Buffer.from(png)
  assert.strictEqual(bytes.subarray(1, 4).toString(), "PNG")
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

describe("pages of hits", () => {
  live("have their sizes, and pictures as wide as asked for", () =>
    Effect.gen(function* () {
      const ask = yield* Asked.ask(yield* Asked.Ingested, { drawing: yield* PageDrawing.make })
      const hit = yield* ask.one("calibrate")
      const view = yield* ask.view(hit.id, caller)
      assert.isNull(view.missing)
      assert.deepStrictEqual(
        view.pages.map(({ height, number, width }) => [number, Math.round(width), Math.round(height)]),
        [
          [1, 400, 500],
          [2, 400, 500]
        ]
      )
      const [first, second] = yield* Effect.all(
        [1, 2].map((page) => ask.picture(hit.id, page, 800, caller)),
        { concurrency: 2 }
      )
      assert(first !== undefined && second !== undefined, "there is no picture")
      assert.deepStrictEqual(
        [sizeOf(first), sizeOf(second)],
        [
          [800, 1000],
          [800, 1000]
        ]
      )
      assert.notDeepEqual(first, second)
    })
  )

  live("are not drawn any more once the file was changed while the hit is shown", () =>
    Effect.gen(function* () {
      const world = yield* Asked.copy
      const ask = yield* Asked.ask(world, { roots: { docs: world.docs }, drawing: yield* PageDrawing.make })
      const hit = yield* ask.one("calibrate")
      yield* ask.picture(hit.id, 1, 200, caller)
      fs.writeFileSync(path.join(world.docs, "deep", "gauges.pdf"), Asked.pdf("A secret.", "Another."))
      const { body, status } = yield* Effect.flip(ask.picture(hit.id, 1, 200, caller))
      assert.deepInclude({ status, ...body.error }, { status: 409, tag: "HitMissing" })
      assert.include(body.error.message, "was changed after it was ingested")
      assert.strictEqual((yield* ask.view(hit.id, caller)).missing?.reason, "changed")
    })
  )

  live("of a type that is not drawn say so", () =>
    Effect.gen(function* () {
      const world = yield* Asked.world()
      const slides = fileURLToPath(new URL("../../../examples/documents/introduction.pptx", import.meta.url))
      fs.copyFileSync(slides, path.join(world.docs, "slides.pptx"))
      yield* world.ingest()
      const ask = yield* Asked.ask(world, { drawing: yield* PageDrawing.make })
      const { hits } = yield* ask.search({ query: "slides", limit: 50, minScore: 0 }, caller)
      const hit = hits.find(({ chunk }) => chunk.source === "slides.pptx")
      assert(hit !== undefined, "no slide was found")
      const view = yield* ask.view(hit.id, caller)
      assert.strictEqual(view.missing?.reason, "no-pages")
      assert.deepStrictEqual(
        view.pages.map(({ number }) => number),
        hit.chunk.pages
      )
    })
  )
})
