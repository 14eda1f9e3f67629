import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { uniform } from "./random.ts"
/**
 * Small web pages through the embedded service into JSONL, by the command line: documents a second, CPU time of the host and of its
 * child processes, and their memory together at the worst moment.
 *
 *     npm run bench -- pages [--files 2000,5000,20000] [--rounds 1] [--against DIST]
 *
 * `--against`: a second build of the package (its `dist`), run in turns with this one. Memory and CPU time come from `/proc`: Linux only.
 */

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "2000,20000" },
    rounds: { type: "string", default: "1" },
    against: { type: "string" }
  }
})
const counts = values.files.split(",").map(Number)
const rounds = Number(values.rounds)

const words =
  `harbour ledger signal meadow orbit quarry lantern copper valley archive thread barrel window engine glacier market
   summit pigment current anchor canyon fabric garden hollow island jasmine kernel lumber mirror needle oyster parcel`.split(
    /\s+/
  )

/** A page of 2 to 5 KB: navigation, scripts and a footer around headings, paragraphs, lists, tables and code. */
const pageOf = (number: number): string => {
  const random = uniform(number)
  const upTo = (most: number): number => Math.floor(random() * most)
  const some = (least: number, most: number): string =>
    Array.from({ length: least + upTo(most - least + 1) }, () => words[upTo(words.length)]).join(" ")
  const link = (): string => `<a href="/${some(1, 2).replaceAll(" ", "-")}.html?id=${upTo(1e6)}">${some(1, 3)}</a>`
  const paragraph = (): string =>
    `<p class="text">${some(8, 24)} <em>${some(1, 3)}</em> ${some(4, 12)}, ${link()} &amp; ${some(3, 9)}.</p>`
  const list = (): string =>
    `<ul>${Array.from({ length: 2 + upTo(4) }, () => `<li>${some(3, 9)} <b>${some(1, 2)}</b></li>`).join("\n")}</ul>`
  const cells = (cell: "td" | "th"): string =>
    Array.from({ length: 3 }, () => `<${cell}>${some(1, 3)} ${upTo(1000)}</${cell}>`).join("")
  const row = (cell: "td" | "th"): string => `<tr>${cells(cell)}</tr>`
  const table = (): string =>
    `<table><thead>${row("th")}</thead><tbody>${Array.from({ length: 2 + upTo(4) }, () => row("td")).join("\n")}</tbody></table>`
  const code = (): string => `<pre><code class="language-sh">${some(2, 6)}\n  --${some(1, 1)} ${upTo(99)}</code></pre>`
  const blocks = [paragraph, paragraph, list, table, code]
  const wanted = 2000 + upTo(2600)
  const parts = [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${some(2, 5)} ${number}</title>`,
    `<meta name="description" content="${some(5, 12)}"><link rel="stylesheet" href="/style.css">`,
    `<script>window.page = { id: ${number}, tags: ["${some(1, 1)}"] }; (function () { console.log(window.page.id) })()</script></head>`,
    `<body><nav class="menu"><ul>${Array.from({ length: 4 }, () => `<li>${link()}</li>`).join("")}</ul></nav>`,
    `<main><h1>${some(2, 5)} ${number}</h1>`
  ]
  for (let length = parts.join("").length + 200; length < wanted;) {
    const block = blocks[upTo(blocks.length)] ?? paragraph
    const part = `${random() < 0.3 ? `<h2 id="s${length}">${some(2, 5)}</h2>\n` : ""}${block()}\n`
    parts.push(part)
    length += part.length
  }
  parts.push(
    `</main><footer>${link()} ${link()} &copy; ${some(2, 3)}</footer><script src="/app.js"></script></body></html>\n`
  )
  return parts.join("")
}

const tickMillis = 10

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The process has ended.
    return ""
  }
}

/** Fields of `/proc/PID/stat` after the name, which may contain spaces. */
const stat = (pid: number | "self"): ReadonlyArray<string> => {
  const text = read(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(")") + 2).split(" ")
}

const cpuMillis = (fields: ReadonlyArray<string>, first: 11 | 13): number =>
  (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) * tickMillis

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => stat(each)[1] === String(pid))

/** Memory of a process in megabytes; `pss` counts a page that several processes share in parts. */
const memoryOf = (pid: number): { readonly rss: number; readonly pss: number } => {
  const text = read(`/proc/${pid}/smaps_rollup`)
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024
  return { rss: megabytes("Rss"), pss: megabytes("Pss") }
}

interface Measured {
  readonly perSecond: number
  readonly wallMs: number
  readonly hostCpuMs: number
  readonly childrenCpuMs: number
  /** Largest figures of the samples, each by itself. */
  readonly hostRss: number
  readonly pss: number
  readonly rss: number
  readonly children: number
  readonly stored: number
  readonly bytesOut: number
}

const sampleEvery = 100

const ingest = async (dist: string, pages: string, files: number): Promise<Measured> => {
  const work = mkdtempSync(join(tmpdir(), "docsluice-pages-run-"))
  const output = join(work, "chunks.jsonl")
  const most = { hostRss: 0, pss: 0, rss: 0, children: 0 }
  const reaped = cpuMillis(stat("self"), 13)
  const begun = performance.now()
  const host = spawn(
    process.execPath,
    // No cache and no ledger of other runs: everything is below this run's folder.
    [
      join(dist, "src/cli/main.js"),
      "ingest",
      ".",
      "--to",
      `jsonl:${output}`,
      "--service",
      "embedded",
      "--state",
      join(work, "state"),
      "--progress",
      "none",
      "--json"
    ],
    { cwd: pages, stdio: ["ignore", "pipe", "inherit"] }
  )
  let stdout = ""
  host.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()))
  let hostCpu = 0
  const sample = (): void => {
    if (host.pid === undefined) return
    const own = memoryOf(host.pid)
    const lanes = childrenOf(host.pid)
    const all = [own, ...lanes.map(memoryOf)]
    hostCpu = Math.max(hostCpu, cpuMillis(stat(host.pid), 11))
    most.hostRss = Math.max(most.hostRss, own.rss)
    most.pss = Math.max(
      most.pss,
      all.reduce((total, { pss }) => total + pss, 0)
    )
    most.rss = Math.max(
      most.rss,
      all.reduce((total, { rss }) => total + rss, 0)
    )
    most.children = Math.max(most.children, lanes.length)
  }
  const timer = setInterval(sample, sampleEvery)
  await new Promise((resolve) => host.on("close", resolve))
  clearInterval(timer)
  const wallMs = performance.now() - begun
  const cpu = cpuMillis(stat("self"), 13) - reaped
  const bytesOut = readFileSync(output).length
  rmSync(work, { recursive: true, force: true })
  const stored = Number(/"stored":\s*(\d+)/.exec(stdout)?.[1] ?? 0)
  if (stored !== files) throw new Error(`${stored} of ${files} documents stored: ${stdout.slice(-2000)}`)
  return {
    perSecond: files / (wallMs / 1000),
    wallMs,
    hostCpuMs: hostCpu / files,
    childrenCpuMs: (cpu - hostCpu) / files,
    ...most,
    stored,
    bytesOut
  }
}

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

const summary = (runs: ReadonlyArray<Measured>) => {
  const of = (member: keyof Measured, digits = 0): number =>
    Number(median(runs.map((run) => run[member])).toFixed(digits))
  return {
    perSecond: of("perSecond"),
    wallMs: of("wallMs"),
    hostCpuMs: of("hostCpuMs", 2),
    childrenCpuMs: of("childrenCpuMs", 2),
    hostRssMb: of("hostRss"),
    pssMb: of("pss"),
    rssMb: of("rss"),
    children: of("children"),
    bytesOut: of("bytesOut")
  }
}

const ours = fileURLToPath(new URL("../dist/", import.meta.url))
const builds = values.against === undefined ? { ours } : { ours, peer: values.against }
const folder = mkdtempSync(join(tmpdir(), "docsluice-pages-"))
try {
  const sizes = []
  const load = loadavg()[0]
  for (const files of counts) {
    const pages = join(folder, String(files))
    mkdirSync(pages)
    let bytes = 0
    for (let number = 0; number < files; number++) {
      const page = pageOf(number)
      bytes += page.length
      writeFileSync(join(pages, `page-${String(number).padStart(6, "0")}.html`), page)
    }
    const runs = Object.entries(builds).map(([name, dist]) => ({ name, dist, all: new Array<Measured>() }))
    for (let round = 0; round < rounds; round++) {
      for (const { all, dist } of runs) all.push(await ingest(dist, pages, files))
    }
    rmSync(pages, { recursive: true })
    sizes.push({
      files,
      bytesPerPage: Math.round(bytes / files),
      ...Object.fromEntries(runs.map(({ all, name }) => [name, summary(all)]))
    })
  }
  const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}, load ${load?.toFixed(1)}`
  console.log(JSON.stringify({ bench: "pages", rounds, sizes, machine }, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
