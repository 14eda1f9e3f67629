import { assert, describe, it } from "@effect/vitest"
import { ChunkSink } from "docsluice/ChunkSink"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Stream } from "effect"
import * as honest from "./defects/honest.ts"
import { defects } from "./defects/index.ts"

/** A memory sink without the calls of these names. */
const without =
  (...names: ReadonlyArray<"list" | "remove" | "replace" | "search">) =>
  (sink: honest.Flat): honest.Flat => ({
    ...sink,
    capabilities: {
      ...sink.capabilities,
      ...Object.fromEntries(names.map((name) => [name, false])),
      ...(names.includes("search") && { filter: [] })
    },
    ...Object.fromEntries(names.map((name) => [name, undefined]))
  })

/** A memory sink that is spoilt in one way, and no other way to look at its store than the sink itself. */
const unseen = (spoil: (sink: honest.Flat) => honest.Flat) =>
  Effect.sync(() => ({
    layer: Layer.effect(
      ChunkSink,
      Effect.map(MemorySink.make(MemorySink.emptyStore()), (sink) =>
        honest.service(spoil(without("search")(honest.flat(sink))))
      )
    )
  }))

const named = (report: SinkConformance.Report, result: SinkConformance.Result["result"]) =>
  report.results.filter((one) => one.result === result).map(({ name }) => name)

SinkConformance.suite("memory", honest.target(), { describe, it })
SinkConformance.suite(
  "memory, listed only",
  unseen((sink) => sink),
  { describe, it }
)

describe("check", () => {
  it.live("passes every case on a sink that does all that it says, and shows what it can", () =>
    Effect.gen(function* () {
      const report = yield* SinkConformance.check(honest.target())
      assert.deepEqual(named(report, "failed"), [])
      assert.deepEqual(named(report, "not verifiable"), [])
      assert.isTrue(report.conforms)
      assert.include(SinkConformance.table([report]), "| memory | yes | yes | yes | yes | yes | yes | yes |")
    })
  )

  it.live("says of a write that does nothing that it does not conform, whatever of it can be looked at", () =>
    Effect.gen(function* () {
      for (const spoil of [without(), without("list"), without("list", "remove", "replace")]) {
        const report = yield* SinkConformance.check(unseen((sink) => ({ ...spoil(sink), write: () => Effect.void })))
        assert.isFalse(report.conforms)
      }
    })
  )

  it.live("says of a sink at which nobody can look that its writes are not verifiable, so it does not conform", () =>
    Effect.gen(function* () {
      const report = yield* SinkConformance.check(unseen(without("list")))
      assert.deepEqual(named(report, "failed"), [])
      assert.isFalse(report.conforms)
      const [first] = report.results
      assert.strictEqual(first?.result, "not verifiable")
      assert.include(first?.reason, "the sink can neither list nor search, and the target has no hook `read`")
    })
  )

  it.live("looks through `list` at ids, through `read` or a search at contents, and passes what it has seen only", () =>
    Effect.gen(function* () {
      const content = "keeps metadata, lists, boxes and headings as they are"
      const ids = "distinguishes ids by every character"
      const listed = yield* SinkConformance.check(unseen((sink) => sink))
      assert.isTrue(listed.conforms)
      assert.include(named(listed, "passed"), ids)
      assert.include(named(listed, "not verifiable"), content)
      const searched = yield* SinkConformance.check(
        Effect.map(
          honest.target(({ sink }) => without("list")(sink)),
          ({ layer, space }) => ({ layer, space })
        )
      )
      assert.isTrue(searched.conforms, SinkConformance.lines(searched).join("\n"))
      assert.include(named(searched, "passed"), "keeps what was written last under an id")
      const lossy = yield* SinkConformance.check(
        Effect.map(
          honest.target(({ sink }) => ({ ...without("list")(sink), write: (batch) => sink.write(batch.slice(1)) })),
          ({ layer, space }) => ({ layer, space })
        )
      )
      assert.isFalse(lossy.conforms)
      assert.include(named(lossy, "failed"), "stores what is written, and finds it in a new session")
    })
  )

  it.live("names what is missing for a case that it cannot verify: a capability, a space, a hook", () =>
    Effect.gen(function* () {
      const { conforms, results } = yield* SinkConformance.check(unseen(without("remove", "replace")))
      assert.isTrue(conforms)
      const reasons = new Map(results.map(({ name, reason }) => [name, reason]))
      const reasonOf = (part: string) => [...reasons].find(([name]) => name.includes(part))?.[1]
      assert.strictEqual(reasonOf("removes chunks by id"), "the sink does not claim `remove`")
      assert.strictEqual(reasonOf("replaces a document with more"), "the sink does not claim `replace`")
      assert.strictEqual(reasonOf("once the store was deleted"), "the target has no hook `destroy`")
      assert.strictEqual(reasonOf("killed in mid-write"), "the target has no hook `kill`")
      assert.strictEqual(reasonOf("while its engine is down"), "the target has no hook `engine`")
      assert.include(reasonOf("to the last digit of a 32-bit float"), "no `space`")
    })
  )

  it.live("calls a case that does not end failed, and goes on with the next", () =>
    Effect.gen(function* () {
      const hanging = honest.target(({ sink }) => ({
        ...sink,
        list: Stream.never,
        prepare: (space) => Effect.uninterruptible(sink.prepare(space))
      }))
      const report = yield* SinkConformance.check(
        Effect.map(hanging, (target) => ({ ...target, read: undefined })),
        { timeout: "30 millis" }
      )
      assert.isFalse(report.conforms)
      assert.include(report.results[0]?.reason, "it did not end within 30ms")
      assert.lengthOf(report.results, SinkConformance.cases.length)
    })
  )

  it.live("prints each case with its reason, and the sum", () =>
    Effect.gen(function* () {
      const report = yield* SinkConformance.check(
        unseen((sink) => ({ ...without("list")(sink), write: () => Effect.die("no disk") }))
      )
      const text = SinkConformance.lines(report)
      assert.include(text, `failed: ${SinkConformance.cases[0]?.name}`)
      assert.match(text.join("\n"), /\n {4}Error: no disk\n/u)
      assert.match(text.at(-1) ?? "", /^memory does not conform: \d+ passed, \d+ failed, \d+ not verifiable$/u)
    })
  )
})

