import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Source from "docsluice/Source"
import * as GoogleDrive from "docsluice/source/GoogleDrive"
import * as MicrosoftGraph from "docsluice/source/MicrosoftGraph"
import * as SourceFile from "docsluice/SourceFile"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect, Fiber, Redacted, Stream, TestClock } from "effect"
import { Prompt } from "../../src/internal/drive/prompt.ts"
import { hastened } from "../../src/internal/sources/hastened.ts"
import { json } from "./driveModel.ts"
import * as GoogleDouble from "./googleDouble.ts"
import * as GraphDouble from "./graphDouble.ts"
import * as Doubles from "./storeDoubles.ts"

const text = (words: string): Uint8Array => new TextEncoder().encode(words)

const workplace = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-drive-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

type Made = Pick<GraphDouble.Graph, "accounts" | "answer" | "drive">

/** A store, its double, and the folders of a test. */
const world = <A extends Made>(double: (store: SourceConformance.Store) => A) =>
  Effect.map(workplace, (folder) => {
    const store = new SourceConformance.Store()
    const made = double(store)
    const client = Doubles.client(store, made.answer)
    const given = { accessToken: Redacted.make("given"), cache: join(folder, "cache") }
    const kept = { clientId: "app", cache: given.cache, tokens: join(folder, "tokens.json") }
    return { ...made, double: made, store, client, folder, given, kept }
  })

/** The paths of a source, each with its text, or the message of what is wrong with it. */
const texts = (source: GoogleDrive.Files, client: HttpClient.HttpClient) =>
  source.files.pipe(
    Stream.mapEffect((found) => {
      if (found._tag === "Unsupported") return Effect.succeed([found.path, found._tag] as const)
      if (found._tag === "Unusable") return Effect.succeed([found.path, found.error.message] as const)
      return Effect.map(
        Effect.either(SourceFile.bytes(found)),
        (read) =>
          [found.path, read._tag === "Right" ? new TextDecoder().decode(read.right) : read.left.message] as const
      )
    }),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped,
    Effect.provideService(HttpClient.HttpClient, client)
  )

/** Fingerprints by path, without reading a file. */
const versions = (source: GoogleDrive.Files, client: HttpClient.HttpClient) =>
  source.files.pipe(
    Stream.map((found) => [found.path, found._tag === "SourceFile" ? found.fingerprint : found._tag] as const),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped,
    Effect.provideService(HttpClient.HttpClient, client)
  )

const refusal = (source: GoogleDrive.Files, client: HttpClient.HttpClient) =>
  Effect.map(Effect.flip(texts(source, client)), (error) =>
    error._tag === "SourceUnavailable" ? `${error.reason}: ${error.message}` : error._tag
  )

const listings = ({ requests }: SourceConformance.Store): number =>
  requests.filter(({ kind }) => kind === "list").length

const services = [
  {
    title: "Microsoft Graph",
    double: (store: SourceConformance.Store): Made => GraphDouble.make(store),
    make: (options: Omit<MicrosoftGraph.Options, "root">) => MicrosoftGraph.make({ root: "onedrive:", ...options }),
    signIn: MicrosoftGraph.signIn
  },
  {
    title: "Google Drive",
    double: (store: SourceConformance.Store): Made => GoogleDouble.make(store),
    make: (options: Omit<GoogleDrive.Options, "root">) => GoogleDrive.make({ root: "gdrive:", ...options }),
    signIn: GoogleDrive.signIn
  }
]

