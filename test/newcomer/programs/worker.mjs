// The library in a worker thread.
import assert from "node:assert/strict"
import { once } from "node:events"
import { isMainThread, Worker } from "node:worker_threads"

if (isMainThread) {
  const [status] = await once(new Worker(new URL(import.meta.url)), "exit")
  assert.equal(status, 0)
} else {
  const Async = await import("docsluice/Async")
  const { markdown } = await Async.parse("docs/handbook.pdf")
  assert.match(markdown, /Station Handbook/)
  console.log("ok")
}
