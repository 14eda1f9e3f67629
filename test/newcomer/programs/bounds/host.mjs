// Each parser's end is reported, whatever it does; with an argument, this process ends while a parser is busy.
import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { child } from "../node_modules/docsluice/dist/src/engine/lanes/Transport.js"

const entry = new URL("lane.mjs", import.meta.url)

const first = (kind) =>
  new Promise((resolve) => {
    const lane = child(entry, { heap: 128, resident: 600 })((event) => {
      if (event.message === "ready") lane.post({ kind, bytes: new Uint8Array(3_000_000) })
      else resolve(lane.kill().then(() => event))
    })
  })

if (process.argv[2] === "orphan") {
  void first("loop")
  setInterval(() => {
    if (existsSync("lane.pid")) process.kill(process.pid, "SIGKILL")
  }, 50)
} else {
  assert.equal((await first("length")).message.value, 3_000_000)
  // Bun bounds no heap, so that its process reaches the other bound; Deno ends the process at the heap's.
  assert.match((await first("fillHeap")).reason, /^(?:OutOfMemory|Crashed)$/)
  assert.equal((await first("fillBuffers")).reason, "OutOfMemory")
  assert.equal((await first("throwOutside")).reason, "Crashed")
  console.log("ok")
}
