// Two handlers of one server over one handle, at the same time: uploads and a question.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { open } from "docsluice/Async"

const docs = await open({ to: "libsql:store.db", embedder: "hash", state: ".docsluice" })
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost")
  if (request.method === "PUT") {
    const { _tag } = await docs.add({ path: pathname.slice(1), content: await buffer(request) })
    response.end(_tag)
  } else {
    const [hit] = await docs.search(searchParams.get("q"))
    response.end(hit.citation.source)
  }
}).listen(0, "127.0.0.1")
await once(server, "listening")

const send = async (path, options) => (await fetch(`http://127.0.0.1:${server.address().port}${path}`, options)).text()
const put = (path, body) => send(path, { method: "PUT", body })
assert.deepEqual(
  await Promise.all([put("/quay.html", "<p>The gauge was replaced.</p>"), put("/mast.html", "<p>The mast leans.</p>")]),
  ["Stored", "Stored"]
)
const [first, second] = await Promise.all([send("/?q=leaning+mast"), put("/quay.html", "<p>The gauge is new.</p>")])
assert.equal(first, "mast.html")
assert.equal(second, "Stored")
server.close()
await docs.close()
console.log("ok")
