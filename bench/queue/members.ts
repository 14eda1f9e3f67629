import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compiled } from "../compiled.ts"
import type { Task } from "./member.ts"

/** A process of a run. */
export interface Member {
  readonly child: ChildProcess
  /** Lines of its output so far. */
  readonly lines: ReadonlyArray<string>
  readonly errors: () => string
  readonly ended: Promise<number | null>
}

/** Starts members of runs. */
export const starter = async (): Promise<(task: Task) => Member> => {
  const file = await compiled(new URL("member.ts", import.meta.url).href)
  return (task) => {
    const child = spawn(process.execPath, [file, JSON.stringify(task)], { stdio: ["ignore", "pipe", "pipe"] })
    const kill = () => void child.kill("SIGKILL")
    process.once("exit", kill)
    const lines: Array<string> = []
    let errors = ""
    child.stdout.on("data", (part: Buffer) => lines.push(...part.toString().split("\n").filter(Boolean)))
    child.stderr.on("data", (part: Buffer) => (errors += part.toString()))
    const ended = new Promise<number | null>((resolve) => {
      child.once("close", (status) => {
        process.off("exit", kill)
        resolve(status)
      })
    })
    return { child, lines, errors: () => errors, ended }
  }
}

/** Writes documents of a few bytes; returns their paths. */
export const documents = (folder: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => {
    const path = `${index % 20}/${index}.pdf`
    mkdirSync(join(folder, String(index % 20)), { recursive: true })
    writeFileSync(join(folder, path), `document ${index} of ${count}`)
    return path
  })

/** Until the claim holds; fails after that many milliseconds. */
export const until = async (claim: () => boolean | Promise<boolean>, most: number, what: string): Promise<void> => {
  const started = performance.now()
  // oxlint-disable-next-line eslint/no-await-in-loop -- it waits
  while (!(await claim())) {
    if (performance.now() - started > most) throw new Error(`not within ${most} ms: ${what}`)
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
