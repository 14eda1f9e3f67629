import { spawn } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Summary } from "docsluice/Outcome"
import * as Sftp from "docsluice/source/Sftp"
import { bytes } from "docsluice/SourceFile"
import { Duration, Effect, Redacted, Schema, Stream } from "effect"
import * as HostKey from "../../src/internal/sftp/hostKey.ts"
import { hastened } from "../../src/internal/sources/hastened.ts"
import { run, start } from "../cli/run.ts"
import * as Drift from "./drift.ts"
import * as Sshd from "./sshd.ts"

const missing = Sshd.missing()

/** Time of files that are no longer fresh. */
const old = new Date("2026-01-05T10:00:00Z")

const write = ({ files }: Sshd.Sshd, path: string, text: string, modified = old): void => {
  const file = join(files, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, modified, modified)
}

/** Options of the user who has the key and knows the server. */
const known = ({ home, key, root }: Sshd.Sshd): Sftp.Options => ({
  root,
  privateKey: Redacted.make(readFileSync(key, "utf8")),
  knownHosts: join(home, ".ssh/known_hosts")
})

const texts = (options: Sftp.Options, during: (path: string) => void = () => {}) =>
  Sftp.make(options).files.pipe(
    Stream.mapEffect((found) => {
      during(found.path)
      return found._tag === "SourceFile"
        ? Effect.map(bytes(found), (body) => [found.path, Buffer.from(body).toString()] as const)
        : Effect.succeed([found.path, found._tag] as const)
    }),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped
  )

const refusal = (options: Sftp.Options, during?: (path: string) => void) =>
  Effect.map(Effect.flip(texts(options, during)), (error) =>
    error._tag === "SourceUnavailable" ? `${error.reason}: ${error.problem}` : error._tag
  )

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

/** Lets the package be missing, as it is where nobody installed it. */
const hook = `export const resolve = async (name, context, next) => {
  if (name !== "ssh2") return next(name, context)
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })
}`
const hooked = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)})`

describe("a source of SFTP without its package", () => {
  it.scopedLive("names the command that installs it", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-sftp-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
      )
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooked)}` }
      const command = ["ingest", "sftp://files.invalid/srv/", "--to", "libsql:store.db"]
      const { status, stderr } = yield* Effect.promise(() => start(folder, command, env).ended)
      assert.notStrictEqual(status, 0)
      assert.match(stderr, /not installed here; run: npm install ssh2/u)
    })
  )
})

