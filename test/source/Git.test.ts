import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Git from "docsluice/source/Git"
import { bytes } from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import * as Repository from "./repository.ts"

const workplace = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-git-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const member = (name: string, text: string): Repository.Member => ({ name, body: Buffer.from(text) })

/** A repository, and the function that commits files into it. */
const repository = Effect.map(workplace, (folder) => {
  const place = join(folder, "manual.git")
  Repository.init(place)
  return { folder, place, commit: (...members: ReadonlyArray<Repository.Member>) => Repository.commit(place, members) }
})

interface Served {
  origin: string
  readonly requests: Array<string>
  /** What it answers instead. */
  status: number | null
  close: () => void
}

/** git's own server for HTTP over the repositories of a folder. */
const served = (folder: string) =>
  Effect.acquireRelease(
    Effect.async<Served>((resume) => {
      const made: Served = { origin: "", requests: [], status: null, close: () => {} }
      const server = createServer((request, response) => {
        const { pathname, search } = new URL(request.url ?? "", "http://host")
        made.requests.push(`${request.method} ${pathname}`)
        if (made.status !== null) {
          response.writeHead(made.status).end()
          return
        }
        const child = spawn("git", ["http-backend"], {
          env: {
            ...process.env,
            GIT_PROJECT_ROOT: folder,
            GIT_HTTP_EXPORT_ALL: "1",
            GIT_PROTOCOL: [request.headers["git-protocol"] ?? ""].flat().join(),
            PATH_INFO: pathname,
            QUERY_STRING: search.slice(1),
            REQUEST_METHOD: request.method,
            CONTENT_TYPE: request.headers["content-type"] ?? "",
            HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? ""
          }
        })
        request.pipe(child.stdin)
        const parts: Array<Buffer> = []
        child.stdout.on("data", (part: Buffer) => parts.push(part))
        child.once("close", () => {
          const answer = Buffer.concat(parts)
          const end = answer.indexOf("\r\n\r\n")
          const headers = answer
            .subarray(0, end)
            .toString()
            .split("\r\n")
            .map((line) => line.split(": "))
          const status = headers.find(([name]) => name === "Status")?.[1]
          const rest = headers.flatMap(([name = "", value = ""]) => (name === "Status" ? [] : [[name, value] as const]))
          response
            .writeHead(Number.parseInt(status ?? "200", 10), Object.fromEntries(rest))
            .end(answer.subarray(end + 4))
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        made.origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
        made.close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed(made))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** The paths of a source, each with its text. */
const texts = (options: Git.Options) =>
  Git.make(options).files.pipe(
    Stream.mapEffect((found) =>
      found._tag === "SourceFile"
        ? Effect.map(bytes(found), (body) => [found.path, Buffer.from(body).toString()] as const)
        : Effect.succeed([found.path, found._tag] as const)
    ),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all))
  )

const refusal = (options: Git.Options) =>
  Effect.map(Effect.flip(texts(options)), (error) =>
    error._tag === "SourceUnavailable" ? `${error.reason}: ${error.problem}` : error._tag
  )

describe("a git repository", () => {
  it.scopedLive("is read at a branch, a tag or a commit, without links and modules", () =>
    Effect.gen(function* () {
      const { commit, place } = yield* repository
      const first = commit(member("guides/a.md", "one"))
      Repository.run(["-C", place, "tag", "v1"])
      commit(member("guides/a.md", "two"), member("b.md", "three"))
      const head = "commit refs/heads/linked\ncommitter A <a@example.com> 0 +0000\ndata 0\nfrom refs/heads/main\n"
      const link = `M 120000 inline link.md\ndata 4\nb.md\nM 160000 ${first} module.md\n`
      Repository.run(["-C", place, "fast-import", "--quiet"], Buffer.from(head + link))
      assert.deepStrictEqual(yield* texts({ root: `git:${place}@v1` }), { "guides/a.md": "one" })
      assert.deepStrictEqual(yield* texts({ root: `git:${place}@${first}` }), { "guides/a.md": "one" })
      assert.deepStrictEqual(yield* texts({ root: `git:${place}` }), { "b.md": "three", "guides/a.md": "two" })
      assert.deepStrictEqual(yield* texts({ root: `git:${place}@linked`, patterns: ["*.md"] }), { "b.md": "three" })
      assert.strictEqual(Git.make({ root: `git:${place}@v1` }).scope.root, "manual@v1")
    })
  )

  it.scopedLive("gives the bytes of each file, several at a time, after files that were left half-way", () =>
    Effect.gen(function* () {
      const { commit, place } = yield* repository
      const bodies: Record<string, Buffer> = {
        "newline.md": Buffer.from("\n"),
        "newlines.md": Buffer.from("\n\na blob 3\n\n"),
        "large.txt": Buffer.alloc(3_000_000, "0123456789\n")
      }
      commit(...Object.entries(bodies).map(([name, body]) => ({ name, body })))
      const files = yield* Stream.runCollect(
        Git.make({ root: `git:${place}`, types: ["md", "txt"] }).files.pipe(
          Stream.mapEffect((found) => (found._tag === "SourceFile" ? Effect.succeed(found) : Effect.die(found)))
        )
      )
      for (const file of files) yield* Stream.runHead(file.open)
      const all = Array.from({ length: 5 }, () => Array.from(files)).flat()
      const read = yield* Effect.forEach(all, (file) => Effect.map(bytes(file), (own) => [file.path, own] as const), {
        concurrency: 7
      })
      assert.lengthOf(read, 15)
      for (const [path, own] of read) assert.isTrue(bodies[path]?.equals(own), path)
    })
  )

  it.scopedLive("names the remedy of what it cannot read", () =>
    Effect.gen(function* () {
      const { commit, folder, place } = yield* repository
      commit(member("a.md", "one"))
      assert.match(yield* refusal({ root: `git:${place}@none` }), /^Missing: .*check the ref/u)
      assert.match(yield* refusal({ root: `git:${folder}/other@main` }), /^Missing: .*check the address/u)
      assert.match(yield* refusal({ root: `git:${place}@--upload-pack` }), /^Invalid: expected git:/u)
      assert.match(
        yield* refusal({ root: "git:https://a:secret@host.test/b.git@main" }),
        /^Invalid: it holds a password/u
      )
      const server = yield* served(folder)
      const cache = join(folder, "cache")
      server.status = 403
      assert.match(yield* refusal({ root: `git:${server.origin}/manual.git@main`, cache }), /^Denied: .*credentials/u)
      server.status = 401
      assert.match(yield* refusal({ root: `git:${server.origin}/manual.git@main`, cache }), /^Denied: .*credentials/u)
      server.status = null
      assert.match(yield* refusal({ root: `git:${server.origin}/other.git@main`, cache }), /^Missing: /u)
      assert.match(
        yield* refusal({ root: `git:${server.origin}/manual.git@none`, cache }),
        /^Missing: .*check the ref/u
      )
      server.close()
      assert.match(yield* refusal({ root: `git:${server.origin}/manual.git@main`, cache }), /^Unreachable: /u)
    })
  )

  it.scopedLive("that is elsewhere is copied without its history, and what is new fetched", () =>
    Effect.gen(function* () {
      const { commit, folder } = yield* repository
      commit(member("old.md", "old"))
      commit(member("a.md", "one"), member("b.md", "two"))
      const server = yield* served(folder)
      const options = { root: `git:${server.origin}/manual.git@main`, cache: join(folder, "cache") }
      assert.deepStrictEqual(yield* texts(options), { "a.md": "one", "b.md": "two" })
      const copy = readdirSync(options.cache).find((name) => name.endsWith(".git")) ?? ""
      assert.strictEqual(Repository.run(["-C", join(options.cache, copy), "rev-list", "--all", "--count"]), "1")
      const packs = () => server.requests.filter((request) => request.startsWith("POST")).length
      server.requests.length = 0
      assert.deepStrictEqual(yield* texts(options), { "a.md": "one", "b.md": "two" })
      assert.isAtMost(packs(), 1, "only the refs are asked for")
      commit(member("a.md", "changed"), member("moved/b.md", "two"))
      assert.deepStrictEqual(yield* texts(options), { "a.md": "changed", "moved/b.md": "two" })
    })
  )

  it.scopedLive("that is elsewhere is read by several at once, after a kill, and from a copy that was emptied", () =>
    Effect.gen(function* () {
      const { commit, folder } = yield* repository
      commit(member("a.md", "one"))
      const server = yield* served(folder)
      const options = { root: `git:${server.origin}/manual.git@main`, cache: join(folder, "cache") }
      const all = yield* Effect.all([texts(options), texts(options), texts(options)], { concurrency: "unbounded" })
      assert.deepStrictEqual(all, [{ "a.md": "one" }, { "a.md": "one" }, { "a.md": "one" }])
      const copy = join(options.cache, readdirSync(options.cache).find((name) => name.endsWith(".git")) ?? "")
      writeFileSync(join(copy, "shallow.lock"), "")
      commit(member("a.md", "two"))
      assert.deepStrictEqual(yield* texts(options), { "a.md": "two" })
      rmSync(join(copy, "objects"), { recursive: true })
      assert.deepStrictEqual(yield* texts(options), { "a.md": "two" })
      commit(member("b.md", "rewritten"))
      rmSync(join(copy, "config"))
      assert.deepStrictEqual(yield* texts(options), { "b.md": "rewritten" })
    })
  )

  it.scopedLive("is ingested by its spelling: unchanged files are not read, moved ones not parsed", () =>
    Effect.gen(function* () {
      const { commit, folder, place } = yield* repository
      const page = (name: string, text: string) =>
        member(name, `<!doctype html><h1>${text}</h1><p>The ${text} is cleaned.</p>`)
      commit(page("a.html", "gauge"), page("b.html", "valve"), page("c.html", "pump"))
      const docs = yield* Effect.acquireRelease(
        Effect.promise(() => Async.open({ to: `libsql:${join(folder, "store.db")}`, state: join(folder, "state") })),
        (opened) => Effect.promise(() => opened.close())
      )
      const ingest = Effect.promise(() => docs.ingest(`git:${place}@main`, { mode: "sync" }))
      assert.deepInclude({ ...(yield* ingest) }, { stored: 3, parsed: 3, failed: 0 })
      assert.deepInclude({ ...(yield* ingest) }, { unchanged: 3, parsed: 0, bytes: 0 })
      commit(page("a.html", "gauge"), page("moved/b.html", "valve"), page("c.html", "engine"))
      assert.deepInclude({ ...(yield* ingest) }, { unchanged: 1, stored: 2, parsed: 1, fromCache: 1, removed: 1 })
      const [hit] = yield* Effect.promise(() => docs.search("valve cleaned"))
      assert.strictEqual(hit?.chunk.documentId, "manual@main/moved/b.html")
    })
  )
})
