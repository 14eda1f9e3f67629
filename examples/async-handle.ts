// One handle without Effect: ingest a folder, ask it, add an upload, remove it, close.
import * as Async from "docsluice/Async"

const docs = await Async.open({ to: "libsql:handle.db", state: "handle-state" })

const { failures, stored, unchanged } = await docs.ingest("examples/documents")
console.log(`${stored} stored, ${unchanged} unchanged, ${failures.length} failed`)

for (const { chunk, citation } of await docs.search("How often is the gauge cleaned?", { limit: 3 })) {
  console.log(`${citation.label}: ${chunk.text.slice(0, 60).replaceAll("\n", " ")}`)
}

const page = "<h1>Spare parts</h1><p>Zinc anodes are kept in the boathouse.</p>"
const added = await docs.add({ path: "parts.html", content: new TextEncoder().encode(page) })
const [hit] = await docs.search("zinc anodes", { limit: 1 })
console.log(`${added._tag}: ${hit?.citation.label}`)

await docs.remove("parts.html")
await docs.close()
