import { assert, describe, it } from "@effect/vitest"
import * as MicrosoftGraph from "docsluice/source/MicrosoftGraph"
import { Effect } from "effect"
import { json } from "./driveModel.ts"
import { refusal, text, texts, versions, world } from "./driveWorld.ts"
import * as GraphDouble from "./graphDouble.ts"
import * as Doubles from "./storeDoubles.ts"

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

  it.scopedLive("knows files of either kind of drive by what both of its answers tell", () =>
    Effect.gen(function* () {
      for (const isPersonal of [false, true]) {
        const { answer, double, drive, given, store } = yield* world(GraphDouble.make)
        double.isPersonal = isPersonal
        store.put("a.md", new Uint8Array(200_000).fill(97))
        const source = MicrosoftGraph.make({ root: "onedrive:", ...given })
        let broken = 0
        const client = Doubles.client(store, (one, asked) => {
          const reply = answer(one, asked)
          return asked.url.host === "files.test" && (broken += 1) === 1 ? { ...reply, share: 0.5 } : reply
        })
        const first = yield* versions(source, client)
        assert.lengthOf((yield* texts(source, client))["a.md"] ?? "", 200_000, "a read goes on where it broke off")
        assert.strictEqual(broken, 2)
        drive.move("a.md", "b.md")
        assert.deepStrictEqual((yield* versions(source, client))["b.md"], first["a.md"])
        store.put("b.md", new Uint8Array(200_000).fill(98))
        assert.notDeepEqual((yield* versions(source, client))["b.md"], first["a.md"])
      }
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
