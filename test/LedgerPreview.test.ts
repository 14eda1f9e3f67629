import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Effect, Option } from "effect"
import { ofRun } from "../src/internal/state/ledger/runLedger.ts"
import {
  a,
  b,
  collect,
  expected,
  found,
  generation,
  ids,
  key,
  missed,
  request,
  scratch,
  seeing
} from "./fixtures/ledger.ts"
import type { Open } from "./fixtures/ledger.ts"
import { ledgerOf, type Place, places } from "./ledger/places.ts"

const inside =
  (place: Place) =>
  <A, E>(body: (ledger: Open) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(Effect.map(Ledger.Ledger, ofRun), body), ledgerOf(place))

/** Two documents of one scope, a third of another, all in the sink `a`. */
const filled = (ledger: Open) =>
  Effect.gen(function* () {
    const one = yield* ledger.scan(request, expected)
    const other = yield* ledger.scan({ ...request, patterns: "p2" }, expected)
    yield* ledger.commit(generation("x.pdf", { scope: one.scope }))
    yield* ledger.commit(generation("y.pdf", { scope: one.scope }))
    yield* ledger.commit(generation("z.pdf", { scope: other.scope }))
  })

/** What holds wherever the ledger lies. */
const contract = (place: Place): void => {
  const memory = inside(place)

  describe.skipIf(place.missing !== null)(`a preview of the ledger ${place.title}`, () => {
    it.effect("finds what a scan would find, and the documents that no scope would claim", () =>
      memory((ledger) =>
        Effect.gen(function* () {
          yield* filled(ledger)
          const preview = yield* ledger.preview(request, expected)
          assert.strictEqual(yield* seeing(preview, found("x.pdf")), "unchanged")
          assert.strictEqual(yield* seeing(preview, { ...found("x.pdf"), size: 11 }), "known")
          assert.strictEqual(yield* seeing(preview, found("new.pdf")), "new")
          assert.strictEqual(preview.claimed, 2)
          assert.deepStrictEqual(yield* missed(preview), ["y.pdf"])
          assert.deepStrictEqual(
            (yield* collect((yield* preview.gone).unclaimed)).map(({ path, released }) => ({ path, released })),
            [{ path: "y.pdf", released: false }]
          )
        })
      )
    )

    it.effect("binds no name and creates no scope", () =>
      memory((ledger) =>
        Effect.gen(function* () {
          const preview = yield* ledger.preview({ root: "docs", path: "/nowhere", patterns: "p" }, expected)
          assert.strictEqual(yield* seeing(preview, found("x.pdf")), "new")
          assert.deepStrictEqual(yield* collect((yield* preview.gone).unclaimed), [])
          assert.deepStrictEqual((yield* ledger.stats).roots, [])
        })
      )
    )

    it.scoped("refuses the name of another existing folder, as a run does", () =>
      Effect.gen(function* () {
        const directory = yield* scratch
        const [one, other] = [join(directory, "one"), join(directory, "other")]
        for (const folder of [one, other]) mkdirSync(folder)
        yield* memory((ledger) =>
          Effect.gen(function* () {
            yield* ledger.scan({ ...request, path: one }, expected)
            const error = yield* Effect.flip(ledger.preview({ ...request, path: other }, expected))
            assert.strictEqual(error.reason, "NameClash")
          })
        )
      })
    )
  })

  describe.skipIf(place.missing !== null)(`an acknowledgement that is withdrawn from the ledger ${place.title}`, () => {
    it.effect(
      "makes the document count as not stored in the sink, and keeps the record of chunks that the sink may hold",
      () =>
        memory((ledger) =>
          Effect.gen(function* () {
            yield* ledger.commit(generation("x.pdf", { acknowledged: [a, b] }))
            yield* ledger.disown(key("x.pdf"), [a.sink])
            const entry = Option.getOrThrow(yield* ledger.get(key("x.pdf")))
            assert.deepStrictEqual(entry.stored?.acknowledged, [b])
            const { held } = Option.getOrThrow(yield* ledger.holding(key("x.pdf")))
            assert.sameDeepMembers(
              [...held],
              [
                { sink: a.sink, chunkIds: [...ids("1", "2")].toSorted() },
                { sink: b.sink, chunkIds: [...ids("1", "2")].toSorted() }
              ]
            )
            const preview = yield* ledger.preview(request, { ...expected, sinks: [a] })
            assert.strictEqual(yield* seeing(preview, found("x.pdf")), "known")
            assert.sameDeepMembers([...(yield* ledger.sinks)], [{ ...a, store: null }, b])
          })
        )
    )

    it.effect("is restored by the next commit, which leaves nothing to remove", () =>
      memory((ledger) =>
        Effect.gen(function* () {
          yield* ledger.commit(generation("x.pdf"))
          yield* ledger.disown(key("x.pdf"), [a.sink])
          assert.deepStrictEqual(yield* ledger.commit(generation("x.pdf")), [])
          const entry = Option.getOrThrow(yield* ledger.get(key("x.pdf")))
          assert.deepStrictEqual(entry.stored?.acknowledged, [a])
          assert.strictEqual((yield* ledger.stats).pending, 0)
        })
      )
    )

    it.effect("does nothing to a document that never was stored", () =>
      memory((ledger) =>
        Effect.gen(function* () {
          yield* ledger.disown(key("x.pdf"), [a.sink])
          assert.isTrue(Option.isNone(yield* ledger.get(key("x.pdf"))))
        })
      )
    )
  })
}

for (const place of places()) {
  contract(place)
}
