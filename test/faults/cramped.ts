/** Ingests on a disk of its own, which is small or takes no writes, and says on stdout how each run ended: one JSON object a line. */
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, statfsSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Corpus from "./corpus.ts"
import type { Said } from "./disk.ts"
import * as Run from "./run.ts"
import * as Site from "./site.ts"
import * as Stored from "./stored.ts"

const [, , kind = "", disk = "", docs = "", base = ""] = process.argv
const site: Site.Site = { directory: disk, docs }
const numbers = { broken: 0, limited: 0 }

const tagOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "untagged"

const reasonOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "reason" in error ? String(error.reason) : ""

/** One run, and what lies in the targets after it. */
const run = (step: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(Run.run(site, { base, concurrency: 4 }))
    const check = yield* Stored.check(site)
    const ended = Exit.match(exit, {
      onSuccess: ({ exit, failures, requests, stopped }) => ({
        exit,
        requests,
        tags: [...new Set([...failures.map(({ tag }) => tag), ...(stopped === undefined ? [] : [stopped.tag])])],
        reason: ""
      }),
      onFailure: (cause) =>
        Option.match(Cause.failureOption(cause), {
          onNone: () => ({ exit: null, requests: 0, tags: ["defect"], reason: Cause.pretty(cause) }),
          onSome: (error) => ({ exit: null, requests: 0, tags: [tagOf(error)], reason: reasonOf(error) })
        })
    })
    writeSync(1, `${JSON.stringify({ step, ...ended, check } satisfies Said)}\n`)
  })

const ballast = join(disk, "ballast")

/** Fills the disk up to the given number of free bytes. */
const leave = (bytes: number): Effect.Effect<void> =>
  Effect.sync(() => {
    rmSync(ballast, { force: true })
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)))
  })

const change = (edition: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (let index = 0; index < 6; index++) Site.write(site, Corpus.path(index, numbers), Corpus.text(index, edition))
    return Site.settle
  })

const full = Effect.gen(function* () {
  const rooms = [0, 16, 100, 180, 260, 340].map((kilobytes) => kilobytes * 1024)
  for (const room of rooms) yield* Effect.zipRight(leave(room), run(`first run, ${room} bytes free`))
  yield* Effect.zipRight(leave(1_500_000), run("enough room"))
  for (const [at, room] of rooms.entries()) {
    yield* change(at + 1)
    yield* Effect.zipRight(leave(room), run(`changes, ${room} bytes free`))
  }
  yield* Effect.zipRight(leave(1_500_000), run("enough room again"))
})

const readOnly = Effect.gen(function* () {
  const state = Site.state(site)
  yield* run("first run")
  // A mount over itself: what this process still has open for writing would keep the disk itself from being remounted.
  execFileSync("mount", ["--bind", state, state])
  execFileSync("mount", ["-o", "remount,bind,ro", state])
  yield* change(1)
  yield* run("read-only state")
  execFileSync("umount", [state])
  yield* run("writable again")
})

mkdirSync(disk, { recursive: true })
await Effect.runPromise(Effect.provide(kind === "full" ? full : readOnly, Logger.remove(Logger.defaultLogger)))
