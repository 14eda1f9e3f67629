import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Sftp from "docsluice/source/Sftp"
import { bytes } from "docsluice/SourceFile"
import { Effect, Redacted, Stream } from "effect"
import { hastened } from "../../src/internal/sources/hastened.ts"
import * as Drift from "./drift.ts"
import * as Sshd from "./sshd.ts"

const missing = Sshd.missing()

const name = missing === null ? "" : `: ${missing}`

/** A folder of the server, in which each change has a time of its own. */
const place = Effect.map(Sshd.scoped, (sshd): Drift.Place => {
  let seconds = new Date("2026-01-05T10:00:00Z").getTime() / 1000
  return {
    name: "files",
    root: sshd.root,
    env: { HOME: sshd.home },
    write: (path, body) =>
      Effect.sync(() => {
        const file = join(sshd.files, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, body)
        utimesSync(file, seconds, (seconds += 1))
      }),
    remove: (path) => Effect.sync(() => rmSync(join(sshd.files, path))),
    move: (from, to) =>
      Effect.sync(() => {
        mkdirSync(dirname(join(sshd.files, to)), { recursive: true })
        renameSync(join(sshd.files, from), join(sshd.files, to))
      }),
    reads: sshd.reads,
    listings: sshd.listings
  }
})

describe.skipIf(missing !== null)(`OpenSSH's server${name}`, () => {
  it.scopedLive("is followed through ten runs over 500 documents, some of which are killed", () =>
    Effect.gen(function* () {
      const report = yield* Drift.check(place, { mostListings: 8 })
      assert.isAtLeast(report.kills, 1, JSON.stringify(report))
    })
  )

  it.scopedLive("ends a run after a bounded time when it falls silent", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      for (const file of ["a.md", "b.md"]) writeFileSync(join(sshd.files, file), "one")
      const options: Sftp.Options = {
        root: sshd.root,
        privateKey: Redacted.make(readFileSync(sshd.key, "utf8")),
        knownHosts: join(sshd.home, ".ssh/known_hosts")
      }
      const frozen = (freeze: () => void) =>
        Sftp.make(options).files.pipe(
          Stream.tap(() => Effect.sync(freeze)),
          Stream.mapEffect((found) => (found._tag === "SourceFile" ? Effect.asVoid(bytes(found)) : Effect.void)),
          Stream.runDrain,
          Effect.scoped,
          Effect.withClock(hastenedClock),
          Effect.flip,
          Effect.ensuring(Effect.sync(sshd.thaw))
        )
      const hastenedClock = yield* hastened
      const began = Date.now()
      assert.strictEqual((yield* frozen(sshd.freeze))._tag, "FileUnreadable")
      sshd.freeze()
      const error = yield* frozen(() => {})
      assert.isTrue(
        error._tag === "SourceUnavailable" && /^(?:Timeout|Unreachable)$/u.test(error.reason),
        error.message
      )
      assert.isBelow(Date.now() - began, 240_000)
    })
  )
})
