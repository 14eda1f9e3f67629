import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import { Effect } from "effect"
import { zipSync } from "fflate"
import * as WebServer from "./webServer.ts"

const workplace = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-corpus-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

describe("a program", () => {
  it.scopedLive("ingests a list by its address into a corpus, and retries what failed", () =>
    Effect.gen(function* () {
      const folder = yield* workplace
      const web = yield* WebServer.scoped
      const file = join(folder, "urls.txt")
      writeFileSync(file, `${web.origin}/a.md\n${web.origin}/b.md\n`)
      web.pages.set("/a.md", { body: "# Gauges\n\nCalibrated in May.", etag: '"1"' })
      web.pages.set("/b.md", { body: "# Valves\n\nClosed in June.", etag: '"2"' })
      web.fault = (line) => (line === "GET /b.md" ? { status: 410 } : undefined)
      const docs = yield* Effect.acquireRelease(
        Effect.promise(() => Async.open({ to: `libsql:${join(folder, "store.db")}`, state: join(folder, "state") })),
        (opened) => Effect.promise(() => opened.close())
      )
      const root = `list:${file}`
      const first = yield* Effect.promise(() => docs.ingest({ root, allowPrivate: ["127.0.0.1"] }))
      assert.deepInclude({ ...first }, { stored: 1, failed: 1 })
      web.fault = () => undefined
      const retried = yield* Effect.promise(() => docs.retry())
      assert.deepInclude({ ...retried }, { stored: 1, failed: 0 })
      const [hit] = yield* Effect.promise(() => docs.search("valves closed"))
      assert.strictEqual(hit?.citation.source, `${web.host}/b.md`)
      const refused = yield* Effect.promise(() => docs.ingest(root, { mode: "sync" }))
      assert.deepInclude({ ...refused }, { failed: 2, removed: 0 })
    })
  )

  it.scopedLive(
    "ingests an archive by its spelling, discovers what is in it, and takes no option of another kind",
    () =>
      Effect.gen(function* () {
        const folder = yield* workplace
        const file = join(folder, "docs.zip")
        const bytes = (text: string) => new TextEncoder().encode(text)
        writeFileSync(file, zipSync({ "in/a.md": bytes("# A"), "b.md": bytes("# B") }))
        const summary = yield* Effect.promise(() =>
          Async.ingest({ root: `zip:${file}`, patterns: ["in"], sinks: [`jsonl:${join(folder, "chunks.jsonl")}`] })
        )
        assert.deepInclude({ ...summary }, { stored: 1, failed: 0 })
        const found = yield* Effect.promise(async () => {
          const paths: Array<string> = []
          for await (const one of Async.discover({ root: `zip:${file}` })) paths.push(one.path)
          return paths
        })
        assert.deepEqual(found, ["in/a.md", "b.md"])
        const docs = yield* Effect.acquireRelease(
          Effect.promise(() => Async.open({ to: `libsql:${join(folder, "store.db")}` })),
          (opened) => Effect.promise(() => opened.close())
        )
        const stored = yield* Effect.promise(() => docs.ingest(`zip:${file}!/**/*.md`))
        assert.deepInclude({ ...stored }, { stored: 2 })
        const chunks = yield* Effect.promise(async () => {
          const all: Array<string> = []
          for await (const { documentId } of docs.chunks(`zip:${file}!/in`)) all.push(documentId)
          return all
        })
        assert.deepEqual(chunks, ["docs.zip/in/a.md"])
        const wrong = [{ gitignore: true }, { endpoint: "http://x.invalid" }, { allowPrivate: ["*"] }]
        const refused = yield* Effect.promise(() =>
          Promise.allSettled(wrong.map((options) => docs.ingest({ root: `zip:${file}`, ...options })))
        )
        for (const [at, option] of ["gitignore", "endpoint", "allowPrivate"].entries()) {
          const one = refused[at]
          assert.include(one?.status === "rejected" ? String(one.reason) : "", `\`${option}\` is for`)
        }
      })
  )
})
