/** The whole road of small documents, phase by phase, next to LangChain.js and a plain loop. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { build, type Plugin } from "esbuild"
import { change, plant } from "./pages.ts"
import * as Service from "./service.ts"
import type { Measured, Part, Task } from "./task.ts"

const names = ["ours", "langchain", "plainLoop"] as const
type Name = (typeof names)[number]

const phases = ["first", "unchanged", "changed", "moved"] as const
type Phase = (typeof phases)[number]

/** LangChain's record manager asks for `better-sqlite3`, whose interface `libsql` has; every other package stays what it is. */
const packages: Plugin = {
  name: "packages",
  setup: (build) => {
    build.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: "libsql", external: true }))
    build.onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === "entry-point" || path.startsWith("@langchain/community/") ? undefined : { external: true }
    )
  }
}

/** Compiles the contenders, so that no loader takes memory and time in their processes. */
const compile = async (outdir: string): Promise<string> => {
  const entry = new URL("./contender.ts", import.meta.url).pathname
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outExtension: { ".js": ".mjs" },
    plugins: [packages]
  })
  return join(outdir, "contender.mjs")
}

const isMeasured = (value: unknown): value is Measured =>
  typeof value === "object" && value !== null && "peakRssMb" in value

const perform = async (program: string, name: Name, task: Task, flags: ReadonlyArray<string>): Promise<Measured> => {
  mkdirSync(task.state, { recursive: true })
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, name, JSON.stringify(task)])
  const measured: unknown = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
  if (!isMeasured(measured)) throw new Error(`${name} did not say what it took: ${stdout}`)
  return measured
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const round = (value: number): number => Math.round(value * 100) / 100

export interface Options {
  readonly files: number
  readonly rounds: number
  readonly only: ReadonlyArray<string>
  readonly without: ReadonlyArray<Part>
  /** Flags of Node for the contenders' processes. */
  readonly flags: ReadonlyArray<string>
}

/** Figures of one phase, each the median of the rounds. */
const figures = (runs: ReadonlyArray<Measured & { readonly requests: number }>) => ({
  cpuMsPerDocument: round(median(runs.map((run) => run.cpuMs / run.documents))),
  wallMsPerDocument: round(median(runs.map((run) => run.wallMs / run.documents))),
  documentsPerSecond: Math.round(median(runs.map((run) => (1000 * run.documents) / run.wallMs))),
  peakRssMb: Math.round(median(runs.map((run) => run.peakRssMb))),
  idleRssMb: Math.round(median(runs.map((run) => run.idleRssMb))),
  requests: median(runs.map((run) => run.requests)),
  written: median(runs.map((run) => run.written))
})

type Figures = ReturnType<typeof figures>

const isLate = (phase: Phase): boolean => phase === "moved"

/** Runs the phases of every contender in turns, and returns the figures of each. */
export const run = async ({ files, flags, only, rounds, without }: Options) => {
  const directory = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
  const out = new URL("../../dist/bench-document", import.meta.url).pathname
  const service = await Service.start()
  const chosen = names.filter((name) => only.length === 0 || only.includes(name))
  const runs = new Map<string, Array<Measured & { readonly requests: number }>>()
  try {
    const program = await compile(out)
    for (let at = 0; at < rounds; at++) {
      const folder = join(directory, `round-${at}`, "pages")
      plant(folder, files)
      // A file is known by sight only when it is older than the run before.
      await new Promise((resolve) => setTimeout(resolve, 2100))
      for (const phase of phases) {
        if (phase === "changed") change(folder, files, at)
        for (const name of chosen) {
          const state = join(directory, `round-${at}`, name)
          const before = service.requests()
          const task = {
            base: service.base,
            folder,
            state,
            sink: isLate(phase) ? "new" : "old",
            concurrency: 16,
            without
          }
          const measured = await perform(program, name, task, flags)
          const all = runs.get(`${name} ${phase}`) ?? []
          runs.set(`${name} ${phase}`, [...all, { ...measured, requests: service.requests() - before }])
        }
      }
    }
    const of = (name: Name): Readonly<Record<string, Figures>> =>
      Object.fromEntries(phases.map((phase) => [phase, figures(runs.get(`${name} ${phase}`) ?? [])]))
    return Object.fromEntries(chosen.map((name) => [name, of(name)]))
  } finally {
    service.close()
    rmSync(directory, { recursive: true, force: true })
    rmSync(out, { recursive: true, force: true })
  }
}
