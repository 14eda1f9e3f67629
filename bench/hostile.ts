import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Worker } from "node:worker_threads"
import { strToU8, zipSync } from "fflate"
/**
 * A dozen documents at the size limit that crash, fill or block a parser, together with ordinary ones: through `ingest`, twice, and
 * through `serve`, all at once, while `/health` is polled. The processes must survive all of them and store or answer everything else.
 *
 *     npm run bench -- hostile [--node PATH] [--megabytes 48] [--timeout 60000] [--only serve|ingest] [--names attributes.html,…]
 */

const { values } = parseArgs({
  options: {
    node: { type: "string", default: process.execPath },
    megabytes: { type: "string", default: "48" },
    timeout: { type: "string", default: "60000" },
    only: { type: "string" },
    names: { type: "string" }
  }
})

const limit = Number(values.megabytes) * 1_048_576
const timeout = Number(values.timeout)
const cli = fileURLToPath(new URL("../dist/src/cli/main.js", import.meta.url))
const ordinary = fileURLToPath(new URL("../examples/documents/", import.meta.url))

const filled = (before: string, piece: string, after = ""): string =>
  before + piece.repeat(Math.floor((limit - before.length - after.length) / piece.length)) + after

const numbered = (before: string, piece: (index: number) => string, after: string, most = Infinity): string => {
  const parts = [before]
  for (let index = 0, length = before.length; length < limit - 64 && index < most; index++) {
    const part = piece(index)
    parts.push(part)
    length += part.length
  }
  return `${parts.join("")}${after}`
}

/** A PDF whose page resources name a million objects. */
const pdf = (): string => {
  const header =
    "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
  const page = "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font 4 0 R>>>>endobj\n"
  return numbered(
    header + page,
    (index) => `${index + 4} 0 obj<</A ${index + 5} 0 R>>endobj\n`,
    "trailer<</Root 1 0 R>>",
    1e6
  )
}

const sheet = (rows: string): Uint8Array =>
  zipSync({
    "[Content_Types].xml": strToU8(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
    ),
    "xl/workbook.xml": strToU8(
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
    ),
    "xl/worksheets/sheet1.xml": strToU8(
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
    )
  })

const hostile: Readonly<Record<string, () => string | Uint8Array>> = {
  "attributes.html": () => numbered("<p ", (index) => `a${index}=1 `, ">text"),
  "cells.html": () => filled("<table><tr>", "<td>x"),
  "rows.html": () => filled("<table>", "<tr><td>x<td>y"),
  "nested.html": () => filled("", "<div>", "deep"),
  "formatting.html": () => filled("<p>", "<b><i>x"),
  "entities.html": () => filled("<p>", "&amp;"),
  "links.html": () => numbered("<p>", (index) => `<a href=x${index}>y</a>`, ""),
  "line.csv": () => filled("", "a,"),
  "quote.csv": () => filled('"', "a\n"),
  "objects.pdf": pdf,
  "groups.rtf": () => filled("{\\rtf1 ", "{\\b "),
  "apart.xlsx": () =>
    sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>')
}

const folder = mkdtempSync(join(tmpdir(), "docsluice-hostile-"))
const documents = join(folder, "documents")
mkdirSync(documents)
cpSync(ordinary, documents, { recursive: true })
const chosen = values.names?.split(",")
for (const [name, make] of Object.entries(hostile)) {
  if (chosen?.includes(name) !== false) writeFileSync(join(documents, name), make())
}
const names = readdirSync(documents)
const ordinaryNames = names.filter((name) => !Object.hasOwn(hostile, name))

const start = (args: ReadonlyArray<string>) => {
  const child = spawn(values.node, [cli, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()))
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()))
  const ended = new Promise<{ status: number | null; signal: string | null; stdout: string; stderr: string }>(
    (resolve) => {
      child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }))
    }
  )
  return { child, ended, stdout: () => stdout }
}

interface Summary {
  readonly stored: number
  readonly unchanged: number
  readonly failed: number
  readonly requests: number
  readonly failures: ReadonlyArray<{ readonly source: string; readonly message: string; readonly retryable: boolean }>
}

const ingest = async () => {
  const begun = performance.now()
  const options = JSON.stringify({ timeout })
  const { signal, status, stderr, stdout } = await start(["ingest", "documents", "--json", "--parse-options", options])
    .ended
  if (signal !== null || (status !== 0 && status !== 1))
    throw new Error(`ingest ended with ${signal ?? status}: ${stderr}`)
  const summary: Summary = JSON.parse(stdout)
  return {
    seconds: Math.round((performance.now() - begun) / 1000),
    stored: summary.stored,
    unchanged: summary.unchanged,
    requests: summary.requests,
    failures: Object.fromEntries(
      summary.failures.map(({ message, retryable, source }) => [
        source,
        `${retryable ? "" : "final: "}${message.slice(0, 90)}`
      ])
    )
  }
}

const listening = async (server: { readonly child: ChildProcess; readonly stdout: () => string }): Promise<string> => {
  while (!server.stdout().includes("\n")) {
    if (server.child.exitCode !== null) throw new Error("the server did not start")
    // oxlint-disable-next-line eslint/no-await-in-loop -- waits
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return JSON.parse(server.stdout()).base
}

const post = async (base: string, name: string): Promise<string> => {
  const form = new FormData()
  form.append("options", JSON.stringify({ timeout }))
  form.append("file", new Blob([readFileSync(join(documents, name))]), name)
  const answer = await fetch(`${base}/parse`, { method: "POST", body: form })
  const body: { readonly code?: string; readonly error?: string } = JSON.parse(await answer.text())
  return answer.status === 200 ? "200" : `${answer.status} ${body.code ?? ""} ${(body.error ?? "").slice(0, 70)}`
}

/** Polls an address and reports the time of each answer. */
const ask = `
const { parentPort, workerData } = require("node:worker_threads")
const waits = []
let enough = false
parentPort.once("message", () => { enough = true })
const next = async () => {
  const begun = performance.now()
  await (await fetch(workerData)).text()
  waits.push(performance.now() - begun)
  if (enough) parentPort.postMessage(waits)
  else setTimeout(next, 50)
}
next()
`

const serve = async () => {
  const server = start(["serve", "--port", "0", "--json", "--grace", "1s"])
  const base = await listening(server)
  const health = base.replace(/\/v2$/, "/health")
  // In a separate thread: this one is busy with the uploads.
  const asking = new Worker(ask, { eval: true, workerData: health })
  const answers = await Promise.all(names.map(async (name) => [name, await post(base, name)] as const))
  const alone = await Promise.all(ordinaryNames.map(async (name) => [name, await post(base, name)] as const))
  const waits = await new Promise<ReadonlyArray<number>>((resolve) => {
    asking.once("message", resolve)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    asking.postMessage("enough")
  })
  if (server.child.exitCode !== null) throw new Error("the server ended")
  server.child.kill("SIGTERM")
  const { status } = await server.ended
  const sorted = waits.toSorted((left, right) => left - right)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return {
    answers: Object.fromEntries(answers),
    ordinaryAfterwards: alone.filter(([, answer]) => answer === "200").length,
    status,
    healthMs: { asked: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) }
  }
}

try {
  const first = values.only === "serve" ? undefined : await ingest()
  const second = values.only === "serve" ? undefined : await ingest()
  const served = values.only === "ingest" ? undefined : await serve()
  const lost = ordinaryNames.filter((name) => Object.hasOwn(first?.failures ?? {}, `documents/${name}`))
  const ordinary = ordinaryNames.length
  console.log(JSON.stringify({ node: values.node, ordinary, lost, first, second, served }, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
