/**
 * The tools of `docsluice mcp` over 10,000 chunks in libSQL, called by the official client on stdio, each with documents and questions that the
 * server has not read before. Prints one JSON object: milliseconds of each tool in the middle, at 95 of 100 calls, and at most, and the CPU time
 * of a call in the server and what it starts; Linux.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as Async from "docsluice/Async"

const documents = 100
const sections = 50
const pictures = 40

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "docsluice-bench-mcp-"))

const vocabulary = 4000

/** A word for a number from 0 to 1; few words are frequent, as in any language. */
const word = (seed: number): string => {
  const drawn = (Math.abs(Math.sin(seed * 12.9898)) * 43758.5453) % 1
  const rank = Math.floor(vocabulary ** drawn)
  return `${"bcdfghklmnprst".charAt(rank % 14)}a${"bdfglmnprstv".charAt(Math.floor(rank / 14) % 12)}e${rank.toString(36)}`
}

/** A sentence that no other has. */
const sentence = (document: number, section: number, at: number): string => {
  const seed = document * 10_007 + section * 101 + at
  return `${Array.from({ length: 14 }, (_, place) => word(seed * 17 + place)).join(" ")} ${document}-${section}-${at}.`
}

const text = (document: number): string =>
  Array.from({ length: sections }, (_, section) => {
    const sentences = Array.from({ length: 12 }, (_each, at) => sentence(document, section, at))
    return `## Section ${section} of ${word(document)}\n\n${sentences.join(" ")}\n`
  }).join("\n")

const filled = async (): Promise<number> => {
  const docs = join(folder, "docs")
  mkdirSync(docs)
  for (let at = 0; at < documents; at++) writeFileSync(join(docs, `report-${at}.md`), `# Report ${at}\n\n${text(at)}`)
  copyFileSync(join(root, "examples/documents/handbook.pdf"), join(docs, "handbook.pdf"))
  const corpus = await Async.open({
    to: `libsql:${join(folder, "store.db")}`,
    embedder: "hash",
    state: join(folder, "state"),
    chunker: { kind: "auto", maxTokens: 320 }
  })
  await corpus.ingest({ root: docs, name: "docs" })
  const { stores } = await corpus.status()
  await corpus.close()
  return stores[0]?.chunks ?? 0
}

const figures = (times: ReadonlyArray<number>) => {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
  return { calls: sorted.length, median: at(0.5), p95: at(0.95), most: at(1) }
}

/** Milliseconds of CPU that a process and its children have used. */
const cpuOf = (pid: number): number => {
  const own = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean)
  const ticks = Number(own[11]) + Number(own[12])
  return children.reduce((sum, child) => sum + cpuOf(Number(child)), ticks * 10)
}

const measured = async (
  { client, pid }: { readonly client: Client; readonly pid: number },
  name: string,
  count: number,
  argumentsOf: (at: number) => Record<string, unknown>
) => {
  const times: Array<number> = []
  const before = cpuOf(pid)
  for (let at = 0; at < count; at++) {
    const begun = performance.now()
    const { content, isError } = await client.callTool({ name, arguments: argumentsOf(at) })
    times.push(performance.now() - begun)
    if (isError === true) throw new Error(`${name} failed: ${JSON.stringify(content)}`)
  }
  return { ...figures(times), cpu: Math.round((cpuOf(pid) - before) / count) }
}

try {
  const chunks = await filled()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(root, "dist/src/cli/main.js"),
      "mcp",
      "--to",
      `libsql:${join(folder, "store.db")}`,
      "--state",
      join(folder, "state")
    ]
  })
  const client = new Client({ name: "bench", version: "1" })
  await client.connect(transport)
  const server = { client, pid: transport.pid ?? 0 }
  await client.callTool({ name: "search", arguments: { query: "gauge" } })
  const source = (at: number) => `report-${at}.md`
  const tools = {
    search: await measured(server, "search", documents, (at) => ({
      query: sentence(at, at % sections, 3)
        .split(" ")
        .slice(0, 5)
        .join(" ")
    })),
    outline: await measured(server, "outline", documents, (at) => ({ source: source(at) })),
    list: await measured(server, "list", documents, (at) => ({ pattern: `*${at % 10}.md` })),
    read: await measured(server, "read", documents, (at) => ({
      source: source(documents - 1 - at),
      heading: `Section ${at % sections} of ${word(documents - 1 - at)}`
    })),
    verify: await measured(server, "verify", documents, (at) => ({ quote: sentence(at, at % 7, 5) })),
    look: await measured(server, "look", pictures, (at) => ({
      source: "handbook.pdf",
      page: 1 + (at % 4),
      boxes: [[0.1, 0.1, 0.5, 0.2]]
    }))
  }
  await client.close()
  console.log(JSON.stringify({ chunks, documents, load: loadavg()[0], unit: "ms", ...tools }, undefined, 2))
} finally {
  rmSync(folder, { recursive: true })
}
