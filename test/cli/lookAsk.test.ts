import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Servers from "../fixtures/servers.ts"
import * as Postgres from "../sinks/postgres.ts"
import { run, runHere, start } from "./run.ts"

const handbook = fileURLToPath(new URL("../../examples/documents/handbook.pdf", import.meta.url))

const Missing = Schema.NullOr(
  Schema.Struct({ reason: Schema.String, message: Schema.String, remedy: Schema.NullOr(Schema.String) })
)
const decode = {
  address: Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ address: Schema.String }))),
  found: Schema.decodeUnknownSync(
    Schema.Struct({
      hits: Schema.Array(Schema.Struct({ id: Schema.String, citation: Schema.String, missing: Missing }))
    })
  ),
  view: Schema.decodeUnknownSync(
    Schema.Struct({ pages: Schema.Array(Schema.Struct({ number: Schema.Int })), missing: Missing })
  ),
  store: Schema.decodeUnknownSync(
    Schema.Struct({ store: Schema.NullOr(Schema.Struct({ name: Schema.String, chunks: Schema.NullOr(Schema.Int) })) })
  ),
  refusal: Schema.decodeUnknownSync(
    Schema.Struct({ error: Schema.Struct({ tag: Schema.String, remedy: Schema.NullOr(Schema.String) }) })
  )
}

describe("docsluice look --to", () => {
  let folder = ""

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "docsluice-look-")))
    mkdirSync(join(folder, "docs"))
    cpSync(handbook, join(folder, "docs", "handbook.pdf"))
    const words = ["ingest", ".", "--root", "docs", "--to", "libsql:store.db", "--embedder", "hash"]
    assert.strictEqual((await run(folder, words)).status, 0)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The page of a process with these words, for as long as `use` runs. */
  const looking = async (
    words: ReadonlyArray<string>,
    use: (call: (path: string, body?: unknown) => Promise<Response>) => Promise<void>
  ) => {
    const { child, ended, stderr, stdout } = start(folder, ["look", "--json", ...words])
    try {
      const deadline = Date.now() + 180_000
      while (!stdout().includes("\n") && child.exitCode === null && Date.now() < deadline) {
        // oxlint-disable-next-line no-await-in-loop -- until the address is printed
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      assert.include(stdout(), "\n", stderr())
      const { address } = decode.address(stdout())
      await use((path, body) =>
        fetch(
          `${address}_look/${path}`,
          body === undefined
            ? {}
            : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        )
      )
    } finally {
      child.kill("SIGINT")
      await ended
    }
  }

  it("searches the store, and draws the pages of hits from the folder that the state knows", () =>
    looking(["--to", "libsql:store.db", "--port", "0"], async (call) => {
      const { store } = decode.store(await (await call("settings")).json())
      assert.strictEqual(store?.name, "libsql:store.db")
      const answer = await call("search", { query: "tipping-bucket gauge", limit: 5 })
      assert.strictEqual(answer.status, 200)
      const [hit] = decode.found(await answer.json()).hits
      assert.strictEqual(hit?.citation, "handbook.pdf, p. 1–3")
      const view = decode.view(await (await call(`hits/${hit?.id}`)).json())
      assert.deepStrictEqual(view, { pages: [{ number: 1 }, { number: 2 }, { number: 3 }], missing: null })
      const picture = await call(`hits/${hit?.id}/pages/1?width=300`)
      assert.deepStrictEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"])
      const png = Buffer.from(await picture.arrayBuffer())
      assert.strictEqual(png.readUInt32BE(16), 300)
      for (const [path, status] of [
        [`hits/${hit?.id}/pages/9`, 404],
        [`hits/${hit?.id}/figures/0`, 404],
        [`hits/${hit?.id}/figures/x`, 404],
        [`hits/${"0".repeat(32)}`, 404],
        [`hits/${encodeURIComponent("../../etc/passwd")}/pages/1`, 404]
      ] as const) {
        assert.strictEqual((await call(path)).status, status)
      }
      const refused = await call("search", { query: " ", limit: 5 })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(decode.refusal(await refused.json()).error.tag, "QueryRefused")
    }))

  it("draws the pages from the folder that was named, and says why where it cannot", async () => {
    mkdirSync(join(folder, "elsewhere"), { recursive: true })
    writeFileSync(join(folder, "elsewhere", "handbook.pdf"), "another handbook")
    const words = ["--to", "libsql:store.db", "--root", "docs=elsewhere"]
    await looking(words, async (call) => {
      const answer = await call("search", { query: "tipping-bucket gauge", limit: 5 })
      const [hit] = decode.found(await answer.json()).hits
      assert.strictEqual(hit?.missing?.reason, "changed")
      assert.strictEqual((await call(`hits/${hit?.id}/pages/1`)).status, 409)
      cpSync(handbook, join(folder, "elsewhere", "handbook.pdf"))
      assert.strictEqual((await call(`hits/${hit?.id}/pages/1`)).status, 200)
    })
  })

  it.skipIf(Postgres.missing() !== null)(
    "draws the pages of hits from the folder that a state on PostgreSQL knows",
    async () => {
      const { stop, url } = await Servers.postgres()
      try {
        const given = ["--to", "libsql:shared.db", "--state", url]
        const ingested = await run(folder, ["ingest", ".", "--root", "docs", "--embedder", "hash", ...given])
        assert.strictEqual(ingested.status, 0, ingested.stderr)
        await looking([...given, "--port", "0"], async (call) => {
          const answer = await call("search", { query: "tipping-bucket gauge", limit: 5 })
          const [hit] = decode.found(await answer.json()).hits
          assert.isNull(hit?.missing)
          assert.strictEqual((await call(`hits/${hit?.id}/pages/1`)).status, 200)
        })
      } finally {
        await stop()
      }
    }
  )

  it.each([
    [
      "a store that is not there",
      ["--to", "libsql:nowhere.db"],
      2,
      /StoreMissing.*nowhere\.db: there is no store; ingest/
    ],
    ["a server that cannot be reached", ["--to", "qdrant:http://127.0.0.1:1"], 2, /SinkError/],
    [
      "a state that is not there",
      ["--to", "libsql:STORE", "--state", "nowhere"],
      2,
      /StateMissing.*there is no ledger/
    ],
    [
      "a root without a folder",
      ["--to", "libsql:STORE", "--root", "docs=nowhere"],
      64,
      /--root docs=nowhere: there is no/
    ],
    ["a root without a name", ["--to", "libsql:STORE", "--root", "docs"], 64, /--root docs: expected NAME=DIR/],
    ["a root without a store", ["--root", "docs=."], 64, /--root: .*--to/],
    ["an embedder that there is not", ["--to", "libsql:STORE", "--embedder", "magic"], 64, /--embedder/]
  ] as const)("answers %s before it serves anything", async (_, words, expected, word) => {
    const given = words.map((one) => one.replace("STORE", join(folder, "store.db")))
    const { status, stderr } = await runHere(["look", ...given])
    assert.match(stderr, word)
    assert.strictEqual(status, expected)
    assert.isFalse(existsSync("nowhere") || existsSync("nowhere.db"))
  })
})
