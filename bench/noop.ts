/**
 * A re-run over many unchanged files, compared with a bare walk of the same tree: in separate processes, in turns, without their start-up
 * time.
 *
 *     npm run bench -- noop [--files 100000] [--rounds 5]
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

/** `jsonl` opens a JSONL file; `store` a sink that opens at once, as a database does. */
type Role = "plant" | "walk" | "jsonl" | "store" | "memory"

interface Measured {
  readonly files: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakRssMb: number
  /** Bytes in use when everything was found, minus those before the run; only for `memory`. */
  readonly heldBytes: number
}

const plantTree = (root: string, files: number): void => {
  for (let at = 0; at < files; at++) {
    const folder = join(root, "docs", `folder-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `document-${at}.pdf`), `document ${at}`)
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

const timed = async (work: () => Promise<number> | number): Promise<Omit<Measured, "heldBytes">> => {
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
    process.send?.({ ...(await timed(() => walk(root))), heldBytes: 0 })
    return
  }
  const { ingest } = await import("./noopRun.ts")
  let heldBytes = 0
  const measured = await timed(() => ingest(root, role, (bytes) => (heldBytes = bytes)))
  process.send?.({ ...measured, heldBytes })
}

const run = (role: Role, root: string): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = fork(new URL(import.meta.url), [], {
      execArgv: ["--expose-gc", "--import=tsx"],
      env: { ...process.env, BENCH_ROLE: role, BENCH_ROOT: root }
    })
    child.on("message", (message) => {
      if (isMeasured(message)) resolve(message)
    })
    child.on("exit", (code) => reject(new Error(`${role} ended with ${code}`)))
  })

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const round = (value: number): number => Math.round(value * 100) / 100

/** Median cost of a tree minus that of a run over a few files, which removes the start-up cost. */
const above = (runs: ReadonlyArray<Measured>, starts: ReadonlyArray<Measured>) => {
  const of = (member: "cpuMs" | "peakRssMb" | "wallMs") => ({
    start: median(starts.map((run) => run[member])),
    whole: median(runs.map((run) => run[member]))
  })
  const [cpu, rss, wall] = [of("cpuMs"), of("peakRssMb"), of("wallMs")]
  return {
    wallMs: Math.round(wall.whole - wall.start),
    cpuMs: Math.round(cpu.whole - cpu.start),
    peakRssMb: Math.round(rss.whole - rss.start),
    start: {
      wallMs: Math.round(wall.start),
      cpuMs: Math.round(cpu.start),
      peakRssMb: Math.round(rss.start)
    }
  }
}

const roles = ["walk", "store", "jsonl"] as const

/** Runs every role over the few and over the many files, in turns. */
const interleaved = async (few: string, many: string, rounds: number) => {
  const runs = roles.map((role) => ({ role, starts: new Array<Measured>(), runs: new Array<Measured>() }))
  for (let at = 0; at < rounds; at++) {
    for (const { role, runs: own, starts } of runs) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one at a time, or they would measure each other
      starts.push(await run(role, few))
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      own.push(await run(role, many))
    }
  }
  return (role: (typeof roles)[number]) => {
    const found = runs.find((one) => one.role === role)
    return { all: found?.runs ?? [], ...above(found?.runs ?? [], found?.starts ?? []) }
  }
}

const weighed = async (few: string, many: string, files: number): Promise<number> => {
  const [start, whole] = [await run("memory", few), await run("memory", many)]
  return Math.round((whole.heldBytes - start.heldBytes) / files)
}

const planted = async (root: string, files: number): Promise<Measured> => {
  plantTree(root, files)
  await new Promise((resolve) => setTimeout(resolve, 100))
  return run("plant", root)
}

const compare = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { files: { type: "string", default: "100000" }, rounds: { type: "string", default: "5" } }
  })
  const directory = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
  try {
    const files = Number(values.files)
    const [few, many] = [join(directory, "few"), join(directory, "many")]
    await planted(few, 10)
    const first = await planted(many, files)
    const of = await interleaved(few, many, Number(values.rounds))
    const bytesPerPath = await weighed(few, many, files)
    const [{ all: _, ...bare }, { all, ...store }, { all: alsoAll, ...jsonl }] = [of("walk"), of("store"), of("jsonl")]
    const unchanged = [...all, ...alsoAll].every((measured) => measured.files === files)
    const ratio = round(store.wallMs / bare.wallMs)
    const ratioWithJsonl = round(jsonl.wallMs / bare.wallMs)
    const report = {
      bench: "noop",
      files,
      ours: store,
      /** Run with a JSONL file as its sink. */
      withJsonl: jsonl,
      peers: { "readdirSync and statSync": bare },
      ratio,
      cpuRatio: round(store.cpuMs / bare.cpuMs),
      ratioWithJsonl,
      bytesPerPath,
      firstRunMs: Math.round(first.wallMs),
      unchanged,
      ok: unchanged && Math.max(ratio, ratioWithJsonl) <= 2 && bytesPerPath <= 300,
      machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
    }
    console.log(JSON.stringify(report, null, 2))
    process.exitCode = report.ok ? 0 : 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const everyRole: ReadonlyArray<Role> = ["plant", "memory", ...roles]
const asked = everyRole.find((role) => role === process.env["BENCH_ROLE"])
await (asked === undefined ? compare() : perform(asked, process.env["BENCH_ROOT"] ?? ""))
