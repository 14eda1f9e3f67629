/**
 * A re-run over many files of which none has changed, beside a bare walk of the same tree: in processes of their own, in turns, their
 * start taken off.
 *
 *     npm run bench -- noop [--files 100000] [--rounds 5]
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

/** `jsonl` opens a JSONL file, which reads it whole; `store` a sink that opens at once, as a database does. */
type Role = "plant" | "walk" | "jsonl" | "store" | "memory"

interface Measured {
  readonly files: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakRssMb: number
  /** Bytes in use at the end of the discovery, above those before the run, a path; only of `memory`. */
  readonly bytesPerPath: number
}

const plantTree = (root: string, files: number): void => {
  for (let at = 0; at < files; at++) {
    const folder = join(root, "docs", `folder-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `document-${at}.txt`), `document ${at}`)
  }
}

const walk = (root: string): number => {
  const tree = join(root, "docs")
  let files = 0
  for (const path of readdirSync(tree, { recursive: true, encoding: "utf8" })) {
    if (statSync(join(tree, path), { bigint: true }).isFile()) files += 1
  }
  return files
}

const isMeasured = (message: unknown): message is Measured =>
  typeof message === "object" && message !== null && "peakRssMb" in message

const timed = async (work: () => Promise<number> | number): Promise<Omit<Measured, "bytesPerPath">> => {
  const started = performance.now()
  const before = process.cpuUsage()
  const files = await work()
  const cpu = process.cpuUsage(before)
  return {
    files,
    wallMs: performance.now() - started,
    cpuMs: (cpu.user + cpu.system) / 1000,
    peakRssMb: process.resourceUsage().maxRSS / 1024
  }
}

const perform = async (role: Role, root: string): Promise<void> => {
  if (role === "walk") {
    process.send?.({ ...(await timed(() => walk(root))), bytesPerPath: 0 })
    return
  }
  const { ingest } = await import("./noopRun.ts")
  let bytesPerPath = 0
  const measured = await timed(() => ingest(root, role, (bytes) => (bytesPerPath = bytes)))
  process.send?.({ ...measured, bytesPerPath })
}

const run = (role: Role, root: string): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = fork(new URL(import.meta.url), [], {
      execArgv: ["--expose-gc", "--import=tsx", "--conditions=docsluice:source"],
      env: { ...process.env, BENCH_ROLE: role, BENCH_ROOT: root }
    })
    child.on("message", (message) => {
      if (isMeasured(message)) resolve(message)
    })
    child.on("exit", (code) => reject(new Error(`${role} ended with ${code}`)))
  })

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const round = (value: number): number => Math.round(value * 100) / 100

const summary = (runs: ReadonlyArray<Measured>) => ({
  wallMs: Math.round(median(runs.map(({ wallMs }) => wallMs))),
  cpuMs: Math.round(median(runs.map(({ cpuMs }) => cpuMs))),
  peakRssMb: Math.round(median(runs.map(({ peakRssMb }) => peakRssMb)))
})

const compare = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { files: { type: "string", default: "100000" }, rounds: { type: "string", default: "5" } }
  })
  const root = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
  try {
    const files = Number(values.files)
    plantTree(root, files)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const planted = await run("plant", root)
    const runs: Record<"walk" | "jsonl" | "store", Array<Measured>> = { walk: [], jsonl: [], store: [] }
    for (let at = 0; at < Number(values.rounds); at++) {
      for (const role of ["walk", "store", "jsonl"] as const) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- one at a time, or they would measure each other
        runs[role].push(await run(role, root))
      }
    }
    const memory = await run("memory", root)
    const [bare, store, jsonl] = [summary(runs.walk), summary(runs.store), summary(runs.jsonl)]
    const unchanged = [...runs.jsonl, ...runs.store, memory].every((measured) => measured.files === files)
    const ratio = round(store.wallMs / bare.wallMs)
    const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
    const report = {
      bench: "noop",
      files,
      ours: store,
      /** With a JSONL file as its sink, of which every line is read and checked when it is opened. */
      withJsonl: jsonl,
      peers: { "readdirSync and statSync": bare },
      ratio,
      cpuRatio: round(store.cpuMs / bare.cpuMs),
      ratioWithJsonl: round(jsonl.wallMs / bare.wallMs),
      bytesPerPath: Math.round(memory.bytesPerPath),
      firstRunMs: Math.round(planted.wallMs),
      unchanged,
      ok: unchanged && ratio <= 2 && memory.bytesPerPath <= 300,
      machine
    }
    console.log(JSON.stringify(report, null, 2))
    process.exitCode = report.ok ? 0 : 1
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const roles: ReadonlyArray<Role> = ["plant", "walk", "jsonl", "store", "memory"]
const asked = roles.find((role) => role === process.env["BENCH_ROLE"])
await (asked === undefined ? compare() : perform(asked, process.env["BENCH_ROOT"] ?? ""))