for (const { double, make, signIn, title } of services) {
  describe(`a drive of ${title}`, () => {
    it.scopedLive("is listed once; later runs ask for what changed since, and read nothing else", () =>
      Effect.gen(function* () {
        const { client, drive, given, store } = yield* world(double)
        for (const at of [1, 2, 3, 4, 5, 6, 7, 8, 9]) store.put(`${at % 3}/file ${at}.md`, text(`text ${at}`))
        const source = make(given)
        const first = yield* versions(source, client)
        assert.lengthOf(Object.keys(first), 9)
        assert.strictEqual(listings(store), 3)
        assert.deepStrictEqual(yield* versions(source, client), first)
        assert.strictEqual(listings(store), 3, "a second run lists nothing")
        assert.strictEqual(drive.deltas, 1)
        store.put("0/file 3.md", text("changed"))
        store.remove("1/file 4.md")
        drive.move("2/file 2.md", "elsewhere/renamed.md")
        drive.move("1", "one/of")
        const then = yield* versions(source, client)
        assert.strictEqual(listings(store), 3)
        assert.notDeepEqual(then["0/file 3.md"], first["0/file 3.md"])
        assert.deepStrictEqual(then["elsewhere/renamed.md"], first["2/file 2.md"], "a moved file is known")
        assert.deepStrictEqual(then["one/of/file 7.md"], first["1/file 7.md"], "files of a moved folder are known")
        assert.sameMembers(Object.keys(then), [
          ...["0/file 3.md", "0/file 6.md", "0/file 9.md", "one/of/file 1.md", "one/of/file 7.md"],
          ...["2/file 5.md", "2/file 8.md", "elsewhere/renamed.md"]
        ])
        drive.removeFolder("one")
        assert.lengthOf(Object.keys(yield* versions(source, client)), 6)
        assert.isEmpty(
          store.requests.filter(({ kind }) => kind !== "list"),
          "no file was asked for"
        )
      })
    )

    it.scopedLive("is listed again when the service has forgotten, or the listing here is lost or damaged", () =>
      Effect.gen(function* () {
        const { client, drive, given, store } = yield* world(double)
        store.put("a.md", text("one"))
        const source = make(given)
        yield* versions(source, client)
        store.remove("a.md")
        store.put("b.md", text("two"))
        drive.forgets = true
        assert.deepStrictEqual(Object.keys(yield* versions(source, client)), ["b.md"])
        drive.forgets = false
        const [name = ""] = readdirSync(given.cache)
        const file = join(given.cache, name)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        for (const damage of ["", "{", readFileSync(file, "utf8").slice(0, -9), '{"version":2}']) {
          writeFileSync(file, damage)
          assert.deepStrictEqual(Object.keys(yield* versions(source, client)), ["b.md"])
        }
        rmSync(given.cache, { recursive: true })
        const both = [versions(source, client), versions(source, client)]
        for (const found of yield* Effect.all(both, { concurrency: 2 })) assert.hasAllKeys(found, ["b.md"])
        // Nothing is in the way of a run but a longer listing.
        rmSync(given.cache, { recursive: true })
        writeFileSync(given.cache, "no folder")
        assert.deepStrictEqual(Object.keys(yield* versions(source, client)), ["b.md"])
      })
    )

    it.scopedLive("goes on from the last whole listing after changes that broke off", () =>
      Effect.gen(function* () {
        const { client, given, store, answer } = yield* world(double)
        store.put("a.md", text("one"))
        const source = make(given)
        yield* versions(source, client)
        for (const at of [1, 2, 3, 4, 5, 6]) store.put(`b${at}.md`, text(`${at}`))
        let left = 1
        const failing = Doubles.client(store, (one, asked) => {
          if (/changes$|delta$/u.test(asked.url.pathname)) left -= 1
          return left < 0 ? json(403, { error: { message: "no" } }) : answer(one, asked)
        })
        assert.match(yield* refusal(source, failing), /^Denied: /u)
        assert.lengthOf(Object.keys(yield* versions(source, client)), 7)
      })
    )

    it.scoped("lets a user sign in with a code, renews what has expired, and tells when that is refused", () =>
      Effect.gen(function* () {
        const { accounts, client, kept, store } = yield* world(double)
        store.put("a.md", text("one"))
        const shown: Array<string> = []
        accounts.refusals.push("authorization_pending", "slow_down")
        const signedIn = yield* signIn({
          ...kept,
          clientSecret: Redacted.make("hush"),
          onCode: (address, code) => Effect.sync(() => void shown.push(address, code))
        }).pipe(Effect.provideService(HttpClient.HttpClient, client), Effect.fork)
        for (const seconds of [5, 5, 9]) yield* TestClock.adjust(`${seconds} seconds`)
        assert.isNull(signedIn.unsafePoll(), "it waits five seconds more after it was told to slow down")
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(signedIn)
        assert.deepStrictEqual(shown, ["https://login.test/device", "ABCD-EFGH"])
        assert.strictEqual(statSync(kept.tokens).mode & 0o777, 0o600)
        const source = make({ ...kept, clientSecret: Redacted.make("hush") })
        const asked = accounts.forms.length
        assert.deepStrictEqual(yield* texts(source, client), { "a.md": "one" })
        assert.strictEqual(accounts.forms.length, asked, "the token of the sign-in is used")
        accounts.expire()
        assert.deepStrictEqual(yield* texts(source, client), { "a.md": "one" })
        assert.strictEqual(accounts.forms.length, asked + 1)
        assert.deepInclude(accounts.forms.at(-1), {
          grant_type: "refresh_token",
          client_id: "app",
          client_secret: "hush"
        })
        yield* TestClock.adjust("2 hours")
        assert.deepStrictEqual(yield* texts(source, client), { "a.md": "one" })
        assert.strictEqual(accounts.forms.length, asked + 2, "a token is renewed before it is refused")
        accounts.expire()
        accounts.refreshTokens.clear()
        const words = yield* refusal(source, client)
        assert.match(words, /^Denied: .*sign in again \(invalid_grant\)$/u)
        assert.notMatch(words, /refresh-|access-|hush/u)
      })
    )

    it.scoped("tells a sign-in that is refused, or not done in time", () =>
      Effect.gen(function* () {
        const { accounts, client, kept } = yield* world(double)
        const failed = (...refusals: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            accounts.refusals.push(...refusals)
            const fiber = yield* signIn({ ...kept, onCode: () => Effect.void }).pipe(
              Effect.provideService(HttpClient.HttpClient, client),
              Effect.flip,
              Effect.fork
            )
            yield* TestClock.adjust("1 hour")
            const { problem, reason } = yield* Fiber.join(fiber)
            return `${reason}: ${problem}`
          })
        assert.match(yield* failed("access_denied"), /^Denied: the user refused/u)
        assert.match(yield* failed("authorization_pending", "expired_token"), /^Denied: .*not entered in time/u)
        assert.match(yield* failed("unknown_thing"), /^Denied: .*\(unknown_thing\)$/u)
        accounts.refusals.length = 0
        const pending = Array.from({ length: 40 }, () => "authorization_pending")
        assert.match(yield* failed(...pending), /^Denied: .*not entered in time/u)
        assert.isAtLeast(accounts.refusals.length, 10, "it stops when the code has expired")
      })
    )

    it.scopedLive("names the remedy where nobody has signed in, and no application is known", () =>
      Effect.gen(function* () {
        const { client, kept, store } = yield* world(double)
        store.put("a.md", text("one"))
        const shown: Array<string> = []
        assert.match(yield* refusal(make(kept), client), /^Denied: .*sign in first, or set [A-Z]+_REFRESH_TOKEN$/u)
        const prompted = texts(make(kept), client).pipe(
          Effect.provideService(Prompt, (_, code) => Effect.sync(() => void shown.push(code))),
          Effect.withClock(yield* hastened)
        )
        assert.deepStrictEqual(yield* prompted, { "a.md": "one" }, "a run waits for a user who sees its code")
        assert.deepStrictEqual(shown, ["ABCD-EFGH"])
        assert.deepStrictEqual(yield* texts(make(kept), client), { "a.md": "one" })
        const without = { ...kept, clientId: undefined }
        assert.match(
          yield* refusal(make(without), client),
          /^Denied: .*register an application .*set [A-Z]+_CLIENT_ID$/u
        )
      })
    )

    it.scopedLive("renews a token once for all requests and for two processes", () =>
      Effect.gen(function* () {
        const { accounts, client, given, store } = yield* world(double)
        accounts.refreshTokens.add("first")
        for (const at of [1, 2, 3]) store.put(`${at}.md`, text(`${at}`))
        const access = { cache: given.cache, clientId: "app", refreshToken: Redacted.make("first") }
        assert.lengthOf(Object.keys(yield* texts(make(access), client)), 3)
        assert.strictEqual(accounts.forms.length, 1)
        const file = join(given.cache, "tokens.json")
        writeFileSync(file, JSON.stringify({ "Microsoft app": kept("refresh-1"), "Google app": kept("refresh-1") }))
        const shared = { cache: given.cache, clientId: "app", tokens: file }
        const runs = [1, 2, 3].map(() => texts(make(shared), client))
        for (const found of yield* Effect.all(runs, { concurrency: 3 })) assert.lengthOf(Object.keys(found), 3)
        assert.strictEqual(accounts.forms.length, 2)
      })
    )

    it.scopedLive("asks an effect for a token again when what it gave has expired", () =>
      Effect.gen(function* () {
        const { accounts, client, given, store } = yield* world(double)
        store.put("a.md", text("one"))
        accounts.expire()
        let asked = 0
        const accessToken = Effect.sync(() => {
          asked += 1
          if (asked === 2) accounts.valid.add("token 2")
          return Redacted.make(`token ${asked}`)
        })
        assert.deepStrictEqual(yield* texts(make({ ...given, accessToken }), client), { "a.md": "one" })
        assert.strictEqual(asked, 2)
        accounts.expire()
        assert.match(
          yield* refusal(make({ ...given, accessToken: Redacted.make("old") }), client),
          /^Denied: .*sign in|give/u
        )
      })
    )
  })
}

