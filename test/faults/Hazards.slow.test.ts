import { execFileSync } from "node:child_process"
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Found } from "docsluice/Discovery"
import type { Summary } from "docsluice/Outcome"
import { Clock, Effect, Either, Stream } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import * as Corpus from "./corpus.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"
import * as Stored from "./stored.ts"

const numbers = { files: 12, limited: 0, broken: 0 }
const name = (index: number): string => Corpus.path(index, numbers)

/** Documents, a server, and the first run over them. */
const stored = Effect.gen(function* () {
  const server = yield* FaultServer.start({ document: Corpus.document })
  const site = yield* Site.make(numbers)
  const run = (given: Partial<Run.Given> = {}) => Run.run(site, { base: server.base, concurrency: 4, ...given })
  const first = yield* run()
  assert.deepInclude(first, { stored: 12, requests: 12, exit: 0 })
  return { server, site, run, at: (path: string) => join(site.docs, path) }
})

const isRight = (site: Site.Site) =>
  Effect.map(Stored.check(site), (check) => assert.isTrue(check.ok, JSON.stringify(check)))

/** Does something to a file once its upload has read a first part of it: no file of its size is known, so nothing is read before that. */
const during =
  (path: string, change: () => void) =>
  (found: Found): Found => {
    if (found._tag !== "SourceFile" || found.path !== path) return found
    let done = false
    const { documentId, fingerprint, size } = found
    const open = Stream.suspend(() =>
      Stream.tap(found.open, () =>
        Effect.sync(() => {
          if (!done) change()
          done = true
        })
      )
    )
    return { _tag: "SourceFile", documentId, path, size, fingerprint, open }
  }

describe("a file that changes while it is uploaded", () => {
  const megabytes = (seed: string): string => `${seed} `.repeat(300_000).slice(0, 3_000_000)

  /** `either`: the file is empty for a moment, and whoever looks then sees that it changed; null: what was opened is sent. */
  const changes: ReadonlyArray<readonly [what: string, change: (file: string) => void, tag: string | null]> = [
    ["other bytes, the same length", (file) => writeFileSync(file, megabytes("after")), "either"],
    ["longer", (file) => writeFileSync(file, `${megabytes("after")} and more`), "FileChanged"],
    ["cut off", (file) => truncateSync(file, 1_000_000), "FileChanged"],
    ["gone", (file) => rmSync(file), null]
  ]

  for (const [what, change, tag] of changes) {
    it.scopedLive(`(${what}) ends in a typed error or in what was sent, and the next run has it right`, () =>
      Effect.gen(function* () {
        const { at, run, site } = yield* stored
        Site.write(site, "large.pdf", megabytes("before"))
        yield* Site.settle
        const torn = yield* run({ found: during("large.pdf", () => change(at("large.pdf"))) })
        const wasSent = tag === null || (tag === "either" && torn.failed === 0)
        if (wasSent) assert.deepInclude(torn, { stored: 1, failed: 0, unchanged: 12 })
        else {
          assert.deepInclude(torn, { stored: 0, failed: 1, unchanged: 12, exit: 1 })
          const expected = tag === "either" ? "FileChanged" : tag
          assert.deepInclude(torn.failures[0], { source: "large.pdf", tag: expected, retryable: true })
        }
        yield* Site.settle
        const next = yield* run()
        assert.deepInclude(next, { failed: 0, unchanged: 12, exit: 0 })
        yield* isRight(site)
        assert.deepInclude(yield* run(), { requests: 0, stored: 0, failed: 0, exit: 0 })
      })
    )
  }
})

describe("a file replaced by a folder", () => {
  it.scopedLive("is a document that is gone, and one that is new", () =>
    Effect.gen(function* () {
      const { at, run, site } = yield* stored
      rmSync(at(name(3)))
      Site.write(site, `${name(3)}/inner.pdf`, "inside")
      yield* Site.settle
      assert.deepInclude(yield* run(), { stored: 1, removed: 1, unchanged: 11, requests: 1, failed: 0, exit: 0 })
      yield* isRight(site)
      rmSync(at(name(3)), { recursive: true })
      Site.write(site, name(3), "a file again")
      yield* Site.settle
      assert.deepInclude(yield* run(), { stored: 1, removed: 1, unchanged: 11, requests: 1, failed: 0, exit: 0 })
      yield* isRight(site)
    })
  )

  it.scopedLive("between being found and being read fails with a typed error, and the next run has it right", () =>
    Effect.gen(function* () {
      const { at, run, site } = yield* stored
      Site.write(site, name(3), "other bytes")
      yield* Site.settle
      const replace = (found: Found): Found => {
        if (found._tag === "SourceFile" && found.path === name(3)) {
          rmSync(at(name(3)))
          mkdirSync(at(name(3)))
          writeFileSync(join(at(name(3)), "inner.pdf"), "inside")
        }
        return found
      }
      const torn = yield* run({ found: replace })
      assert.deepInclude(torn, { failed: 1, unchanged: 11, removed: 0, requests: 0, exit: 1 })
      assert.deepInclude(torn.failures[0], { source: name(3), retryable: true })
      assert.match(torn.failures[0]?.tag ?? "", /^File(?:Unreadable|Changed)$/)
      assert.deepInclude(yield* run(), { stored: 1, removed: 1, unchanged: 11, requests: 1, failed: 0, exit: 0 })
      yield* isRight(site)
    })
  )
})

