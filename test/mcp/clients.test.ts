import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { start } from "../cli/run.ts"
import { commandLine } from "../fixtures/commandLine.ts"
import { garbage, hello, manyFiles, memoryOf, served } from "./served.ts"
import { folder, sample } from "./store.ts"

const sampled = sample()

const environment = { PATH: process.env["PATH"] ?? "", TMPDIR: process.env["TMPDIR"] ?? "/tmp" }

const client = () => new Client({ name: "test", version: "1.0.0" })

/** The official client of a process of its own. */
const overStdio = (cwd: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [commandLine().main, "mcp", ...args],
        cwd,
        env: environment,
        stderr: "pipe"
      })
      const made = client()
      await made.connect(transport)
      return { client: made, pid: transport.pid ?? 0 }
    }),
    (made) => Effect.promise(() => made.client.close())
  )

const overHttp = (url: URL, key?: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
      const made = client()
      await made.connect(transport)
      return made
    }),
    (made) => Effect.promise(() => made.close())
  )

const call = (from: Client, name: string, args: Record<string, unknown> = {}) =>
  Effect.promise(async () => {
    const { content, isError, structuredContent } = await from.callTool({ name, arguments: args })
    return { content, isError: isError === true, data: JSON.parse(JSON.stringify(structuredContent ?? null)) }
  })

/** What every client can do, over either transport. */
const everyTool = Effect.fnUntraced(function* (from: Client) {
  const { tools } = yield* Effect.promise(() => from.listTools())
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["search", "outline", "list", "read", "look", "verify", "status"]
  )
  assert.isTrue(
    tools.every(({ annotations, inputSchema }) => annotations?.readOnlyHint && inputSchema.type === "object")
  )

  const { data: status } = yield* call(from, "status")
  assert.include(status, { documents: 9, writable: false, filtered: false })
  const { data: list } = yield* call(from, "list", { pattern: "*.pdf" })
  assert.include(list.documents[0], { source: "handbook.pdf", title: "Station Handbook", pages: 4, language: "en-US" })
  const { data: outline } = yield* call(from, "outline", { source: "handbook.pdf" })
  assert.include(
    outline.sections.map(({ heading }: { readonly heading: string }) => heading),
    "2.1 Access"
  )
  const { data: found } = yield* call(from, "search", { query: "strongest gust of Saddle Point", limit: 2 })
  assert.isAtMost(found.hits.length, 2)
  assert.isNotEmpty(found.hits[0].boxes)
  const { data: read } = yield* call(from, "read", { source: "handbook.pdf", heading: "2.1 Access" })
  assert.include(read.text, "They clean the gauge")
  assert.isNull(read.next)
  const quote = { quote: "Saddle Point can be reached on foot only", source: "handbook.pdf" }
  const { data: verified } = yield* call(from, "verify", quote)
  assert.strictEqual(verified.stands, "exact")
  assert.include(verified.places[0].pages, 3)
  const looked = yield* call(from, "look", {
    source: "handbook.pdf",
    page: 3,
    boxes: [[0.1, 0.1, 0.5, 0.2]],
    width: 400
  })
  assert.isFalse(looked.isError, JSON.stringify(looked.content))
  const [, picture] = Array.isArray(looked.content) ? looked.content : []
  assert.include(picture, { type: "image", mimeType: "image/png" })
  assert.strictEqual(Buffer.from(picture.data, "base64").toString("latin1", 1, 4), "PNG")

  const { resources } = yield* Effect.promise(() => from.listResources())
  const handbook = resources.find(({ name }) => name === "handbook.pdf")
  const whole = yield* Effect.promise(() => from.readResource({ uri: `${handbook?.uri}/pages/4` }))
  assert.include(JSON.stringify(whole.contents), "Three checks run on every record")

  const unknown = yield* call(from, "read", { source: "no.pdf" })
  assert.isTrue(unknown.isError)
  assert.deepInclude(unknown.data.error, { reason: "UnknownDocument" })
  const wrong = yield* call(from, "search", { query: 7 })
  assert.deepInclude(wrong.data.error, { reason: "Arguments" })
  const answers = yield* Effect.all(
    Array.from({ length: 50 }, (_, at) =>
      at % 2 === 0 ? call(from, "search", { query: "gauge" }) : call(from, "outline", { source: "handbook.pdf" })
    ),
    { concurrency: "unbounded" }
  )
  assert.isTrue(answers.every(({ isError }) => !isError))
  const missing = yield* Effect.flip(Effect.tryPromise(() => from.callTool({ name: "nothing" })))
  assert.include(String(missing.cause), "-32602")
})

/** Ends an ingestion in its middle. */
const cancelling = Effect.fnUntraced(function* (from: Client) {
  const aborting = new AbortController()
  let told = 0
  const failed = yield* Effect.promise(() =>
    from
      .callTool({ name: "ingest", arguments: { root: "many" } }, undefined, {
        signal: aborting.signal,
        onprogress: () => {
          told += 1
          if (told === 3) aborting.abort()
        }
      })
      .then(
        () => "ended",
        () => "cancelled"
      )
  )
  assert.strictEqual(failed, "cancelled")
  assert.isAtLeast(told, 3)
  // The store is free for the next call once the cancelled one has let go of it.
  const { data: removed } = yield* call(from, "remove", { source: "0.html" })
  assert.isTrue(removed.passages > 0 || removed.error.reason === "UnknownDocument")
  const { data: status } = yield* call(from, "status")
  assert.isTrue(status.writable)
  assert.isBelow(status.documents, 400)
})