const kept = (refreshToken: string) => ({ refreshToken, accessToken: "", expires: 0 })

describe("Microsoft Graph", () => {
  it.scopedLive("has folders of a user and of a site as roots", () =>
    Effect.gen(function* () {
      const { client, given, leaked, store } = yield* world(GraphDouble.make)
      store.put("Reports/2026 #1/a.md", text("one"))
      store.put("b.md", text("two"))
      const read = (root: string) => texts(MicrosoftGraph.make({ root, ...given }), client)
      assert.deepStrictEqual(yield* read("onedrive:"), { "Reports/2026 #1/a.md": "one", "b.md": "two" })
      assert.deepStrictEqual(yield* read("onedrive:Reports/2026 #1"), { "a.md": "one" })
      assert.deepStrictEqual(yield* read("onedrive:/Reports/"), { "2026 #1/a.md": "one" })
      assert.deepStrictEqual(yield* read("sharepoint:contoso.sharepoint.com/sites/Finance/Reports"), {
        "2026 #1/a.md": "one"
      })
      assert.isEmpty(leaked, "a host of bytes gets no token")
      const named = (root: string) => MicrosoftGraph.make({ root }).scope
      assert.deepInclude(named("onedrive:/Reports/"), { root: "onedrive/Reports", path: "onedrive:Reports" })
      assert.deepInclude(named("sharepoint:Contoso.sharepoint.com/sites/Finance/"), {
        root: "Finance",
        path: "sharepoint:contoso.sharepoint.com/sites/Finance"
      })
    })
  )

  it.scopedLive("names the remedy of a root that is none", () =>
    Effect.gen(function* () {
      const { client, given, store } = yield* world(GraphDouble.make)
      store.put("Reports/a.md", text("one"))
      const read = (root: string) => refusal(MicrosoftGraph.make({ root, ...given }), client)
      assert.match(yield* read("onedrive:Nowhere"), /^Missing: .*check the address/u)
      assert.match(yield* read("onedrive:Reports/a.md"), /^Invalid: .*it is no folder/u)
      assert.match(yield* read("onedrive:Reports/*.md"), /^Invalid: .*patterns are given apart/u)
      assert.match(yield* read("sharepoint:contoso.sharepoint.com/Finance"), /^Invalid: .*expected/u)
      assert.match(yield* read("sharepoint:contoso.sharepoint.com/sites/Other"), /^Missing: /u)
    })
  )

  it.scopedLive("gives its token to no other host, whatever an answer says", () =>
    Effect.gen(function* () {
      const { answer, client, given, store } = yield* world(GraphDouble.make)
      store.put("a.md", text("one"))
      const hosts: Array<string> = []
      const misled = Doubles.client(store, (one, asked) => {
        hosts.push(asked.url.host)
        const next = { value: [], "@odata.nextLink": "https://evil.test/v1.0/next" }
        return asked.url.pathname.endsWith("/delta") ? json(200, next) : answer(one, asked)
      })
      const source = MicrosoftGraph.make({ root: "onedrive:", ...given })
      assert.match(yield* refusal(source, misled), /^Invalid: .*another host/u)
      assert.notInclude(hosts, "evil.test")
      assert.deepStrictEqual(yield* texts(source, client), { "a.md": "one" })
    })
  )

  it.scopedLive("leaves out notebooks and what is elsewhere", () =>
    Effect.gen(function* () {
      const { answer, given, store } = yield* world(GraphDouble.make)
      store.put("a.md", text("one"))
      const parentReference = { driveId: "b!drive", id: "top" }
      const more = [
        { id: "n", name: "notes.md", package: { type: "oneNote" }, parentReference },
        { id: "r", name: "shared.md", file: {}, size: 4, remoteItem: { id: "x" }, parentReference },
        { id: "x", parentReference },
        { id: "o", name: "orphan.md", file: {}, size: 4, cTag: "c", parentReference: { id: "unknown" } }
      ]
      const client = Doubles.client(store, (one, asked) => {
        const reply = answer(one, asked)
        if (!asked.url.pathname.endsWith("/delta")) return reply
        const { value, ...rest } = JSON.parse(new TextDecoder().decode(reply.body))
        return json(200, { value: [...value, ...more], ...rest })
      })
      assert.deepStrictEqual(yield* texts(MicrosoftGraph.make({ root: "onedrive:", ...given }), client), {
        "a.md": "one"
      })
    })
  )
})

