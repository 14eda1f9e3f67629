import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import * as WebDav from "docsluice/source/WebDav"
import { bytes } from "docsluice/SourceFile"
import { Effect, Redacted, Stream } from "effect"
import { hastened } from "../../src/internal/sources/hastened.ts"

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** It breaks after the body, or sends nothing more. */
  readonly end?: "breaks" | "stalls"
}

const now = "Sat, 28 Nov 2026 12:00:00 GMT"

/** A server that answers as the function says; it keeps what it was asked. */
const server = (answer: (asked: Asked) => Reply) => {
  const asked: Array<Asked> = []
  const client = HttpClient.make((request, { href: url }) =>
    Effect.sync(() => {
      const one = { method: request.method, url, headers: request.headers }
      asked.push(one)
      const { body = "", end, headers, status } = answer(one)
      const parts = [new TextEncoder().encode(body)]
      const sent = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const part = parts.pop()
          if (part !== undefined) controller.enqueue(part)
          else if (end === undefined) controller.close()
          else if (end === "breaks") controller.error(new Error("the connection broke"))
        }
      })
      return HttpClientResponse.fromWeb(request, new Response(sent, { status, headers: { date: now, ...headers } }))
    })
  )
  return { asked, client, lines: () => asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`) }
}

const root = "webdav:https://dav.test/files"

const found = (client: HttpClient.HttpClient, options: Partial<WebDav.Options> = {}) =>
  Stream.runCollect(WebDav.make({ root, credentials: "anonymous", ...options }).files).pipe(
    Effect.map((all) => [...all]),
    Effect.provideService(HttpClient.HttpClient, client)
  )

/** The paths that are found, or the error. */
const paths = (client: HttpClient.HttpClient, options: Partial<WebDav.Options> = {}) =>
  Effect.match(found(client, options), {
    onSuccess: (all) => all.map(({ path }) => path),
    onFailure: (error) => `${error.reason}: ${error.message}`
  })

const response = (href: string, properties: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`

const folder = (href: string): string => response(href, "<D:resourcetype><D:collection/></D:resourcetype>")

const file = (href: string, more = '<D:getetag>"1"</D:getetag>', length = 2): string =>
  response(href, `<D:resourcetype/><D:getcontentlength>${length}</D:getcontentlength>${more}`)

const listing = (...responses: ReadonlyArray<string>): Reply => ({
  status: 207,
  body: `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">${responses.join("")}</D:multistatus>`
})

/** A server of folders by their paths; anything else is not there. */
const folders = (all: Readonly<Record<string, Reply | (() => Reply)>>) =>
  server(({ url }) => {
    const reply = all[new URL(url).pathname]
    return typeof reply === "function" ? reply() : (reply ?? { status: 404 })
  })

describe("names in the listings of a WebDAV server", () => {
  it.effect("are read from addresses in any form, and asked for as the server spells them", () =>
    Effect.gen(function* () {
      const names = [
        file("https://dav.test/files/whole.md"),
        file("relative.md"),
        file("/files/a%20b%23%3F.md"),
        file("/files/plain b.md"),
        file("/files/caf%c3%a9.md"),
        file("/files/cafe%CC%81.md"),
        file("/files/one%2Ftwo.md"),
        file("/files/latin%e4.md"),
        file("/files/h&#35;x&amp;y.md")
      ]
      const { asked, client } = folders({ "/files/": listing(folder("/files"), ...names) })
      const all = yield* found(client)
      assert.sameMembers(
        all.map(({ path }) => path),
        [
          "whole.md",
          "relative.md",
          "a b#?.md",
          "plain b.md",
          "caf\u00E9.md",
          "cafe\u0301.md",
          "one%2Ftwo.md",
          "latin%e4.md",
          "h#x&y.md"
        ]
      )
      for (const one of all) if (one._tag === "SourceFile") yield* Effect.either(bytes(one))
      assert.sameMembers(
        asked.slice(1).map(({ url }) => url),
        [
          "https://dav.test/files/whole.md",
          "https://dav.test/files/relative.md",
          "https://dav.test/files/a%20b%23%3F.md",
          "https://dav.test/files/plain%20b.md",
          "https://dav.test/files/caf%C3%A9.md",
          "https://dav.test/files/cafe%CC%81.md",
          "https://dav.test/files/one%2Ftwo.md",
          "https://dav.test/files/latin%e4.md",
          "https://dav.test/files/h%23x%26y.md"
        ]
      )
    })
  )

  it.effect("may have the path of a server behind a proxy, the same in each", () =>
    Effect.gen(function* () {
      const { client } = folders({
        "/files/": listing(folder("/inner/dav/"), folder("/inner/dav/a/"), file("/inner/dav/b.md")),
        "/files/a/": listing(folder("/inner/dav/a/"), file("/inner/dav/a/c.md"))
      })
      assert.deepStrictEqual(yield* paths(client), ["b.md", "a/c.md"])
      assert.deepStrictEqual(yield* paths(client, { patterns: ["a/*.md"] }), ["a/c.md"])
      const other = folders({
        "/files/": listing(folder("/inner/dav/"), folder("/inner/dav/a/")),
        "/files/a/": listing(folder("/other/a/"), file("/other/a/c.md"))
      })
      assert.match(String(yield* paths(other.client)), /^Invalid: .*names \/other\/a\/, which is not in it/u)
    })
  )

  it.effect("end the run where they lie outside of the folder, deeper in it, or are not of a folder", () =>
    Effect.gen(function* () {
      const outside = [
        file("/filesb.md"),
        file("/other/b.md"),
        file("/files/%2e%2e"),
        folder("/files/../"),
        file("/files/a/deep.md"),
        file("/b.md")
      ]
      for (const one of outside) {
        const { client } = folders({ "/files/": listing(folder("/files/"), one) })
        assert.match(String(yield* paths(client)), /^Invalid: .*(?:not in it|no folder)/u, one)
      }
      const single = folders({ "/files/": listing(file("/files")) })
      assert.match(String(yield* paths(single.client)), /^Invalid: .*it is no folder/u)
      const empty = folders({ "/files/": listing() })
      assert.match(String(yield* paths(empty.client)), /^Invalid: .*not even the folder itself/u)
    })
  )
})

describe("a listing of a WebDAV server", () => {
  const two = {
    "/files/": listing(folder("/files/"), folder("/files/a/"), file("/files/b.md")),
    "/files/a/": listing(folder("/files/a/"), file("/files/a/c.md"))
  }

  it.effect("asks for each folder once, and for none that is hidden, ignored or outside of the patterns", () =>
    Effect.gen(function* () {
      const inner = ["a", ".git", "node_modules", "drafts"]
      const { asked, client, lines } = folders({
        ...two,
        "/files/": listing(folder("/files/"), ...inner.map((name) => folder(`/files/${name}/`)))
      })
      assert.deepStrictEqual(yield* paths(client, { ignore: ["drafts"] }), ["a/c.md"])
      assert.deepStrictEqual(lines(), ["PROPFIND /files/", "PROPFIND /files/a/"])
      assert.deepStrictEqual(
        asked.map(({ headers }) => headers["depth"]),
        ["1", "1"]
      )
      asked.length = 0
      assert.deepStrictEqual(yield* paths(client, { patterns: ["a/**/*.md"] }), ["a/c.md"])
      assert.deepStrictEqual(lines(), ["PROPFIND /files/a/"])
      asked.length = 0
      assert.deepStrictEqual(yield* paths(client, { filesFrom: ["a/c.md", "a/d.md"] }), ["a/c.md", "a/d.md"])
      assert.deepStrictEqual(lines(), ["PROPFIND /files/a/"])
      asked.length = 0
      assert.deepStrictEqual(yield* paths(client, { patterns: ["a"] }), ["a/c.md"])
      assert.deepStrictEqual(lines(), ["PROPFIND /files/", "PROPFIND /files/a/"])
    })
  )

  it.effect("fails when a folder in it may not be listed, breaks off, or is none, and says what to do", () =>
    Effect.gen(function* () {
      const with_ = (reply: Reply) => folders({ ...two, "/files/a/": reply }).client
      assert.match(
        String(yield* paths(with_({ status: 403 }))),
        /^Denied: webdav:https:\/\/dav\.test\/files\/a\/: .*leave it out with `ignore`/u
      )
      assert.deepStrictEqual(yield* paths(with_({ status: 403 }), { ignore: ["a"] }), ["b.md"])
      assert.match(String(yield* paths(with_({ status: 401 }))), /^Denied: .*WEBDAV_USER and WEBDAV_PASSWORD/u)
      const { body = "" } = two["/files/a/"]
      const broken = folders({ ...two, "/files/a/": { status: 207, body: body.slice(0, 150), end: "breaks" } })
      assert.match(String(yield* paths(broken.client)), /^Unreachable: .*broke off/u)
      assert.lengthOf(broken.asked, 4, "a folder is asked for three times")
      assert.match(
        String(yield* paths(with_({ status: 207, body: body.slice(0, 150) }))),
        /^Invalid: .*cannot be read/u
      )
      assert.match(String(yield* paths(with_({ status: 207, body: "" }))), /^Invalid: .*cannot be read/u)
      assert.match(String(yield* paths(with_({ status: 207, body: "<html/>" }))), /^Invalid: .*cannot be read/u)
      assert.match(String(yield* paths(with_({ status: 200, body }))), /^Invalid: .*answered with 200/u)
      const other = with_({ status: 302, headers: { location: "https://sign.test/in?token=secret" } })
      assert.match(String(yield* paths(other)), /^Invalid: .*leads on to https:\/\/sign\.test\/in; /u)
    })
  )

  it.effect("passes over a folder that was removed meanwhile, and fails for one that is listed still", () =>
    Effect.gen(function* () {
      assert.match(
        String(yield* paths(folders({ "/files/": two["/files/"] }).client)),
        /^Failed: .*a\/ is listed and is/u
      )
      const named = { patterns: ["a/*.md"] }
      assert.match(String(yield* paths(folders({ "/files/": two["/files/"] }).client, named)), /^Failed: /u)
      const never = { patterns: ["b.md", "c/d/*.md"] }
      assert.deepStrictEqual(
        yield* paths(folders({ "/files/": listing(folder("/files/"), file("/files/b.md")) }).client, never),
        ["b.md"]
      )
      let turn = 0
      const gone = folders({ "/files/": () => ((turn += 1) === 1 ? two["/files/"] : listing(folder("/files/"))) })
      assert.deepStrictEqual(yield* paths(gone.client), ["b.md"])
      assert.match(String(yield* paths(folders({}).client)), /^Missing: /u)
    })
  )

  it.effect("may have a folder of 150,000 files", () =>
    Effect.gen(function* () {
      const files = Array.from({ length: 150_000 }, (_, at) => file(`/files/${at}.md`))
      const { client } = folders({ "/files/": listing(folder("/files/"), files.join("")) })
      assert.lengthOf(yield* paths(client), 150_000)
    })
  )

  it.effect("ends where folders lead back to outer ones", () =>
    Effect.gen(function* () {
      const endless = server(({ url }) => {
        const { pathname } = new URL(url)
        return listing(folder(pathname), folder(`${pathname}again/`))
      })
      assert.match(String(yield* paths(endless.client)), /^Invalid: .*more than 100 folders deep/u)
    })
  )

  it.live("ends after a bounded time when its server falls silent", () =>
    Effect.gen(function* () {
      const stalled = folders({ ...two, "/files/a/": { status: 207, body: "<a>", end: "stalls" } })
      const mute = HttpClient.make(() => Effect.never)
      const began = Date.now()
      const ended = yield* Effect.all([paths(stalled.client), paths(mute)], { concurrency: 2 }).pipe(
        Effect.withClock(yield* hastened)
      )
      assert.match(String(ended[0]), /^Unreachable: .*broke off/u)
      assert.match(String(ended[1]), /^Timeout: /u)
      assert.isBelow(Date.now() - began, 60_000)
    })
  )
})

describe("a version that a WebDAV server tells", () => {
  const versionOf = (properties: string) =>
    Effect.map(
      found(folders({ "/files/": listing(folder("/files/"), file("/files/a.md", properties)) }).client),
      ([first]) => (first?._tag === "SourceFile" ? first.fingerprint : first?._tag)
    )

  it.effect("is a strong ETag, else a date that is some seconds old, and nothing else", () =>
    Effect.gen(function* () {
      const date = (time: string) => `<D:getlastmodified>${time}</D:getlastmodified>`
      const old = date("Sat, 28 Nov 2026 11:59:50 GMT")
      assert.deepStrictEqual(yield* versionOf('<D:getetag>"1"</D:getetag>'), { _tag: "Etag", value: '"1"' })
      const dated = { _tag: "Etag", value: "Sat, 28 Nov 2026 11:59:50 GMT 2" } as const
      assert.deepStrictEqual(yield* versionOf(old), dated)
      assert.deepStrictEqual(yield* versionOf(`<D:getetag>W/"1"</D:getetag>${old}`), dated)
      for (const none of [
        date("Sat, 28 Nov 2026 11:59:57 GMT"),
        date("Sun, 29 Nov 2026 12:00:00 GMT"),
        date("yesterday"),
        '<D:getetag>W/"1"</D:getetag>',
        '<D:getetag>""</D:getetag>',
        ""
      ]) {
        assert.isUndefined(yield* versionOf(none), none)
      }
    })
  )

  it.effect("is that of the bytes, or the file fails as changed", () =>
    Effect.gen(function* () {
      const listed = listing(folder("/files/"), file("/files/a.md"), file("/files/b.md", "", 3))
      const read = (reply: Reply) =>
        Effect.gen(function* () {
          const { asked, client } = server(({ method }) => (method === "PROPFIND" ? listed : reply))
          const results = yield* Effect.forEach(yield* found(client), (one) =>
            one._tag === "SourceFile"
              ? Effect.match(bytes(one), { onSuccess: ({ length }) => `${length}`, onFailure: ({ _tag }) => _tag })
              : Effect.succeed(one._tag)
          )
          assert.deepStrictEqual(
            asked.map(({ headers }) => headers["if-match"]),
            [undefined, '"1"', undefined]
          )
          return results
        })
      assert.deepStrictEqual(yield* read({ status: 200, body: "ab", headers: { etag: '"1"' } }), ["2", "FileChanged"])
      assert.deepStrictEqual(yield* read({ status: 200, body: "ab", headers: { etag: '"2"' } }), [
        "FileChanged",
        "FileChanged"
      ])
      assert.deepStrictEqual(yield* read({ status: 412 }), ["FileChanged", "FileChanged"])
      assert.deepStrictEqual(yield* read({ status: 404 }), ["FileUnreadable", "FileUnreadable"])
      assert.deepStrictEqual(yield* read({ status: 302, headers: { location: "https://other.test/" } }), [
        "FileUnreadable",
        "FileUnreadable"
      ])
    })
  )

  it.effect("is asked for at a second read of the rest, after a break", () =>
    Effect.gen(function* () {
      const listed = listing(folder("/files/"), file("/files/a.md", '<D:getetag>"1"</D:getetag>', 6))
      const { asked, client } = server(({ headers, method }) => {
        if (method === "PROPFIND") return listed
        return headers["range"] === undefined
          ? { status: 200, body: "abc", headers: { etag: '"1"' }, end: "breaks" }
          : { status: 206, body: "def", headers: { etag: '"1"', "content-range": "bytes 3-5/6" } }
      })
      const [first] = yield* found(client)
      assert.isTrue(first?._tag === "SourceFile")
      if (first?._tag !== "SourceFile") return
      assert.strictEqual(new TextDecoder().decode(yield* bytes(first)), "abcdef")
      assert.deepInclude(asked.at(-1)?.headers, { range: "bytes=3-", "if-range": '"1"', "if-match": '"1"' })
    })
  )
})

describe("credentials of a WebDAV server", () => {
  const listed = listing(folder("/files/"), file("/files/a.md"))
  const anna = { user: "anna", password: Redacted.make("s\u00E4cret") }

  it.effect("are sent with each request to its origin, and stand in no error", () =>
    Effect.gen(function* () {
      const { asked, client } = server(({ method }) => (method === "PROPFIND" ? listed : { status: 200, body: "ab" }))
      for (const credentials of [anna, { token: Redacted.make("s\u00E4cret") }] as const) {
        const [first] = yield* found(client, { credentials })
        if (first?._tag === "SourceFile") yield* bytes(first)
      }
      const basic = `Basic ${Buffer.from("anna:s\u00E4cret").toString("base64")}`
      assert.deepStrictEqual(
        asked.map(({ headers }) => headers["authorization"]),
        [basic, basic, "Bearer s\u00E4cret", "Bearer s\u00E4cret"]
      )
      const refused = server(() => ({ status: 401 }))
      const words = String(yield* paths(refused.client, { credentials: anna }))
      assert.match(words, /^Denied: /u)
      assert.notInclude(words, "cret")
      const source = WebDav.make({ root, credentials: anna })
      assert.notInclude(JSON.stringify(source.scope), "cret")
    })
  )

  it.effect("are refused in an address, and over http to another machine", () =>
    Effect.gen(function* () {
      const { asked, client } = server(() => listed)
      const at = (address: string) => paths(client, { root: `webdav:${address}`, credentials: anna })
      assert.match(String(yield* at("https://anna:secret@dav.test/files")), /^Invalid: .*WEBDAV_PASSWORD/u)
      assert.match(String(yield* at("http://dav.test/files")), /^Invalid: .*over https only/u)
      assert.match(String(yield* at("http://127.0.0.1.dav.test/files")), /^Invalid: .*over https only/u)
      assert.match(String(yield* at("https://dav.test/files?a=b")), /^Invalid: .*%3F/u)
      assert.match(String(yield* at("ftp://dav.test/files")), /^Invalid: expected|^Invalid: .*expected webdav:https/u)
      assert.lengthOf(asked, 0)
      assert.deepStrictEqual(yield* at("http://127.0.0.1:8080/files"), ["a.md"])
    })
  )
})