describe("other bytes of the same size", () => {
  it.scopedLive("are seen though cp -p or mv brought them under the old time", () =>
    Effect.gen(function* () {
      const { at, run, site } = yield* stored
      for (const [index, bring] of [
        [2, (from: string, to: string) => execFileSync("cp", ["-p", from, to])],
        [3, renameSync]
      ] as const) {
        const { atime, mtime } = statSync(at(name(index)))
        const other = join(site.directory, "other.pdf")
        writeFileSync(other, Corpus.text(index, 5))
        utimesSync(other, atime, mtime)
        yield* Site.settle
        bring(other, at(name(index)))
        assert.strictEqual(statSync(at(name(index))).mtime.getTime(), mtime.getTime())
        yield* Site.settle
        assert.deepInclude(yield* run(), { stored: 1, requests: 1, unchanged: 11, exit: 0 })
        yield* isRight(site)
      }
    })
  )
})

describe("a clock that is set back", () => {
  const at = (offset: number): Clock.Clock => {
    const live = Clock.make()
    return {
      ...live,
      unsafeCurrentTimeMillis: () => live.unsafeCurrentTimeMillis() + offset,
      unsafeCurrentTimeNanos: () => live.unsafeCurrentTimeNanos() + BigInt(offset) * 1_000_000n,
      currentTimeMillis: Effect.map(live.currentTimeMillis, (now) => now + offset),
      currentTimeNanos: Effect.map(live.currentTimeNanos, (now) => now + BigInt(offset) * 1_000_000n),
      sleep: (duration) => live.sleep(duration)
    }
  }

  it.scopedLive("hides no change, and costs no request for what has not changed", () =>
    Effect.gen(function* () {
      const { at: file, run, site } = yield* stored
      const day = 86_400_000
      const old = new Date(Date.now() - 2 * day)
      writeFileSync(file(name(1)), Corpus.text(1, 5))
      utimesSync(file(name(1)), old, old)
      yield* Site.settle
      const back = yield* Effect.withClock(run(), at(-day))
      assert.deepInclude(back, { stored: 1, requests: 1, unchanged: 11, exit: 0 })
      yield* isRight(site)
      writeFileSync(file(name(1)), Corpus.text(1, 6))
      utimesSync(file(name(1)), old, old)
      assert.deepInclude(yield* Effect.withClock(run(), at(-day)), { stored: 1, requests: 1, unchanged: 11 })
      assert.deepInclude(yield* run(), { requests: 0, stored: 0, unchanged: 12, exit: 0 })
      yield* isRight(site)
    })
  )
})

describe("a damaged page of the ledger", () => {
  const page = 4096

  const files = (site: Site.Site): ReadonlyArray<string> =>
    readdirSync(Site.state(site)).filter((file) => file.startsWith("ledger.db"))

  it.scopedLive("ends in a typed error or in the right result, and a rebuild without it asks nothing again", () =>
    Effect.gen(function* () {
      const { run, site } = yield* stored
      const ledger = join(Site.state(site), "ledger.db")
      const whole = readFileSync(ledger)
      const pages = Math.floor(whole.length / page)
      let refused = 0
      for (let at = 0; at < pages; at += 3) {
        for (const file of files(site)) rmSync(join(Site.state(site), file))
        writeFileSync(ledger, Buffer.from(whole).fill(0xa5, at * page + (at === 0 ? 100 : 0), (at + 1) * page))
        const result = yield* Effect.either(run())
        if (Either.isLeft(result)) {
          assert.deepInclude(result.left, { _tag: "LedgerError", reason: "Corrupted" }, `page ${at}`)
          refused += 1
        } else refused += yield* verdict(result.right, site, at)
      }
      assert.isAbove(refused, 0)
      for (const file of files(site)) rmSync(join(Site.state(site), file))
      assert.deepInclude(yield* run({ rebuild: true, claim: "adopt" }), {
        stored: 12,
        fromCache: 12,
        requests: 0,
        exit: 0
      })
      yield* isRight(site)
    })
  )

  /** 1 for a run that was stopped, 0 for one that went well; either way nothing that is stored was touched. */
  const verdict = (summary: Summary, site: Site.Site, page: number) =>
    Effect.gen(function* () {
      const check = yield* Stored.check(site)
      assert.isTrue(check.ok, `page ${page}: ${JSON.stringify(check)}`)
      if (summary.stopped !== undefined) {
        assert.strictEqual(summary.stopped.tag, "LedgerError", `page ${page}`)
        assert.notStrictEqual(summary.exit, 0)
        return 1
      }
      assert.deepInclude(summary, { failed: 0, notAttempted: 0, requests: 0 }, `page ${page}`)
      return 0
    })

  it.scopedLive("of the parse cache costs the answers and nothing else", () =>
    Effect.gen(function* () {
      const { run, site } = yield* stored
      const cache = join(Site.state(site), "cache", "index.db")
      writeFileSync(cache, readFileSync(cache).fill(0xa5, page))
      rmSync(Site.jsonl(site))
      const again = yield* run()
      assert.deepInclude(again, { stored: 12, failed: 0, exit: 0 })
      yield* isRight(site)
    })
  )
})
