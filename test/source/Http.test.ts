import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Source from "docsluice/Source"
import * as Http from "docsluice/source/Http"
import * as SourceFile from "docsluice/SourceFile"
import { Chunk, ConfigProvider, Effect, Logger, Stream } from "effect"
import * as WebServer from "./webServer.ts"

type Seen = readonly [path: string, what: string]

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const allowPrivate = ["127.0.0.1"]

/** Each finding by its path: the text of a file, the reason or the tag of the rest. */
const seen = (options: Http.Options) =>
  Http.make({ allowPrivate, ...options }).files.pipe(
    Stream.mapEffect((found): Effect.Effect<Seen> => {
      if (found._tag === "SourceFile") {
        return Effect.match(SourceFile.bytes(found), {
          onFailure: (error) => [found.path, error._tag],
          onSuccess: (bytes) => [found.path, text(bytes)]
        })
      }
      if (found._tag === "Unsupported") return Effect.succeed([found.path, found._tag])
      return Effect.succeed([found.path, "reason" in found.error ? found.error.reason : found.error._tag])
    }),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.scoped
  )

/** The files of a source, to be read later. */
const filesOf = (options: Http.Options) =>
  Effect.map(Stream.runCollect(Http.make({ allowPrivate, ...options }).files), (found) =>
    Chunk.toReadonlyArray(found).flatMap((one) => (one._tag === "SourceFile" ? [one] : []))
  )

/** The error of a read. */
const failed = (file: SourceFile.SourceFile | undefined) =>
  file === undefined
    ? Effect.dieMessage("no file")
    : Effect.flip(Effect.map(SourceFile.bytes(file), (bytes) => `${bytes.length} bytes were read`))

/** A list in a file of this machine. */
const listed = (lines: ReadonlyArray<string>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-list-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    ),
    (folder) => {
      const file = join(folder, "urls.txt")
      writeFileSync(file, lines.join("\n"))
      return `list:${file}`
    }
  )

const etag = (value: string) => ({ etag: `"${value}"` })

const failure = (error: unknown): unknown =>
  error instanceof Source.SourceUnavailable ? [error.reason, error.problem] : error

