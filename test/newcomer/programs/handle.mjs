// One handle: a folder into a store, a question with its citation, an upload, its removal, the end.
import assert from "node:assert/strict"
import { open } from "docsluice/Async"

const docs = await open({ to: "libsql:store.db", embedder: "hash", state: ".docsluice" })

const { failures, stored } = await docs.ingest("docs")
assert.deepEqual(failures, [])
assert.equal(stored, 9)
const [hit] = await docs.search("how often is the gauge cleaned", { limit: 3 })
assert.match(hit.citation.label, /\w+\.\w+, /)

const page = "<h1>Spare parts</h1><p>Zinc anodes are kept in the boathouse.</p>"
await docs.add({ path: "parts.html", content: new TextEncoder().encode(page) })
const [added] = await docs.search("zinc anodes", { limit: 1 })
assert.match(added.citation.label, /parts\.html/)
await docs.remove("parts.html")
const left = await docs.search("zinc anodes")
assert.ok(left.every(({ citation }) => citation.source !== "parts.html"))
await docs.close()
console.log("ok")
