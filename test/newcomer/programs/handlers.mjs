// Two requests to one server at the same time, each of which parses a document.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import * as Async from "docsluice/Async"

const server = createServer(async (request, response) => {
  const { markdown } = await Async.parse(`docs${request.url}`)
  response.end(markdown)
}).listen(0, "127.0.0.1")
await once(server, "listening")

const get = async (path) => (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).text()
const [pdf, page] = await Promise.all([get("/handbook.pdf"), get("/network.html")])
assert.match(pdf, /Station Handbook/)
assert.ok(page.length > 100)
server.close()
console.log("ok")
