import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { ChunkSink, EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, Option, type Scope } from "effect"
import { chunk } from "../fixtures/sinkChunks.ts"
import { space } from "../fixtures/vectorChunks.ts"

type Open = (tenant?: string) => Effect.Effect<ChunkSink.Service, never, Scope.Scope>

const freshFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped(), "store")
}).pipe(Effect.provide(NodeContext.layer))

const engines: Readonly<Record<string, (place: string) => Open>> = {
  libsql: (file) => (tenant) => Effect.provide(LibSql.make({ file, tenant }), NodeContext.layer),
  lancedb: (directory) => (tenant) => Effect.provide(LanceDb.make({ directory, tenant }), NodeContext.layer)
}

const next: EmbeddingSpace = { ...space, model: "next", dimensions: 2 }

/** A chunk that tells its tenant and the model of its vector. */
const told = (tenant: string, model: EmbeddingSpace) =>
  chunk(`${tenant}.md`, 0, {
    text: `The gauge of ${tenant}, by ${model.model}.`,
    embedding: Array.from({ length: model.dimensions }, (_, at) => (at === 0 ? 1 : 0))
  })

const stored = (sink: ChunkSink.Service, tenant: string, model: EmbeddingSpace) =>
  Effect.gen(function* () {
    const prepared = yield* sink.prepare(model)
    yield* prepared.write([told(tenant, model)])
    yield* prepared.finish
  })

const generationsOf = ({ generations }: ChunkSink.Service) =>
  Effect.orDieWith(Effect.fromNullable(generations), () => "it holds no generations")

/** Fills a generation of the tenant with the next model. */
const filled = (sink: ChunkSink.Service, tenant: string) =>
  Effect.gen(function* () {
    const held = yield* generationsOf(sink)
    const filling = yield* held.fill
    yield* stored(filling.sink, tenant, next)
    yield* filling.filled
    return held
  })

/** The texts that a reader of the whole store finds for a tenant. */
const found = (open: Open, tenant: string | undefined): Effect.Effect<ReadonlyArray<string>, SinkError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const reader = yield* open()
      const hits = yield* reader.search?.({ text: "gauge", limit: 10, tenant }) ?? Effect.succeed([])
      return hits.map((hit) => hit.chunk.text)
    })
  )

for (const [name, at] of Object.entries(engines)) {
  describe(`generations of tenants in ${name}`, () => {
    const opened = Effect.gen(function* () {
      const open = at(yield* freshFolder)
      const acme = yield* open("acme")
      const brook = yield* open("brook")
      yield* stored(acme, "acme", space)
      yield* stored(brook, "brook", space)
      return { open, acme, brook }
    })

    it.scopedLive("switches one tenant to another model, and leaves the other one as it is", () =>
      Effect.gen(function* () {
        const { acme, brook, open } = yield* opened
        const held = yield* filled(acme, "acme")
        assert.deepStrictEqual(yield* found(open, "acme"), ["The gauge of acme, by test."])
        yield* held.switch
        assert.deepStrictEqual(yield* found(open, "acme"), ["The gauge of acme, by next."])
        assert.deepStrictEqual(yield* found(open, "brook"), ["The gauge of brook, by test."])
        assert.lengthOf(yield* (yield* generationsOf(brook)).list, 1)
        const own = yield* acme.ofTenant?.("acme") ?? Effect.dieMessage("it has tenants")
        assert.strictEqual(Option.getOrNull(yield* own.stamp ?? Effect.succeedNone)?.space?.model, "next")
        yield* held.rollback
        assert.deepStrictEqual(yield* found(open, "acme"), ["The gauge of acme, by test."])
      })
    )

    it.scopedLive("drops the former generation of one tenant, and nothing of another one in the same tables", () =>
      Effect.gen(function* () {
        const { acme, brook, open } = yield* opened
        const [mine, theirs] = [yield* filled(acme, "acme"), yield* filled(brook, "brook")]
        yield* mine.switch
        yield* mine.drop()
        assert.deepStrictEqual(yield* found(open, "acme"), ["The gauge of acme, by next."])
        assert.deepStrictEqual(yield* found(open, "brook"), ["The gauge of brook, by test."])
        yield* theirs.switch
        yield* theirs.drop()
        assert.deepStrictEqual(yield* found(open, "brook"), ["The gauge of brook, by next."])
        yield* acme.clear ?? Effect.void
        assert.deepStrictEqual(yield* found(open, "brook"), ["The gauge of brook, by next."])
      })
    )

    it.scopedLive("refuses a reader without a tenant, also when no tenant has its first generation any more", () =>
      Effect.gen(function* () {
        const { acme, brook, open } = yield* opened
        for (const [sink, tenant] of [
          [acme, "acme"],
          [brook, "brook"]
        ] as const) {
          const held = yield* filled(sink, tenant)
          yield* held.switch
          yield* held.drop()
        }
        const unchosen = yield* Effect.flip(found(open, undefined))
        assert.strictEqual(unchosen.reason, "Rejected")
        assert.include(unchosen.problem, 'search with `tenant: "NAME"`, or give ?tenant=NAME')
        const whole = yield* open()
        assert.include(
          (yield* Effect.flip(whole.prepare(space))).problem,
          'search with `tenant: "NAME"`, or give ?tenant=NAME'
        )
      })
    )

    it.scopedLive("gives no tenant to a store without, also when its first generation was dropped", () =>
      Effect.gen(function* () {
        const open = at(yield* freshFolder)
        const whole = yield* open()
        yield* stored(whole, "all", space)
        const held = yield* filled(whole, "all")
        yield* held.switch
        yield* held.drop()
        const tenant = yield* open("acme")
        assert.include((yield* Effect.flip(tenant.prepare(space))).problem, "made without tenants")
        assert.include((yield* Effect.flip(found(open, "acme"))).problem, "made without tenants")
        assert.deepStrictEqual(yield* found(open, undefined), ["The gauge of all, by next."])
      })
    )
  })
}
