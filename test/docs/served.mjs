/**
 * Stands in for a `docsluice` that serves a page: the page is visited at the address that the command prints, then `look` is
 * interrupted as its reader does it, while a server runs on until its process group ends.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"

const [main, visits, port, ...words] = process.argv.slice(2)
const server = words[0] === "serve"

const child = spawn(process.execPath, [main, ...words, "--port", server ? port : "0"], {
  stdio: ["ignore", "pipe", "inherit"]
})
const ended = once(child, "exit")

const address = await new Promise((resolve) => {
  let printed = ""
  child.stdout.on("data", (part) => {
    process.stdout.write(part)
    printed += part
    const origin = /http:\/\/127\.0\.0\.1:\d+(?=\/)/u.exec(printed)?.[0]
    if (origin !== undefined) resolve(`${origin}/`)
  })
  void ended.then(() => resolve(undefined))
})
if (address === undefined) process.exit(1)

const answer = await fetch(visits, { method: "POST", body: JSON.stringify([address, ...words]) })
if (!answer.ok) {
  console.error(`${words.join(" ")}: ${await answer.text()}`)
  process.exit(1)
}
if (server) process.exit(0)
child.kill("SIGINT")
const [status] = await ended
process.exit(status === 130 ? 0 : 1)
