import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { start } from "../cli/run.ts"

/** `docsluice serve` in a process of its own. */
export const served = (cwd: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = start(cwd, ["serve", "--port", "0", "--json", "--grace", "1s", ...args])
      while (!server.stdout().includes("\n") && server.child.exitCode === null) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const { base } = Schema.decodeSync(Schema.parseJson(Schema.Struct({ base: Schema.String })))(server.stdout())
      return { url: new URL("/mcp", base), pid: server.child.pid ?? 0, child: server.child }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Kilobytes of memory that a process holds. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)

/** Files that take a while. */
export const manyFiles = (cwd: string): string => {
  const root = join(cwd, "many")
  mkdirSync(root)
  for (let at = 0; at < 400; at++) {
    writeFileSync(
      join(root, `${at}.html`),
      `<h1>Report ${at}</h1><p>${`Value ${at} was measured again. `.repeat(60)}</p>`
    )
  }
  return root
}

/** Messages that break a rule of the protocol. */
export const garbage = (at: number): string =>
  [
    "not json",
    "{",
    "[]",
    "null",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    `{"jsonrpc":"2.0","id":${at},"method":"nothing/at/all"}`,
    `{"jsonrpc":"2.0","id":${at},"method":"tools/call","params":{"name":7}}`,
    `{"jsonrpc":"2.0","id":"${at}","method":"tools/call","params":{"name":"read","arguments":[]}}`,
    `{"jsonrpc":"2.0","id":${at},"method":7}`,
    `{"jsonrpc":"2.0","id":${at},"method":"tools/call","params":{"name":${"[".repeat(9000)}${"]".repeat(9000)}}}`
  ][at % 11] ?? ""

/** The first message of a client. */
export const hello = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}