describe("Google Drive", () => {
  const google = Effect.map(world(GoogleDouble.make), (made) => ({
    ...made,
    source: (id = "") => GoogleDrive.make({ root: `gdrive:${id}`, ...made.given })
  }))

  it.scopedLive("has folders and shared drives as roots, and tells of others", () =>
    Effect.gen(function* () {
      const made = yield* google
      const { client, drive, store } = made
      store.put("Plans/a.md", text("one"))
      store.put("b.md", text("two"))
      const id = drive.ids.get("Plans")
      assert.deepStrictEqual(yield* texts(made.source(id), client), { "a.md": "one" })
      assert.match(yield* refusal(made.source("unknown"), client), /^Missing: .*File not found/u)
      assert.match(yield* refusal(made.source(drive.ids.get("b.md")), client), /^Invalid: .*no folder/u)
      assert.match(yield* refusal(made.source("a/b"), client), /^Invalid: .*expected gdrive:/u)
      const asked: Array<string> = []
      const shift = GoogleDouble.make(store)
      shift.shared = "0Ashared"
      const elsewhere = Doubles.client(store, (one, request) => {
        asked.push(`${request.url.pathname.slice(10)} ${request.url.searchParams.get("driveId") ?? ""}`)
        return shift.answer(one, request)
      })
      const root = shift.drive.ids.get("Plans") ?? ""
      assert.deepStrictEqual(yield* texts(made.source(root), elsewhere), { "a.md": "one" })
      assert.includeMembers(asked, ["changes/startPageToken 0Ashared", "files 0Ashared"])
    })
  )

  it.scopedLive("keeps files of one name in one folder apart by their ids, whatever their order", () =>
    Effect.gen(function* () {
      const made = yield* google
      const { client, store } = made
      store.put("a.md", text("one"))
      const place = { mimeType: "text/markdown", size: "3", parents: ["top"], modifiedTime: "2026-01-01T00:00:00Z" }
      const folder = { ...place, mimeType: "application/vnd.google-apps.folder" }
      const twins = [
        { ...place, id: "zebra-0001", name: "a.md", md5Checksum: "1" },
        { ...place, id: "zebra-0002", name: "a.md", md5Checksum: "2" },
        { ...place, id: "slash", name: "in/out.md", md5Checksum: "3" },
        { ...folder, id: "y1", name: "same" },
        { ...folder, id: "y2", name: "same" },
        { ...place, id: "inner", name: "b.md", parents: ["y2"], md5Checksum: "4" },
        { ...folder, id: "loop1", name: "loop", parents: ["loop2"] },
        { ...folder, id: "loop2", name: "loop", parents: ["loop1"] }
      ]
      made.more.push(...twins)
      const names = ["a (zebra-00).md", "a (zebra-0002).md", "a.md", "in_out.md", "same (y2)/b.md"]
      assert.deepStrictEqual(Object.keys(yield* versions(made.source(), client)), names)
      made.more.reverse()
      rmSync(made.given.cache, { recursive: true })
      assert.deepStrictEqual(Object.keys(yield* versions(made.source(), client)), names)
    })
  )

  it.scopedLive("leaves out shortcuts, forms and the bin, and follows files into the bin", () =>
    Effect.gen(function* () {
      const made = yield* google
      const { client, drive, store } = made
      store.put("a.md", text("one"))
      store.put("b.md", text("two"))
      const place = { size: "3", parents: ["top"], modifiedTime: "2026-01-01T00:00:00Z", md5Checksum: "1" }
      made.more.push(
        { ...place, id: "s", name: "s.md", mimeType: "application/vnd.google-apps.shortcut" },
        { ...place, id: "f", name: "f.md", mimeType: "application/vnd.google-apps.form" },
        { ...place, id: "t", name: "t.md", mimeType: "text/markdown", trashed: true },
        { ...place, id: "e", name: "elsewhere.md", mimeType: "text/markdown", parents: undefined }
      )
      assert.deepStrictEqual(Object.keys(yield* versions(made.source(), client)), ["a.md", "b.md"])
      const id = drive.ids.get("b.md")
      made.double.before = ({ url }) => {
        const file = { ...place, id, name: "b.md", mimeType: "text/markdown", trashed: true }
        const changes = [{ changeType: "drive" }, { changeType: "file", fileId: id, removed: false, file }]
        return url.pathname.endsWith("/changes") ? json(200, { changes, newStartPageToken: "9" }) : undefined
      }
      assert.deepStrictEqual(Object.keys(yield* versions(made.source(), client)), ["a.md"])
    })
  )

  it.scopedLive("exports a document once for each change, and tells of one that is too large", () =>
    Effect.gen(function* () {
      const made = yield* google
      const { client, documents, drive, store } = made
      store.tick = 1000
      for (const path of ["plan.docx", "huge.docx", "old.docx"]) documents.add(path)
      store.put("plan.docx", text("plan"))
      store.put("old.docx", text("old"))
      store.put("huge.docx", new Uint8Array(11 * 1024 * 1024))
      const found = yield* texts(made.source(), client)
      assert.deepInclude(found, { "plan.docx": "plan", "old.docx": "old" })
      assert.match(found["huge.docx"] ?? "", /it cannot be exported \(This file is too large to be exported\.\)/u)
      assert.sameMembers(
        drive.exports,
        ["plan.docx", "huge.docx", "old.docx"],
        "an export is read from where it is held"
      )
      drive.exports.length = 0
      store.put("plan.docx", text("new plan"))
      assert.sameMembers(Object.keys(yield* versions(made.source(), client)), Object.keys(found))
      assert.sameMembers(drive.exports, ["plan.docx", "huge.docx"], "what did not change is not exported")
      drive.exports.length = 0
      drive.forgets = true
      yield* versions(made.source(), client)
      assert.sameMembers(drive.exports, ["huge.docx"], "sizes outlive a new listing")
      drive.exports.length = 0
      const wanted = GoogleDrive.make({ root: "gdrive:", ...made.given, patterns: ["old.docx"] })
      assert.deepStrictEqual(yield* texts(wanted, client), { "old.docx": "old" })
      assert.deepStrictEqual(drive.exports, ["old.docx"], "only what is wanted is exported")
    })
  )

  it.scopedLive("measures an export again that has another size when it is read at last", () =>
    Effect.gen(function* () {
      const made = yield* google
      const { client, documents, store } = made
      documents.add("plan.docx")
      store.put("plan.docx", text("plan"))
      made.double.growing = true
      yield* versions(made.source(), client)
      assert.match((yield* texts(made.source(), client))["plan.docx"] ?? "", /changed while it was read/u)
      assert.match((yield* texts(made.source(), client))["plan.docx"] ?? "", /^plan +$/u)
    })
  )

  it.scopedLive("takes a refusal for too many requests for what it is", () =>
    Effect.gen(function* () {
      const made = yield* google
      const { client, store } = made
      store.put("a.md", text("one"))
      let left = 2
      made.double.before = () => (left-- > 0 ? GoogleDouble.rateLimit() : undefined)
      assert.deepStrictEqual(yield* texts(made.source(), client), { "a.md": "one" })
      const refused = json(403, { error: { message: "The user does not have sufficient permissions." } })
      made.double.before = () => refused
      assert.match(yield* refusal(made.source(), client), /^Denied: .*sufficient permissions/u)
    })
  )
})