describe.skipIf(missing !== null)(`OpenSSH's server${missing === null ? "" : `: ${missing}`}`, () => {
  it.scopedLive("is read below a folder with names of any kind, without links, over one connection that ends", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      const odd = [
        "a b.md",
        "caf\u00E9.md",
        "cafe\u0301.md",
        "h#x.md",
        "100%.md",
        "q?.md",
        "back\\slash.md",
        "new\nline.md"
      ]
      const all = [...odd, "gr\u00FC\u00DFe/n\u00E4he/\u4E2D\u6587.md"]
      for (const name of all) write(sshd, name, name)
      symlinkSync("/etc/hostname", join(sshd.files, "out.md"))
      symlinkSync("gr\u00FC\u00DFe", join(sshd.files, "linked"))
      const options = known(sshd)
      assert.deepStrictEqual(yield* texts(options), Object.fromEntries(all.map((name) => [name, name])))
      assert.deepStrictEqual([sshd.connections(), sshd.listings(), sshd.reads()], [1, 3, all.length])
      const inner = { ...options, root: `${options.root}/gr\u00FC\u00DFe` }
      assert.deepStrictEqual(yield* texts(inner), { "n\u00E4he/\u4E2D\u6587.md": all.at(-1) ?? "" })
      const some = { ...options, patterns: ["**/*.md"], ignore: ["gr\u00FC\u00DFe"] }
      assert.sameMembers(Object.keys(yield* texts(some)), odd)
      for (let wait = 0; sshd.open() > 0 && wait < 100; wait += 1) yield* Effect.sleep("50 millis")
      assert.strictEqual(sshd.open(), 0)
    })
  )

  it.scopedLive("is trusted by its key only", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      write(sshd, "a.md", "one")
      const { knownHosts: _, ...rest } = known(sshd)
      const lists = join(sshd.files, "../lists")
      const with_ = (text: string) => {
        writeFileSync(lists, text)
        return { ...rest, knownHosts: lists }
      }
      const key = Buffer.from(sshd.knownHost.split(" ")[2] ?? "", "base64")
      const fingerprint = HostKey.fingerprintOf(key)
      const unknown = yield* refusal(with_(""))
      assert.match(unknown, /^Denied: its key is not known here: ssh-ed25519 SHA256:/u)
      assert.include(unknown, fingerprint)
      assert.match(yield* refusal(with_(`@revoked ${sshd.knownHost}`)), /^Denied: .*is revoked/u)
      assert.deepStrictEqual(yield* texts({ ...rest, hostKey: fingerprint }), { "a.md": "one" })
      assert.deepStrictEqual(yield* texts({ ...rest, hostKey: sshd.knownHost.split(" ").slice(1).join(" ") }), {
        "a.md": "one"
      })
      assert.match(yield* refusal({ ...rest, hostKey: "other" }), /^Invalid: hostKey: /u)
      assert.match(yield* refusal({ ...rest, knownHosts: "/none" }), /^Invalid: a file with keys cannot be read/u)
      yield* Effect.promise(sshd.stop)
      sshd.changeKey()
      yield* Effect.promise(sshd.start)
      const changed = yield* refusal(with_(sshd.knownHost))
      assert.match(changed, /^Denied: its key is not the one that is known of it, but ssh-ed25519 SHA256:/u)
      assert.match(changed, /ssh-keygen -R \[127\.0\.0\.1\]:\d+/u)
      assert.strictEqual(sshd.reads(), 2, "nothing is read from a server that is not trusted")
    })
  )

  it.scopedLive("says what is wrong with a user, a folder, or itself", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      write(sshd, "a.md", "one")
      const options = known(sshd)
      const other = { ...options, privateKey: Redacted.make(readFileSync(sshd.otherKey, "utf8")) }
      assert.match(yield* refusal(other), /^Denied: .*SFTP_KEY_FILE/u)
      const password = { root: options.root, knownHosts: options.knownHosts, password: Redacted.make("s\u00E4cret") }
      const words = yield* refusal(password)
      assert.match(words, /^Denied: /u)
      assert.notInclude(words, "cret")
      assert.match(yield* refusal({ ...options, root: `${options.root}/none` }), /^Missing: /u)
      assert.match(yield* refusal({ ...options, root: `${options.root}/a.md` }), /^Missing: /u)
      yield* Effect.promise(sshd.stop)
      assert.match(yield* refusal(options), /^Unreachable: /u)
      assert.match(yield* refusal({ ...options, root: "sftp://none.invalid/srv" }), /^Unreachable: /u)
    })
  )

  it.scopedLive("is connected to again after a break, and a read goes on", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      const large = "0123456789".repeat(2_000_000)
      write(sshd, "large.md", large)
      write(sshd, "small.md", "small")
      let breaks = 0
      const restart = () => sshd.stop().then(sshd.start)
      const body = yield* Sftp.make({ ...known(sshd), maxBytes: 1e9 }).files.pipe(
        Stream.take(1),
        Stream.flatMap((found) => (found._tag === "SourceFile" ? found.open : Stream.empty)),
        Stream.tap(() => (breaks < 1 && (breaks += 1) > 0 ? Effect.promise(restart) : Effect.void)),
        Stream.runCollect,
        Effect.scoped
      )
      assert.strictEqual(Buffer.concat([...body]).toString(), large)
      assert.strictEqual(sshd.connections(), 2)
    })
  )

  it.scopedLive("tells a file that was changed since it was listed, or while it is read", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      const large = "0123456789".repeat(100_000)
      const later = new Date("2026-02-05T10:00:00Z")
      write(sshd, "a.md", large)
      const same = () => write(sshd, "a.md", `${large.slice(1)}.`, later)
      assert.strictEqual(yield* refusal(known(sshd), same), "FileChanged")
      assert.strictEqual(yield* refusal(known(sshd), () => rmSync(join(sshd.files, "a.md"))), "FileUnreadable")
      write(sshd, "a.md", large)
      let parts = 0
      const ended = yield* Sftp.make(known(sshd)).files.pipe(
        Stream.flatMap((found) => (found._tag === "SourceFile" ? found.open : Stream.empty)),
        Stream.tap(() => Effect.sync(() => ((parts += 1) === 2 ? same() : undefined))),
        Stream.runDrain,
        Effect.scoped,
        Effect.flip
      )
      assert.strictEqual(ended._tag, "FileChanged")
    })
  )

  it.scopedLive("tells the version of a file by its time and size, and not while it is fresh", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      write(sshd, "old.md", "one")
      write(sshd, "fresh.md", "one", new Date(Date.now() - 20_000))
      write(sshd, "ahead.md", "one", new Date(Date.now() + 86_400_000))
      const found = yield* Effect.scoped(Stream.runCollect(Sftp.make(known(sshd)).files))
      assert.deepStrictEqual(
        Array.from(found, (one) => [one.path, one._tag === "SourceFile" && one.fingerprint]),
        [
          ["ahead.md", undefined],
          ["fresh.md", undefined],
          ["old.md", { _tag: "Etag", value: `${old.getTime() / 1000} 3` }]
        ]
      )
    })
  )

  it.scopedLive("is ingested by its spelling with the keys in the home, or those of the agent", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      const folder = join(sshd.files, "..")
      write(sshd, "a/one.md", "The valve is cleaned.")
      write(sshd, "a/two.md", "The pump is cleaned.")
      write(sshd, "b/three.txt", "The gauge is cleaned.")
      const command = ["ingest", `${sshd.root}/**/*.md`, "--to", "libsql:store.db", "--mode", "sync", "--json"]
      const ingest = (env: Readonly<Record<string, string>>) =>
        Effect.map(
          Effect.promise(() => run(folder, command, env)),
          ({ status, stderr, stdout }) => {
            assert.strictEqual(status, 0, stderr)
            return { ...Schema.decodeSync(Schema.parseJson(Summary))(stdout) }
          }
        )
      const own = { HOME: sshd.home, SSH_AUTH_SOCK: "" }
      assert.deepInclude(yield* ingest(own), { stored: 2, failed: 0 })
      renameSync(join(sshd.files, "a/one.md"), join(sshd.files, "b/one.md"))
      rmSync(join(sshd.files, "a/two.md"))
      const socket = join(folder, "agent")
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" })),
        (child) => Effect.sync(() => child.kill())
      )
      assert.isNumber(agent.pid)
      yield* Effect.promise(async () => {
        const added = async (left: number): Promise<void> => {
          const child = spawn("ssh-add", ["-q", sshd.key], {
            stdio: "ignore",
            env: { ...process.env, SSH_AUTH_SOCK: socket }
          })
          const status = await new Promise<number | null>((resolve) => child.once("exit", resolve))
          if (status !== 0 && left > 0)
            return new Promise<void>((resolve) => setTimeout(resolve, 50)).then(() => added(left - 1))
        }
        await added(40)
      })
      const elsewhere = { HOME: folder, SSH_AUTH_SOCK: socket, SFTP_KNOWN_HOSTS: join(sshd.home, ".ssh/known_hosts") }
      assert.deepInclude(yield* ingest(elsewhere), { stored: 1, removed: 2, failed: 0 })
    })
  )

  it.scopedLive("is followed through runs, some of which are killed", () =>
    Effect.gen(function* () {
      const report = yield* Drift.check(place, { mostListings: 8 })
      assert.isAtLeast(report.kills, 1, JSON.stringify(report))
    })
  )

  it.scopedLive("ends a run soon when it falls silent, however many files are left", () =>
    Effect.gen(function* () {
      const sshd = yield* Sshd.scoped
      for (let at = 0; at < 60; at++) write(sshd, `page ${at}.md`, "one")
      const { files } = Sftp.make(known(sshd))
      const clock = yield* hastened
      const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.withClock(Effect.timed(Effect.ensuring(effect, Effect.sync(sshd.thaw))), clock)
      const [silence, words] = yield* files.pipe(
        Stream.tap(() => Effect.sync(sshd.freeze)),
        Stream.mapEffect(
          (found) => (found._tag === "SourceFile" ? Effect.flip(bytes(found)) : Effect.dieMessage(found._tag)),
          { concurrency: 8 }
        ),
        Stream.runFold(new Set<string>(), (all, { message }) => all.add(message.replace(/^.*?: /u, ""))),
        Effect.scoped,
        timed
      )
      assert.deepEqual([...words], ["it could not be read: it did not answer in time; run again later"])
      assert.isBelow(Duration.toSeconds(silence), 300)
      sshd.freeze()
      const [waited, error] = yield* timed(Effect.flip(Effect.scoped(Stream.runDrain(files))))
      assert.strictEqual(error.reason, "Timeout", error.message)
      assert.isBelow(Duration.toSeconds(waited), 300)
    })
  )
})
