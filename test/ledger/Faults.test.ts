import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "docsluice/service/Client"
import { DocumentUnparsable, InternalServerError, Unauthorized } from "docsluice/service/ServiceError"
import * as Source from "docsluice/Source"
import { FileChanged } from "docsluice/SourceFile"
import { Context, Effect, Layer, Stream } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import { live } from "../service/collaborators.ts"
import * as Workspace from "./workspace.ts"

const corrupt = new DocumentUnparsable({ status: 500, error: "corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })
const broken = new InternalServerError({ status: 500, error: "later", code: "UNKNOWN_ERROR" })

describe("failures of a run with a ledger", () => {
  it.scopedLive(
    "a document that failed permanently is reported again but not sent again until it or the options change",
    () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(3)
        const client = Workspace.scripted({ scripts: { "1.pdf": { error: corrupt } } })
        const first = yield* Workspace.run(ws, { client })
        assert.deepInclude(first, { stored: 2, failed: 1, requests: 3, exit: 1 })
        const letter = yield* Workspace.letters(ws)
        assert.match(letter, /"contentHash":"[0-9a-f]{64}"/)
        ws.reads.length = 0
        const again = yield* Workspace.run(ws, { client })
        assert.deepInclude(again, { unchanged: 2, failed: 1, requests: 0, exit: 1 })
        assert.deepStrictEqual(again.failures, first.failures)
        assert.deepStrictEqual(ws.reads, [])
        assert.strictEqual(yield* Workspace.letters(ws), letter)
        const redone = yield* Workspace.run(ws, { client, redo: "failures" })
        assert.deepInclude(redone, { unchanged: 2, failed: 1, requests: 1 })
        const asked = yield* Workspace.run(ws, { client, parse: { onlyMainContent: false } })
        assert.deepInclude(asked, { failed: 1, requests: 3 })
        ws.write("1/1.pdf", "set right")
        yield* Workspace.settle
        assert.deepInclude(yield* Workspace.run(ws), { failed: 0, exit: 0 })
        assert.strictEqual(yield* Workspace.letters(ws), "")
      })
  )

  it.scopedLive("everything else that failed is tried again, and what was stored of it stays meanwhile", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      yield* Workspace.run(ws)
      const before = Workspace.inFile(ws)
      ws.write("1/1.pdf", "another text")
      yield* Workspace.settle
      const client = Workspace.scripted({ scripts: { "1.pdf": { error: broken } } })
      for (const _ of [1, 2]) {
        assert.deepInclude(yield* Workspace.run(ws, { client }), { unchanged: 2, failed: 1, requests: 1, exit: 1 })
        assert.deepStrictEqual(Workspace.inFile(ws), before)
      }
      assert.deepInclude(yield* Workspace.run(ws), { stored: 1, unchanged: 2, requests: 1, exit: 0 })
      assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
    })
  )

  it.scopedLive("a run that the service stopped leaves no dead letter, and the next one does the rest", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(10)
      const error = new Unauthorized({ status: 401, error: "Unauthorized: Invalid token" })
      const client = Layer.map(Workspace.scripted(), (context) => {
        const inner = Context.get(context, Client)
        return Context.make(Client, {
          ...inner,
          parse: (file, options, keep) =>
            file.path.endsWith("/4.pdf") ? Effect.fail(error) : inner.parse(file, options, keep)
        })
      })
      const stopped = yield* Workspace.run(ws, { client, change: (options) => ({ ...options, concurrency: 1 }) })
      assert.deepInclude(stopped, { exit: 2, failed: 0 })
      assert.strictEqual(stopped.stopped?.tag, "Unauthorized")
      assert.strictEqual(yield* Workspace.letters(ws), "")
      const rest = yield* Workspace.run(ws)
      assert.deepInclude(rest, { unchanged: stopped.stored, stored: 10 - stopped.stored, exit: 0 })
      assert.strictEqual(rest.requests, 10 - stopped.parsed)
      assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
    })
  )

  it.scopedLive(
    "a file that changes during its upload fails, or is stored as sent and parsed again by the next run",
    () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(2)
        const grown = yield* Workspace.run(ws, {
          change: (options) => ({
            ...options,
            source: Source.map(options.source, (found) =>
              found._tag === "SourceFile" && found.path === "0/0.pdf"
                ? {
                    ...found,
                    open: Stream.fail(new FileChanged({ path: found.path, expected: found.size, actual: 99 }))
                  }
                : found
            )
          })
        })
        assert.deepInclude(grown, { stored: 1, failed: 1, exit: 1 })
        assert.deepInclude(grown.failures[0], { tag: "FileChanged", retryable: true })
        let opened = 0
        const swapped = yield* Workspace.run(ws, {
          change: (options) => ({
            ...options,
            source: Source.map(options.source, (found) =>
              found._tag === "SourceFile" && found.path === "0/0.pdf"
                ? {
                    ...found,
                    open: Stream.suspend(() => {
                      opened += 1
                      // Between the hash and the upload, in bytes of the same number.
                      if (opened === 2) writeFileSync(join(Workspace.docs(ws), found.path), "DOCUMENT 0")
                      return found.open
                    })
                  }
                : found
            )
          })
        })
        assert.deepInclude(swapped, { stored: 1, requests: 1, exit: 0 })
        yield* Workspace.settle
        const next = yield* Workspace.run(ws)
        assert.deepInclude(next, { unchanged: 2, requests: 0, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      })
  )

  it.scopedLive(
    "100 files of which some meet 429 and 500 once: none is missing, none twice, and no request too many",
    () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(0)
        for (let index = 0; index < 100; index++) {
          const fault = index % 20 === 0 ? "@e429-rate~times=1" : index % 50 === 7 ? "@e500~times=1" : ""
          ws.write(`${index}${fault}.pdf`, `document ${index}`)
        }
        yield* Workspace.settle
        const server = yield* FaultServer.start()
        const client = live(server.base)
        const first = yield* Workspace.run(ws, { client })
        assert.deepInclude(first, { discovered: 100, stored: 100, requests: 107, retries: 7, failed: 0, exit: 0 })
        assert.strictEqual(server.log.length, 107)
        const chunks = Workspace.lines(Workspace.target(ws))
        assert.strictEqual(Workspace.sources(chunks).length, 100)
        assert.strictEqual(new Set(chunks.map((chunk) => chunk.id)).size, chunks.length)
        assert.deepInclude(yield* Workspace.run(ws, { client }), { unchanged: 100, requests: 0, exit: 0 })
        assert.strictEqual(server.log.length, 107)
      })
  )
})
