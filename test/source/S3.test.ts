import { mkdtempSync, readFileSync, rmSync } from "node:fs"
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

describe.skipIf(missing !== null)(`S3${missing === null ? "" : `: ${missing}`}`, { timeout: 90_000 }, () => {
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

  it.scopedLive(
    "is ingested, compared without a read, and kept in step by the command line",
    () =>
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
      }),
    60_000
  )
})

const lines = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
