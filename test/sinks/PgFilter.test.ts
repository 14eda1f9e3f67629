import { afterAll, assert, describe, it } from "@effect/vitest"
import * as PgVector from "docsluice/sinks/PgVector"
import { Effect } from "effect"
import { Pool } from "pg"
import { turned } from "../../src/internal/conformance/samples.ts"
import * as Servers from "../fixtures/servers.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import * as Postgres from "./postgres.ts"

const missing = Postgres.missing()
const server = missing === null ? await Servers.postgres() : null
const admin = new Pool({ connectionString: server?.url ?? "" }).on("error", () => {})

afterAll(async () => {
  await admin.end()
  await server?.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) => Effect.promise(() => admin.query(text, [...values]))

/** A sink over a table of the user's, with `json`, a name's own case, and neither kinds nor headings. */
const filled = Effect.gen(function* () {
  yield* sql("CREATE EXTENSION IF NOT EXISTS vector")
  yield* sql("DROP TABLE IF EXISTS mine")
  yield* sql(
    `CREATE TABLE mine (id text PRIMARY KEY, doc varchar(90), content text, "Meta" json, pages jsonb, path text, vec vector(4))`
  )
  const sink = yield* PgVector.make({
    url: server?.url ?? "",
    table: "mine",
    columns: {
      id: "id",
      documentId: "doc",
      source: "path",
      text: "content",
      metadata: "Meta",
      pages: "pages",
      embedding: "vec"
    }
  })
  const prepared = yield* sink.prepare(space)
  yield* prepared.write(library)
  return sink
})

const filters = [
  { "metadata.year": { $gte: 2020 } },
  { "metadata.year": { $lt: "2020-01-01" } },
  { "metadata.year": { $contains: "2" } },
  { "metadata.year": 2021 },
  { "metadata.tags": { $in: ["drink", 1] } },
  { date: "2024-05-31" },
  { page: { $lt: 3 } }
]

describe.skipIf(missing !== null)(`filters on PostgreSQL${missing === null ? "" : `: ${missing}`}`, () => {
  it.scopedLive("never fail on a row that somebody else has written", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      const odd = [
        null,
        "null",
        "[1]",
        '"text"',
        "3",
        '{"year": {"a": 1}, "tags": [null, {}, 1], "date": "2024-02-30"}',
        '{"year": 1e400, "date": ["2024-05-31T25:00"]}'
      ]
      for (const metadata of odd) {
        yield* sql(`UPDATE mine SET "Meta" = $1, pages = NULL WHERE path = 'tea.md'`, [metadata])
        for (const filter of filters) {
          const asked = { text: "brew tea", vector: [1, 0, 0, 0], limit: 9 }
          const hits = yield* sink.search?.({ ...asked, filter }) ?? Effect.succeed([])
          const opposite = yield* sink.search?.({ ...asked, filter: { $not: filter } }) ?? Effect.succeed([])
          const all = [...hits, ...opposite].map(({ chunk }) => chunk.source)
          // The odd row itself is left out of the hits where no chunk can be read from it.
          const others = all.filter((source) => source !== "tea.md").toSorted()
          assert.deepEqual(others, ["coffee.md", "list.md", "zürich.md"], JSON.stringify({ metadata, filter }))
          assert.isAtMost(all.length, 4)
        }
      }
    })
  )

  it.scopedLive("find a chunk that is far from the query, also where an HNSW index knows the nearest only", () =>
    Effect.gen(function* () {
      const sink = yield* PgVector.make({ url: server?.url ?? "", table: "indexed", vectorIndex: "hnsw" })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(
        Array.from({ length: 3000 }, (_, at) =>
          chunk("many.md", at, {
            text: "lantern",
            metadata: { tenant: at === 2999 ? "last" : "first" },
            embedding: turned(space, at / 2000)
          })
        )
      )
      yield* prepared.finish
      const query = { text: "", vector: turned(space, 0), limit: 3 }
      const hits = yield* (
        sink.search?.({ ...query, filter: { "metadata.tenant": { $ne: "first" } } }) ?? Effect.succeed([])
      )
      assert.deepEqual(
        hits.map((hit) => hit.chunk.index),
        [2999]
      )
    })
  )

  it.scopedLive("say which column is missing for a field", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      for (const [filter, member] of [
        [{ $not: { kind: "table" } }, "kinds"],
        [{ $or: [{ page: 1 }, { heading: "Use" }] }, "headingPath"]
      ] as const) {
        const error = yield* Effect.flip(sink.search?.({ text: "brew", filter, limit: 5 }) ?? Effect.void)
        assert.strictEqual(error.reason, "Unsupported")
        assert.include(error.problem, `since no column is mapped to \`${member}\`; map one with the option \`columns\``)
      }
    })
  )
})
