// Parsers that misbehave.
import { writeFileSync } from "node:fs"
import { handler } from "../node_modules/docsluice/dist/src/engine/lanes/serve.js"
import { serveThread } from "../node_modules/docsluice/dist/src/engine/lanes/serveThread.js"

const kinds = {
  length: (bytes) => bytes.length,
  fillHeap: () => {
    const kept = []
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at, name: `x${at}` })))
  },
  fillBuffers: () => {
    const kept = []
    for (;;) kept.push(new Uint8Array(8_388_608).fill(1))
  },
  throwOutside: () => {
    setTimeout(() => {
      throw new Error("outside")
    })
    return new Promise(() => undefined)
  },
  loop: () => {
    writeFileSync("lane.pid", String(process.pid))
    for (;;);
  }
}
serveThread(
  Object.fromEntries(
    Object.entries(kinds).map(([kind, run]) => [kind, async () => handler(kind, async ({ bytes }) => run(bytes))])
  )
)
