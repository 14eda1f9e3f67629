import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Schema } from "effect"
import * as FaultServer from "../faultserver/server.ts"
import { runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

const decode = Schema.decodeSync(Schema.parseJson(DocumentChunk))

const chunksOf = (lines: string) =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => decode(line))

const stored = (file: string) => chunksOf(readFileSync(file, "utf8"))

const teams = (chunks: ReadonlyArray<DocumentChunk>) => [...new Set(chunks.map(({ metadata }) => metadata["team"]))]

/** Two pages of a section each, without a marker between them. */
const pages = {
  success: true,
  data: {
    markdown: "# One\n\nfirst page\n\n# Two\n\nsecond page\n\nthird part of the text\n\nfourth part of the text",
    pages: [
      { pageNumber: 1, markdown: "# One\n\nfirst page" },
      { pageNumber: 2, markdown: "# Two\n\nsecond page\n\nthird part of the text\n\nfourth part of the text" }
    ],
    metadata: { numPages: 2, totalPages: 2 }
  }
}

describe("--metadata", () => {
  it.scopedLive(
    "is in every stored chunk; another value reaches them with the next run, without a request; search filters by it",
    () =>
      Effect.gen(function* () {
        const place = yield* Workplace.make
        const [file, store] = [join(place.folder, "chunks.jsonl"), `libsql:${join(place.folder, "chunks.db")}`]
        const to = [`--to=jsonl:${file}`, `--to=${store}`]
        const first = yield* place.ingest(...to, "--metadata", "team=legal", "--metadata", "site=a=b")
        assert.deepInclude(first.summary, { stored: 3, exit: 0 })
        assert.deepStrictEqual(stored(file)[0]?.metadata["site"], "a=b")
        const ids = stored(file).map(({ id }) => id)
        const second = yield* place.ingest(...to, "--metadata", "team=sales")
        assert.deepInclude(second.summary, { stored: 3, requests: 0, fromCache: 3, exit: 0 })
        assert.deepStrictEqual(teams(stored(file)), ["sales"])
        assert.sameMembers(
          stored(file).map(({ id }) => id),
          ids
        )
        const search = (team: string) =>
          place.run("search", "gauge", `--to=${store}`, "--filter", `team=${team}`, "--json")
        assert.strictEqual((yield* search("sales")).status, 0)
        assert.strictEqual((yield* search("legal")).status, 1)
      })
  )

  it.scopedLive("and page boundaries of a run are used again by retry, and may stand in the config file", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const service = yield* FaultServer.start({ document: () => pages })
      const file = join(place.folder, "out.jsonl")
      const root = join(place.folder, "late")
      mkdirSync(root)
      writeFileSync(join(root, "late.pdf"), "")
      const given = [`--root=${root}`, `--to=jsonl:${file}`, `--state=${place.state}`, `--service=${service.base}`]
      const ingested = yield* Effect.promise(() =>
        runHere([
          "ingest",
          ...given,
          "--chunker=markdown",
          "--page-boundaries=hard",
          "--metadata=team=legal",
          "--json",
          "."
        ])
      )
      assert.strictEqual(ingested.status, 1, ingested.stderr)
      writeFileSync(join(root, "late.pdf"), "filled in")
      const retried = yield* Effect.promise(() => runHere(["retry", `--state=${place.state}`, "--json"]))
      assert.strictEqual(retried.status, 0, retried.stderr)
      assert.deepStrictEqual(
        stored(file).map((chunk) => [chunk.pages, chunk.metadata["team"]]),
        [
          [[1], "legal"],
          [[2], "legal"]
        ]
      )
    })
  )
})

describe("--page-boundaries and --min-tokens", () => {
  it.scopedLive("decide where a chunk may end", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const service = yield* FaultServer.start({ document: () => pages })
      const chunks = (...words: ReadonlyArray<string>) =>
        Effect.map(
          place.run(
            "chunks",
            join(place.docs, "gauges.pdf"),
            `--service=${service.base}`,
            "--chunker=markdown",
            ...words
          ),
          ({ stdout }) => chunksOf(stdout).map((chunk) => chunk.pages)
        )
      assert.deepStrictEqual(yield* chunks(), [[1, 2]])
      assert.deepStrictEqual(yield* chunks("--page-boundaries=hard"), [[1], [2]])
      const tokens = ["--tokenizer=o200k_base", "--max-tokens=20"]
      assert.deepStrictEqual(yield* chunks(...tokens), [[1], [2]])
      assert.deepStrictEqual(yield* chunks(...tokens, "--min-tokens=10"), [[1, 2], [2]])
    })
  )
})
