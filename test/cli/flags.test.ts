import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commands, names } from "../../src/cli/commands.ts"
import { flags } from "../../src/cli/flags.ts"
import * as EmbedderTarget from "../../src/internal/target/embedderTarget.ts"
import * as ModelTarget from "../../src/internal/target/modelTarget.ts"
import * as SinkTarget from "../../src/internal/target/sinkTarget.ts"
import { run, runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

const every = (
  await Promise.all(
    names.map(async (command) =>
      (await commands[command]()).command.flags.map(({ kind, name }) => ({ command, kind, name }))
    )
  )
).flat()

describe("the flags of the command line", () => {
  it("are 64 when given twice, on every command, unless the help says that they may be repeated", async () => {
    for (const { command, kind, name } of every.filter((flag) => flag.kind !== "list")) {
      const given = kind === "switch" ? [`--${name}`, `--${name}`] : [`--${name}`, "first", `--${name}=second`]
      const { status, stderr, stdout } = await runHere([command, "path", ...given])
      assert.strictEqual(status, 64, `${command} --${name}`)
      assert.match(stderr, new RegExp(`^--${name} is given twice`))
      assert.notMatch(stdout + stderr, /first|second/)
    }
    const lists = every.filter((flag) => flag.kind === "list").map(({ command, name }) => `${command} --${name}`)
    for (const repeatable of ["ingest --to", "ingest --ignore", "serve --api-key", "search --filter"]) {
      assert.include(lists, repeatable)
    }
    assert.notInclude(lists, "ingest --api-key")
  })

  it("complete the kinds of stores, embedders and models that there are", () => {
    const beginnings = (kinds: ReadonlyArray<string>) => kinds.map((kind) => `${kind}:`)
    assert.sameMembers([...(flags.to.words ?? [])], beginnings(SinkTarget.names))
    for (const { words = [] } of [flags.store, flags.lookedStore, flags.agentStore]) {
      assert.sameMembers([...words], beginnings(SinkTarget.searchable))
    }
    for (const { words } of [flags.embedder, flags.queryEmbedder]) assert.deepStrictEqual(words, EmbedderTarget.words)
    assert.deepStrictEqual(flags.model.words, ModelTarget.words)
  })

  it("are all accepted in a config file", () => {
    assert.deepStrictEqual(
      new Set(every.map(({ name }) => name)),
      new Set(Object.values(flags).map(({ name }) => name))
    )
  })

  it("of every command may stand in a config file too, and a page's name may not", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-flags-"))
    const file = join(folder, "docsluice.config.yaml")
    try {
      writeFileSync(file, "log-level: loud\n")
      const level = await run(folder, ["status"], { DOCSLUICE_VERSION: "0.1.0" })
      assert.deepStrictEqual([level.status, level.stdout], [64, ""])
      assert.match(level.stderr, /^--log-level: expected one of all, trace/)
      writeFileSync(file, "version: true\n")
      assert.match((await run(folder, ["status"])).stderr, /version is not a flag of docsluice/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.scopedLive(
    "leave no trace of a key that was given twice, or as a path, in output, state, targets or dead letters",
    () =>
      Effect.gen(function* () {
        const place = yield* Workplace.make
        const to = ["--to", `jsonl:${join(place.folder, "chunks.jsonl")}`]
        const twice = yield* place.ingest(...to, "--api-key", "sk-first", "--api-key", "sk-second")
        assert.strictEqual(twice.status, 64)
        assert.strictEqual(place.service.log.length, 0)
        assert.deepStrictEqual(readdirSync(place.folder), ["docs"])
        assert.strictEqual((yield* place.ingest(...to)).status, 0)
        assert.strictEqual((yield* place.ingest(...to, "--api-key=sk-first", "docs", "sk-first")).status, 64)
        assert.strictEqual((yield* place.ingest(...to, "pgvector:postgres://me:sk-third@h/db")).status, 64)
        assert.notInclude(place.traces(), "sk-")
      })
  )

  it("are 64 when the config file sets one twice, and nothing of the file is repeated", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-flags-"))
    try {
      writeFileSync(join(folder, "docsluice.config.json"), '{\n  "api-key": "sk-first",\n  "api-key": "sk-second"\n}')
      const { status, stderr, stdout } = await run(folder, ["ingest", "."])
      assert.deepStrictEqual([status, stdout], [64, ""])
      assert.strictEqual(stderr, "docsluice.config.json: a flag is set twice in line 3; keep one of them\n")
      assert.deepStrictEqual(readdirSync(folder), ["docsluice.config.json"])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
