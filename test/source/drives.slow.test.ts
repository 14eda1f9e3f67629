import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect } from "effect"
import { available, capture } from "../cli/terminal.ts"
import * as Drift from "./drift.ts"
import { type Accounts, consent, type Drive } from "./driveModel.ts"
import * as GoogleDouble from "./googleDouble.ts"
import * as GraphDouble from "./graphDouble.ts"
import { proxied } from "./proxied.ts"
import * as Doubles from "./storeDoubles.ts"

interface Made {
  readonly drive: Drive
  readonly accounts: Accounts
  readonly answer: Doubles.Double
}

const services = [
  {
    title: "Microsoft Graph",
    root: "onedrive:",
    name: "onedrive",
    prefix: "MICROSOFT",
    shown: "open https://login.test/device and enter ABCD-EFGH",
    refusals: ["authorization_pending"],
    hosts: ["graph.microsoft.com", "login.microsoftonline.com", "files.test"],
    double: (store: SourceConformance.Store): Made => GraphDouble.make(store)
  },
  {
    title: "Google Drive",
    root: "gdrive:",
    name: "gdrive",
    prefix: "GOOGLE",
    shown: "open in a browser of this machine: http://127.0.0.1:",
    refusals: [],
    hosts: ["www.googleapis.com", "oauth2.googleapis.com"],
    double: (store: SourceConformance.Store): Made => GoogleDouble.make(store)
  }
]

/** A double behind a proxy, and the environment of the command line that reaches it. */
const world = ({ double, hosts, prefix }: (typeof services)[number]) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-drive-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const store = new SourceConformance.Store()
    store.pageSize = 200
    const made = double(store)
    const env = {
      ...(yield* proxied(folder, hosts, Doubles.listener(store, made.answer))),
      HOME: folder,
      [`${prefix}_CLIENT_ID`]: "app"
    }
    return { ...made, store, folder, env }
  })

for (const service of services) {
  describe(`a drive of ${service.title}`, () => {
    it.scopedLive("is followed through runs, some of which are killed", () =>
      Effect.gen(function* () {
        const { accounts, drive, env, store } = yield* world(service)
        accounts.refreshTokens.add("given")
        const place: Drift.Place = {
          name: service.name,
          root: service.root,
          env: { ...env, [`${service.prefix}_REFRESH_TOKEN`]: "given" },
          write: (path, bytes) => Effect.sync(() => store.put(path, bytes)),
          remove: (path) => Effect.sync(() => store.remove(path)),
          move: (from, to) => Effect.sync(() => drive.move(from, to)),
          reads: () => store.requests.filter(({ kind }) => kind === "read").length,
          listings: () => drive.deltas + store.requests.filter(({ kind }) => kind === "list").length
        }
        accounts.keeps = true
        const report = yield* Drift.check(Effect.succeed(place), { mostListings: 5 })
        assert.isAtLeast(report.kills, 1, JSON.stringify(report))
        // The pages of the first listing: no later run lists anew.
        assert.isAtMost(store.requests.filter(({ kind }) => kind === "list").length, 3, JSON.stringify(report))
      })
    )

    it.scopedLive.skipIf(!available)("shows the user of a terminal how to sign in, and runs when that is done", () =>
      Effect.gen(function* () {
        const { accounts, env, folder, store } = yield* world(service)
        accounts.interval = 1
        accounts.refusals.push(...service.refusals)
        store.put("a.md", Buffer.from("# Pumps\n\nThe pump is cleaned."))
        const words = ["ingest", service.root, "--to", `libsql:${join(folder, "store.db")}`]
        const opened = new Set<string>()
        const [first, second] = yield* Effect.promise(() =>
          capture(folder, 80, [words, words], env, (text) => {
            const [address] = /http:\/\/127\.0\.0\.1:\d+\/\S+/u.exec(text) ?? []
            if (address === undefined || opened.has(address)) return
            opened.add(address)
            void consent(address, accounts)
          })
        )
        assert.include(first?.text, service.shown)
        assert.strictEqual(first?.status, 0, first?.text)
        assert.strictEqual(second?.status, 0, second?.text)
        assert.notInclude(second?.text, service.shown)
        assert.strictEqual(statSync(join(folder, ".config/docsluice/tokens.json")).mode & 0o777, 0o600)
      })
    )
  })
}