describe("suite", () => {
  it.live(
    "skips by name what is not verifiable, with the reason, and fails where nothing at all can be looked at",
    () =>
      Effect.gen(function* () {
        const registered = new Map<string, Effect.Effect<unknown, unknown>>()
        const skipped = new Map<string, string | undefined>()
        SinkConformance.suite("mine", unseen(without("list")), {
          describe: (_, body) => body(),
          it: {
            scopedLive: (name, body) => {
              const context = {
                skip: (note?: string): never => {
                  skipped.set(name, note)
                  throw new Error("skipped")
                }
              }
              registered.set(name, Effect.scoped(Effect.suspend(() => body(context))))
            }
          }
        })
        assert.deepEqual(
          [...registered.keys()],
          SinkConformance.cases.map(({ name }) => name)
        )
        const ends = yield* Effect.forEach(SinkConformance.cases, ({ name }) =>
          Effect.exit(registered.get(name) ?? Effect.void)
        )
        for (const [at, { core, name }] of SinkConformance.cases.entries()) {
          if (core) assert.include(String(ends[at]), "it is not verifiable: nothing could be verified")
          else if (skipped.has(name))
            assert.match(skipped.get(name) ?? "", /^not verifiable: the |^not verifiable: nothing /u)
          else assert.strictEqual(ends[at]?._tag, "Success", name)
        }
        assert.isAbove(skipped.size, 30)
      })
  )
})

describe("planted defects", () => {
  it("are at least 60, each of another name, and each to be caught by a case that there is", () => {
    assert.isAtLeast(defects.length, 60)
    assert.strictEqual(new Set(defects.map(({ name }) => name)).size, defects.length)
    const names = new Set(SinkConformance.cases.map(({ name }) => name))
    assert.deepEqual(
      defects.filter(({ caughtBy }) => !names.has(caughtBy)),
      []
    )
  })

  it("leave no case without a defect that it catches", () => {
    const catching = new Set(defects.map(({ caughtBy }) => caughtBy))
    assert.deepEqual(
      SinkConformance.cases.filter(({ name }) => !catching.has(name)).map(({ name }) => name),
      []
    )
  })

  it.live("are caught by the case that is there for them, 95 of 100 at least", () =>
    Effect.gen(function* () {
      const missed: Array<string> = []
      for (const { caughtBy, name, plant } of defects) {
        const found = SinkConformance.cases.find((one) => one.name === caughtBy)
        if (found === undefined) continue
        const end = yield* Effect.exit(Effect.scoped(found.run(honest.target(plant))))
        if (end._tag === "Success") missed.push(`${name}: ${caughtBy}`)
      }
      assert.isAtMost(missed.length, Math.floor(defects.length / 20), missed.join("\n"))
      yield* Effect.forEach(missed, (one) => Effect.logWarning(`missed: ${one}`))
    })
  )
})
