import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Discovery from "docsluice/Discovery"
import * as Source from "docsluice/Source"
import * as Imap from "docsluice/source/Imap"
import { bytes, type SourceFile } from "docsluice/SourceFile"
import { Chunk, Effect, Redacted, type Scope, Stream } from "effect"
import * as Store from "../../src/internal/imap/imapStore.ts"
import * as Place from "../../src/internal/imap/place.ts"
import { freePort } from "../fixtures/freePort.ts"
import { shared } from "../fixtures/shared.ts"
import { attached, message, missing, mixed, part, password, scoped, token } from "./dovecot.ts"
import * as ImapProxy from "./imapProxy.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-imap-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const make = (options: Imap.Options) => Imap.make({ password: Redacted.make(password), ...options })

type Files<E> = Source.Source<E, Scope.Scope>["files"]

/** The paths of files, each with its text. */
const texts = <E>(files: Files<E>) =>
  files.pipe(
    Stream.mapEffect((found) =>
      found._tag === "SourceFile"
        ? Effect.map(bytes(found), (body) => [found.path, Buffer.from(body).toString()] as const)
        : Effect.succeed([found.path, found._tag] as const)
    ),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped
  )

const pathsOf = <E>(files: Files<E>) =>
  Effect.scoped(Effect.map(Stream.runCollect(files), (all) => Chunk.toReadonlyArray(all).map(({ path }) => path)))

/** A path without the hashes in its names. */
const unhashed = (path: string): string => path.replaceAll(/-[0-9a-f]{12}(?=\.eml)/gu, "")

const refusal = <E>(files: Files<E>) =>
  Effect.map(Effect.flip(texts(files)), (error) =>
    error instanceof Source.SourceUnavailable ? `${error.reason}: ${error.problem}` : String(error)
  )

/** A parser ends the lines of texts in its own way, and a mailbox file its messages. */
const linesOf = (text = ""): string => text.replaceAll("\r\n", "\n").trimEnd()

/** Waits until all connections are closed. */
const closed = (proxy: ImapProxy.ImapProxy) =>
  Effect.gen(function* () {
    for (let left = 50; left > 0 && proxy.open > 0; left -= 1) yield* Effect.sleep("20 millis")
    assert.strictEqual(proxy.open, 0, "connections are closed")
  })

/** Sets the variable as long as the scope lasts. */
const variable = (name: string, value: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      process.env[name] = value
    }),
    () =>
      Effect.sync(() => {
        delete process.env[name]
      })
  )

const server = shared(scoped)

let accounts = 0

/** A mailbox of one's own. */
const mailbox = Effect.map(server, ({ account }) => account(`anna${(accounts += 1)}`))

/** One behind what writes down the commands. */
const counted = Effect.gen(function* () {
  const own = yield* mailbox
  const { port } = yield* server
  const proxy = yield* ImapProxy.scoped("127.0.0.2", port)
  const root = (name = "") => `imap://${own.user}@127.0.0.1:${proxy.port}${name === "" ? "" : `/${name}`}`
  return { ...own, proxy, root }
})

const page = (title: string, id: string, ...parts: ReadonlyArray<string>): string =>
  mixed(
    { Subject: title, "Message-ID": `<${id}@example.com>` },
    part({ "Content-Type": "text/plain" }, `About ${title}.`),
    ...parts
  )

const corpus = (place: string) =>
  Effect.acquireRelease(
    Effect.promise(() => Async.open({ to: `libsql:${join(place, "store.db")}`, state: join(place, "state") })),
    (docs) => Effect.promise(() => docs.close())
  )

const without = missing()

