// A folder into a store, from plain async code: ingest twice, then parse one file.
import assert from "node:assert/strict"
import * as Async from "docsluice/Async"
import * as LibSql from "docsluice/sinks/LibSql"

const options = { root: "docs", sinks: [LibSql.layer({ file: "store.db" })], state: ".docsluice", embedder: "hash" }

const first = await Async.ingest(options)
assert.deepEqual(first.failures, [])
assert.equal(first.stored, 9)

const again = await Async.ingest(options)
assert.equal(again.stored, 0)
assert.equal(again.unchanged, 9)

const { markdown } = await Async.parse("docs/handbook.pdf")
assert.match(markdown, /Station Handbook/)
console.log("ok")
