import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as WebDav from "docsluice/source/WebDav"
import { bytes } from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Redacted, Stream } from "effect"
import * as Apache from "./apache.ts"
import * as Drift from "./drift.ts"
import * as FaultProxy from "./faultProxy.ts"

const missing = Apache.missing()

const anna = { user: Apache.user, password: Redacted.make(Apache.password) }

/** Time of files that are no longer fresh. */
const old = new Date("2026-01-05T10:00:00Z")

const write = ({ files }: Apache.Apache, path: string, text: string): void => {
  const file = join(files, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, old, old)
}

const texts = (root: string, options: Partial<WebDav.Options> = {}) =>
  WebDav.make({ root: `webdav:${root}`, credentials: "anonymous", ...options }).files.pipe(
    Stream.mapEffect((found) =>
      found._tag === "SourceFile"
        ? Effect.map(bytes(found), (body) => [found.path, Buffer.from(body).toString()] as const)
        : Effect.succeed([found.path, found._tag] as const)
    ),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.provide(UndiciHttpClient.layer())
  )

const refusal = (root: string, options: Partial<WebDav.Options> = {}) =>
  Effect.map(Effect.flip(texts(root, options)), (error) =>
    error._tag === "SourceUnavailable" ? `${error.reason}: ${error.problem}` : error._tag
  )

/** A folder of the server behind its password. An ETag is strong once a file was left alone for a second. */
const place = Effect.map(Apache.scoped, (apache): Drift.Place => {
  const asked: Array<string> = []
  const count = (method: string) => {
    asked.push(...apache.requests())
    return asked.filter((line) => line.startsWith(method)).length
  }
  return {
    name: "guarded",
    root: `webdav:${apache.guarded}`,
    env: { WEBDAV_USER: Apache.user, WEBDAV_PASSWORD: Apache.password },
    write: (path, body) =>
      Effect.sync(() => {
        const file = join(apache.files, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, body)
      }),
    remove: (path) => Effect.sync(() => rmSync(join(apache.files, path))),
    move: (from, to) =>
      Effect.sync(() => {
        mkdirSync(dirname(join(apache.files, to)), { recursive: true })
        renameSync(join(apache.files, from), join(apache.files, to))
      }),
    settle: Effect.sleep("1500 millis"),
    reads: () => count("GET"),
    listings: () => count("PROPFIND")
  }
})

