import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { strToU8, zipSync } from "fflate"
import { write, text } from "../test/engine/pdf/writePdf.ts"

/**
 * Twenty uploads of 50 MB at once (12 PDFs, 4 Word documents, 4 web pages) into `docsluice serve`: peak memory of the server and of its
 * child processes, the statuses of the answers, and the time that `/health` takes meanwhile. Linux.
 *
 *     npm run bench -- largeUploads [--megabytes 50] [--timeout 120000]
 */

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "50" }, timeout: { type: "string", default: "120000" } }
})

const size = Number(values.megabytes) * 1_000_000
const cli = fileURLToPath(new URL("../dist/src/cli/main.js", import.meta.url))

/** A PDF of some pages; the rest of its bytes is one stream that no page shows. */
const pdf = (): Uint8Array => {
  const pages = Array.from({ length: 20 }, (_, page) => ({
    marks: Array.from({ length: 30 }, (_line, line) =>
      text(72, 700 - 20 * line, `Page ${page}, line ${line} of a text.`)
    )
  }))
  const written = Buffer.from(write({ pages }))
  const end = written.lastIndexOf("xref")
  const filling = Buffer.concat([
    Buffer.from(`9999 0 obj<</Length ${size}>>stream\n`),
    randomBytes(size - written.length - 64),
    Buffer.from("\nendstream endobj\n")
  ])
  return Buffer.concat([written.subarray(0, end), filling, written.subarray(end)])
}

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

/** A Word document; the rest of its bytes is a picture that cannot be compressed. */
const docx = (): Uint8Array =>
  zipSync(
    {
      "[Content_Types].xml": strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
      ),
      "_rels/.rels": strToU8(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
      ),
      "word/document.xml": strToU8(
        `<w:document xmlns:w="${word}"><w:body>${"<w:p><w:r><w:t>A paragraph of a long document.</w:t></w:r></w:p>".repeat(2000)}</w:body></w:document>`
      ),
      "word/media/picture.png": new Uint8Array(randomBytes(size - 20_000))
    },
    { level: 0 }
  )

const html = (): Uint8Array => {
  const paragraph = "<p>A paragraph of a <b>long</b> page with a <a href='https://example.com/a'>link</a>.</p>\n"
  return Buffer.from(`<title>Long</title>${paragraph.repeat(Math.floor(size / paragraph.length))}`)
}

const started = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ""
    child.stdout?.on("data", (part: Buffer) => {
      output += part.toString()
      const base = /"base":\s*"([^"]+)"/.exec(output)?.[1]
      if (base !== undefined) resolve(base)
    })
    child.on("exit", () => reject(new Error(output)))
  })

const memoryOf = (pid: string): number => {
  try {
    const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
    return Number(line?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

const childrenOf = (pid: number): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && new RegExp(`^PPid:\\s+${pid}$`, "m").test(readFileSync(`/proc/${name}/status`, "utf8"))
      )
    } catch {
      return false
    }
  })

const upload = async (base: string, name: string, bytes: Uint8Array): Promise<string> => {
  const form = new FormData()
  form.append("options", new Blob([JSON.stringify({ timeout: Number(values.timeout) })], { type: "application/json" }))
  form.append("file", new Blob([new Uint8Array(bytes)]), name)
  try {
    const response = await fetch(`${base}/parse`, { method: "POST", body: form })
    const answer: unknown = await response.json()
    const code = typeof answer === "object" && answer !== null && "code" in answer ? ` ${String(answer.code)}` : ""
    return `${response.status}${code}`
  } catch (error) {
    return String(error)
  }
}

const percentile = (samples: ReadonlyArray<number>, share: number): number =>
  samples.toSorted((left, right) => left - right)[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? 0

const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--json"], { stdio: ["ignore", "pipe", "inherit"] })
const base = await started(child)
const documents = [
  ...Array.from({ length: 12 }, (_, at) => [`${at}.pdf`, pdf()] as const),
  ...Array.from({ length: 4 }, (_, at) => [`${at}.docx`, docx()] as const),
  ...Array.from({ length: 4 }, (_, at) => [`${at}.html`, html()] as const)
]
let server = 0
let largest = 0
const health: Array<number> = []
const state = { done: false }
const sampling = (async () => {
  while (!state.done) {
    server = Math.max(server, memoryOf(String(child.pid)))
    for (const lane of childrenOf(child.pid ?? 0)) largest = Math.max(largest, memoryOf(lane))
    const from = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one request after the other is the measure
    await fetch(base.replace("/v2", "/health")).then(
      (answer) => answer.text(),
      () => ""
    )
    health.push(performance.now() - from)
    // oxlint-disable-next-line no-await-in-loop -- a pause between two requests
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})()
const from = performance.now()
const statuses = await Promise.all(documents.map(async ([name, bytes]) => `${name} ${await upload(base, name, bytes)}`))
const seconds = (performance.now() - from) / 1000
state.done = true
await sampling
const alive = child.exitCode === null
child.kill("SIGTERM")
const counts: Record<string, number> = {}
for (const status of statuses) {
  const key = status.replace(/^\d+\./, "")
  counts[key] = (counts[key] ?? 0) + 1
}
const rounded = (value: number): number => Math.round(value)
console.log(
  JSON.stringify({
    bench: "largeUploads",
    ours: {
      serverPeakMb: rounded(server),
      largestChildMb: rounded(largest),
      healthP50Ms: rounded(percentile(health, 0.5)),
      healthP99Ms: rounded(percentile(health, 0.99)),
      seconds: rounded(seconds),
      alive,
      statuses: counts
    },
    limits: { serverPeakMb: 300, healthP99Ms: 250 },
    machine: { node: process.version, load: loadavg()[0] }
  })
)
