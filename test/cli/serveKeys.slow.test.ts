import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import * as http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { Effect, Schema } from "effect"
import { type Answer, assertError, metricsWith, upload } from "../service/serverFixture.ts"
import { run, runHere, start } from "./run.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-serve-keys-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

const Listening = Schema.parseJson(Schema.Struct({ base: Schema.String }))

/** A server in a process of its own, on a free port; `base` is its address without the version. */
const served = (cwd: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => start(cwd, ["serve", "--port", "0", "--json", ...args], env)),
      ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
    )
    yield* Effect.repeat(Effect.delay(Effect.sync(server.stdout), "20 millis"), {
      until: (text) => text.includes("\n") || server.child.exitCode !== null
    })
    const { base } = Schema.decodeSync(Listening)(server.stdout())
    return { base: base.replace(/\/v2$/, ""), server }
  })

const added = (cwd: string, ...words: ReadonlyArray<string>) =>
  Effect.promise(() => run(cwd, ["serve", "keys", "add", ...words]))

const small = { name: "small.html", bytes: "<p>x" }

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status)

describe("docsluice serve with keys", () => {
  it.scopedLive("adds a key, prints it once, and serves it within its limits and with an audit log", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const one = yield* added(cwd, "--name", "one", "--rate", "2/min", "--permissions", "parse,json")
      assert.strictEqual(one.status, 0, one.stderr)
      const key = one.stdout.trim()
      assert.match(key, /^dsk-[\w-]{43}$/)
      assert.notInclude(one.stderr, key)
      const file = join(cwd, "keys.json")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(file, "utf8"), key)
      const two = yield* added(cwd, "--name", "two", "--json", "--credits", "1", "--zero-data-retention", "refused")
      const twoKey = JSON.parse(two.stdout).key
      const again = yield* added(cwd, "--name", "two")
      assert.deepStrictEqual([again.status, again.stdout], [64, ""])
      assert.match(again.stderr, /keys\.json: two: there is a key of this name/)
      const content = JSON.parse(readFileSync(file, "utf8"))
      writeFileSync(file, JSON.stringify({ ...content, audit: "audit.jsonl" }))

      const { base } = yield* served(cwd, ["--keys", "keys.json"])
      const ones = yield* Effect.replicateEffect(upload(base, small, as(key)), 3)
      assert.deepStrictEqual(statuses(ones), [200, 200, 429])
      const twos = yield* Effect.replicateEffect(upload(base, small, as(twoKey)), 2)
      assert.deepStrictEqual(statuses(twos), [200, 402])
      assertError(yield* upload(base, small), 401, "Unauthorized: Invalid token")
      const lines = readFileSync(join(cwd, "audit.jsonl"), "utf8").trim().split("\n")
      assert.deepStrictEqual(
        lines
          .map((line) => JSON.parse(line))
          .map(({ credits, file: name, key: by, status }) => [by, name, status, credits]),
        [
          ["one", "small.html", 200, 1],
          ["one", "small.html", 200, 1],
          ["two", "small.html", 200, 1]
        ]
      )
    })
  )

  it.scopedLive("killed between reservation and answer, forgets the reservation and no credit that was spent", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const flags = ["--credits", "10", "--state", "state"]
      const large = `<h1>Large</h1><p>${"<b>x</b> ".repeat(20_000)}`
      const first = yield* served(cwd, flags)
      assert.deepStrictEqual(statuses(yield* Effect.replicateEffect(upload(first.base, small), 3)), [200, 200, 200])
      yield* Effect.forkScoped(
        Effect.replicateEffect(
          upload(first.base, { name: "large.html", bytes: large, options: { timeout: 120_000 } }),
          7,
          { concurrency: 7 }
        ).pipe(
          Effect.ignore,
          Effect.catchAllCause(() => Effect.void)
        )
      )
      yield* metricsWith(first.base, 'docsluice_parses_by_origin_total{origin="api"} 10\n')
      assertError(yield* upload(first.base, small), 402, /^Payment Required: Insufficient credits/)
      first.server.child.kill("SIGKILL")
      yield* Effect.promise(() => first.server.ended)

      const second = yield* served(cwd, flags)
      const answers = yield* Effect.replicateEffect(upload(second.base, small), 20, { concurrency: 20 })
      assert.deepStrictEqual(
        statuses(answers).toSorted((left, right) => left - right),
        [...Array.from({ length: 7 }, () => 200), ...Array.from({ length: 13 }, () => 402)]
      )
    })
  )

  it.scopedLive("asks the model of --model with the key of the environment, or of a file that it names", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const seen: Array<string | undefined> = []
      const listener = http.createServer((request, response) => {
        seen.push(request.headers.authorization)
        request.resume()
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ choices: [{ message: { content: '{"total": 7}' } }] }))
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void listener.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => listener.close().closeAllConnections())
      )
      const address = listener.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      writeFileSync(join(cwd, "key"), "sk-model\n")
      const { base } = yield* served(
        cwd,
        ["--model", `openai:m@http://127.0.0.1:${port}/v1`, "--model-context", "4096"],
        { DOCSLUICE_MODEL_API_KEY: "@key", OPENAI_API_KEY: "sk-openai" }
      )
      const options = { formats: [{ type: "json", schema: { type: "object" } }], zeroDataRetention: true }
      const { body, status } = yield* upload(base, { name: "a.html", bytes: "<p>Total: 7", options })
      assert.strictEqual(status, 200)
      assert.deepNestedInclude(JSON.parse(JSON.stringify(body)), {
        "data.json": { total: 7 },
        "data.metadata.creditsUsed": 5
      })
      assert.deepStrictEqual(seen, ["Bearer sk-model"])
    })
  )

  it.scopedLive("refuses a wrong file of keys before it listens, and names file, entry and field", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const file = join(cwd, "keys.json")
      writeFileSync(file, JSON.stringify({ version: 1, keys: [{ name: "a", hash: "dsk-clear" }] }))
      const { status, stderr, stdout } = yield* Effect.promise(() => runHere(["serve", "--keys", file]))
      assert.deepStrictEqual([status, stdout], [64, ""])
      assert.match(stderr, /keys\.json: keys\[0\] \(a\): keys\[0\]\.hash is not a hash/)
      assert.notInclude(stderr, "dsk-clear")
    })
  )

  it.scopedLive("says who keeps credits in its state, and ends with 2", () =>
    Effect.gen(function* () {
      const state = yield* folder
      yield* Accounts.make(join(state, "serve"))
      const { status, stderr, stdout } = yield* Effect.promise(() =>
        runHere(["serve", "--port", "0", "--credits", "1", "--state", state])
      )
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.match(stderr, /^AccountsError: .* keeps its credits here; stop it or name another state directory/)
    })
  )

  it.each([
    [["--rate", "10"], /--rate: expected a rate such as 10\/s or 600\/min, got "10"/],
    [["--concurrency", "0"], /--concurrency: expected a whole number from 1/],
    [["--credits", "some"], /--credits: expected a whole number of at least 0/],
    [
      ["--keys", "keys.json", "--api-key", "sk-secret", "--rate", "1/s"],
      /--api-key and --rate cannot be given with --keys/
    ],
    [["--keys", "nowhere.json"], /nowhere\.json: the file cannot be read \(NotFound\)/],
    [["--host", "0.0.0.0"], /give an --api-key, or --keys/],
    [["--model", "m"], /--model: expected openai:MODEL\[@BASE\]/],
    [["--model", "openai:m@ftp://u:secret@h"], /--model: the base address, after the @/],
    [["--model", "openai:m"], /--model: OpenAI needs a key; set DOCSLUICE_MODEL_API_KEY or OPENAI_API_KEY/],
    [["--spool", "nowhere"], /--spool nowhere: there is no such folder, or it cannot be written/],
    [["--spool", "package.json"], /--spool package\.json: there is no such folder/],
    [["--model-context", "1"], /--model-context: expected a whole number of at least 1024/],
    [["docs"], /serve takes no argument but "keys add", got "docs"/],
    [["keys", "add"], /keys add needs --name/],
    [["keys", "add", "--name", "a b"], /keys add needs --name/],
    [["keys", "add", "--name", "a", "--permissions", "parse,fly"], /--permissions: expected some of parse,agent/]
  ] as const)("answers 64 to %s", async (args, word) => {
    const { status, stderr } = await runHere(["serve", "--port", "0", ...args])
    assert.match(stderr, word)
    assert.notInclude(stderr, "secret")
    assert.strictEqual(status, 64)
  })
})
