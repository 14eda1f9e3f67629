// A web server over one handle: uploads and questions at the same time, each answered as soon as it is done.
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import * as Async from "docsluice/Async"

const docs = await Async.open({ to: "libsql:uploads.db", state: "uploads-state" })

const server = createServer(async (request, response) => {
  try {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    if (request.method === "PUT") {
      const content = new TextEncoder().encode(await text(request))
      response.end(`${(await docs.add({ path: pathname.slice(1), content }))._tag}\n`)
    } else {
      const hits = await docs.search(searchParams.get("q") ?? "", { limit: 3 })
      response.end(hits.map(({ citation }) => `${citation.label}\n`).join(""))
    }
  } catch (error) {
    response.writeHead(400).end(`${String(error)}\n`)
  }
})

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address = server.address()
const base = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""

const put = async (path: string, body: string) => (await fetch(base + path, { method: "PUT", body })).text()
const notes = await Promise.all([
  put("/quay.html", "<h1>North Quay</h1><p>The gauge was replaced in May.</p>"),
  put("/point.html", "<h1>Saddle Point</h1><p>The mast leans to the north.</p>"),
  put("/quay.html", "<h1>North Quay</h1><p>The gauge was replaced in June.</p>")
])
const found = await (await fetch(`${base}/?q=leaning+mast`)).text()
console.log(`${notes.map((note) => note.trim()).join(", ")}; best: ${found.split("\n")[0]}`)

server.close()
await docs.close()
