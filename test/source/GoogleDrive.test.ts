import { rmSync } from "node:fs"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as GoogleDrive from "docsluice/source/GoogleDrive"
import { Effect } from "effect"
import { consent, json, led } from "./driveModel.ts"
import { refusal, text, texts, versions, world } from "./driveWorld.ts"
import * as GoogleDouble from "./googleDouble.ts"
import { sent } from "./sent.ts"
import * as Doubles from "./storeDoubles.ts"

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

  it.scopedLive("lets a user sign in with a browser of this machine for all files", () =>
    Effect.gen(function* () {
      const { accounts, client, kept, store } = yield* google
      store.put("a.md", text("one"))
      let shown = new URL("http://none.test")
      const signIn = (...refusal: ReadonlyArray<string>) =>
        GoogleDrive.signInHere({
          ...kept,
          onAddress: (address) =>
            Effect.promise(async () => {
              shown = await led(address)
              const strange = `${shown.searchParams.get("redirect_uri")}/?code=stolen&state=guessed`
              assert.strictEqual(await sent("GET", strange, {}, undefined), 404)
              assert.strictEqual(await consent(address, accounts, ...refusal), 200)
            })
        }).pipe(Effect.provideService(HttpClient.HttpClient, client))
      const refused = yield* Effect.flip(signIn("access_denied"))
      assert.strictEqual(refused.reason, "Denied")
      assert.include(refused.problem, "the user refused")
      yield* signIn()
      assert.strictEqual(shown.origin, "https://accounts.google.com")
      assert.strictEqual(shown.searchParams.get("scope"), "https://www.googleapis.com/auth/drive.readonly")
      assert.strictEqual(shown.searchParams.get("access_type"), "offline")
      const gone = Effect.tryPromise(() => sent("GET", shown.searchParams.get("redirect_uri") ?? "", {}, undefined))
      assert.strictEqual((yield* Effect.either(gone))._tag, "Left", "nobody listens afterwards")
      const source = GoogleDrive.make({ root: "gdrive:", ...kept })
      assert.deepStrictEqual(yield* texts(source, client), { "a.md": "one" })
      assert.strictEqual(accounts.forms.length, 1)
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