describe.skipIf(missing !== null)(`Apache's mod_dav${missing === null ? "" : `: ${missing}`}`, () => {
  it.scopedLive("is read below a folder with names of any kind, and without links", () =>
    Effect.gen(function* () {
      const apache = yield* Apache.scoped
      const odd = [
        "a b.md",
        "caf\u00E9.md",
        "cafe\u0301.md",
        "100%.md",
        "a%20b.md",
        "h#x.md",
        "q?x=1.md",
        "a&b=c;d.md",
        '"quoted" <b>.md',
        "back\\slash.md",
        "new\nline.md",
        "gr\u00FC\u00DFe/n\u00E4he/\u4E2D\u6587.md"
      ]
      for (const name of odd) write(apache, name, name)
      symlinkSync("/etc/hostname", join(apache.files, "out.md"))
      assert.deepStrictEqual(yield* texts(apache.open), Object.fromEntries(odd.map((name) => [name, name])))
      const inner = `${apache.open}gr\u00FC\u00DFe/`
      assert.deepStrictEqual(yield* texts(inner), { "n\u00E4he/\u4E2D\u6587.md": odd.at(-1) ?? "" })
      assert.strictEqual(WebDav.make({ root: `webdav:${inner}` }).scope.root, "gr\u00FC\u00DFe")
    })
  )

  it.scopedLive("asks for a password, and says what is wrong with what it gets", () =>
    Effect.gen(function* () {
      const apache = yield* Apache.scoped
      write(apache, "a.md", "one")
      assert.deepStrictEqual(yield* texts(apache.guarded, { credentials: anna }), { "a.md": "one" })
      assert.match(yield* refusal(apache.guarded), /^Denied: .*WEBDAV_USER/u)
      const wrong = { ...anna, password: Redacted.make("wrong") }
      assert.match(yield* refusal(apache.guarded, { credentials: wrong }), /^Denied: .*WEBDAV_USER/u)
      assert.match(yield* refusal(`${apache.open}none`), /^Missing: .*check the address/u)
      assert.match(yield* refusal(`${apache.open}a.md`), /^(?:Invalid|Missing): /u)
      assert.match(yield* refusal(apache.open.replace("/dav/", "/")), /^Invalid: .*answered with 405/u)
      yield* Effect.promise(apache.stop)
      assert.match(yield* refusal(apache.open), /^Unreachable: /u)
      yield* Effect.promise(apache.start)
      assert.deepStrictEqual(yield* texts(apache.open), { "a.md": "one" })
    })
  )

  it.scopedLive(
    "goes on with a read that broke off, and with one over its restart, and tells a file that was replaced",
    () =>
      Effect.gen(function* () {
        const apache = yield* Apache.scoped
        const large = "0123456789".repeat(400_000)
        write(apache, "large.md", large)
        const proxy = yield* FaultProxy.scoped(new URL(apache.open).origin)
        const through = `${proxy.endpoint}/dav/`
        let breaks = 2
        proxy.fault = (line) => (line.startsWith("GET") && (breaks -= 1) >= 0 ? { breakAfter: 1_000_000 } : undefined)
        assert.strictEqual((yield* texts(through))["large.md"], large)
        assert.lengthOf(
          proxy.requests.filter((line) => line.startsWith("GET")),
          3
        )
        proxy.fault = (line) => {
          if (!line.startsWith("GET")) return undefined
          proxy.fault = () => undefined
          setTimeout(() => void apache.stop().then(apache.start), 1)
          return { breakAfter: 1_000_000 }
        }
        assert.strictEqual((yield* texts(through))["large.md"], large)
        proxy.fault = (line) => {
          if (!line.startsWith("GET")) return undefined
          proxy.fault = () => undefined
          write(apache, "large.md", `${large.slice(1)}.`)
          utimesSync(join(apache.files, "large.md"), old, new Date("2026-02-05T10:00:00Z"))
          return { breakAfter: 1_000_000 }
        }
        assert.strictEqual(yield* refusal(through), "FileChanged")
      })
  )

  it.scopedLive("is ingested by its spelling: a run asks for each folder once, and reads what changed", () =>
    Effect.gen(function* () {
      const apache = yield* Apache.scoped
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-webdav-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
      )
      const page = (path: string, word: string) =>
        write(apache, path, `<!doctype html><h1>${word}</h1><p>The ${word} is cleaned.</p>`)
      for (let at = 0; at < 500; at += 1) page(`${at % 50}/page ${at}.html`, `valve ${at}`)
      const docs = yield* Effect.acquireRelease(
        Effect.promise(() => Async.open({ to: `libsql:${join(folder, "store.db")}`, state: join(folder, "state") })),
        (opened) => Effect.promise(() => opened.close())
      )
      const ingest = Effect.promise(() => docs.ingest(`webdav:${apache.open}!/**/*.html`, { mode: "sync" }))
      const counts = () => {
        const lines = apache.requests()
        return [
          lines.filter((line) => line.startsWith("PROPFIND")).length,
          lines.filter((line) => line.startsWith("GET")).length
        ]
      }
      assert.deepInclude({ ...(yield* ingest) }, { stored: 500, failed: 0 })
      // The first run looks whether there is anything before it lists all.
      assert.deepStrictEqual(counts(), [58, 500])
      assert.deepInclude({ ...(yield* ingest) }, { unchanged: 500, bytes: 0 })
      assert.deepStrictEqual(counts(), [51, 0])
      page("0/page 0.html", "a longer word")
      renameSync(join(apache.files, "1/page 1.html"), join(apache.files, "2/moved.html"))
      rmSync(join(apache.files, "3"), { recursive: true })
      renameSync(join(apache.files, "4"), join(apache.files, "5/four"))
      assert.deepInclude({ ...(yield* ingest) }, { stored: 12, parsed: 1, fromCache: 11, removed: 21, failed: 0 })
      // The changed one may be read once to be compared, and once to be parsed.
      const [listings, reads = 0] = counts()
      assert.strictEqual(listings, 50)
      assert.isTrue(reads === 12 || reads === 13, String(reads))
      assert.deepInclude({ ...(yield* ingest) }, { unchanged: 490, bytes: 0 })
    })
  )

  it.scopedLive("is followed through runs, some of which are killed", () =>
    Effect.gen(function* () {
      const report = yield* Drift.check(place, { mostListings: 8 })
      assert.isAtLeast(report.kills, 1, JSON.stringify(report))
    })
  )
})
