import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import * as GoogleDrive from "docsluice/source/GoogleDrive"
import * as MicrosoftGraph from "docsluice/source/MicrosoftGraph"
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect, Fiber, Random, Redacted, TestClock } from "effect"
import { Prompt } from "../../src/internal/drive/prompt.ts"
import { hastened } from "../../src/internal/sources/hastened.ts"
import { consent, json } from "./driveModel.ts"
import { listings, type Made, refusal, text, texts, versions, world } from "./driveWorld.ts"
import * as GoogleDouble from "./googleDouble.ts"
import * as GraphDouble from "./graphDouble.ts"
import * as Doubles from "./storeDoubles.ts"

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

/** A grant whose access token has expired. */
const expired = (refreshToken: string) => ({ refreshToken, accessToken: "", expires: 0 })

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
          "0/file 3.md",
          "0/file 6.md",
          "0/file 9.md",
          "2/file 5.md",
          "2/file 8.md",
          "elsewhere/renamed.md",
          "one/of/file 1.md",
          "one/of/file 7.md"
        ])
        drive.removeFolder("one")
        assert.lengthOf(Object.keys(yield* versions(source, client)), 6)
        assert.isEmpty(
          store.requests.filter(({ kind }) => kind !== "list"),
          "no file was asked for"
        )
      })
    )

    it.scopedLive("is what the drive is after any changes of files and folders, without a request for a file", () =>
      Effect.gen(function* () {
        const { client, drive, given, store } = yield* world(double)
        const folders = ["a", "b", "a/c", "b/d e"]
        const source = make(given)
        let made = 0
        const one = <A>(all: ReadonlyArray<A>, otherwise: A) =>
          Effect.map(Random.nextIntBetween(0, Math.max(1, all.length)), (at) => all[at] ?? otherwise)
        for (const path of folders) store.put(`${path}/first.md`, text(path))
        for (let round = 0; round < 40; round++) {
          for (let change = yield* Random.nextIntBetween(0, 4); change > 0; change--) {
            const paths = store.objects.map(({ path }) => path)
            const folder = yield* one(folders, "a")
            const path = yield* one(paths, "a/first.md")
            const kind = yield* Random.nextIntBetween(0, 12)
            made += 1
            if (kind < 4) store.put(`${folder}/${made}.md`, text(`${made}`))
            else if (kind < 6) store.put(path, text(`changed ${made}`))
            else if (kind < 7) store.remove(path)
            else if (kind < 9 && store.get(path) !== undefined) drive.move(path, `${folder}/moved ${made}.md`)
            else if (kind < 11 && drive.ids.has(folder)) drive.move(folder, `renamed ${made}/${made}`)
            else drive.removeFolder(folder)
          }
          drive.forgets = (yield* Random.nextIntBetween(0, 10)) === 0
          if (store.objects.length === 0) store.put("a/again.md", text("again"))
          const found = Object.keys(yield* versions(source, client))
          assert.deepStrictEqual(
            found,
            store.objects.map(({ path }) => path),
            `round ${round}`
          )
        }
        assert.isEmpty(store.requests.filter(({ kind }) => kind !== "list"))
      }).pipe(Effect.withRandom(Random.make(process.env["DOCSLUICE_TEST_SEED"] ?? String(Date.now()))))
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
        assert.match(yield* failed("authorization_pending", "expired_token"), /^Denied: .*not done in time/u)
        assert.match(yield* failed("unknown_thing"), /^Denied: .*\(unknown_thing\)$/u)
        accounts.refusals.length = 0
        const pending = Array.from({ length: 40 }, () => "authorization_pending")
        assert.match(yield* failed(...pending), /^Denied: .*not done in time/u)
        assert.isAtLeast(accounts.refusals.length, 10, "it stops when the code has expired")
      })
    )

    it.scopedLive("names the remedy where nobody has signed in, and no application is known", () =>
      Effect.gen(function* () {
        const { accounts, client, kept, store } = yield* world(double)
        store.put("a.md", text("one"))
        const shown: Array<string> = []
        assert.match(
          yield* refusal(make(kept), client),
          /^Denied: .*nobody has signed in; .*, or set [A-Z]+_REFRESH_TOKEN$/u
        )
        const prompted = texts(make({ ...kept, clientSecret: Redacted.make("hush") }), client).pipe(
          Effect.provideService(Prompt, {
            onCode: (_, code) => Effect.sync(() => void shown.push(code)),
            onAddress: (address) =>
              Effect.promise(() => consent(address, accounts).then(() => void shown.push("ABCD-EFGH")))
          }),
          Effect.withClock(yield* hastened)
        )
        assert.deepStrictEqual(yield* prompted, { "a.md": "one" }, "a run waits for a user who sees its code")
        assert.deepStrictEqual(shown, ["ABCD-EFGH"])
        assert.deepStrictEqual(yield* texts(make(kept), client), { "a.md": "one" })
        accounts.expire()
        accounts.refreshTokens.clear()
        assert.deepStrictEqual(yield* prompted, { "a.md": "one" }, "it does so where the sign-in has ended")
        assert.lengthOf(shown, 2)
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
        writeFileSync(
          file,
          JSON.stringify({ "Microsoft app": expired("refresh-1"), "Google app": expired("refresh-1") })
        )
        const shared = { cache: given.cache, clientId: "app", tokens: file }
        const runs = [1, 2, 3].map(() => texts(make(shared), client))
        for (const found of yield* Effect.all(runs, { concurrency: 3 })) assert.lengthOf(Object.keys(found), 3)
        assert.strictEqual(accounts.forms.length, 2)
      })
    )

    it.scopedLive(
      "ends with an error when the service cannot be reached, or is silent in the middle of an answer",
      () =>
        Effect.gen(function* () {
          const { client, given, store } = yield* world(double)
          store.put("a.md", text("one"))
          const clock = yield* hastened
          const unreachable = HttpClient.make((request) =>
            Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport" }))
          )
          const failing = refusal(make(given), unreachable)
          assert.match(yield* Effect.withClock(failing, clock), /^Unreachable: .*check the address and the network/u)
          const silent = HttpClient.make((request) =>
            Effect.sync(() => {
              const body = new ReadableStream<Uint8Array>({ start: (sent) => sent.enqueue(text("{")) })
              return HttpClientResponse.fromWeb(request, new Response(body))
            })
          )
          assert.match(yield* Effect.withClock(refusal(make(given), silent), clock), /^Unreachable: .*broke off/u)
          assert.deepStrictEqual(yield* texts(make(given), client), { "a.md": "one" })
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