describe("docsluice mcp", () => {
  it.scopedLive(
    "gives the official client every tool, side by side, and tells it what is wrong with a call",
    () =>
      Effect.gen(function* () {
        const { cwd, state, store } = yield* sampled
        const { client: from } = yield* overStdio(cwd, ["--to", `libsql:${store}`, "--state", state])
        yield* everyTool(from)
      }),
    120_000
  )

  it.scopedLive(
    "tells the progress of an ingestion, and cancels it in its middle",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder
        const write = ["--to", "libsql:store.db", "--root", `many=${manyFiles(cwd)}`, "--allow-write"]
        const { client: from } = yield* overStdio(cwd, write)
        yield* cancelling(from)
      }),
    120_000
  )

  it.scopedLive(
    "answers 1,000 malformed messages with errors, stays alive, and holds no more memory after them; ends with its input",
    () =>
      Effect.gen(function* () {
        const { cwd, store } = yield* sampled
        const server = start(cwd, ["mcp", "--to", `libsql:${store}`])
        const lines = () => server.stdout().split("\n").length - 1
        const answered = (count: number) =>
          Effect.promise(async () => {
            while (lines() < count && server.child.exitCode === null)
              await new Promise((resolve) => setTimeout(resolve, 20))
          })
        const send = (from: number, count: number) => {
          for (let at = from; at < from + count; at++) server.child.stdin.write(`${garbage(at)}\n`)
        }
        send(0, 200)
        yield* answered(200)
        const before = memoryOf(server.child.pid ?? 0)
        send(200, 1000)
        yield* answered(1200)
        const after = memoryOf(server.child.pid ?? 0)
        server.child.stdin.write('{"jsonrpc":"2.0","id":"last","method":"ping"}\n')
        yield* answered(1201)
        const messages = server
          .stdout()
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.lengthOf(messages, 1201)
        const codes = new Set(messages.slice(0, 1200).map(({ error }) => error.code))
        assert.sameMembers([...codes], [-32700, -32600, -32601, -32602])
        assert.deepEqual(messages.at(-1), { jsonrpc: "2.0", id: "last", result: {} })
        assert.isBelow(after - before, 30_000)
        server.child.stdin.end()
        assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 0)
      }),
    120_000
  )

  it.scopedLive(
    "ends when its client dies in the middle of a call",
    () =>
      Effect.gen(function* () {
        const { cwd, store } = yield* sampled
        const server = start(cwd, ["mcp", "--to", `libsql:${store}`])
        for (let at = 0; at < 20; at++) {
          const params = { name: "search", arguments: { query: "gauge" } }
          server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: at, method: "tools/call", params })}\n`)
        }
        server.child.stdout.destroy()
        server.child.stdin.destroy()
        assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 0)
      }),
    60_000
  )
})

describe("docsluice serve --mcp", () => {
  it.scopedLive(
    "gives the official client every tool, and the error of a method that it does not have",
    () =>
      Effect.gen(function* () {
        const { cwd, state, store } = yield* sampled
        const { url } = yield* served(cwd, ["--mcp", `libsql:${store}`, "--state", state, "--api-key", "secret"])
        const from = yield* overHttp(url, "secret")
        yield* everyTool(from)
        const unknown = yield* Effect.flip(
          Effect.tryPromise(() => from.request({ method: "nothing/at/all" }, EmptyResultSchema))
        )
        assert.include(String(unknown.cause), "-32601")
      }),
    120_000
  )

  it.scopedLive(
    "asks for a key, for a session and for its own address, and ends a session",
    () =>
      Effect.gen(function* () {
        const { cwd, store } = yield* sampled
        const { url } = yield* served(cwd, ["--mcp", `libsql:${store}`, "--api-key", "secret", "--api-key", "other"])
        const post = (body: unknown, headers: Record<string, string> = {}) =>
          Effect.promise(() =>
            fetch(url, {
              method: "POST",
              body: typeof body === "string" ? body : JSON.stringify(body),
              headers: { authorization: "Bearer secret", ...headers }
            })
          )
        const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
        assert.strictEqual((yield* post(hello, { authorization: "Bearer wrong" })).status, 401)
        assert.strictEqual((yield* post(ping)).status, 400)
        assert.strictEqual((yield* post("not json")).status, 400)
        const begun = yield* post(hello)
        const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" }
        assert.strictEqual((yield* post(ping, session)).status, 200)
        assert.strictEqual((yield* post(ping, { ...session, authorization: "Bearer other" })).status, 404)
        assert.strictEqual((yield* post(ping, { ...session, "mcp-protocol-version": "1999-01-01" })).status, 400)
        assert.strictEqual((yield* post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).status, 202)
        const asked = (method: string) =>
          Effect.promise(() => fetch(url, { method, headers: { authorization: "Bearer secret", ...session } }))
        assert.strictEqual((yield* asked("GET")).status, 405)
        assert.strictEqual((yield* asked("DELETE")).status, 204)
        assert.strictEqual((yield* post(ping, session)).status, 404)
      }),
    60_000
  )

  it.scopedLive(
    "tells the progress of an ingestion, and cancels it in its middle",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder
        const write = ["--mcp", "libsql:store.db", "--root", `many=${manyFiles(cwd)}`, "--allow-write"]
        const { url } = yield* served(cwd, write)
        yield* cancelling(yield* overHttp(url))
      }),
    120_000
  )
})
