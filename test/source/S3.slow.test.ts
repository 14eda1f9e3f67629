import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Summary } from "docsluice/Outcome"
import * as Source from "docsluice/Source"
import * as S3 from "docsluice/source/S3"
import * as SourceFile from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Chunk, Effect, Redacted, Schema, Stream } from "effect"
import { run } from "../cli/run.ts"
import { shared } from "../fixtures/shared.ts"
import * as FaultProxy from "./faultProxy.ts"
import * as Swift from "./swift.ts"

const missing = Swift.missing()

const server = shared(Swift.scoped)

const credentials = { accessKeyId: Swift.accessKeyId, secretAccessKey: Redacted.make(Swift.secretAccessKey) }

type Seen = readonly [path: string, what: string]

/** Each finding by its path: the text of a file, the tag of the rest. */
const seen = (options: S3.Options) =>
  S3.make({ credentials, ...options }).files.pipe(
    Stream.mapEffect((found): Effect.Effect<Seen, SourceFile.FileUnreadable | SourceFile.FileChanged> => {
      if (found._tag === "SourceFile") {
        return Effect.map(SourceFile.bytes(found), (bytes) => [found.path, new TextDecoder().decode(bytes)])
      }
      return Effect.succeed([found.path, found._tag === "Unsupported" ? found._tag : found.error._tag])
    }),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.provide(UndiciHttpClient.layer())
  )

/** Where a bucket of one's own is, behind a proxy that fails as it is told. */
const bucket = (name: string, objects: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const swift = yield* server
    const proxy = yield* FaultProxy.scoped(swift.endpoint)
    yield* Effect.promise(async () => {
      await swift.put(`/${name}`)
      await Promise.all(Object.entries(objects).map(([key, body]) => swift.put(`/${name}/${key}`, body)))
    })
    return { swift, proxy, root: `s3://${name}`, endpoint: proxy.endpoint }
  })

interface PlainStore {
  readonly endpoint: string
  readonly objects: Map<string, string>
  /** End of a page of the listing whose objects begin at `from`. */
  end: (next: string) => string
  /** Run in place of the end of the next answer with an object's bytes, of which half were sent. */
  breaks: (() => void) | undefined
}