describe("Http", () => {
  it.scopedLive(
    "reads the documents of a list, names them by host and path, and one that is gone is a document's",
    () =>
      Effect.gen(function* () {
        const web = yield* WebServer.scoped
        const paths = Array.from({ length: 9 }, (_, index) => `/docs/${index}.md`)
        for (const path of paths) web.pages.set(path, { body: `# ${path}`, ...etag(path) })
        const root = yield* listed([
          "# a remark",
          "",
          ...[...paths, "/docs/9.md"].map((path) => `${web.origin}${path}`)
        ])
        const found = yield* seen({ root })
        assert.deepEqual(found, [
          ...paths.map((path): Seen => [`${web.host}${path}`, `# ${path}`]),
          [`${web.host}/docs/9.md`, "NotFound"]
        ])
        assert.strictEqual(Http.make({ root }).scope.root, "urls.txt")
        assert.deepEqual(yield* seen({ root, patterns: ["**/3.md"] }), [[`${web.host}/docs/3.md`, "# /docs/3.md"]])
        web.pages.set("/list.txt", { body: `${web.origin}/docs/1.md\r\n${web.origin}/docs/1.md#part` })
        assert.deepEqual(yield* seen({ root: `list:${web.origin}/list.txt` }), [
          [`${web.host}/docs/1.md`, "# /docs/1.md"]
        ])
      })
  )

  it.scopedLive(
    "follows an index of sitemaps, packed or not, and counts the date of a document without a version",
    () =>
      Effect.gen(function* () {
        const web = yield* WebServer.scoped
        const url = (path: string) => `${web.origin}${path}`
        web.pages.set("/sitemap.xml", {
          body: WebServer.sitemap([url("/a.xml"), url("/b.xml.gz"), url("/a.xml")], true)
        })
        web.pages.set("/a.xml", { body: WebServer.sitemap([url("/in/ä b.md"), url("/q?a=1&b=2")]) })
        const packed = (date: string) => gzipSync(WebServer.sitemap([[url("/dated.md"), date]]))
        web.pages.set("/b.xml.gz", { body: packed("2026-01-01") })
        web.pages.set("/in/%C3%A4%20b.md", { body: "wide", ...etag("1") })
        web.pages.set("/q?a=1&b=2", { body: "<p>query</p>", type: "text/html; charset=utf-8", ...etag("2") })
        web.pages.set("/dated.md", { body: "dated" })
        const root = `sitemap:${web.origin}/sitemap.xml`
        assert.deepEqual(yield* seen({ root }), [
          ["in/ä b.md", "wide"],
          ["q?a=1&b=2.html", "<p>query</p>"],
          ["dated.md", "dated"]
        ])
        assert.strictEqual(Http.make({ root }).scope.root, web.host)
        const dates = Effect.map(filesOf({ root }), (files) => files.map(({ fingerprint }) => fingerprint))
        const before = yield* dates
        assert.deepEqual(yield* dates, before)
        web.pages.set("/b.xml.gz", { body: packed("2026-01-02") })
        const after = yield* dates
        assert.deepEqual(after.slice(0, 2), before.slice(0, 2))
        assert.notDeepEqual(after[2], before[2])
        assert.isEmpty(web.requests.filter((line) => line === "GET /dated.md").slice(1))
      })
  )

  it.scopedLive("names pages by the type of their answer, and reads at once what has neither version nor length", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const html = { type: "text/html" } as const
      const pages: Readonly<Record<string, WebServer.Page>> = {
        "/guide": { body: "<p>guide</p>", ...html, ...etag("1") },
        "/guide/": { body: "<p>inside</p>", ...html, length: false },
        "/paper": { body: "%PDF-1.7", type: "application/pdf", modified: "Wed, 21 Oct 2015 07:28:00 GMT" },
        "/page.php": { body: "<p>php</p>", ...html, head: false },
        "/picture": { body: "png", type: "image/png", ...etag("2") },
        "/plain.txt": { body: "plain", type: "text/plain", ...etag("3") }
      }
      for (const [path, page] of Object.entries(pages)) web.pages.set(path, page)
      web.pages.set("/sitemap.xml", {
        body: WebServer.sitemap([...Object.keys(pages), "/none"].map((path) => `${web.origin}${path}`))
      })
      const root = `sitemap:${web.origin}/sitemap.xml`
      assert.deepEqual(yield* seen({ root }), [
        ["guide.html", "<p>guide</p>"],
        ["guide/index.html", "<p>inside</p>"],
        ["paper.pdf", "%PDF-1.7"],
        ["page.php.html", "<p>php</p>"],
        ["picture", "Unsupported"],
        ["plain.txt", "plain"],
        ["none.html", "NotFound"]
      ])
      assert.lengthOf(
        web.requests.filter((line) => line === "GET /guide/" || line === "GET /page.php"),
        2
      )
      web.requests.length = 0
      assert.deepEqual(yield* seen({ root, filesFrom: ["guide.html"] }), [["guide.html", "<p>guide</p>"]])
      assert.deepEqual(web.requests, ["GET /sitemap.xml", "HEAD /guide", "GET /guide"])
    })
  )

  it.scopedLive("waits as a server asks, goes on with a read that breaks off, and reads no other version", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const long = "line\n".repeat(60_000)
      web.pages.set("/long.md", { body: long, ...etag("1") })
      web.pages.set("/weak.md", { body: long, etag: 'W/"1"' })
      const root = yield* listed([`${web.origin}/long.md`, `${web.origin}/weak.md`])
      let throttled = 0
      let broken = 0
      web.fault = (line) => {
        if (line.startsWith("HEAD")) {
          throttled += 1
          return throttled === 1 ? { status: 429, headers: { "retry-after": "1" } } : undefined
        }
        broken += 1
        return broken === 1 || broken === 3 ? { status: 200, breakAfter: 100_000 } : undefined
      }
      const start = Date.now()
      assert.deepEqual(yield* seen({ root }), [
        [`${web.host}/long.md`, long],
        [`${web.host}/weak.md`, long]
      ])
      assert.isAtLeast(Date.now() - start, 1000)
      assert.deepEqual(
        web.requests.filter((line) => line.startsWith("GET")),
        ["GET /long.md", "GET /long.md bytes=100000-", "GET /weak.md", "GET /weak.md"]
      )
      web.fault = () => undefined
      const [changing, vanishing] = yield* filesOf({ root })
      web.pages.set("/long.md", { body: long.replace("l", "L"), ...etag("2") })
      web.pages.delete("/weak.md")
      assert.strictEqual((yield* failed(changing))._tag, "FileChanged")
      assert.deepInclude(yield* failed(vanishing), { reason: "NotFound" })
    })
  )

  it.scopedLive("does not end a read with another version where only the sitemap has a date", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      web.pages.set("/a.md", { body: "a".repeat(200_000) })
      web.pages.set("/sitemap.xml", { body: WebServer.sitemap([[`${web.origin}/a.md`, "2026-01-01"]]) })
      const [file] = yield* filesOf({ root: `sitemap:${web.origin}/sitemap.xml` })
      web.fault = () => {
        web.fault = () => {
          web.pages.set("/a.md", { body: "b".repeat(200_000) })
          return undefined
        }
        return { status: 200, breakAfter: 100_000 }
      }
      assert.strictEqual((yield* failed(file))._tag, "FileUnreadable")
    })
  )

  it.scopedLive("asks no private address: not as a number, by a name or by a redirect, unless it is allowed", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const port = new URL(web.origin).port
      web.pages.set("/a.md", { body: "a", ...etag("1") })
      web.fault = (line) =>
        line.includes("/away") ? { status: 302, headers: { location: `http://localhost:${port}/a.md` } } : undefined
      const hosts = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "169.254.169.254"]
      const root = yield* listed([
        ...hosts.map((host, at) => `http://${host}:${port}/${at}.md`),
        "http://user:word@example.invalid/secret.md",
        "ftp://example.invalid/x.md",
        "no address"
      ])
      const refused = yield* seen({ root, allowPrivate: [] })
      assert.lengthOf(refused, 10)
      assert.deepEqual([...new Set(refused.map(([, what]) => what))], ["Address"])
      assert.deepEqual(web.requests, [])
      assert.notInclude(JSON.stringify(refused), "word")
      const away = yield* listed([`${web.origin}/away.md`])
      assert.deepEqual(yield* seen({ root: away }), [[`${web.host}/away.md`, "Address"]])
      assert.deepEqual(yield* seen({ root: away, allowPrivate: ["127.0.0.1", "localhost"] }), [
        [`${web.host}/away.md`, "a"]
      ])
      const whole = yield* Effect.flip(seen({ root: `sitemap:${web.origin}/sitemap.xml`, allowPrivate: [] }))
      assert.deepEqual(failure(whole), [
        "Invalid",
        "127.0.0.1 is no public address; allow 127.0.0.1 with the option `allowPrivate` if it is meant"
      ])
    })
  )

  it.scopedLive("asks through a proxy for names that only this knows, and for no address that is private", () =>
    Effect.gen(function* () {
      const proxy = yield* WebServer.scoped
      proxy.pages.set("http://docs.invalid/a.md", { body: "through", ...etag("1") })
      const root = yield* listed(["http://docs.invalid/a.md", "http://169.254.169.254/b.md", "http://10.0.0.1/c.md"])
      const environment = ConfigProvider.fromMap(new Map([["http_proxy", proxy.origin]]))
      assert.deepEqual(yield* Effect.withConfigProvider(seen({ root, allowPrivate: [] }), environment), [
        ["docs.invalid/a.md", "through"],
        ["169.254.169.254/b.md", "Address"],
        ["10.0.0.1/c.md", "Address"]
      ])
      assert.deepEqual(proxy.requests, ["HEAD http://docs.invalid/a.md", "GET http://docs.invalid/a.md"])
    })
  )

  it.scopedLive("fails for a list as a whole that is not there, is none, or is not read to its end", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const url = (path: string) => `${web.origin}${path}`
      const whole = WebServer.sitemap([url("/a.md"), url("/b.md")])
      web.pages.set("/cut.xml", { body: whole.slice(0, -30) })
      web.pages.set("/cut.xml.gz", { body: gzipSync(whole).subarray(0, 60) })
      web.pages.set("/page.xml", { body: "<html><body><p>none</p></body></html>" })
      web.pages.set("/list", { body: "<html>" })
      web.pages.set("/loop.xml", { body: WebServer.sitemap([url("/loop.xml"), url("/1.xml")], true) })
      for (const level of [1, 2, 3]) {
        web.pages.set(`/${level}.xml`, { body: WebServer.sitemap([url(`/${level + 1}.xml`)], true) })
      }
      web.pages.set("/denied.xml", { body: "" })
      web.fault = (line) =>
        line.includes("/denied")
          ? { status: 403 }
          : line.includes("/breaks")
            ? { status: 200, breakAfter: 40 }
            : undefined
      web.pages.set("/breaks.xml", { body: whole })
      const roots = {
        "sitemap:/cut.xml": "Damaged",
        "sitemap:/cut.xml.gz": "Damaged",
        "sitemap:/page.xml": "Damaged",
        "sitemap:/loop.xml": "Invalid",
        "sitemap:/none.xml": "Missing",
        "sitemap:/denied.xml": "Denied",
        "sitemap:/breaks.xml": "Unreachable",
        "list:/list": "Invalid"
      }
      for (const [root, reason] of Object.entries(roots)) {
        const error = yield* Effect.flip(seen({ root: root.replace("/", `${web.origin}/`) }))
        assert.strictEqual(error.reason, reason, root)
      }
      for (const root of ["sitemap:ftp://x/y", "sitemap:x.xml", "list:https://x.invalid/y?token=abc", "list:"]) {
        const error = yield* Effect.flip(seen({ root }))
        assert.strictEqual(error.reason, "Invalid", root)
      }
      assert.strictEqual((yield* Effect.flip(seen({ root: "list:/nowhere/urls.txt" }))).reason, "Missing")
    })
  )

  it.scopedLive(
    "does not know the name of a document that is refused, unless its address says it, and guesses one that is wanted",
    () =>
      Effect.gen(function* () {
        const web = yield* WebServer.scoped
        const statuses = [401, 403, 404, 410, 418, 451]
        web.fault = (line) => ({ status: Number(/\/(\d+)/u.exec(line)?.[1]) })
        const root = yield* listed([
          ...statuses.flatMap((status) => [`${web.origin}/${status}`, `${web.origin}/${status}.md`]),
          `ftp://${web.host}/word`
        ])
        const refused = (patterns: ReadonlyArray<string>) =>
          Effect.map(
            Stream.runCollect(
              Http.make({ root, allowPrivate, patterns: patterns.map((one) => `${web.host}/${one}`) }).files
            ),
            (found) =>
              Chunk.toReadonlyArray(found).map((one) => [
                one.path.slice(web.host.length + 1),
                one._tag === "Unusable" && one.uncertain === true
              ])
          )
        const known = statuses.map((status) => [`${status}.md`, false])
        assert.sameDeepMembers(yield* refused(["**"]), [
          ...known,
          ...statuses.map((status) => [`${status}.html`, true]),
          ["word.html", true]
        ])
        assert.sameDeepMembers(yield* refused(["**/*.pdf"]), [
          ...statuses.map((status) => [`${status}.pdf`, true]),
          ["word.pdf", true]
        ])
        assert.sameDeepMembers(yield* refused(["4*.md"]), [
          ...known,
          ...statuses.map((status) => [`${status}.md`, true])
        ])
      })
  )

  it.scopedLive(
    "reads no answer to its end that it does not want: not of a refusal, a redirect, a fault or another version",
    () =>
      Effect.gen(function* () {
        const web = yield* WebServer.scoped
        web.pages.set("/a.md", { body: "a", ...etag("1") })
        web.pages.set("/changed.md", { body: "changed", ...etag("1") })
        const faults: Readonly<Record<string, WebServer.Fault>> = {
          "GET /gone.md": { status: 404, endless: "sends" },
          "GET /slow.md": { status: 403, endless: "waits" },
          "GET /odd.md": { status: 418, endless: "sends" },
          "GET /away.md": { status: 302, headers: { location: "/a.md" }, endless: "sends" },
          "GET /down.md": { status: 503, headers: { "retry-after": "90" }, endless: "sends" },
          "GET /changed.md": { status: 200, headers: etag("2"), endless: "sends" },
          "GET /list": { status: 404, endless: "sends" }
        }
        const names = ["gone", "slow", "odd", "away", "down", "changed"]
        const root = yield* listed(names.map((name) => `${web.origin}/${name}.md`))
        web.fault = (line) =>
          faults[line] ?? (line === "HEAD /changed.md" ? undefined : faults[line.replace("HEAD", "GET")])
        assert.deepEqual(yield* seen({ root }), [
          [`${web.host}/gone.md`, "NotFound"],
          [`${web.host}/slow.md`, "PermissionDenied"],
          [`${web.host}/odd.md`, "Io"],
          [`${web.host}/away.md`, "a"],
          [`${web.host}/down.md`, "Io"],
          [`${web.host}/changed.md`, "FileChanged"]
        ])
        assert.strictEqual((yield* Effect.flip(seen({ root: `list:${web.origin}/list` }))).reason, "Missing")
      })
  )

  it.scopedLive("says that many addresses lead to one page", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const said: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel._tag === "Warning") said.push(String(message))
      })
      web.pages.set("/moved.md", { body: "moved", ...etag("2") })
      web.fault = (line) =>
        line.includes("/old")
          ? { status: 302, headers: { location: "/moved.md" } }
          : line.includes("/login") || line.includes("/moved")
            ? undefined
            : { status: 302, headers: { location: `/login?from=${line.slice(-4)}` } }
      const names = Array.from({ length: 9 }, (_, at) => `${at}.md`)
      for (const name of names) {
        web.pages.set(`/login?from=${name}`, { body: "<p>sign in</p>", type: "text/html", ...etag("1") })
      }
      const root = yield* listed(["old.md", ...names].map((name) => `${web.origin}/${name}`))
      const files = yield* Effect.provide(filesOf({ root }), Logger.replace(Logger.defaultLogger, logger))
      assert.lengthOf(files, 10)
      assert.lengthOf(said, 1)
      assert.include(said[0], `${web.origin}/login, which is stored under each of their names`)
    })
  )

  it.scopedLive("gives up on a server that fails for one document after the other", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const urls = Array.from({ length: 60 }, (_, index) => `${web.origin}/${index}.md`)
      const root = yield* listed(urls)
      web.fault = () => ({ status: 503, headers: { "retry-after": "90" } })
      const error = yield* Effect.flip(seen({ root }))
      assert.strictEqual(error.reason, "Throttled")
      assert.isBelow(web.requests.length, 20)
    })
  )
})
