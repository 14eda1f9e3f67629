import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Summary } from "docsluice/Outcome"
import { Effect, Schema } from "effect"
import { zipSync } from "fflate"
import { runHere, start } from "../cli/run.ts"
import * as WebServer from "./webServer.ts"

const workplace = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-sources-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The command line in this process, with its state and its chunks in that folder. */
const inFolder = (folder: string) => {
  const state = ["--state", join(folder, "state")]
  return (command: string, ...given: ReadonlyArray<string>) =>
    Effect.promise(() =>
      runHere([
        command,
        ...given,
        ...state,
        ...(command === "ingest" || command === "plan" ? ["--to", `jsonl:${join(folder, "chunks.jsonl")}`] : [])
      ])
    )
}

const summary = ({ stdout }: { readonly stdout: string }) => Schema.decodeSync(Schema.parseJson(Summary))(stdout)

const sources = (folder: string): ReadonlyArray<string> =>
  readFileSync(join(folder, "chunks.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Schema.decodeSync(Schema.parseJson(Schema.Struct({ documentId: Schema.String })))(line).documentId)
    .toSorted()

describe("the command line", () => {
  it.scopedLive(
    "keeps a store in step with a sitemap, removes nothing when that breaks off, and retries what failed",
    () =>
      Effect.gen(function* () {
        const folder = yield* workplace
        const web = yield* WebServer.scoped
        const docsluice = inFolder(folder)
        const root = `sitemap:${web.origin}/sitemap.xml`
        const ingest = (...more: ReadonlyArray<string>) =>
          docsluice(
            "ingest",
            root,
            "--allow-private",
            "127.0.0.1",
            "--mode",
            "sync",
            "--allow-removals",
            "--json",
            ...more
          )
        const listed = (...paths: ReadonlyArray<string>) =>
          web.pages.set("/sitemap.xml", { body: WebServer.sitemap(paths.map((path) => `${web.origin}${path}`)) })
        for (const name of ["a", "b", "c"]) web.pages.set(`/${name}.md`, { body: `# ${name}`, etag: `"${name}"` })
        web.pages.set("/paper", { body: "# paper", type: "text/markdown", etag: '"p"' })
        listed("/a.md", "/b.md", "/c.md", "/gone.md", "/paper")

        const refused = yield* docsluice("ingest", root)
        assert.strictEqual(refused.status, 64)
        assert.include(refused.stderr, "allow 127.0.0.1 with the option --allow-private")

        web.fault = (line) => (line === "GET /c.md" ? { status: 410 } : undefined)
        const first = yield* ingest()
        assert.deepInclude(summary(first), { discovered: 5, stored: 3, failed: 2, exit: 1 })
        web.fault = () => undefined
        const retried = yield* docsluice("retry", "--json")
        assert.deepInclude(summary(retried), { stored: 1, failed: 1 })
        const name = web.host
        const all = ["a", "b", "c", "paper"].map((page) => `${name}/${page}.md`)
        assert.deepEqual(sources(folder), all)

        web.requests.length = 0
        const plan = yield* docsluice("plan", root, "--allow-private", "*", "--mode", "sync", "--json")
        assert.include(plan.stdout, '"unchanged":4')
        assert.deepInclude(summary(yield* ingest()), { stored: 0, unchanged: 4, failed: 1 })
        assert.isEmpty(
          web.requests.filter((line) => line.startsWith("GET") && line.endsWith(".md") && !line.includes("gone"))
        )

        listed("/a.md", "/paper")
        web.fault = (line) => (line.includes("sitemap") ? { status: 200, breakAfter: 150 } : undefined)
        const broken = yield* ingest()
        assert.strictEqual(broken.status, 2)
        assert.deepEqual(sources(folder), all)
        // Its name is not known, so that no document can be taken for gone.
        web.fault = (line) => (line === "HEAD /paper" ? { status: 503, headers: { "retry-after": "90" } } : undefined)
        assert.deepInclude(summary(yield* ingest()), { failed: 1, removed: 0 })
        assert.deepEqual(sources(folder), all)
        web.fault = () => undefined
        assert.deepInclude(summary(yield* ingest()), { unchanged: 2, exit: 0 })
        assert.deepEqual(sources(folder), [`${name}/a.md`, `${name}/paper.md`])
        const doctor = yield* docsluice("doctor")
        assert.strictEqual(doctor.status, 0)
      })
  )

  it.scopedLive("removes no document that a server refuses, whether its name says a type or not", () =>
    Effect.gen(function* () {
      const folder = yield* workplace
      const web = yield* WebServer.scoped
      const root = `sitemap:${web.origin}/sitemap.xml`
      const ingest = () =>
        inFolder(folder)("ingest", root, "--allow-private", "*", "--mode", "sync", "--allow-removals", "--json")
      for (const name of ["0", "1", "2", "typed.md"]) {
        web.pages.set(`/${name}`, { body: `# ${name}`, type: "text/markdown", etag: `"${name}"` })
      }
      web.pages.set("/sitemap.xml", {
        body: WebServer.sitemap(["0", "1", "2", "typed.md"].map((name) => `${web.origin}/${name}`))
      })
      assert.deepInclude(summary(yield* ingest()), { stored: 4, exit: 0 })
      const all = sources(folder)
      for (const status of [401, 403, 404, 410, 451]) {
        web.fault = (line) => (line.includes("sitemap") || line.endsWith("/2") ? undefined : { status })
        const { failed, removed, warnings } = summary(yield* ingest())
        assert.deepEqual([failed, removed, sources(folder)], [3, 0, all], String(status))
        assert.isTrue(warnings.some(({ message }) => message.includes("nothing was removed")))
      }
      web.fault = () => undefined
      assert.deepInclude(summary(yield* ingest()), { unchanged: 4, exit: 0 })
    })
  )

  it.scopedLive("ingests parts of an archive, keeps its root, and keeps a store in step with it", () =>
    Effect.gen(function* () {
      const folder = yield* workplace
      const docsluice = inFolder(folder)
      const root = `zip:${folder}/docs.zip`
      const bytes = (text: string) => new TextEncoder().encode(text)
      const pack = (files: Readonly<Record<string, string>>) =>
        writeFileSync(
          join(folder, "docs.zip"),
          zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])))
        )
      pack({ "in/a.md": "# A", "in/b.md": "# B", "out/c.md": "# C" })
      const ingest = (path: string) => docsluice("ingest", path, "--mode", "sync", "--allow-removals", "--json")
      assert.deepInclude(summary(yield* ingest(`${root}!/in/**/*.md`)), { stored: 2, exit: 0 })
      assert.deepEqual(sources(folder), ["docs.zip/in/a.md", "docs.zip/in/b.md"])
      assert.deepInclude(summary(yield* ingest(root)), { stored: 1, unchanged: 2, exit: 0 })
      mkdirSync(join(folder, "other"))
      copyFileSync(join(folder, "docs.zip"), join(folder, "other/docs.zip"))
      const clash = yield* ingest(`zip:${folder}/other/docs.zip`)
      assert.strictEqual(clash.status, 64)
      assert.include(clash.stderr, "--name")
      pack({ "in/a.md": "# A", "in/b.md": "# B, changed" })
      assert.deepInclude(summary(yield* ingest(root)), { stored: 1, unchanged: 1, exit: 0 })
      assert.deepEqual(sources(folder), ["docs.zip/in/a.md", "docs.zip/in/b.md"])
      writeFileSync(join(folder, "docs.zip"), readFileSync(join(folder, "docs.zip")).subarray(0, 120))
      const cut = yield* ingest(root)
      assert.strictEqual(cut.status, 2)
      assert.lengthOf(sources(folder), 2)
    })
  )

  it.scopedLive("watches an archive by looking at it again", () =>
    Effect.gen(function* () {
      const folder = yield* workplace
      const pack = (text: string) => {
        writeFileSync(join(folder, "new"), zipSync({ "a.md": new TextEncoder().encode(text) }))
        renameSync(join(folder, "new"), join(folder, "docs.zip"))
      }
      pack("# A")
      const watch = start(folder, ["watch", "zip:docs.zip", "--poll", "1s", "--json"])
      const passes = () =>
        watch
          .stdout()
          .split("\n")
          .slice(0, -1)
          .map((stdout) => summary({ stdout }))
      const until = (reached: () => boolean) =>
        Effect.repeat(Effect.sleep("100 millis"), { until: () => Effect.sync(reached) })
      yield* until(() => passes().length > 0)
      pack("# A, changed")
      yield* until(() => passes().filter(({ stored }) => stored === 1).length === 2)
      watch.child.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => watch.ended)).status, 130)
      assert.lengthOf(sources(folder), 1)
    })
  )

  it.scopedLive("refuses other addresses, and sources of several kinds, before any work", () =>
    Effect.gen(function* () {
      const folder = yield* workplace
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["https://example.invalid/a.pdf"], "sitemap:URL"],
        [["zip:a.zip", "tar:b.tar"], "one list or archive at a time"],
        [["zip:a.zip", "docs"], "cannot be ingested in one run"],
        [["zip:a.zip", "s3://bucket"], "one bucket, list or archive at a time"],
        [["docs", "--allow-private", "*"], "--allow-private is for"],
        [["zip:a.zip", "--endpoint", "http://x.invalid"], "--endpoint is for"],
        [["zip:a.zip", "--gitignore"], "--gitignore is for folders"],
        [["sitemap:sitemap.xml"], "expected sitemap:https://HOST/PATH"]
      ]
      for (const [given, said] of cases) {
        const { status, stderr } = yield* inFolder(folder)("ingest", ...given)
        assert.strictEqual(status, 64, given.join(" "))
        assert.include(stderr.replaceAll(/\s+/gu, " "), said)
      }
    })
  )
})
