/** A contender's process: loads one of them, does one phase, and tells what that took. */
import type { Contender, Measured, Task } from "./task.ts"

const contenders: Readonly<Record<string, () => Promise<Contender>>> = {
  ours: () => import("./ours.ts").then((module) => module.ours),
  langchain: () => import("./langchain.ts").then((module) => module.langchain),
  plainLoop: () => import("./plainLoop.ts").then((module) => module.plainLoop)
}

const isTask = (value: unknown): value is Task => typeof value === "object" && value !== null && "folder" in value

const measure = async (work: (task: Task) => Promise<{ documents: number; written: number }>, task: Task) => {
  const idleRssMb = process.memoryUsage.rss() / 2 ** 20
  const started = performance.now()
  const before = process.cpuUsage()
  const done = await work(task)
  const { system, user } = process.cpuUsage(before)
  return {
    ...done,
    wallMs: performance.now() - started,
    cpuMs: (user + system) / 1000,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    idleRssMb
  } satisfies Measured
}

const name = process.argv[2] ?? ""
const task: unknown = JSON.parse(process.argv[3] ?? "")
const load = contenders[name]
if (load === undefined || !isTask(task)) throw new Error(`no contender ${name}`)
const measured = await measure(await (await load())(), task)
process.stdout.write(`${JSON.stringify(measured)}\n`)