/** A store of one bucket that lists no versions, three objects a page, and serves any range without a condition. */
const plainStore = Effect.acquireRelease(
  Effect.promise(async () => {
    const store: PlainStore = { endpoint: "", objects: new Map(), end: () => "", breaks: undefined }
    const server = createServer((asked, answer) => {
      const url = new URL(asked.url ?? "", "http://x")
      if (url.searchParams.has("list-type")) {
        const from = Number(url.searchParams.get("continuation-token") ?? 0)
        const keys = [...store.objects.keys()].toSorted()
        const items = keys
          .slice(from, from + 3)
          .map((key) => `<Contents><Key>${key}</Key><Size>${store.objects.get(key)?.length}</Size></Contents>`)
        const next = from + 3 < keys.length ? String(from + 3) : ""
        answer.end(`<ListBucketResult>${items.join("")}${store.end(next)}</ListBucketResult>`)
        return
      }
      const start = Number(/^bytes=(\d+)-$/u.exec(asked.headers.range ?? "")?.[1] ?? 0)
      const bytes = store.objects.get(url.pathname.replace("/plain/", ""))?.slice(start) ?? ""
      answer.writeHead(start > 0 ? 206 : 200, { "content-length": bytes.length })
      const { breaks } = store
      if (breaks === undefined) {
        answer.end(bytes)
        return
      }
      store.breaks = undefined
      answer.write(bytes.slice(0, bytes.length / 2), () => {
        breaks()
        setTimeout(() => answer.destroy(), 20)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { server, store: Object.assign(store, { endpoint: `http://127.0.0.1:${port}` }) }
  }),
  ({ server }) =>
    Effect.promise(
      () =>
        new Promise((resolve) => {
          server.close(resolve)
          server.closeAllConnections()
        })
    )
).pipe(Effect.map(({ store }) => store))

const root = "s3://plain"

describe("S3: a store that lists no versions", () => {
  it.scopedLive("is compared by the bytes, and a read that breaks off is not ended with another version", () =>
    Effect.gen(function* () {
      const store = yield* plainStore
      store.objects.set("a.md", "a".repeat(100_000))
      const found = yield* S3.make({ root, endpoint: store.endpoint, credentials }).files.pipe(
        Stream.runCollect,
        Effect.map(Chunk.toReadonlyArray),
        Effect.provide(UndiciHttpClient.layer())
      )
      const [file] = found
      assert.strictEqual(file?._tag, "SourceFile")
      if (file?._tag !== "SourceFile") return
      assert.isUndefined(file.fingerprint)
      store.breaks = () => store.objects.set("a.md", "b".repeat(100_000))
      assert.deepInclude(yield* Effect.flip(SourceFile.bytes(file)), { _tag: "FileUnreadable", reason: "Io" })
    })
  )

  it.scopedLive("is listed to its end: a page that names the next one is not the last", () =>
    Effect.gen(function* () {
      const store = yield* plainStore
      const names = Array.from({ length: 8 }, (_, at) => `${at}.md`)
      for (const name of names) store.objects.set(name, "x")
      const token = (next: string) => (next === "" ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`)
      const says = ["", "<IsTruncated>True</IsTruncated>", "<IsTruncated>false</IsTruncated>"]
      for (const said of says) {
        store.end = (next) => `${next === "" ? "" : said}${token(next)}`
        assert.deepEqual(
          yield* seen({ root, endpoint: store.endpoint }),
          names.map((name): Seen => [name, "x"])
        )
      }
      for (const said of ["true", "True"]) {
        store.end = () => `<IsTruncated>${said}</IsTruncated>`
        assert.strictEqual(
          (yield* Effect.flip(seen({ root, endpoint: store.endpoint }))).message.includes("a page"),
          true
        )
      }
    })
  )
})

describe.skipIf(missing !== null)(`S3${missing === null ? "" : `: ${missing}`}`, () => {
  it.scopedLive("lists page after page, keys in any script, and leaves out what a folder's discovery does", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`many/${index}.md`, `# ${index}`]))
      const { endpoint, proxy, root } = yield* bucket("paged", {
        ...many,
        "%C3%BC%20b%2B%2B%20%26%20%E4%B8%AD.md": "wide",
        "a%27%28b%29%2A.md": "signs",
        ".hidden/x.md": "no",
        "node_modules/x.md": "no",
        "~%24open.docx": "no",
        "pictures/x.bin": "binary"
      })
      assert.sameDeepMembers(
        [...(yield* seen({ root, endpoint }))],
        [
          ...Array.from({ length: 9 }, (_, index): Seen => [`many/${index}.md`, `# ${index}`]),
          ["ü b++ & 中.md", "wide"],
          ["a'(b)*.md", "signs"],
          ["pictures/x.bin", "Unsupported"]
        ]
      )
      assert.isAbove(proxy.requests.filter((line) => line.includes("list-type")).length, 3)
    })
  )

  it.scopedLive("takes patterns, names, exclusions and types below the root", () =>
    Effect.gen(function* () {
      const { endpoint, root } = yield* bucket("patterns", {
        "in/a.md": "a",
        "in/deep/b.MD": "b",
        "in/drafts/c.md": "c",
        "in/d.html": "<p>d</p>",
        "index.md": "beside"
      })
      const paths = (options: Partial<S3.Options>) =>
        Effect.map(seen({ root: `${root}/in`, endpoint, ...options }), (all) => all.map(([path]) => path).toSorted())
      assert.deepEqual(yield* paths({ patterns: ["**/*.md"] }), ["a.md", "deep/b.MD", "drafts/c.md"])
      assert.deepEqual(yield* paths({ ignore: ["drafts"] }), ["a.md", "d.html", "deep/b.MD"])
      assert.deepEqual(yield* paths({ patterns: ["deep", "a.md"] }), ["a.md", "deep/b.MD"])
      assert.deepEqual(yield* paths({ types: ["html"] }), ["a.md", "d.html", "deep/b.MD", "drafts/c.md"])
      assert.deepEqual(yield* seen({ root: `${root}/in`, endpoint, filesFrom: ["a.md", "gone.md"] }), [
        ["a.md", "a"],
        ["gone.md", "FileUnreadable"]
      ])
    })
  )

  it.scopedLive("goes on with a read that breaks off, and with pages that fail for a while", () =>
    Effect.gen(function* () {
      const text = "line\n".repeat(60_000)
      const { endpoint, proxy, root } = yield* bucket("broken", { "long.md": text })
      let listings = 0
      let reads = 0
      proxy.fault = (line) => {
        if (line.includes("list-type")) {
          listings += 1
          return listings < 3 ? { status: 503, headers: { "retry-after": "0" } } : undefined
        }
        reads += 1
        return reads === 1 ? { breakAfter: 100_000 } : undefined
      }
      assert.deepEqual(yield* seen({ root, endpoint }), [["long.md", text]])
      assert.deepEqual([listings, reads], [3, 2])
    })
  )

  it.scopedLive("reads no other version than the one that was listed, and says what became of an object", () =>
    Effect.gen(function* () {
      const { endpoint, root, swift } = yield* bucket("versions", { "a.md": "old", "b.md": "gone" })
      const errors = yield* S3.make({ root, endpoint, credentials }).files.pipe(
        Stream.runCollect,
        Effect.flatMap((found) =>
          Effect.promise(async () => {
            await swift.put("/versions/a.md", "new")
            await swift.remove("/versions/b.md")
            return Chunk.toReadonlyArray(found)
          })
        ),
        Effect.flatMap(
          Effect.forEach((found) =>
            found._tag === "SourceFile" ? Effect.flip(SourceFile.bytes(found)) : Effect.dieMessage("no file")
          )
        ),
        Effect.provide(UndiciHttpClient.layer())
      )
      assert.deepEqual(
        errors.map(({ message }) => message),
        [
          "a.md: changed since it was found",
          "b.md: there is no such file; check the name, or whether it was moved since it was found"
        ]
      )
    })
  )

  it.scopedLive("fails for the bucket as a whole: no such one, a wrong secret, a listing that breaks off", () =>
    Effect.gen(function* () {
      const { endpoint, proxy, root } = yield* bucket("whole", { "a.md": "a" })
      const failed = (options: Partial<S3.Options>) => Effect.flip(seen({ root, endpoint, ...options }))
      const wrong = { ...credentials, secretAccessKey: Redacted.make("wrong") }
      const reasons = (errors: ReadonlyArray<unknown>) =>
        errors.map((error) => (error instanceof Source.SourceUnavailable ? error.reason : error))
      const found = yield* Effect.all([
        failed({ root: "s3://nosuch" }),
        failed({ credentials: wrong }),
        failed({ patterns: ["b/**"] }),
        failed({ root: "s3:///x" }),
        failed({ endpoint: "127.0.0.1" })
      ])
      assert.deepEqual(reasons(found), ["Missing", "Denied", "NoMatch", "Invalid", "Invalid"])
      assert.notInclude(found.map(String).join(), "wrong")
      proxy.fault = () => ({ breakAfter: 20 })
      assert.deepEqual(reasons([yield* failed({})]), ["Unreachable"])
    })
  )

  it.scopedLive("is ingested, compared without a read, and kept in step by the command line", () =>
    Effect.gen(function* () {
      const { endpoint, proxy, root, swift } = yield* bucket("stepped", { "in/a.md": "# A", "in/b.md": "# B" })
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-s3-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      const env = { AWS_ACCESS_KEY_ID: Swift.accessKeyId, AWS_SECRET_ACCESS_KEY: Swift.secretAccessKey }
      const ingest = (path: string) =>
        Effect.promise(() =>
          run(folder, ["ingest", path, "--endpoint", endpoint, "--mode", "sync", "--allow-removals", "--json"], env)
        )
      const summary = (text: string) => Schema.decodeSync(Schema.parseJson(Summary))(text)
      proxy.fault = (line) => (line === "GET /stepped/in/b.md" ? { status: 403 } : undefined)
      const first = yield* ingest(`${root}/in`)
      assert.deepInclude(summary(first.stdout), { stored: 1, failed: 1, exit: 1 })
      assert.include(summary(first.stdout).failures[0]?.message, "permission to read it was denied")
      proxy.fault = () => undefined
      const retried = yield* Effect.promise(() => run(folder, ["retry", "--json"], env))
      assert.deepInclude(summary(retried.stdout), { stored: 1, failed: 0, exit: 0 })
      proxy.requests.length = 0
      const second = yield* ingest(`${root}/in`)
      assert.deepInclude(summary(second.stdout), { stored: 0, unchanged: 2, exit: 0 })
      assert.deepEqual(
        proxy.requests.filter((line) => !line.includes("list-type")),
        []
      )
      yield* Effect.promise(() => swift.remove("/stepped/in/a.md"))
      proxy.fault = (line) => (line.includes("list-type") ? { breakAfter: 20 } : undefined)
      const broken = yield* ingest(`${root}/in`)
      assert.strictEqual(broken.status, 2)
      assert.include(broken.stderr, "cannot be reached")
      assert.lengthOf(lines(join(folder, "chunks.jsonl")), 2)
      proxy.fault = () => undefined
      const third = yield* ingest(`${root}/in`)
      assert.deepInclude(summary(third.stdout), { unchanged: 1, exit: 0 })
      assert.lengthOf(lines(join(folder, "chunks.jsonl")), 1)
    })
  )
})

const lines = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
