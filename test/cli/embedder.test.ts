import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Summary } from "docsluice/Outcome"
import { Effect, Schema } from "effect"
import * as EmbeddingServer from "../embedding/server.ts"
import * as Workplace from "./workplace.ts"

const key = "sk-hunter2-of-the-embedder"
const withKey = Workplace.withVariables({ DOCSLUICE_EMBEDDER_API_KEY: key })
const summaryOf = Schema.decodeSync(Schema.parseJson(Summary))

describe("--embedder", () => {
  it.scopedLive("asks a model with the key of the environment, keeps its vectors, and leaves the key nowhere", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const { docs, folder, ingest, run, state } = place
      const models = yield* EmbeddingServer.start(EmbeddingServer.complete)
      const embedder = ["--embedder", `openai:m@${models.base.replace("//", "//user:hunter3@")}`]
      const to = ["--to", `libsql:${join(folder, "chunks.db")}`, "--to", `jsonl:${join(folder, "chunks.jsonl")}`]
      writeFileSync(join(docs, "broken@e500-corrupt~times=2.pdf"), "broken twice")

      const first = yield* withKey(ingest(...to, ...embedder, "--log-level=all"))
      assert.deepInclude(first.summary, { stored: 3, failed: 1, exit: 1 })
      assert.isAbove(models.asked.length, 0)
      assert.isTrue(models.asked.every(({ authorization }) => authorization === `Bearer ${key}`))
      const [line = ""] = readFileSync(join(folder, "chunks.jsonl"), "utf8").split("\n")
      const { embedding } = JSON.parse(line)
      assert.lengthOf(embedding, EmbeddingServer.dimensions)
      const asked = models.asked.length

      assert.isTrue(existsSync(join(state, "embeddings")))
      const rebuilt = yield* withKey(ingest(...to, ...embedder, "--rebuild"))
      assert.deepInclude(rebuilt.summary, { stored: 3, fromCache: 3 })
      assert.lengthOf(models.asked, asked)

      const keyless = yield* run("retry", "--state", state, "--json")
      assert.strictEqual(keyless.status, 64)
      assert.match(keyless.stderr, /set DOCSLUICE_EMBEDDER_API_KEY again/)
      const retried = yield* withKey(run("retry", "--state", state, "--json"))
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.deepInclude(summaryOf(retried.stdout), { discovered: 1, stored: 1 })
      assert.isAbove(models.asked.length, asked)
      assert.strictEqual((yield* run("doctor", "--state", state)).status, 0)

      const found = yield* withKey(run("search", "gauge", ...to, ...embedder, "--json"))
      assert.strictEqual(found.status, 0, found.stderr)
      assert.notMatch(place.traces(), /hunter/)
    })
  )

  it.scopedLive("stops before anything is parsed where the model refuses the key, and says so in JSON", () =>
    Effect.gen(function* () {
      const { folder, ingest, service } = yield* Workplace.make
      const models = yield* EmbeddingServer.start(() => EmbeddingServer.error(401, "Incorrect API key provided"))
      const to = `libsql:${join(folder, "chunks.db")}`
      const { status, stderr, summary } = yield* ingest("--to", to, "--embedder", `openai:m@${models.base}`)
      assert.strictEqual(status, 2)
      assert.match(stderr, /EmbeddingError: m: /)
      assert.deepInclude(summary, { stored: 0, notAttempted: 0, exit: 2 })
      assert.strictEqual(summary?.stopped?.tag, "EmbeddingError")
      assert.lengthOf(service.log, 0)
      assert.isFalse(existsSync(join(folder, "chunks.db")))
    })
  )

  it.scopedLive("is refused with 64 and leaves no files where it or the target cannot be used", () =>
    Effect.gen(function* () {
      const { folder, ingest, service, state } = yield* Workplace.make
      const jsonl = `jsonl:${join(folder, "chunks.jsonl")}`
      const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [["--to", jsonl, "--embedder", "magic"], /--embedder: expected none, hash, openai:MODEL/],
        [["--to", jsonl, "--embedder", "openai:m@https://"], /--embedder: what follows the @/],
        [["--to", jsonl, "--embedder", "openai:text-embedding-3-small"], /OPENAI_API_KEY/],
        [["--to", "chroma:http://127.0.0.1:1"], /--to chroma:.* give an --embedder/],
        [["--to", "chroma:http://127.0.0.1:1", "--embedder", "none"], /--to chroma:.* give an --embedder/]
      ]
      for (const [words, said] of wrong) {
        const { status, stderr, stdout } = yield* ingest(...words)
        assert.match(stderr, said)
        assert.deepStrictEqual({ status, stdout }, { status: 64, stdout: "" })
      }
      assert.lengthOf(service.log, 0)
      assert.isFalse(existsSync(state) || existsSync(join(folder, "chunks.jsonl")))
    }).pipe(Workplace.withVariables({ OPENAI_API_KEY: "" }))
  )

  it.scopedLive("comes from the environment too; a plan knows of it, and neither sends nor embeds anything", () =>
    Effect.gen(function* () {
      const { docs, folder, ingest, run, service, state } = yield* Workplace.make
      const models = yield* EmbeddingServer.start(EmbeddingServer.complete)
      const to = ["--to", `libsql:${join(folder, "chunks.db")}`]
      const plan = (...words: ReadonlyArray<string>) =>
        Effect.map(
          run("plan", "--json", "--root", docs, "--state", state, "--service", service.base, ...to, ...words, "."),
          ({ stdout }): Readonly<Record<string, unknown>> => JSON.parse(stdout)
        )
      const hashed = Workplace.withVariables({ DOCSLUICE_EMBEDDER: "hash" })
      assert.deepInclude((yield* hashed(ingest(...to))).summary, { stored: 3, exit: 0 })
      assert.deepInclude(yield* hashed(plan()), { changed: 0, unchanged: 3 })
      assert.deepInclude(yield* plan("--embedder", `openai:m@${models.base}`), { changed: 3, fromCache: 3, credits: 0 })
      assert.deepInclude(yield* plan(), { changed: 3, fromCache: 3 })
      assert.lengthOf(models.asked, 0)
      assert.lengthOf(service.log, 3)
    })
  )

  it.scopedLive("works without a state on an empty target, whatever space that one is to have", () =>
    Effect.gen(function* () {
      const { folder, ingest, run, state } = yield* Workplace.make
      const to = ["--to", `libsql:${join(folder, "chunks.db")}`]
      const models = yield* EmbeddingServer.start(EmbeddingServer.complete)
      const model = ["--embedder", `openai:m@${models.base}`]
      assert.deepInclude((yield* ingest(...to, "--no-state", ...model)).summary, { stored: 3 })
      for (const embedder of [model, ["--embedder", "hash"]]) {
        const refused = yield* ingest(...to, "--no-state", ...embedder)
        assert.strictEqual(refused.status, 64)
        assert.match(refused.stderr, /must be absent or empty/)
      }
      assert.isFalse(existsSync(state))
      assert.strictEqual((yield* run("search", "gauge", ...to, ...model)).status, 0)
    })
  )

  it.scopedLive("a pass of watch that fails outright is a line of JSON", () =>
    Effect.gen(function* () {
      const { docs, folder, run, service, state } = yield* Workplace.make
      const file = join(folder, "chunks.db")
      mkdirSync(file)
      const given = ["--root", docs, "--state", state, "--service", service.base, "--to", `libsql:${file}`]
      const { status, stderr, stdout } = yield* run("watch", "--json", ...given, ".")
      assert.strictEqual(status, 2)
      assert.match(stderr, /cannot be opened/)
      const { exit, stopped, stored } = summaryOf(stdout)
      assert.deepStrictEqual({ exit, stored, tag: stopped?.tag }, { exit: 2, stored: 0, tag: "SinkError" })
    })
  )
})