describe.skipIf(without !== null)(`a mailbox${without === null ? "" : `: ${without}`}`, () => {
  it.scopedLive("names messages and attachments as files in files are named, and gives the same bytes", () =>
    Effect.gen(function* () {
      const { deliver, root } = yield* mailbox
      const inner = mixed({ Subject: "inner" }, attached("in.md", "# inner")).replaceAll("next", "other")
      const messages = [
        page(
          "Gr\u00FC\u00DFe / 1",
          "a",
          attached("prices.md", "# prices\n".repeat(99)),
          attached("prices.md", "# other")
        ),
        page("deep", "b", part({ "Content-Type": "message/rfc822" }, inner.replaceAll("\r\n", "\n"))),
        page(
          "whole",
          "c",
          part({ "Content-Type": "message/rfc822", "Content-Disposition": "attachment" }, "Subject: kept\n\n# kept")
        ),
        page(
          "texts",
          "d",
          part(
            { "Content-Type": "text/markdown; name=q.md", "Content-Transfer-Encoding": "quoted-printable" },
            "# a=C3=BC b=\nc"
          ),
          part({ "Content-Type": "text/html", "Content-Disposition": "attachment" }, "<h1>no name</h1>"),
          attached("m\u00FCll #1 100%.md", "# umlaut")
        ),
        message({ Subject: "only", "Content-Type": "text/markdown; name=only.md", "Message-ID": "<e@x>" }, "# only"),
        message({ "Message-ID": "<f@x>" }, "no subject"),
        mixed(
          { Subject: "report", "Message-ID": "<g@x>" },
          part({ "Content-Type": "message/delivery-status" }, "Status: 5.1.1"),
          part({ "Content-Type": "message/rfc822" }, inner.replaceAll("\r\n", "\n"))
        )
      ]
      const place = yield* folder
      const mbox = messages.map((one) => `From a@example.com Thu Jan  1 00:00:00 2026\r\n${one}\r\n\r\n`)
      writeFileSync(join(place, "box.mbox"), mbox.join(""))
      for (const one of messages) deliver("box", one)
      const files = Discovery.folder({ root: place, expand: ["mbox", "mail"] }).files
      const expected = yield* texts(files)
      const found = yield* texts(make({ root: root("box") }).files)
      const named = Object.keys(expected).map((path) => path.replace(/^box\.mbox\//u, ""))
      assert.deepStrictEqual(Object.keys(found).toSorted(), named.toSorted())
      for (const path of named) {
        assert.strictEqual(linesOf(found[path]), linesOf(expected[`box.mbox/${path}`]), path)
      }
      assert.isAtLeast(named.length, 15)
    })
  )

  it.scopedLive("is a folder with all below it, or all of them, by any name", () =>
    Effect.gen(function* () {
      const { deliver, root, user } = yield* mailbox
      deliver("INBOX", page("one", "1"))
      deliver("Gr\u00F6\u00DFe & Co/a#b 100%", page("two", "2"))
      deliver("Gr\u00F6\u00DFe & Co 2", page("three", "3"))
      const all = yield* pathsOf(make({ root: root() }).files)
      assert.deepStrictEqual(
        all.map(unhashed),
        ["Gr\u00F6\u00DFe & Co/a#b 100%/two.eml", "Gr\u00F6\u00DFe & Co 2/three.eml", "INBOX/one.eml"].toSorted()
      )
      const below = make({ root: root("Gr\u00F6\u00DFe & Co") })
      assert.deepStrictEqual((yield* pathsOf(below.files)).map(unhashed), ["a#b 100%/two.eml"])
      assert.strictEqual(below.scope.root, `${user}@127.0.0.2/Gr\u00F6\u00DFe & Co`)
      const inbox = make({ root: root("inbox/") })
      assert.deepStrictEqual((yield* pathsOf(inbox.files)).map(unhashed), ["one.eml"])
      const some = make({ root: root(), patterns: ["INBOX/**", "!three*"] })
      assert.deepStrictEqual((yield* pathsOf(some.files)).map(unhashed), ["INBOX/one.eml"])
    })
  )

  it.scopedLive(
    "counts a message once that lies twice in a folder, tells apart two of one id, and leaves out deleted ones",
    () =>
      Effect.gen(function* () {
        const { deliver, root } = yield* mailbox
        const twice = page("twice", "1")
        deliver("INBOX", twice)
        deliver("INBOX", page("other", "2").replace("<2@", "<1@"))
        const copy = deliver("INBOX", twice)
        const deleted = deliver("INBOX", page("deleted", "3"))
        renameSync(deleted, `${deleted}T`)
        const found = yield* texts(make({ root: root() }).files)
        assert.deepStrictEqual(Object.keys(found).map(unhashed), ["INBOX/twice.eml", "INBOX/other.eml"])
        assert.isTrue(existsSync(copy))
      })
  )

  it.scopedLive(
    "is ingested by its spelling: what is known is not read, whatever numbers it gets; what moved is not parsed",
    () =>
      Effect.gen(function* () {
        const { deliver, proxy, root, renumber } = yield* counted
        const table = (what: string) => `<!doctype html><h1>${what}</h1><p>The ${what} is cleaned.</p>`
        const moved = deliver("INBOX", page("pump", "1", attached("pump.html", table("pump"), "text/html")))
        deliver("INBOX", page("gauge", "2"))
        const place = yield* folder
        yield* variable("IMAP_PASSWORD", password)
        const docs = yield* corpus(place)
        const ingest = Effect.promise(() => docs.ingest(`${root()}!/**`, { mode: "sync" }))
        assert.deepInclude({ ...(yield* ingest) }, { stored: 3, parsed: 1, failed: 0 })
        yield* closed(proxy)
        const read = ImapProxy.reads(proxy).length
        proxy.connections = 0
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 3, bytes: 0, removed: 0 })
        assert.strictEqual(proxy.connections, 1)
        renumber("INBOX")
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 3, bytes: 0, removed: 0 })
        assert.strictEqual(ImapProxy.reads(proxy).length, read)
        // The other one gets the first number, and is read again.
        deliver("Done", page("valve", "3"))
        renameSync(moved, deliver("Done", ""))
        renumber("INBOX")
        const after = { ...(yield* ingest) }
        assert.deepInclude(after, { stored: 3, parsed: 0, fromCache: 1, removed: 2, unchanged: 1, failed: 0 })
        const again = ImapProxy.reads(proxy).length
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 4, bytes: 0, removed: 0 })
        assert.strictEqual(ImapProxy.reads(proxy).length, again)
        const [hit] = yield* Effect.promise(() => docs.search("pump cleaned"))
        assert.match(hit?.chunk.documentId ?? "", /\/Done\/pump-[0-9a-f]{12}\.eml\/pump\.html$/u)
      })
  )

  it.scopedLive("names the remedy of what it cannot read, and no password", () =>
    Effect.gen(function* () {
      const { deliver, proxy, root } = yield* counted
      const empty = yield* mailbox
      deliver("INBOX/Offers", page("one", "1"))
      const wrong = Redacted.make("wrong-secret")
      const denied = yield* refusal(make({ root: root(), password: wrong }).files)
      assert.match(denied, /^Denied: the server refuses anna\d+ or the password .*set IMAP_PASSWORD/u)
      assert.notInclude(denied, "wrong-secret")
      assert.match(
        yield* refusal(Imap.make({ root: root() }).files),
        /^Denied: there is no password; set IMAP_PASSWORD/u
      )
      assert.match(
        yield* refusal(make({ root: root("Offers") }).files),
        /^Missing: there is no folder Offers; it has INBOX, INBOX\/Offers$/u
      )
      for (const given of ["a@b.test:secret@host.test/INBOX", "a:x/secret@host.test"]) {
        assert.notInclude(JSON.stringify(make({ root: `imaps://${given}` }).scope), "secret")
      }
      assert.match(
        yield* refusal(make({ root: "imaps://a:secret@host.test/" }).files),
        /^Invalid: it holds a password/u
      )
      assert.match(
        yield* refusal(make({ root: "imaps://host.test/" }).files),
        /^Invalid: expected imaps:\/\/USER@HOST/u
      )
      assert.match(yield* refusal(make({ root: empty.root() }).files), /^NoMatch: /u)
      const { port, secure } = yield* server
      assert.match(
        yield* refusal(make({ root: `imaps://anna@localhost:${secure}` }).files),
        /^Invalid: its certificate .*NODE_EXTRA_CA_CERTS/u
      )
      assert.match(
        yield* refusal(make({ root: `imaps://anna@127.0.0.2:${port}` }).files),
        /^Invalid: the port speaks no TLS; give imap:/u
      )
      // An address of this machine that is not known as one.
      proxy.lines.length = 0
      assert.match(
        yield* refusal(make({ root: `imap://anna@[::ffff:127.0.0.1]:${proxy.port}` }).files),
        /^Denied: the server starts no TLS, and a password is not sent without/u
      )
      assert.notMatch(proxy.lines.join("\n"), /LOGIN|AUTHENTICATE/u)
      const nobody = `imap://anna@127.0.0.1:${yield* Effect.promise(freePort)}`
      assert.match(yield* refusal(make({ root: nobody }).files), /^Unreachable: /u)
    })
  )

  it.scopedLive("signs in with a token, which is asked for at each connection", () =>
    Effect.gen(function* () {
      const { deliver, root, user } = yield* mailbox
      deliver("INBOX", page("one", "1"))
      let asked = 0
      const accessToken = Effect.sync(() => Redacted.make(`${token(user)}${"x".repeat(asked++)}`))
      const options = { root: root(), accessToken }
      assert.strictEqual((yield* pathsOf(Imap.make(options).files)).length, 1)
      assert.match(yield* refusal(Imap.make(options).files), /^Denied: .*IMAP_ACCESS_TOKEN/u)
      assert.strictEqual(asked, 2)
      yield* variable("IMAP_ACCESS_TOKEN", token(user))
      assert.strictEqual((yield* pathsOf(Imap.make({ root: root() }).files)).length, 1)
    })
  )

  it.scopedLive("starts TLS where that is offered, and trusts the authorities that the process is given", () =>
    Effect.gen(function* () {
      const { deliver, user } = yield* mailbox
      const { certificate, port, secure } = yield* server
      const proxy = yield* ImapProxy.scoped("127.0.0.1", port)
      deliver("INBOX", page("one", "1"))
      const source = make({ root: `imap://${user}@127.0.0.1:${proxy.port}` })
      assert.strictEqual((yield* pathsOf(source.files)).length, 1)
      assert.match(proxy.lines.join("\n"), /STARTTLS/u)
      assert.notMatch(proxy.lines.join("\n"), /LOGIN|AUTHENTICATE/u)
      const program = `
        import * as Imap from "docsluice/source/Imap"
        import { Effect, Stream } from "effect"
        const { files } = Imap.make({ root: "imaps://${user}@localhost:${secure}" })
        const told = Stream.runForEach(files, ({ path }) => Effect.sync(() => console.log(path)))
        await Effect.runPromise(Effect.scoped(told))`
      const place = yield* folder
      mkdirSync(join(place, "node_modules"), { recursive: true })
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        ["--no-warnings", "-C", "docsluice:source", "--import", "tsx", "--input-type=module", "--eval", program],
        {
          env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, IMAP_PASSWORD: password },
          encoding: "utf8",
          timeout: 60_000
        }
      )
      assert.deepStrictEqual([status, unhashed(stdout.trim())], [0, "INBOX/one.eml"], stderr)
    })
  )

  it.scopedLive("goes on where a connection breaks, and ends with an error where each one does", () =>
    Effect.gen(function* () {
      const { deliver, proxy, root } = yield* counted
      const text = "0123456789\n".repeat(60_000)
      for (let at = 0; at < 3; at++) deliver("INBOX", page(`${at}`, `${at}`, attached("a.md", text)))
      const source = make({ root: root() })
      const whole = yield* texts(source.files)
      assert.strictEqual(whole[Object.keys(whole).find((path) => path.endsWith("a.md")) ?? ""], text)
      for (const [command, after] of [
        ["FETCH", 200],
        ["FETCH", 300_000],
        ["SEARCH", 1]
      ] as const) {
        let left = 2
        proxy.fault = (line) => (line.includes(command) && left-- > 0 ? after : undefined)
        assert.deepStrictEqual(yield* texts(source.files), whole, `${command} ${after}`)
      }
      for (const command of ["FETCH", "SEARCH", "LIST", "AUTHENTICATE"]) {
        proxy.fault = (line) => (line.includes(command) ? 20 : undefined)
        assert.match(yield* refusal(source.files), /^Unreachable: /u, command)
      }
    })
  )

  it.scopedLive("waits no longer than it says for a server that is silent, and leaves no connection open", () =>
    Effect.gen(function* () {
      const { deliver, proxy, root } = yield* counted
      deliver("INBOX", page("one", "1"))
      const place = Place.parse(root())
      if (place._tag === "Left") return assert.fail(place.left)
      const store = Store.open({
        place: place.right,
        secret: Effect.succeed({ _tag: "Password", value: Redacted.make(password) }),
        patience: 300
      })
      const listed = Effect.scoped(
        Effect.flatMap(store, ({ list }) =>
          Stream.runCollect(
            list(
              [""],
              () => true,
              () => true
            )
          )
        )
      )
      for (const command of ["LIST", "UID FETCH"]) {
        proxy.fault = (line) => (line.includes(command) ? "silent" : undefined)
        const error = yield* Effect.flip(listed)
        assert.strictEqual(error.reason, "Timeout", command)
        yield* closed(proxy)
      }
      proxy.fault = () => "silent"
      const interrupted = yield* Effect.timeoutOption(texts(make({ root: root() }).files), "200 millis")
      assert.strictEqual(interrupted._tag, "None")
      yield* closed(proxy)
      return undefined
    })
  )

  it.scopedLive("removes nothing where the server leaves a message out of what it says", () =>
    Effect.gen(function* () {
      const { deliver, proxy, root } = yield* counted
      for (const name of ["one", "two", "three"]) deliver("INBOX", page(name, name))
      proxy.rewrite = (answer) => answer.replace(/^\* 2 FETCH .*\r\n/mu, "")
      const taken: Array<string> = []
      const files = Stream.tap(make({ root: root() }).files, ({ path }) => Effect.sync(() => taken.push(path)))
      assert.match(
        yield* refusal(files),
        /^Invalid: the server does not describe all messages that it lists \(INBOX: 2\)/u
      )
      assert.deepStrictEqual(taken.map(unhashed), ["INBOX/one.eml", "INBOX/three.eml"])
      proxy.rewrite = (answer) => answer.replace(/^(\* SEARCH 1) 2/mu, "$1")
      assert.match(yield* refusal(make({ root: root() }).files), /^Failed: the folder INBOX was listed in part/u)
    })
  )

  it.scopedLive("outlives a restart of its server, and says of what is gone meanwhile that it is", () =>
    Effect.gen(function* () {
      const { account, start, stop } = yield* scoped
      const { deliver, renumber, root } = account("anna")
      const gone = deliver("INBOX", page("gone", "1"))
      deliver("INBOX", page("kept", "2"))
      const source = make({ root: root() })
      const files = yield* Effect.map(Stream.runCollect(source.files), (all) =>
        Chunk.toReadonlyArray(all).flatMap((found): ReadonlyArray<SourceFile> =>
          found._tag === "SourceFile" ? [found] : []
        )
      )
      const read = Effect.forEach(files, (file) =>
        Effect.map(Effect.either(bytes(file)), (got) =>
          got._tag === "Right" ? "read" : "reason" in got.left ? got.left.reason : got.left._tag
        )
      )
      assert.deepStrictEqual(yield* read, ["read", "read"])
      yield* stop
      rmSync(gone)
      yield* start
      assert.deepStrictEqual(yield* read, ["NotFound", "read"])
      renumber("INBOX")
      yield* stop
      yield* start
      assert.deepStrictEqual(yield* read, ["FileChanged", "FileChanged"])
    })
  )
})
